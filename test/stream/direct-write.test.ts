import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeDirectly } from '../../stream/direct-write.ts'

let server: ReturnType<typeof createServer>
let reader: Socket
let socket: Socket
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  reader = connect(port, '127.0.0.1').pause()
  ;[socket] = (await once(server, 'connection')) as [Socket]
})
afterEach(() => {
  reader.destroy()
  socket.destroy()
  server.close()
})

it('a reader that pauses gets every byte in order, whatever the kernel took at once', async () => {
  const parts = Array.from({ length: 400 }, (_, at) => Buffer.alloc(30_001, at % 251))
  // More than any buffer of the kernel: a part is taken in half, the others wait.
  for (const part of parts) writeDirectly(socket, part)
  expect(socket.writableLength).toBeGreaterThan(0)
  socket.end()
  const read: Buffer[] = []
  reader.on('data', (bytes) => read.push(bytes)).resume()
  await once(reader, 'end')
  expect(Buffer.concat(read).equals(Buffer.concat(parts))).toBe(true)
})

it('nothing overtakes bytes that were written through the socket', async () => {
  const waiting = Buffer.alloc(20_000_000, 'a')
  socket.write(waiting)
  writeDirectly(socket, Buffer.from('z'))
  socket.end()
  const read: Buffer[] = []
  reader.on('data', (bytes) => read.push(bytes)).resume()
  await once(reader, 'end')
  expect(Buffer.concat(read).indexOf('z')).toBe(waiting.length)
})

it('a connection that the reader has reset fails as by the socket', async () => {
  reader.resetAndDestroy()
  const failed = once(socket, 'error')
  const write = setInterval(() => writeDirectly(socket, Buffer.from('x')), 1)
  const [error] = (await failed) as [NodeJS.ErrnoException]
  clearInterval(write)
  expect(['EPIPE', 'ECONNRESET']).toContain(error.code)
  expect(() => writeDirectly(socket, Buffer.from('x'))).not.toThrow()
})

/** The readers of the stream's benchmark, as a process of its own: many connections that count what comes. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const [port, path, count] = [Number(process.argv[2]), process.argv[3] ?? '/', Number(process.argv[4])]
/** Connections that are made at once: a server's backlog is short. */
const AT_ONCE = 100

const bytes = new Float64Array(count)
/** Events of one connection, told apart by their data. */
let events = 0
let connected = 0

const open = (at: number) =>
  new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`)
    socket.once('data', () => {
      connected += 1
      resolve()
    })
    socket.on('data', (part) => {
      bytes[at] = (bytes[at] ?? 0) + part.length
      if (at === 0) events += part.toString('latin1').split('"transaction_hash"').length - 1
    })
    socket.on('error', () => resolve())
  })

for (let at = 0; at < count; at += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, next) => open(at + next)))
}
await sleep(300)
bytes.fill(0)
events = 0
process.send?.({ connected })
process.on('message', () => {
  process.send?.({ least: Math.min(...bytes), most: Math.max(...bytes), events })
})

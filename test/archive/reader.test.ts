import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { archiveAt } from '../../archive/reader.ts'
import { listen } from '../../dev/emulators/listening.ts'

const MB = 1_000_000

it('of a file that is larger than the manifest says, no more is read than shows it', async () => {
  let sent = 0
  function* parts() {
    for (; sent < 100 * MB; sent += MB) yield Buffer.alloc(MB)
  }
  // Without a length before it.
  const server = await listen(
    'archive',
    createServer((_, response) => Readable.from(parts()).pipe(response)),
  )
  const bytes = await archiveAt(server.url).read('file', 2 * MB)
  await server.stop()
  expect(bytes?.length).toBeGreaterThan(2 * MB)
  expect(bytes?.length).toBeLessThan(4 * MB)
  expect(sent).toBeLessThan(50 * MB)
})

it('sends its key with every file, and says what to do without one', async () => {
  const server = await listen(
    'archive',
    createServer(({ headers }, response) =>
      response.writeHead(headers.authorization === 'Bearer z100_live_x' ? 200 : 401).end('bytes'),
    ),
  )
  expect(String(await archiveAt(server.url, 'z100_live_x').read('file', MB))).toBe('bytes')
  await expect(archiveAt(server.url, '').read('file', MB)).rejects.toThrow(/401.*Z100_API_KEY/)
  await server.stop()
})

it('a redirect is not followed, since it could lead into the network of whoever reads', async () => {
  let reached = 0
  const inside = await listen(
    'inside',
    createServer((_, response) => {
      reached += 1
      response.end('secret')
    }),
  )
  const server = await listen(
    'archive',
    createServer((_, response) => response.writeHead(302, { location: inside.url }).end()),
  )
  await expect(archiveAt(server.url).read('file', MB)).rejects.toMatchObject({
    name: 'ArchiveUnreachableError',
    message: expect.stringContaining('it redirects (302), which is not followed'),
  })
  expect(reached).toBe(0)
  await Promise.all([server.stop(), inside.stop()])
})

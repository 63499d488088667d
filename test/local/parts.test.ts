import { createServer, get } from 'node:http'
import { expect, it } from 'vitest'
import { openTerminal } from '../../admin/base/terminal.ts'
import { freePort } from '../../dev/emulators/free-port.ts'
import { listen } from '../../dev/emulators/listening.ts'
import { assertFree, type Parts, started, startedInFront, stopAll } from '../../dev/local/parts.ts'

it('a run finds a free port, and listens on 127.0.0.1 only', async () => {
  const port = await freePort()
  const emulator = await listen('one', createServer(), { port })
  expect(emulator.url).toBe(`http://127.0.0.1:${port}`)
  await expect(listen('two', createServer(), { port })).rejects.toThrow('EADDRINUSE')
  await emulator.stop()
})

it('a run stops all parts, the last started first, also with open connections', async () => {
  const stopped: string[] = []
  const fake = (name: string, fails = false) => ({
    name,
    url: '',
    stop: async () => {
      stopped.push(name)
      if (fails) throw new TypeError(name)
    },
  })
  const endless = await listen(
    'endless',
    createServer((_, response) => response.write('…')),
  )
  const response = await fetch(endless.url)
  await expect(stopAll([endless, fake('b', true), fake('c')])).rejects.toThrow(AggregateError)
  expect(stopped).toEqual(['c', 'b'])
  await expect(response.text()).rejects.toThrow()
})

it('a run that ends frees the port of its front part at once, even if another part takes long to stop', async () => {
  const port = await freePort()
  const terminal = openTerminal(process.stdout)
  const parts: Parts = { running: [], stopping: new AbortController(), terminal }
  await startedInFront(parts, listen('front', createServer(), { port }))
  let release = () => {}
  const slow = new Promise<void>((resolve) => {
    release = resolve
  })
  await started(parts, Promise.resolve({ stop: () => slow }))
  parts.stopping.abort()
  const stopping = stopAll(parts.running)
  await expect.poll(() => assertFree(port).catch(() => 'taken')).toBe(undefined)
  release()
  await stopping
})

/** The status of a GET with these headers; 0: the connection was closed without one. */
const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise<number>((resolve) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', () => resolve(0))
  })

it('a part refuses requests with another Host or an Origin, and survives a listener that throws', async () => {
  const server = createServer(({ url }, response) => {
    if (url === '/bad') throw new TypeError('bad')
    response.end()
  })
  const { url, stop } = await listen('guarded', server)
  for (const [headers, status] of [
    [{}, 200],
    [{ host: 'localhost:1' }, 200],
    [{ host: 'api.localhost' }, 200],
    [{ host: 'evil.example' }, 403],
    [{ host: '127.0.0.1.evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
  ] as const) {
    expect([headers, await statusOf(url, headers)]).toEqual([headers, status])
  }
  expect([await statusOf(`${url}/bad`, {}), await statusOf(url, {})]).toEqual([0, 200])
  await stop()
})

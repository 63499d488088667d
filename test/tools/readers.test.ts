import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningStream } from '../../stream/main.ts'
import { type IngestStores, memoryStores } from '../support/aws/ingest-stores.ts'
import { type FeedChain, openFeedChain } from '../support/market/swap-feed.ts'
import { openWay, startTask, until } from '../support/stream-clients.ts'
import { hasTools, requireTool, TOOLS } from './installed.ts'

/** What a reader hands out: the ids and data of its unnamed events, and what went wrong. */
type Heard = { readonly swaps: string[]; readonly faults: string[]; close(): void }
type Reader = (url: string) => Heard

type Source = { addEventListener(name: string, take: (event: { data: string }) => void): void; close(): void }

/** A reader of the EventSource interface. */
const eventSource =
  (open: (url: string) => Source): Reader =>
  (url) => {
    const source = open(url)
    const heard = { swaps: [] as string[], faults: [] as string[], close: () => source.close() }
    source.addEventListener('message', ({ data }) => heard.swaps.push(placeOf(data)))
    source.addEventListener('resync', ({ data }) => heard.faults.push(`resync ${data}`))
    return heard
  }

function placeOf(data: string): string {
  const { block_hash, log_index } = JSON.parse(data) as { block_hash: string; log_index: number }
  return `${block_hash}:${log_index}`
}

const npmReaders: readonly (readonly [string, () => Reader])[] = [
  ['eventsource 2', () => eventSource((url) => new (requireTool('eventsource-2'))(url))],
  ['eventsource 3', () => eventSource((url) => new (requireTool('eventsource-3').EventSource)(url))],
  ['eventsource 4', () => eventSource((url) => new EventSource(url) as Source)],
]

/** Decoders in Python, each as its documentation shows it; they print the data of every event. */
const PYTHON: Readonly<Record<string, string>> = {
  requests: `
import json, sys, time, requests
last = None
while True:
    try:
        headers = {"Last-Event-ID": last} if last else {}
        with requests.get(sys.argv[1], headers=headers, stream=True, timeout=(10, 30)) as response:
            event = {}
            for line in response.iter_lines(chunk_size=1, decode_unicode=True):
                if line.startswith(":"):
                    continue
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                    continue
                json.loads(event["data"])
                if "event" not in event:
                    print(event["data"], flush=True)
                last = event["id"]
                event = {}
    except requests.RequestException:
        time.sleep(0.05)
`,
  // Hands out every block with a field, as httpx-sse and the decoders like it do.
  httpx: `
import json, sys, time, httpx
last = ""
while True:
    try:
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
        with httpx.stream("GET", sys.argv[1], headers=headers, timeout=httpx.Timeout(10, read=30)) as response:
            name, data, retry = "", [], None
            for line in response.iter_lines():
                line = line.rstrip("\\n")
                if line == "":
                    if name or data or last or retry is not None:
                        swap = json.loads("\\n".join(data))
                        if not name:
                            print(json.dumps(swap), flush=True)
                    name, data, retry = "", [], None
                elif not line.startswith(":"):
                    field, _, value = line.partition(":")
                    value = value[1:] if value.startswith(" ") else value
                    if field == "event": name = value
                    elif field == "data": data.append(value)
                    elif field == "id": last = value
                    elif field == "retry": retry = int(value)
    except httpx.HTTPError:
        time.sleep(0.05)
`,
}

/** Readers made for pages, each as its documentation shows it; they print the data of every event without a name. */
const PAGE: Readonly<Record<string, string>> = {
  'event-source-polyfill': `
const { EventSourcePolyfill } = require('event-source-polyfill')
const source = new EventSourcePolyfill(process.argv[1])
source.onmessage = ({ data }) => console.log(JSON.stringify(JSON.parse(data)))
for (const name of ['ready', 'position']) source.addEventListener(name, ({ data }) => JSON.parse(data))
source.addEventListener('resync', ({ data }) => console.error('resync', data))
`,
  'fetch-event-source': `
globalThis.document = { addEventListener() {}, removeEventListener() {} }
globalThis.window = globalThis
const { fetchEventSource } = require('@microsoft/fetch-event-source')
class Again extends Error {}
fetchEventSource(process.argv[1], {
  openWhenHidden: true,
  onmessage({ event, data }) {
    const line = JSON.stringify(JSON.parse(data))
    if (event === '') console.log(line)
    if (event === 'resync') console.error('resync', line)
  },
  onclose() { throw new Again() },
  onerror(error) { if (error instanceof SyntaxError) console.error(String(error)) },
})
`,
}

/** What a program prints, a swap a line; whatever it complains of is a fault. */
const printing =
  (command: string, options: readonly string[], cwd?: string): Reader =>
  (url) => {
    const child = spawn(command, [...options, url], { cwd })
    const heard = { swaps: [] as string[], faults: [] as string[], close: () => child.kill() }
    createInterface(child.stdout).on('line', (line) => heard.swaps.push(placeOf(line)))
    child.stderr.on('data', (text) => heard.faults.push(String(text)))
    return heard
  }

const pageReader = (library: string): Reader => printing(process.execPath, ['-e', PAGE[library] ?? ''], TOOLS)

const python = '/usr/bin/python3'
function hasPython(library: string): boolean {
  const isHere = spawnSync(python, ['-c', `import ${library}`]).status === 0
  if (!isHere)
    process.stdout.write(`skipped: Python's ${library} is not installed (Debian: python3-${library})\n`)
  return isHere
}

const pythonReader = (library: string): Reader => printing(python, ['-c', PYTHON[library] ?? ''])

describe('a reader that is cut three times loses nothing and hears nothing twice', () => {
  let stores: IngestStores
  let chain: FeedChain
  let task: RunningStream
  /** Keep-alives that a reader beside has got: each round of them goes to all readers. */
  let keptAlive = 0
  let beside: IncomingMessage
  beforeAll(async () => {
    stores = memoryStores()
    chain = await openFeedChain(stores.feed)
    task = await startTask(stores, { heartbeatMs: 0 })
    ;[beside] = (await once(get(`${task.url}/stream/swaps`), 'response')) as [IncomingMessage]
    createInterface(beside).on('line', (line) => {
      keptAlive += line.startsWith(':') ? 1 : 0
    })
  })
  afterAll(async () => {
    beside.destroy()
    await task.stop()
  })

  const readers = async () =>
    ((await (await fetch(`${task.url}/health`)).json()) as { readers: number }).readers

  const isCutThrice = async (open: Reader) => {
    const way = await openWay(task.url)
    const before = chain.canonical().length
    const reader = open(`${way.url}/stream/swaps`)
    const swaps = () => chain.canonical().length - before
    // Until it has begun, swaps are not its own.
    await until(async () => (await readers()) === 2)
    const since = keptAlive
    await until(() => keptAlive >= since + 2, 'a keep-alive before the swaps')
    for (let cut = 0; cut < 3; cut++) {
      await chain.trade(3)
      await until(() => reader.swaps.length >= swaps() || reader.faults.length > 0, 'the swaps before a cut')
      way.cut()
      await chain.trade(3)
      await until(() => reader.swaps.length >= swaps() || reader.faults.length > 0, 'the swaps after a cut')
    }
    reader.close()
    await way.stop()
    await until(async () => (await readers()) === 1)
    expect(reader.faults).toEqual([])
    expect(reader.swaps).toHaveLength(18)
    expect(new Set(reader.swaps).size).toBe(18)
  }

  it.runIf(hasTools('no reader of npm reads the stream')).each(npmReaders)('%s', (_, open) =>
    isCutThrice(open()),
  )
  it.runIf(hasTools('no reader for pages reads the stream')).each(Object.keys(PAGE))('%s', (library) =>
    isCutThrice(pageReader(library)),
  )
  for (const library of Object.keys(PYTHON))
    it.runIf(hasPython(library))(`Python's ${library}`, () => isCutThrice(pythonReader(library)))

  it.runIf(hasPython('httpx'))(
    'a keep-alive with a blank line is an event without data to such a decoder',
    async () => {
      const { createServer } = await import('node:http')
      const server = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end('event: ready\nid: 1.0\ndata: {}\n\n:\n\n')
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as { port: number }
      const reader = pythonReader('httpx')(`http://127.0.0.1:${port}/`)
      await until(() => reader.faults.join('').includes('JSONDecodeError'))
      reader.close()
      server.close()
    },
  )
})

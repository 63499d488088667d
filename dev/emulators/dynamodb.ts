import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { AbstractKeyIterator, AbstractValueIterator } from 'abstract-level'
import dynalite from 'dynalite'
import { DamagedFileError } from './damaged-file.ts'
import { type Emulator, listen } from './listening.ts'

// dynalite 4 ends a query by calling `return` of its LevelDB iterator, which does not exist (it is called `close`), so
// iterators are never closed. An open one retains native memory, and every value overwritten or deleted since, on
// disk.
for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) {
  Object.defineProperty(prototype, 'return', {
    // A second copy of this module may define it again.
    configurable: true,
    value(this: { close(): Promise<void> }) {
      return this.close()
    },
  })
}

/**
 * A local DynamoDB (dynalite 4). With a `path` the tables are stored there and survive `kill -9`; otherwise they are in
 * memory. It has no transactions, TTL, Streams, PartiQL or new indexes on an existing table, and never deletes expired
 * items.
 */
export async function startDynamodb(options: { path?: string; port?: number } = {}): Promise<Emulator> {
  const immediately = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 }
  const server = dynalite({ ...immediately, ...(options.path === undefined ? {} : { path: options.path }) })
  server.prependListener('request', endAlone)
  let underWay = 0
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
  })
  const emulator = await listen('dynamodb', server, options)
  const stop = async () => {
    // If the tables are closed during a request, dynalite throws an uncaught error.
    for (let waited = 0; underWay > 0 && waited < STOP_WAIT_MS; waited += 10) await sleep(10)
    await emulator.stop()
  }
  return { ...emulator, stop }
}

/**
 * The same in a worker thread, so that heavy callers, such as ingest at a start, have the other core. `onFault` is
 * called if it ends by itself.
 */
export async function startDynamodbThread(
  options: { path?: string; port?: number },
  onFault: (cause: unknown) => void,
): Promise<Emulator> {
  const script = import.meta.resolve('./dynamodb-thread.ts')
  const thread = new Worker(script.endsWith('.ts') ? withLoader(script) : `import('${script}')`, {
    eval: true,
    workerData: options,
  })
  const [url] = (await once(thread, 'message')) as [string]
  thread.on('error', (fault: Error) => onFault(isClosed.test(fault.message) ? closed(options.path) : fault))
  const ended = new Promise((resolve) => thread.once('exit', resolve))
  const stop = async () => {
    thread.postMessage('stop')
    await ended
  }
  return { name: 'dynamodb', url, stop }
}

/** Code that loads a source file: a worker thread does not inherit the TypeScript loader. */
const withLoader = (script: string): string =>
  `import('${import.meta.resolve('tsx/esm/api')}').then(({ register }) => (register(), import('${script}')))`

/** dynalite opens its database at the first request; if that fails, it only logs the failure. */
const isClosed = /^Database is (closed|not open)/
const closed = (path = 'the memory of the tables') =>
  new DamagedFileError(path, 'no database that can be opened')

/** Maximum wait for running requests at the end. */
const STOP_WAIT_MS = 2_000

/**
 * dynalite throws in a request's event handlers if a body is `null` or breaks off, which would end the process; instead,
 * this closes that connection.
 */
function endAlone(request: IncomingMessage, response: ServerResponse): void {
  const on = request.on.bind(request)
  const guarded = (event: string, listener: (...args: unknown[]) => void) =>
    on(event, (...args: unknown[]) => {
      try {
        listener(...args)
      } catch {
        response.destroy()
      }
    })
  Object.assign(request, { on: guarded })
}

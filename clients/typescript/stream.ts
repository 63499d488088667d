import { createParser } from 'eventsource-parser'
import { ApiError, ConnectionError } from './errors.ts'
import { controllerUnder, sleep } from './request.ts'
import type { LaunchRow, Swap } from './wire.ts'

export type StreamOptions = {
  /** Parameters of the stream, such as `token`, `min_value`, or `events: 'swap,launch'`. */
  readonly filter?: Readonly<Record<string, string | number | boolean>>
  /** Id of the last event that was read earlier: the stream goes on after it. @default from now on */
  readonly lastEventId?: string
  /** Number of past feed entries to begin with, if no id is given. @default 0 */
  readonly entriesBefore?: number
  /** Received swaps and launches that are kept so that a retraction can list them. @default 20,000 */
  readonly remembered?: number
  /** Ends the iteration. */
  readonly signal?: AbortSignal
}

/** A token that was launched, as the stream tells it: what new launches say of it, and its block. */
export type Launch = Pick<
  LaunchRow,
  | 'type'
  | 'symbol'
  | 'name'
  | 'contract_address'
  | 'creator_address'
  | 'creator_verified'
  | 'launched_by'
  | 'pool_id'
  | 'created_at'
  | 'launch_block'
  | 'launch_transaction_hash'
  | 'launch_price_usd'
  | 'cursor'
> & {
  readonly quote_address: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly block_hash: string
  readonly log_index: number
  readonly total_supply: number
  readonly confirmed: boolean
}

/**
 * An event of the stream. `swap` and `launch` may still be undone; `retract` undoes those of a replaced block, and lists
 * what was received of it; `resync`: events may be missing before this point; `open` and `waiting`: the connection is made
 * or lost.
 */
export type StreamEvent =
  | { readonly type: 'swap'; readonly id: string; readonly swap: Swap }
  | { readonly type: 'launch'; readonly id: string; readonly launch: Launch }
  | {
      readonly type: 'retract'
      readonly id: string
      readonly blockHash: string
      readonly swaps: readonly Swap[]
      readonly launches: readonly Launch[]
    }
  | { readonly type: 'resync'; readonly id: string; readonly reason: string }
  | { readonly type: 'open'; readonly id: string }
  | { readonly type: 'waiting'; readonly id: string; readonly error: Error | null }

type Ready = { readonly head: string; readonly oldest_id: string; readonly heartbeat_seconds?: number }

/** An event as it was received; `id`: its own, else that of the event before it. */
type ReceivedEvent = { readonly name: string; readonly data: string; readonly id: string }

/** Pause before a reconnection unless the server asks for another. */
const RETRY_MS = 3_000
/** Longest silence until `ready` says how often something is sent. */
const FIRST_SILENCE_MS = 45_000
/** Heartbeats that may be missing before a connection counts as dead. */
const HEARTBEATS_MISSED = 3
const REMEMBERED = 20_000

/** Reads the stream until the iteration ends, the signal is aborted or the request is refused (ApiError). */
export async function* openStream(
  origin: string,
  options: StreamOptions,
  fetcher: typeof fetch,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal } = options
  const received = openReceived(options.remembered ?? REMEMBERED)
  let lastId = options.lastEventId ?? ''
  while (!signal?.aborted) {
    const connection = openConnection(addressOf(origin, options, lastId), fetcher, signal)
    let error: Error | null = null
    let isRewinding = false
    try {
      for await (const event of connection.events()) {
        const earlier =
          event.name === 'ready' && lastId === '' ? idBefore(event, options.entriesBefore ?? 0) : ''
        isRewinding = earlier !== ''
        lastId = earlier || event.id
        if (isRewinding) break
        const known = received.take(event)
        if (known) yield known
      }
    } catch (cause) {
      if (signal?.aborted) return
      if (cause instanceof ApiError && cause.status < 500 && cause.status !== 429) throw cause
      error = cause as Error
    } finally {
      connection.close()
    }
    if (isRewinding) continue
    yield { type: 'waiting', id: lastId, error }
    await sleep(pauseSeconds(error, connection.retryMs()), signal ?? null).catch(() => {})
  }
}

const pauseSeconds = (error: Error | null, retryMs: number): number =>
  error instanceof ApiError && error.retryAfterSeconds !== null
    ? error.retryAfterSeconds
    : (retryMs / 1_000) * (0.5 + Math.random())

function addressOf(origin: string, { filter }: StreamOptions, lastId: string): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter ?? {})) query.set(name, String(value))
  // In the query, since a header of its own would cost browsers a preflight.
  if (lastId !== '') query.set('last_event_id', lastId)
  return `${origin}/stream/swaps${String(query) && `?${query}`}`
}

type Block = { readonly swaps: Swap[]; readonly launches: Launch[] }

/** What was received of each block, oldest block first. */
function openReceived(most: number) {
  const blocks = new Map<string, Block>()
  let count = 0
  const blockOf = (hash: string): Block => {
    const block = blocks.get(hash) ?? { swaps: [], launches: [] }
    blocks.set(hash, block)
    return block
  }
  const forget = (hash: string): Block => {
    const block = blocks.get(hash) ?? { swaps: [], launches: [] }
    blocks.delete(hash)
    count -= block.swaps.length + block.launches.length
    return block
  }
  const limit = () => {
    count++
    for (const hash of blocks.keys()) {
      if (count <= most) break
      forget(hash)
    }
  }
  return {
    /** What an event is to the reader; null: nothing. */
    take: ({ name, data, id }: ReceivedEvent): StreamEvent | null => {
      if (name === 'message') {
        const swap = JSON.parse(data) as Swap
        blockOf(swap.block_hash).swaps.push(swap)
        limit()
        return { type: 'swap', id, swap }
      }
      if (name === 'launch') {
        const launch = JSON.parse(data) as Launch
        blockOf(launch.block_hash).launches.push(launch)
        limit()
        return { type: 'launch', id, launch }
      }
      if (name === 'retract') {
        const { block_hash: blockHash } = JSON.parse(data) as { block_hash: string }
        return { type: 'retract', id, blockHash, ...forget(blockHash) }
      }
      if (name === 'resync')
        return { type: 'resync', id, reason: (JSON.parse(data) as { reason: string }).reason }
      return name === 'ready' ? { type: 'open', id } : null
    },
  }
}

/** One connection: its events until it ends or is silent for too long (ConnectionError). */
function openConnection(url: string, fetcher: typeof fetch, signal: AbortSignal | undefined) {
  const arrived: ReceivedEvent[] = []
  let [id, retryMs, silenceMs] = ['', RETRY_MS, FIRST_SILENCE_MS]
  const parser = createParser({
    onEvent: (event) => {
      id = event.id ?? id
      arrived.push({ name: event.event ?? 'message', data: event.data, id })
      if (event.event !== 'ready') return
      const { heartbeat_seconds: seconds } = JSON.parse(event.data) as Ready
      if (seconds) silenceMs = HEARTBEATS_MISSED * seconds * 1_000
    },
    onRetry: (milliseconds) => {
      retryMs = milliseconds
    },
  })
  const { controller: own, release } = controllerUnder(signal ?? null)
  const inTime = async <Result>(promise: Promise<Result>): Promise<Result> => {
    const silence = new ConnectionError(`The stream was silent for ${silenceMs / 1_000} seconds.`)
    const timer = setTimeout(() => own.abort(silence), silenceMs)
    try {
      return await promise
    } catch (cause) {
      if (own.signal.reason === silence) throw silence
      throw new ConnectionError('The stream was cut.', { cause })
    } finally {
      clearTimeout(timer)
    }
  }
  async function* events(): AsyncGenerator<ReceivedEvent, void, undefined> {
    const headers = { Accept: 'text/event-stream' }
    const response = await inTime(fetcher(url, { headers, signal: own.signal }))
    if (!response.ok || !response.body) throw new ApiError(response, await inTime(response.text()))
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    for (;;) {
      const { value, done } = await inTime(reader.read())
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* arrived.splice(0)
    }
  }
  const close = () => {
    release()
    own.abort()
  }
  return { retryMs: () => retryMs, events, close }
}

/** The id a number of entries before the head: an id is `entry.index`, and entries are dense. Empty: none. */
function idBefore({ data }: ReceivedEvent, entries: number): string {
  const { head, oldest_id: oldest } = JSON.parse(data) as Ready
  const [headEntry, oldestEntry] = [head, oldest].map((id) => Number.parseInt(id, 10))
  const entry = Math.max((headEntry ?? 0) - entries, oldestEntry ?? 0)
  return entries > 0 && entry > 0 && entry < (headEntry ?? 0) ? `${entry}.0` : ''
}

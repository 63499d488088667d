/** The public stream of swaps. Reconnects by itself, continues after the last id, and reopens a silent connection. */
import { EventSource } from 'eventsource'
import type { Swap } from '../../schemas/client.ts'

/** Callbacks for the stream. */
export type StreamListener = {
  readonly onSwap: (swap: Swap) => void
  /** A block was replaced, and its swaps are void. */
  readonly onRetract: (blockHash: string) => void
  /** Swaps may be missing before this point. */
  readonly onGap: (reason: string) => void
  readonly onState: (state: 'open' | 'waiting') => void
}

/** Options: parameters of the stream, and the number of past feed entries to replay. */
export type StreamChoice = {
  /** Of the service: `https://api.example.com`. */
  readonly origin: string
  readonly filter: Readonly<Record<string, string>>
  readonly entriesBefore?: number
}

type Ready = { readonly head: string; readonly oldest_id: string }

/** EventSource gives up after a 503, so reconnect after this. */
const AGAIN_MS = 5_000
/** The stream sends something every 15 seconds, at least a comment. After three times that, the connection is dead. */
const SILENCE_MS = 45_000

/** Listens until the returned function is called. */
export function listenToSwaps(choice: StreamChoice, listener: StreamListener): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let watch: ReturnType<typeof setTimeout> | undefined
  let lastId = ''
  const noteByte = () => {
    clearTimeout(watch)
    watch = setTimeout(() => {
      listener.onState('waiting')
      open()
    }, SILENCE_MS)
  }
  const open = () => {
    source?.close()
    noteByte()
    const query = new URLSearchParams({ ...choice.filter, ...(lastId ? { last_event_id: lastId } : {}) })
    const opened = new EventSource(`${choice.origin}/stream/swaps${query.size > 0 ? `?${query}` : ''}`, {
      fetch: (url, init) => fetchWatched(url, init, noteByte),
    })
    source = opened
    const hear = (name: string, act: (data: string) => void) =>
      opened.addEventListener(name, (event) => {
        lastId = event.lastEventId
        act(event.data)
      })
    hear('message', (data) => listener.onSwap(JSON.parse(data) as Swap))
    hear('retract', (data) => listener.onRetract((JSON.parse(data) as { block_hash: string }).block_hash))
    hear('resync', (data) => listener.onGap((JSON.parse(data) as { reason: string }).reason))
    opened.addEventListener('ready', ({ data, lastEventId }) => {
      const earlier = lastId === '' ? idBefore(JSON.parse(data) as Ready, choice.entriesBefore ?? 0) : ''
      lastId = earlier || lastEventId
      if (earlier) open()
      else listener.onState('open')
    })
    opened.addEventListener('error', () => {
      listener.onState('waiting')
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    clearTimeout(watch)
    source?.close()
  }
}

/** A fetch that reports each chunk, because keep-alive comments reach no listener of an EventSource. */
async function fetchWatched(url: string | URL, init: RequestInit, onChunk: () => void) {
  const { body, headers, redirected, status, url: finalUrl } = await fetch(url, init)
  const watched = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        onChunk()
        controller.enqueue(chunk)
      },
    }),
  )
  return { body: watched ?? null, headers, redirected, status, url: finalUrl }
}

/** The id a number of entries before the head: an id is `entry.index`, and entries are dense. Empty: none. */
function idBefore({ head, oldest_id: oldest }: Ready, entries: number): string {
  const [headEntry, oldestEntry] = [head, oldest].map((id) => Number.parseInt(id, 10))
  const entry = Math.max((headEntry ?? 0) - entries, oldestEntry ?? 0)
  return entries > 0 && entry > 0 && entry < (headEntry ?? 0) ? `${entry}.0` : ''
}

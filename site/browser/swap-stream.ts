/** The public stream of swaps. The browser comes back by itself and goes on by its last id; what it gives up on is opened anew. */
import type { Swap } from '../../schemas/client.ts'

/** What is heard of the stream. */
export type StreamListener = {
  readonly onSwap: (swap: Swap) => void
  /** The chain has replaced a block: its swaps are no more. */
  readonly onRetract: (blockHash: string) => void
  /** Swaps may be missing from here on. */
  readonly onGap: (reason: string) => void
  readonly onState: (state: 'open' | 'waiting') => void
}

/** A browser takes a 503 for final: we come back after this. */
const AGAIN_MS = 5_000

/** Listens until the function that it returns is called. */
export function listenToSwaps(
  filter: Readonly<Record<string, string>>,
  listener: StreamListener,
): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastId = ''
  const open = () => {
    const query = new URLSearchParams({ ...filter, ...(lastId ? { last_event_id: lastId } : {}) })
    source = new EventSource(`/stream/swaps${query.size > 0 ? `?${query}` : ''}`)
    const hear = (name: string, act: (data: string) => void) =>
      source?.addEventListener(name, (event) => {
        lastId = event.lastEventId
        act(event.data)
      })
    hear('message', (data) => listener.onSwap(JSON.parse(data) as Swap))
    hear('retract', (data) => listener.onRetract((JSON.parse(data) as { block_hash: string }).block_hash))
    hear('resync', (data) => listener.onGap((JSON.parse(data) as { reason: string }).reason))
    hear('ready', () => listener.onState('open'))
    source.addEventListener('error', () => {
      listener.onState('waiting')
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}

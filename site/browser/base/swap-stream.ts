/** The public stream of swaps for the pages, over the client's. */
import { ApiError, createClient, type StreamEvent, type Swap } from '../../../clients/typescript/index.ts'

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

/** Pause after a refusal. */
const AGAIN_MS = 5_000

/** Listens until the returned function is called. */
export function listenToSwaps(choice: StreamChoice, listener: StreamListener): () => void {
  const end = new AbortController()
  const listen = async (lastEventId: string): Promise<void> => {
    let lastId = lastEventId
    try {
      for await (const event of eventsOf(choice, lastId, end.signal)) {
        if (end.signal.aborted) return
        lastId = event.id
        tell(event, listener)
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      listener.onState('waiting')
      setTimeout(() => void listen(lastId), AGAIN_MS)
    }
  }
  void listen('')
  return () => end.abort()
}

const eventsOf = ({ origin, ...choice }: StreamChoice, lastEventId: string, signal: AbortSignal) =>
  createClient({ baseUrl: origin }).stream({
    ...choice,
    signal,
    // Pages know what they show, and need but the hash of a block that is retracted.
    remembered: 0,
    ...(lastEventId ? { lastEventId } : {}),
  })

function tell(event: StreamEvent, listener: StreamListener): void {
  if (event.type === 'swap') listener.onSwap(event.swap)
  else if (event.type === 'retract') listener.onRetract(event.blockHash)
  else if (event.type === 'resync') listener.onGap(event.reason)
  else if (event.type !== 'launch') listener.onState(event.type)
}

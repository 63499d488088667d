/** Entries of the feed as events on the wire. A swap is encoded once for all readers. */
import type { Block, FeedEntry, Minute } from '../market/segment.ts'
import { foldText } from '../market/text.ts'
import { type FieldTable, rowWriter } from '../schemas/field.ts'
import {
  type ReadyLine,
  type ResyncLine,
  readyFields,
  resyncFields,
  retractFields,
} from '../schemas/stream.ts'
import { type SwapLine, swapFields } from '../schemas/swap.ts'
import type { Currencies } from './currencies.ts'
import { type Cursor, cursorText } from './cursor.ts'

/** One event. `line` is null for a retraction, which every reader gets; `symbol` is the token's, folded. */
export type StreamEvent = {
  readonly cursor: Cursor
  readonly line: SwapLine | null
  readonly symbol: string
  readonly bytes: Buffer
}

/** An entry of the feed and its events: one a swap, or the one retraction. */
export type StreamEntry = {
  readonly seq: number
  readonly block: Block
  readonly events: readonly StreamEvent[]
}

const writeSwap = rowWriter(swapFields)
const namedWriter = <Line>(name: string, table: FieldTable<Line>) => {
  const write = rowWriter(table)
  return (at: Cursor, line: Line): Buffer =>
    Buffer.from(`event: ${name}\nid: ${cursorText(at)}\ndata: ${write(line)}\n\n`)
}

/** The first event of a connection; its id is the place that the connection begins at. */
export const readyBytes: (at: Cursor, line: ReadyLine) => Buffer = namedWriter('ready', readyFields)

/** Tells a reader that its place is lost; its id is the head, where the connection goes on. */
export const resyncBytes: (at: Cursor, line: ResyncLine) => Buffer = namedWriter('resync', resyncFields)

const retractBytes = namedWriter('retract', retractFields)

/** Swaps have no event name: they reach `onmessage`. */
const swapBytes = (at: Cursor, line: SwapLine): Buffer =>
  Buffer.from(`id: ${cursorText(at)}\ndata: ${writeSwap(line)}\n\n`)

const minuteOf = ({ timestamp }: { readonly timestamp: number }): Minute => Math.floor(timestamp / 60)

/** Encodes entries of the feed. A swap is confirmed when its minute is `confirmedTo` or before it. */
export async function encodeEntries(
  entries: readonly FeedEntry[],
  currencies: Currencies,
  confirmedTo: Minute,
): Promise<readonly StreamEntry[]> {
  const named = await currencies.read(entries)
  return entries.map((entry) => {
    const { seq, block } = entry
    if (entry.is === 'retract') {
      const cursor = { seq, index: 0 }
      return { seq, block, events: [{ cursor, line: null, symbol: '', bytes: retractBytes(cursor, block) }] }
    }
    const isConfirmed = minuteOf(block) <= confirmedTo
    const events = entry.swaps.map((swap, index) => {
      const line = { swap, token: named(swap.token), quote: named(swap.quote), isConfirmed }
      const cursor = { seq, index }
      return { cursor, line, symbol: foldText(line.token.symbol ?? ''), bytes: swapBytes(cursor, line) }
    })
    return { seq, block, events }
  })
}

/** The event as it is to be said now: encoded anew where its minute has been applied since. */
export function asOfNow(event: StreamEvent, confirmedTo: Minute): StreamEvent {
  const { line, cursor } = event
  if (!line || line.isConfirmed || minuteOf(line.swap) > confirmedTo) return event
  const confirmed = { ...line, isConfirmed: true }
  return { ...event, line: confirmed, bytes: swapBytes(cursor, confirmed) }
}

/** The place after all of an entry's events. */
export const endOf = ({ seq, events }: StreamEntry): Cursor => ({
  seq,
  index: Math.max(0, events.length - 1),
})

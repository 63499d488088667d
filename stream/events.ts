/** Encodes entries of the feed as events. A swap is encoded once for all readers. */
import { LRUCache } from 'lru-cache'
import { minuteOfBlock } from '../market/calendar.ts'
import type { FeedEntry } from '../market/feed-entry.ts'
import type { Address, Block, Minute } from '../market/segment.ts'
import { foldText } from '../market/text.ts'
import {
  type LaunchLine,
  launchEventFields,
  type PositionLine,
  positionFields,
  type ReadyLine,
  type ResyncLine,
  readyFields,
  resyncFields,
  retractFields,
} from '../schemas/api/stream.ts'
import { currencyOf, type SwapCurrency, type SwapLine, swapFields } from '../schemas/records/swap.ts'
import { type FieldTable, rowWriter } from '../schemas/values/field.ts'
import type { TokenStore } from '../store/items/tokens.ts'
import { type Cursor, cursorText } from './cursor.ts'

/** One event: a swap, a launch, or a retraction, which every reader gets. `symbol` is the token's, normalised. */
export type StreamEvent = {
  readonly cursor: Cursor
  /** null: it is no swap. */
  readonly line: SwapLine | null
  /** null: it is no launch. */
  readonly launch: LaunchLine | null
  readonly symbol: string
  readonly bytes: Buffer
}

/** An entry of the feed and its events: one per swap and launch in the order of their logs, or the retraction. */
export type StreamEntry = {
  readonly seq: number
  readonly block: Block
  readonly events: readonly StreamEvent[]
}

const writeSwap = rowWriter(swapFields)
function namedWriter<Line>(name: string, table: FieldTable<Line>) {
  const write = rowWriter(table)
  return (at: Cursor, line: Line): Buffer =>
    Buffer.from(`event: ${name}\nid: ${cursorText(at)}\ndata: ${write(line)}\n\n`)
}

/** Sets the reconnection time of an EventSource, in ms. A line of its own, never a block: some decoders hand out every block. */
export const retryLine = (ms: number): string => `retry: ${Math.round(ms)}\n`

/** The heartbeat of an idle connection, a comment line; no blank line, which would end a block. */
export const heartbeatBytes: Buffer = Buffer.from(':\n')

/** The first event of a connection; its id is the position where the connection begins. */
export const readyBytes: (at: Cursor, line: ReadyLine) => Buffer = namedWriter('ready', readyFields)

/** Tells a filtered reader how far its filter has been applied; the event's id is the head. */
export const positionBytes: (at: Cursor, line: PositionLine) => Buffer = namedWriter(
  'position',
  positionFields,
)

/** Tells a reader that it cannot continue from its position; the event's id is the head, where the connection continues. */
export const resyncBytes: (at: Cursor, line: ResyncLine) => Buffer = namedWriter('resync', resyncFields)

const retractBytes = namedWriter('retract', retractFields)
const launchBytes = namedWriter('launch', launchEventFields)

/** Swaps have no event name: they reach `onmessage`. */
const swapBytes = (at: Cursor, line: SwapLine): Buffer =>
  Buffer.from(`id: ${cursorText(at)}\ndata: ${writeSwap(line)}\n\n`)

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
      const bytes = retractBytes(cursor, block)
      return { seq, block, events: [{ cursor, line: null, launch: null, symbol: '', bytes }] }
    }
    const isConfirmed = minuteOfBlock(block) <= confirmedTo
    const swaps = entry.swaps.map((swap) => ({
      logIndex: swap.logIndex,
      eventAt: (cursor: Cursor) =>
        swapEvent(cursor, { swap, token: named(swap.token), quote: named(swap.quote), isConfirmed }),
    }))
    const launches = (entry.launches ?? []).map((token) => ({
      logIndex: token.launchedAt.logIndex,
      eventAt: (cursor: Cursor) => launchEvent(cursor, { token, creatorToken: null, block, isConfirmed }),
    }))
    const ordered = launches.length === 0 ? swaps : [...swaps, ...launches].sort(byLog)
    return { seq, block, events: ordered.map(({ eventAt }, index) => eventAt({ seq, index })) }
  })
}

const byLog = (a: { readonly logIndex: number }, b: { readonly logIndex: number }): number =>
  a.logIndex - b.logIndex

const swapEvent = (cursor: Cursor, line: SwapLine): StreamEvent => ({
  cursor,
  line,
  launch: null,
  symbol: foldText(line.token.symbol ?? ''),
  bytes: swapBytes(cursor, line),
})

const launchEvent = (cursor: Cursor, launch: LaunchLine): StreamEvent => ({
  cursor,
  line: null,
  launch,
  symbol: foldText(launch.token.symbol),
  bytes: launchBytes(cursor, launch),
})

/** The event as of now: encoded again if its minute has been applied since. */
export function asOfNow(event: StreamEvent, confirmedTo: Minute): StreamEvent {
  const { line, launch, cursor } = event
  if (line && !line.isConfirmed && minuteOfBlock(line.swap) <= confirmedTo)
    return swapEvent(cursor, { ...line, isConfirmed: true })
  if (launch && !launch.isConfirmed && minuteOfBlock(launch.block) <= confirmedTo)
    return launchEvent(cursor, { ...launch, isConfirmed: true })
  return event
}

/** The position after an entry's events. */
export const endOf = ({ seq, events }: StreamEntry): Cursor => ({
  seq,
  index: Math.max(0, events.length - 1),
})

/** Cache size and time of token names; a token may be renamed. */
const KEPT_TOKENS = 20_000
const KEPT_MS = 60_000

/** Quotes of swaps, by address. */
export type Currencies = {
  /** Names of both sides of the entries' swaps, with at most one look-up for those not cached. */
  read(entries: readonly FeedEntry[]): Promise<(address: Address) => SwapCurrency>
}

/**
 * Opens the names of tokens, in addition to the reference currencies. The name of a token that is not stored yet is in
 * the entry itself.
 */
export function openCurrencies(
  tokens: Pick<TokenStore, 'tokens'>,
  references: readonly SwapCurrency[],
): Currencies {
  const known = new LRUCache<Address, SwapCurrency>({ max: KEPT_TOKENS, ttl: KEPT_MS })
  const fixed = new Map(references.map((currency) => [currency.address, currency]))
  return {
    async read(entries) {
      const blocks = entries.filter((entry) => entry.is === 'block')
      const named = new Map<Address, SwapCurrency>()
      const missing: Address[] = []
      for (const address of new Set(
        blocks.flatMap(({ swaps }) => swaps.flatMap(({ token, quote }) => [token, quote])),
      )) {
        const found = fixed.get(address) ?? known.get(address)
        if (found) named.set(address, found)
        else missing.push(address)
      }
      if (missing.length > 0) {
        for (const [address, token] of await tokens.tokens(missing)) {
          const currency = currencyOf(token)
          known.set(address, currency)
          named.set(address, currency)
        }
      }
      const inFeed = new Map(blocks.flatMap(({ names = [] }) => names.map((token) => [token.address, token])))
      return (address) =>
        named.get(address) ?? currencyOf(inFeed.get(address) ?? { address, symbol: null, name: null })
    },
  }
}

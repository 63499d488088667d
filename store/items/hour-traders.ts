/** Who traded a token in an hour: windows are summed from it. */
import {
  joinedTraders,
  largestVolumeFirst,
  type TraderSums,
  traderOfSwap,
} from '../../market/board/traders.ts'
import { grouped } from '../../market/grouped.ts'
import type { Address, Swap } from '../../market/segment.ts'
import type { Item, Reads } from '../aws/table.ts'
import { addressOf, keptSeconds, marketKeys } from '../aws/tables.ts'
import { packedList } from '../bytes/packed.ts'
import { chunksOfHours, hourChunks } from './hour-chunks.ts'

const sumsBytes = packedList<Omit<TraderSums, 'trader'> & { readonly trader: bigint }>({
  trader: BigInt,
  buys: Number,
  sells: Number,
  buyVolume: BigInt,
  sellVolume: BigInt,
  // Seconds after the start of the hour.
  lastTradeAt: Number,
})

/** Traders in one item: at most 4 KB, which is half a read unit. */
const CHUNK = 90
const ROUND = { fresh: 4, atOnce: 12 } as const
/** What one more read costs at most, in read units. */
export const TRADERS_ROUND_UNITS = ROUND.atOnce / 2

/** The items of an hour's traders, made from its swaps. */
export const itemsOfTraders = (hour: number, swaps: readonly Swap[]): Item[] =>
  [...grouped(swaps, ({ token }) => token)].flatMap(([token, own]) =>
    hourChunks([...joinedTraders(own.map(traderOfSwap)).values()].sort(largestVolumeFirst), CHUNK, {
      keyOf: (chunk) => tradersKey(token, hour, chunk),
      written: (some) => ({
        traders: sumsBytes.write(
          some.map((each) => ({
            ...each,
            trader: BigInt(each.trader),
            lastTradeAt: each.lastTradeAt - hour * 3_600,
          })),
        ),
      }),
    }),
  )

/** Key and expiry of a chunk. */
export const tradersKey = (token: Address, hour: number, chunk = 0): Item => ({
  ...marketKeys.tokenTraders(token, hour, chunk),
  ttl: hour * 3_600 + keptSeconds.minute,
})

/**
 * Traders of a token in a range of hours (inclusive), newest first. After each read: what was found since hour `from` on,
 * of which nothing is missing.
 */
export async function* readHourTraders(
  tables: { readonly table: Reads; readonly past: Reads },
  token: Address,
  { first, last }: { readonly first: number; readonly last: number },
): AsyncGenerator<{ readonly from: number; readonly traders: readonly TraderSums[] }> {
  const { pk, sk: to } = marketKeys.tokenTraders(token, last, 0)
  const { sk: from } = marketKeys.tokenTraders(token, first, 9_999)
  let reached = last + 1
  let open: TraderSums[] = []
  for await (const chunks of chunksOfHours(tables, { pk, from, to }, ROUND)) {
    const whole: TraderSums[] = []
    for (const { hour, item, left } of chunks) {
      open.push(...tradersIn(item, hour))
      if (left > 0) continue
      whole.push(...open)
      reached = hour
      open = []
    }
    yield { from: reached, traders: whole }
  }
  yield { from: first, traders: [] }
}

const tradersIn = (item: Item, hour: number): readonly TraderSums[] =>
  sumsBytes
    .read(item['traders'] as Uint8Array)
    .map((each) => ({
      ...each,
      trader: addressOf(each.trader.toString(16).padStart(40, '0')),
      lastTradeAt: hour * 3_600 + each.lastTradeAt,
    }))

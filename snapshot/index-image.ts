import type { IndexBar } from '../market/index-history.ts'
import type { CapState, MinuteBefore } from '../market/index-median.ts'
import type { Member } from '../market/index-review.ts'
import type { Address, Minute, ReferenceRate, Token, TokenKind } from '../market/segment.ts'
import type { Z100Index } from '../market/z100-index.ts'
import { tokenFrom, tokenText } from '../store/codec.ts'
import {
  integer,
  type Json,
  listOf,
  mapOf,
  nullable,
  plain,
  recordOf,
  type Shape,
  tupleOf,
} from '../store/shape.ts'
import { byInterval, type IndexState, type PointAt } from './index-state.ts'

/** Reference rates as an image keeps them. */
export const referencesShape = mapOf<Address, ReferenceRate>(
  recordOf<ReferenceRate>({
    observedUsdE36: integer,
    heldUsdE36: integer,
    outside: plain(),
    decimals: plain(),
  }),
)

const minuteShape = nullable(plain<Minute>())

const indexShape = recordOf<Z100Index>({
  minute: minuteShape,
  baseMinute: minuteShape,
  members: mapOf<Address, Member>(recordOf<Member>({ kind: plain<TokenKind>(), quantity: integer })),
  since: mapOf<Address, Minute>(plain<Minute>()),
  divisor: integer,
  valueE8: integer,
})

const tokenShape: Shape<Token> = { write: tokenText, read: (json) => tokenFrom(json as string) }

const pairOf = <V>(shape: Shape<V>): Shape<readonly [Address, V]> => ({
  write: ([address, value]) => [address, shape.write(value)],
  read: (json) => {
    const [address, value] = json as readonly [Address, Json]
    return [address, shape.read(value)]
  },
})

const capStateShape = tupleOf<CapState>({ sqrtPriceX96: integer, supply: integer, reserveQuote: integer })

const recentShape = listOf(
  recordOf<MinuteBefore>({
    minute: plain(),
    references: referencesShape,
    tokens: listOf(pairOf(tokenShape)),
    states: listOf(pairOf(capStateShape)),
  }),
)

const pointsShape = listOf(tupleOf<PointAt>({ minute: plain(), valueE8: integer }))

const barShape = nullable(
  recordOf<IndexBar>({
    at: plain(),
    open: integer,
    high: integer,
    low: integer,
    close: integer,
    creatorVolume: integer,
    postVolume: integer,
    trades: plain(),
    active: mapOf<Address, TokenKind>(plain<TokenKind>()),
  }),
)

/** The index for an image. */
export const indexJson = ({ index, points, recent, bars }: IndexState): Json => ({
  index: indexShape.write(index),
  points: pointsShape.write(points),
  recent: recentShape.write(recent),
  bars: byInterval((interval) => barShape.write(bars[interval])),
})

/** The index that `indexJson` was made from. Its bars are told again: the table may know of minutes that were taken back since. */
export function indexFrom(json: Json): IndexState {
  const { index, points, recent, bars } = json as { readonly [key: string]: Json }
  const read = bars as { readonly [interval: string]: Json }
  const newest = byInterval((interval) => barShape.read(read[interval] ?? null))
  return {
    index: indexShape.read(index ?? null),
    points: [...pointsShape.read(points ?? [])],
    recent: [...recentShape.read(recent ?? [])],
    bars: newest,
    untold: byInterval((interval) => [newest[interval] ?? []].flat()),
  }
}

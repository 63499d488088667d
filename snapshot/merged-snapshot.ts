/** The snapshot of a market in shards: each contributes a part as plain data, and one process merges the parts. */
import { creatorTokensBy, type ListPlaces, listPlacesOf, mergedLists } from '../market/board/merged-lists.ts'
import { rankedMarket } from '../market/board/rankings.ts'
import { type Screened, type ScreenedScores, screenedFigureNames } from '../market/board/screener.ts'
import { byLaunch } from '../market/launch-order.ts'
import { memoized } from '../market/memoized.ts'
import { SCREENER_SIZE } from '../market/rules.ts'
import type { Address, Token, TokenKind } from '../market/segment.ts'
import { byName } from '../market/window.ts'
import { currenciesOf } from '../schemas/currencies.ts'
import { tokenLine } from '../store/codec.ts'
import type { ArrayPool } from './active-market.ts'
import { type Snapshot, type SnapshotOrigin, snapshotFrom } from './documents.ts'
import { type Engine, windowsOf } from './engine.ts'

/** A shard's part of a snapshot: the snapshot of its own tokens, and the places of its rows. */
export type SnapshotPart = Snapshot & { readonly places: ListPlaces }

/** A shard's part of a snapshot, valid until `arrays` are reclaimed. Throws EmptyEngineError. */
export function snapshotPartOf(engine: Engine, origin: SnapshotOrigin, arrays?: ArrayPool): SnapshotPart {
  const market = rankedMarket(windowsOf(engine, arrays))
  const snapshot = snapshotFrom(engine, market, origin)
  const members = snapshot.seats.map(({ token }) => token)
  return { ...snapshot, places: listPlacesOf(market, snapshot, members) }
}

/** The whole snapshot; `tokenOf` gives the `creatorTokens` of all parts, which are of the same entry of the log. */
export function mergedSnapshot(
  parts: readonly SnapshotPart[],
  tokenOf: (address: Address) => Token | undefined,
): Snapshot {
  const [first] = parts
  if (!first || parts.some(({ id }) => id !== first.id))
    throw new RangeError('the parts are not of one snapshot')
  const { places: _, ...shared } = first
  const facts = { ...shared, currencies: currenciesOf(first.chain ?? ''), tokenOf }
  const creatorOf = creatorTokensBy(parts, facts)
  return {
    ...shared,
    lists: mergedLists(parts, facts),
    counts: {
      born: parts.reduce((sum, { counts }) => sum + counts.born, 0),
      active: parts.reduce((sum, { counts }) => sum + counts.active, 0),
    },
    screened: mergedScreened(parts, tokenOf),
    seats: parts
      .flatMap(({ seats }) => seats)
      .map((seat) => ({ ...seat, creatorToken: creatorOf(seat.token) })),
  }
}

/** A screened token of a part. */
type ScreenedRow = { readonly screened: Screened; readonly scores: ScreenedScores; readonly at: number }

const descriptionOf = ({ screened, at }: ScreenedRow): string => screened.descriptions[at] as string

/** Largest first, by each score in turn; 0: all of their scores are equal. */
function byScores(a: ScreenedRow, b: ScreenedRow): number {
  for (const [key, scores] of a.scores.entries()) {
    const [left, right] = [scores[a.at] ?? -1, b.scores[key]?.[b.at] ?? -1]
    if (left < right) return 1
    if (left > right) return -1
  }
  return 0
}

/** The screened tokens of all parts, with the creator tokens of other shards. */
function mergedScreened(
  parts: readonly SnapshotPart[],
  tokenOf: (address: Address) => Token | undefined,
): Screened {
  const tokenIn = memoized((description: string) => tokenLine.read(description))
  const launched = (a: ScreenedRow, b: ScreenedRow) =>
    byLaunch(tokenIn(descriptionOf(a)), tokenIn(descriptionOf(b)))
  const all = parts.flatMap(({ screened, places }) =>
    screened.descriptions.map((_, at): ScreenedRow => ({ screened, scores: places.screened, at })),
  )
  const first = all.sort((a, b) => byScores(a, b) || launched(a, b)).slice(0, SCREENER_SIZE)
  return {
    traded: parts.reduce((sum, { screened }) => sum + screened.traded, 0),
    kinds: first.map(({ screened, at }) => screened.kinds[at] as TokenKind),
    descriptions: first.map(descriptionOf),
    creatorTokens: first.map(({ screened, at }) => {
      const creatorToken = screened.creatorTokens[at] ?? null
      const elsewhere = creatorToken?.description === null && tokenOf(creatorToken.address)
      return elsewhere ? { description: tokenLine.write(elsewhere) } : creatorToken
    }),
    figures: byName(screenedFigureNames, (name) =>
      first.map(({ screened, at }) => screened.figures[name][at] ?? null),
    ),
  }
}

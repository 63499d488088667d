import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Distribution } from '../market/holders.ts'
import type { Address, Block } from '../market/segment.ts'
import type { ReadableMinute } from './applied-read.ts'
import { integer, listOf, plain, recordOf, tupleOf } from './shape.ts'
import type { Item, Ledger, Reads } from './table.ts'
import { marketKeys } from './tables.ts'

/** Tokens with more balances than this have a view; those of the others are read as they are. */
export const VIEW_FROM_BALANCES = 1_000

/** One of the largest holders. */
export type TopHolder = { readonly holder: Address; readonly amount: bigint; readonly isContract: boolean }

/** How a token's supply lay with its holders after an entry of the log: of all of them, and the largest 100 by name. */
export type HolderView = {
  readonly at: ReadableMinute
  readonly distribution: Distribution
  readonly top: readonly TopHolder[]
}

const viewShape = recordOf<HolderView>({
  at: recordOf<ReadableMinute>({
    n: plain(),
    minute: plain(),
    last: recordOf<Block>({ number: plain(), hash: plain(), timestamp: plain() }),
  }),
  distribution: recordOf<Distribution>({
    holders: plain(),
    giniE4: integer,
    top10PercentE4: integer,
    top25PercentE4: integer,
    top50PercentE4: integer,
    top100PercentE4: integer,
    whaleCount: plain(),
    whalePercentE4: integer,
  }),
  top: listOf(tupleOf<TopHolder>({ holder: plain(), amount: integer, isContract: plain() })),
})

/**
 * Puts a token's view, or (null) that it has none any more, as of entry `n`. One of a later entry stays, and so does a rewind
 * of the entry: what it says was taken back.
 */
export function putHolderView(
  ledger: Ledger,
  token: Address,
  { n, view }: { readonly n: number; readonly view: HolderView | null },
): Promise<boolean> {
  const own: Partial<Item> = view
    ? { view: deflateRawSync(JSON.stringify(viewShape.write(view))) }
    : { tomb: true }
  return ledger.put({ ...marketKeys.holderView(token), ...own, pos: n }, { olderThan: n })
}

/** A token's view; undefined: it has none. */
export async function readHolderView(
  table: Pick<Reads, 'read'>,
  token: Address,
): Promise<HolderView | undefined> {
  const item = await table.read(marketKeys.holderView(token))
  if (!item) return undefined
  return viewShape.read(JSON.parse(inflateRawSync(item['view'] as Uint8Array).toString()))
}

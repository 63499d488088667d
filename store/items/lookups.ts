import type { Address, Token } from '../../market/segment.ts'
import { allOf } from '../aws/parallel.ts'
import type { Item, Reads } from '../aws/table.ts'
import { addressOf, lookupPartitions, padded } from '../aws/tables.ts'

/** A token of a look-up. */
export type FoundToken = {
  readonly token: Address
  readonly kind: Token['kind']
  /** Sorts by creation. */
  readonly launch: string
  /** In the look-up of a creator: false if the token only names the creator. */
  readonly isTheirs: boolean
}

/** The tokens read of one look-up; `isCut`: there may be more. */
type Part = { readonly pk: string; readonly found: readonly FoundToken[]; readonly isCut: boolean }

/** Tokens of several look-ups launched up to a block, oldest first, at most `limit`: reads at most about twice as many items. */
export async function oldestOf(
  table: Pick<Reads, 'query'>,
  partitions: readonly string[],
  { lastBlock, limit }: { readonly lastBlock: number; readonly limit: number },
): Promise<readonly FoundToken[]> {
  if (partitions.length === 0 || limit <= 0) return []
  const page = Math.ceil(limit / partitions.length)
  const readMore = async ({ pk, found }: Part): Promise<Part> => {
    const last = found.at(-1)
    const items = await allOf(table.query({ pk, limit: page, ...(last && { from: `${last.launch}~` }) }))
    const more = items.map(foundFrom)
    const isOver = more.some(({ launch }) => blockOf(launch) > lastBlock)
    return {
      pk,
      found: [...found, ...more.filter(({ launch }) => blockOf(launch) <= lastBlock)],
      isCut: items.length === page && !isOver,
    }
  }
  let parts = await Promise.all(partitions.map((pk) => readMore({ pk, found: [], isCut: true })))
  for (;;) {
    const all = parts.flatMap(({ found }) => found).sort((a, b) => (a.launch < b.launch ? -1 : 1))
    // Beyond the last item read of a look-up that goes on, others of it may come first.
    const [next] = parts.filter(({ isCut }) => isCut).sort((a, b) => (endOf(a) < endOf(b) ? -1 : 1))
    const sure = next ? all.filter(({ launch }) => launch <= endOf(next)) : all
    if (!next || sure.length >= limit) return sure.slice(0, limit)
    const longer = await readMore(next)
    parts = parts.map((part) => (part === next ? longer : part))
  }
}

/** A place among launches: those before it come next. */
export type LaunchPlace = { readonly blockNumber: number; readonly logIndex: number }

/** Tokens of one look-up launched before a place, newest first. */
export async function* launchedBefore(
  table: Pick<Reads, 'query'>,
  pk: string,
  { blockNumber, logIndex }: LaunchPlace,
): AsyncGenerator<FoundToken> {
  // Without an address it sorts before the launch at the place itself.
  let to = `${padded(blockNumber, 12)}#${padded(logIndex, 8)}`
  for (;;) {
    let read = 0
    for await (const item of table.query({ pk, to, isDescending: true, limit: LAUNCHES_AT_ONCE })) {
      read += 1
      // It ends with an address, which no other launch at this place has.
      to = item.sk.slice(0, -1)
      yield foundFrom(item)
    }
    if (read < LAUNCHES_AT_ONCE) return
  }
}

const LAUNCHES_AT_ONCE = 16

/** Tokens of one look-up launched up to a block, newest first, at most `limit`. */
export async function newestOf(
  table: Pick<Reads, 'query'>,
  pk: string,
  { lastBlock, limit }: { readonly lastBlock: number; readonly limit: number },
): Promise<readonly FoundToken[]> {
  const items = await allOf(table.query({ pk, isDescending: true, limit }))
  return items.map(foundFrom).filter(({ launch }) => blockOf(launch) <= lastBlock)
}

const foundFrom = ({ sk, kind, theirs }: Item): FoundToken => ({
  token: addressOf(sk.slice(-40)),
  kind: kind as Token['kind'],
  launch: sk,
  isTheirs: theirs !== false,
})

/** Every token launched up to a block, newest first or oldest first, after the one of a sort key: at most `limit`. */
export async function launchesOf(
  table: Pick<Reads, 'query'>,
  { lastBlock, after, isDescending, limit }: LaunchSpan,
): Promise<readonly FoundToken[]> {
  const end = padded(lastBlock + 1, 12)
  const first = after === null ? ' ' : `${after}~`
  const span = isDescending ? { from: ' ', to: after ?? end } : { from: first, to: end }
  // The token of the sort key itself is read again where keys descend.
  const items = await allOf(
    table.query({ pk: lookupPartitions.all, ...span, isDescending, limit: limit + 1 }),
  )
  return items
    .map(foundFrom)
    .filter(({ launch }) => launch !== after)
    .slice(0, limit)
}

/** `after`: the sort key of the last token of the page before; null: the first page. */
export type LaunchSpan = {
  readonly lastBlock: number
  readonly after: string | null
  readonly isDescending: boolean
  readonly limit: number
}

const blockOf = (launch: string): number => Number(launch.slice(0, 12))
const endOf = ({ found }: Part): string => found.at(-1)?.launch ?? ''

/**
 * Several readings of the same blocks, by each endpoint and in each mode, and their union. An endpoint can leave logs out, but
 * cannot invent one for a block's hash. So the union is genuine, and a reading that lacks some of it is incomplete.
 */
import { type BlockFacts, countFacts, type Fact } from '../../market/fold/fact.ts'
import type { Block, Hash } from '../../market/segment.ts'
import { isNarrowFor, isSilent } from '../client/endpoint-traits.ts'
import { endpointsOf } from '../client/endpoints.ts'
import type { BlockSpan } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import type { PoolTransaction } from '../decode/decode-context.ts'
import { openRanges, type Reading, type Source } from './range.ts'

/** `usual`: by topic alone; `other`: trades and creations by address, the rest by topic. */
export type QueryMode = 'usual' | 'other'

/** An endpoint for another reading, and its mode. `rpc` is pinned to it. */
export type ReadingSource = { readonly rpc: Rpc; readonly mode: QueryMode }

/**
 * The order of further readings: another endpoint in the usual mode, the same one in the other mode, and so on; endpoints
 * that do not answer come last, and before them those that do not serve blocks as old as the `span`, or so many.
 * `first`: the endpoints of the first reading, which had the usual mode.
 */
export function readingSourcesAfter(
  rpc: Rpc,
  first: ReadonlySet<string>,
  { from, to }: BlockSpan = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY },
): readonly ReadingSource[] {
  const endpoints = endpointsOf(rpc, first)
  const others = endpoints.filter(({ endpoint }) => !first.has(endpoint.name))
  const same = endpoints.filter(({ endpoint }) => first.has(endpoint.name))
  const asked = (some: readonly Rpc[], mode: QueryMode) =>
    some.map((one): ReadingSource => ({ rpc: one, mode }))
  const inTurn = [
    ...asked(others, 'usual'),
    ...asked(same, 'other'),
    ...asked(others, 'other'),
    ...asked(same, 'usual'),
  ]
  const rank = ({ rpc: { endpoint } }: ReadingSource) =>
    2 * Number(isSilent(endpoint)) +
    Number(isNarrowFor(endpoint, to - from + 1) || !endpoint.reach.covers(from))
  return inTurn.sort((a, b) => rank(a) - rank(b))
}

/** The blocks after `after` up to `to`. 'reorged': `after` is not on the endpoint's chain. Throws IngestError. */
export async function readWhole(
  source: Omit<Source, 'rpc' | 'mode'>,
  { rpc, mode }: ReadingSource,
  { after, to }: { readonly after: Block | null; readonly to: number },
): Promise<Reading | 'reorged'> {
  const ranges = openRanges({ ...source, rpc, mode })
  const blocks: BlockFacts[] = []
  const poolTransactions: PoolTransaction[] = []
  let last = after
  while (last === null || last.number < to) {
    const range = await ranges.read(last, to)
    if (range === 'reorged') return range
    for (const block of range.blocks) blocks.push(block)
    for (const one of range.poolTransactions) poolTransactions.push(one)
    last = range.last
  }
  const endpoint = rpc.endpoint.name
  return { readingSource: `${endpoint} ${mode}`, endpoint, blocks, poolTransactions }
}

/** The union of readings of the same blocks. */
export type Quorum = {
  add(reading: Reading): void
  /** Adds facts known from elsewhere; true where one is new. Facts of another fork are ignored. */
  know(blocks: readonly BlockFacts[]): boolean
  /** Two sources have all of it; or the newest nearly complete readings added nothing, and every known fact is in some reading. */
  isReached(): boolean
  /** Every block of any reading, ascending, with all facts; with the milliseconds that two endpoints claim, if all who claim any agree. */
  blocks(): readonly BlockFacts[]
  poolTransactions(): readonly PoolTransaction[]
  /** Endpoints whose newest readings lack something. */
  incomplete(): readonly string[]
  /** Endpoints that have been read. */
  endpoints(): readonly string[]
}

/** Equal readings that suffice. */
const COMPLETE_READINGS = 2
/** If no two readings are complete, this many nearly complete ones in a row must add nothing: some endpoints omit a little at random. */
const QUIET_READINGS = 4
/** A reading with less than this share of the known facts does not count. */
const NEARLY_ALL = 0.9

/** A block and its facts by their names. */
type KnownBlock = Omit<BlockFacts, 'facts'> & { readonly facts: Map<string, Fact> }

/** Opens a quorum without a reading. */
export function openQuorum(): Quorum {
  const blocks = new Map<number, KnownBlock>()
  const poolTransactions = new Map<Hash, PoolTransaction>()
  const readings: { readonly reading: Reading; readonly size: number; readonly added: number }[] = []
  let size = 0

  /** Known facts that are in no reading. */
  const unread = new Set<string>()

  const addBlocks = (added: readonly BlockFacts[], isReading: boolean): number => {
    const before = size
    for (const { facts, claimedMs: _, ...given } of added) {
      const { block, timestampMs } = given
      const known = { ...given, facts: new Map<string, Fact>(), ...blocks.get(block.number) }
      if (known.block.hash !== block.hash) continue
      blocks.set(block.number, { ...known, timestampMs: known.timestampMs ?? timestampMs })
      for (const fact of facts) {
        const name = nameOf(fact)
        const isNew = !known.facts.has(name)
        if (isReading) unread.delete(`${block.number} ${name}`)
        else if (isNew) unread.add(`${block.number} ${name}`)
        if (isNew) size += 1
        if (isNew || 'transactionFrom' in fact) known.facts.set(name, fact)
      }
    }
    return size - before
  }
  const newestBySource = () => [...new Map(readings.map((one) => [one.reading.readingSource, one])).values()]

  return {
    add(reading) {
      const own = countFacts(reading.blocks)
      readings.push({ reading, size: own, added: addBlocks(reading.blocks, true) })
      for (const one of reading.poolTransactions) {
        const known = poolTransactions.get(one.transactionHash)
        poolTransactions.set(one.transactionHash, {
          ...one,
          hasPlatformLog: one.hasPlatformLog || known?.hasPlatformLog === true,
          hasUnreportedTrade: one.hasUnreportedTrade || known?.hasUnreportedTrade === true,
        })
      }
    },
    know: (proved) => addBlocks(proved, false) > 0,
    isReached() {
      if (newestBySource().filter((one) => one.size === size).length >= COMPLETE_READINGS) return true
      const telling = readings.filter((one) => one.size >= size * NEARLY_ALL).slice(-QUIET_READINGS)
      const isQuiet = telling.length === QUIET_READINGS && telling.every(({ added }) => added === 0)
      return isQuiet && unread.size === 0
    },
    blocks: () => inOrder(blocks.values(), agreedTimes(readings)),
    poolTransactions: () => [...poolTransactions.values()],
    incomplete: () => [
      ...new Set(
        newestBySource()
          .filter((one) => one.size < size)
          .map(({ reading }) => reading.endpoint),
      ),
    ],
    endpoints: () => [...new Set(readings.map(({ reading }) => reading.endpoint))],
  }
}

/** Blocks and their facts in chain order. `agreed`: milliseconds of blocks that have none of their own. */
const inOrder = (blocks: Iterable<KnownBlock>, agreed: ReadonlyMap<Hash, number>): readonly BlockFacts[] =>
  [...blocks]
    .sort((a, b) => a.block.number - b.block.number)
    .map(({ timestampMs, ...known }) => ({
      ...known,
      timestampMs: timestampMs ?? agreed.get(known.block.hash),
      facts: [...known.facts.values()].sort(byPlace),
    }))

/** The milliseconds of blocks that two endpoints claim and none denies. */
function agreedTimes(readings: readonly { readonly reading: Reading }[]): ReadonlyMap<Hash, number> {
  const claims = new Map<Hash, { readonly ms: number; readonly by: readonly string[] }[]>()
  for (const { reading } of readings) {
    const by = reading.endpoint.split(', ')
    for (const { block, claimedMs: ms } of reading.blocks)
      if (ms !== undefined) claims.set(block.hash, [...(claims.get(block.hash) ?? []), { ms, by }])
  }
  const agreed = new Map<Hash, number>()
  for (const [hash, own] of claims) {
    const [first] = own
    const isDenied = own.some(({ ms }) => ms !== first?.ms)
    const isBacked = own.some((one) => own.some(({ by }) => !by.some((name) => one.by.includes(name))))
    if (first && isBacked && !isDenied) agreed.set(hash, first.ms)
  }
  return agreed
}

const nameOf = ({ logIndex, is }: Fact): string => `${logIndex} ${is}`

const byPlace = (a: Fact, b: Fact): number => a.logIndex - b.logIndex

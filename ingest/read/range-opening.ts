/** The beginning of a range: the first look at the chain, the headers, and those logs for which nothing before the range must be decoded. */
import type { Block } from '../../market/segment.ts'
import type { ChainClock } from '../client/chain-clock.ts'
import type { Chain } from '../client/chains.ts'
import { BlockNotYetAvailableError, RangeChangedError } from '../client/faults.ts'
import { type BlockHeader, readHeaders } from '../client/headers.ts'
import { type BlockSpan, type Log, readAllLogs } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import { type PlatformMode, platformModes } from '../decode/queries.ts'
import type { Registry } from '../decode/registry.ts'
import { guessedEnds } from './minute-ends.ts'
import { type RangeHeaders, readRangeHeaders } from './range-headers.ts'

/** Where ranges are read, and in which mode if the endpoint allows both: by topic alone (`usual`), or by address where addresses are few. */
export type Source = {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly registry: Registry
  /** @default 'usual' */
  readonly mode?: 'usual' | 'other'
  /** Blocks of an earlier reading, by number: if a range ends with one, the chain is only checked after it was read. */
  readonly known?: ReadonlyMap<number, Block>
  /** Far from the head: ranges end with a minute if possible, so that all of it can be sealed at once, and each is opened while the one before it is read. @default false */
  readonly isAhead?: boolean
  /** What the headers show of the schedule. @default one that knows the reader's own headers */
  readonly clock?: ChainClock
}

/** A source with the clock of its reader. */
export type TimedSource = Source & { readonly clock: ChainClock }

/** The blocks of the span, which follow `after` (null: they begin with the first that can hold a creation); `isFollowed`: a later block exists. */
export type RangeAsked = {
  readonly after: Block | null
  readonly span: BlockSpan
  readonly isFollowed: boolean
}

/** What is known of a range before its logs are decoded. */
export type OpenedRange = {
  readonly last: Block
  readonly headers: RangeHeaders
  /** How its first pass asks for logs. */
  readonly mode: PlatformMode
  /** The logs of the first pass that are asked for by topic. */
  readonly logs: readonly Log[]
  /** How long it took. */
  readonly ms: number
}

/** Opens a range; 'reorged': it does not continue `after`. Changes nothing but the clock. Throws IngestError. */
export async function openRange(source: TimedSource, asked: RangeAsked): Promise<OpenedRange | 'reorged'> {
  const { rpc, known, mode: wanted } = source
  const { after, span, isFollowed } = asked
  const since = performance.now()
  const end = known?.get(span.to)
  const found = end
    ? { last: end, others: [] }
    : await readEnd(rpc, { after, span }, known ? [] : likelyEnds(source, asked))
  if (found === 'reorged') return found
  const { last, others } = found
  const headers = await readRangeHeaders(source, { span, after, last, others, isFollowed })
  const usual = wanted === 'other' ? platformModes.bothWays : platformModes.usual
  const mode = rpc.endpoint.takesTopicsAlone ? usual : platformModes.byAddress
  const logs = await readAllLogs(rpc, span, mode.byTopic)
  return { last, headers, mode, logs, ms: performance.now() - since }
}

/** Blocks whose headers are asked for along with the last one's, which saves two round trips where the schedule is right. */
function likelyEnds({ clock }: TimedSource, { after, span, isFollowed }: RangeAsked): readonly number[] {
  const next = isFollowed ? [span.to + 1] : []
  const ends = after ? guessedEnds(after, next[0] ?? span.to, clock) : []
  return [...ends.filter((block) => block !== span.to), ...next]
}

/** The headers of the range's last block and of others; 'reorged' if the range no longer continues `after`. */
export async function readEnd(
  rpc: Rpc,
  { after, span }: Pick<RangeAsked, 'after' | 'span'>,
  wanted: readonly number[] = [],
): Promise<{ readonly last: BlockHeader; readonly others: readonly BlockHeader[] } | 'reorged'> {
  const ends = after ? [span.to, after.number] : [span.to]
  const headers = await readHeaders(rpc, [...ends, ...wanted])
  const [last, base] = headers.slice(0, ends.length)
  if (!last) throw new BlockNotYetAvailableError(span.to)
  if (base?.hash !== after?.hash) return 'reorged'
  if (after && span.from === span.to && last.parentHash !== after.hash) {
    throw new RangeChangedError(`block ${span.to} does not follow the block before it`)
  }
  return { last, others: headers.slice(ends.length) }
}

/** Logs of minutes in memory: written as the fold would have written them, rolled back, and read by an engine. */
import { type Market, rankedMarket } from '../../../market/board/rankings.ts'
import { ownerChanges, ownersAfter, withRelatedTokens } from '../../../market/fold/post-owners.ts'
import { noTotals, totalsAfter } from '../../../market/fold/running-totals.ts'
import { effectiveEntries } from '../../../market/log.ts'
import {
  type Address,
  emptyState,
  type LiquidityRange,
  type Minute,
  type PostOwner,
  type RunningTotals,
  type Segment,
  type SegmentRow,
  type Token,
  type TokenState,
} from '../../../market/segment.ts'
import { type Engine, windowsOf } from '../../../snapshot/engine/engine.ts'
import { cachedSegments, followLog } from '../../../snapshot/engine/follow.ts'
import type { LogStore } from '../../../store/log/log.ts'
import {
  type MemoryBucket,
  type MemoryLog,
  memoryBucket,
  memoryLog,
  sealSegment,
} from '../aws/memory-stores.ts'
import { lastBlockOf } from './facts.ts'

/** The whole state after a minute. */
export type World = {
  readonly minute: Minute | null
  readonly tokens: ReadonlyMap<Address, Token>
  readonly states: ReadonlyMap<Address, TokenState>
  readonly ranges: ReadonlyMap<Address, readonly LiquidityRange[]>
  readonly owners: ReadonlyMap<Address, PostOwner>
  readonly totals: RunningTotals
}

export const emptyWorld: World = {
  minute: null,
  tokens: new Map(),
  states: new Map(),
  ranges: new Map(),
  owners: new Map(),
  totals: noTotals,
}

/**
 * A sketch of a segment (new descriptions, and how the minute left what it touched) as the fold would have written it after a
 * world: with the states before, related tokens, owners and totals.
 */
export function wholeSegment(world: World, sketch: Segment): { segment: Segment; world: World } {
  const { minute, references } = sketch
  const tokens = new Map([
    ...world.tokens,
    ...sketch.tokens.map(({ after }) => [after.address, after] as const),
  ])
  const states = new Map(world.states)
  for (const { token, after } of sketch.rows) {
    const before = world.states.get(token) ?? emptyState
    const lastSwapMinute = after.cumTrades === before.cumTrades ? before.lastSwapMinute : minute
    states.set(token, { ...after, lastSwapMinute })
  }
  const touched = [
    ...new Set([
      ...sketch.tokens.map(({ after }) => after.address),
      ...sketch.rows.map(({ token }) => token),
    ]),
  ].filter((address) => tokens.has(address))
  const at = (some: World['tokens'], numbers: World['states'], address: Address) => {
    const token = some.get(address)
    return token ? { token, state: numbers.get(address) ?? emptyState } : null
  }
  const steps = touched.map((address) => ({
    before: at(world.tokens, world.states, address),
    after: at(tokens, states, address)!,
  }))
  const owners = ownersAfter(world.owners, steps, { references, tokenOf: (address) => tokens.get(address) })
  const totals = totalsAfter(world.totals, {
    minute,
    references,
    steps,
    ownersBefore: world.owners,
    ownersAfter: owners,
    relatedStepOf: (address) => at(tokens, states, address) ?? undefined,
  })
  const ranges = new Map([...world.ranges, ...sketch.rows.map((row) => [row.token, row.ranges] as const)])
  const after: World = { minute, tokens, states, ranges, owners, totals }
  const coinsOf = (address: Address) =>
    tokens.has(address) ? [world.tokens.get(address) ?? [], tokens.get(address) ?? []].flat() : []
  const rows = withRelatedTokens(touched, coinsOf, { owners, references }).map((token): SegmentRow => {
    const sketched = sketch.rows.find((row) => row.token === token)
    return {
      token,
      candle: sketched?.candle ?? null,
      rangesBefore: world.ranges.get(token) ?? [],
      ranges: ranges.get(token) ?? [],
      description: tokens.get(token)!,
      before: world.states.get(token) ?? emptyState,
      after: states.get(token) ?? emptyState,
    }
  })
  const segment: Segment = {
    ...sketch,
    tokens: sketch.tokens.map(({ after }) => ({ before: world.tokens.get(after.address) ?? null, after })),
    rows,
    owners: ownerChanges(
      rows.map(({ description }) => description),
      world.owners,
      owners,
    ),
    totals: { before: world.totals, after: totals },
  }
  return { segment, world: after }
}

const histories = new WeakMap<object, World[]>()

/** The worlds after each effective minute of a log, oldest first. */
export function worldsOf(log: object): World[] {
  const worlds = histories.get(log) ?? []
  histories.set(log, worlds)
  return worlds
}

/** Seals a minute: segment, entry, APPLIED. The segment is completed as the fold would have written it. */
export async function seal(log: LogStore, sketch: Segment): Promise<void> {
  const worlds = worldsOf(log)
  const { segment, world } = wholeSegment(worlds.at(-1) ?? emptyWorld, sketch)
  worlds.push(world)
  await sealSegment(log, segment)
}

/** Rolls back every minute after `minute`. */
export async function rewind(log: MemoryLog, minute: Minute | null): Promise<void> {
  const worlds = worldsOf(log)
  while (worlds.length > 0 && (worlds.at(-1)?.minute ?? 0) > (minute ?? 0)) worlds.pop()
  const taken = effectiveEntries(log.entries).filter((entry) => entry.minute > (minute ?? 0))
  const orphaned = taken.reverse().map(({ segment }) => segment)
  const last = minute === null ? null : lastBlockOf(minute)
  const n = (log.entries.at(-1)?.n ?? 0) + 1
  await log.append({ n, is: 'rewound', minute, last, orphaned })
  await log.putApplied({ n, minute, last, isLowered: false })
}

/** An engine that has read a log from its first entry to entry `to`. */
export const engineOf = (log: MemoryLog, to = log.entries.length): Promise<Engine> =>
  followLog(undefined, { log, bucket: memoryBucket(), read: cachedSegments(log), to, isOver: () => false })

/** The market after these minutes, ranked. */
export async function marketAfter(segments: readonly Segment[]): Promise<Market> {
  const log = memoryLog()
  for (const segment of segments) await seal(log, segment)
  return rankedMarket(windowsOf(await engineOf(log)))
}

/** A copy of a bucket that has lost its checkpoints: an engine starts from the index records and the segments. */
export function withoutCheckpoints(bucket: MemoryBucket): MemoryBucket {
  const left = memoryBucket()
  for (const [key, object] of bucket.objects) if (key.startsWith('index/')) left.objects.set(key, object)
  return left
}

/**
 * Finds where minutes end, by headers: the last block of a minute and the one after it. The schedule guesses both; where it
 * is wrong or gives nothing, they are found by interpolation and bisection between the headers known so far.
 */
import { minuteOfBlock } from '../../market/calendar.ts'
import type { Block } from '../../market/segment.ts'
import type { ChainClock } from '../client/chain-clock.ts'
import { RangeChangedError } from '../client/faults.ts'
import { guessedBlock, guessedTimeMs } from '../client/schedule.ts'

/** After this many rounds, each round also halves the remaining interval. */
const ROUNDS_BEFORE_HALVING = 3

/**
 * Reads headers until every two neighbours in `points` are of the same minute or follow each other. `points` has the first
 * and the last block of a span, by number, and receives the headers read. Throws RangeChangedError if times go backwards.
 */
export async function findMinuteEnds<Point extends Block>(
  points: Map<number, Point>,
  clock: ChainClock,
  read: (blocks: readonly number[]) => Promise<readonly Point[]>,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    const wanted = new Set<number>()
    for (const [before, after] of neighbours(points)) {
      if (before.timestamp > after.timestamp) {
        throw new RangeChangedError(`block ${after.number} is older than block ${before.number}`)
      }
      for (const block of probesBetween(before, after, clock, round)) wanted.add(block)
    }
    if (wanted.size === 0) return
    for (const point of await read([...wanted].sort((a, b) => a - b))) points.set(point.number, point)
  }
}

/** Blocks between one and a later one at which minutes end by the schedule, to ask for along with the later one; none if the schedule was wrong of the first. */
export function guessedEnds(before: Block, to: number, clock: ChainClock): readonly number[] {
  const guessedMs = guessedTimeMs(clock.schedule, to)
  if (guessedMs === undefined || !clock.agrees(before)) return []
  const after = { ...before, number: to, timestamp: Math.floor(guessedMs / 1_000) }
  return probesBetween(before, after, clock, 0)
}

/** The points in order, each with the next one. */
export function neighbours<Point extends Block>(
  points: ReadonlyMap<number, Point>,
): readonly (readonly [Point, Point])[] {
  const sorted = [...points.values()].sort((a, b) => a.number - b.number)
  return sorted.slice(1).map((after, at) => [sorted[at] as Point, after])
}

/** Blocks between two others whose headers are requested: those at which minutes seem to end. */
function probesBetween(before: Block, after: Block, clock: ChainClock, round: number): readonly number[] {
  const isInside = (block: number) => block > before.number && block < after.number
  const [first, last] = [minuteOfBlock(before), minuteOfBlock(after)]
  if (first === last || after.number - before.number === 1) return []
  const isGuessed = round === 0 && (clock.agrees(before) || clock.agrees(after))
  const pace = (after.number - before.number) / (after.timestamp - before.timestamp)
  const firstOf = (minute: number): number => {
    const guess = isGuessed ? guessedBlock(clock.schedule, minute * 60_000 - 1) : undefined
    const block = guess === undefined ? undefined : guess + 1
    if (block !== undefined && block > before.number && block <= after.number) return block
    return Math.min(after.number, before.number + Math.ceil((minute * 60 - before.timestamp) * pace))
  }
  // With more minutes than blocks, the chain stood still or a time is wrong: then only the first and the last end are asked for.
  const isSparse = last - first > after.number - before.number
  const probes: number[] = []
  for (let minute = first + 1; minute <= last; minute += isSparse ? last - first - 1 : 1) {
    const block = firstOf(minute)
    probes.push(block - 1, block)
  }
  if (round >= ROUNDS_BEFORE_HALVING) probes.push(Math.floor((before.number + after.number) / 2))
  return probes.filter(isInside)
}

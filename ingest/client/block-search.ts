/** Finds a block by its time, by headers. */
import type { Block } from '../../market/segment.ts'
import type { Chain } from './chains.ts'
import { HistoryUnavailableError } from './faults.ts'
import { readHeader } from './headers.ts'
import type { Rpc } from './rpc.ts'
import { guessedBlock } from './schedule.ts'

type Source = { readonly rpc: Rpc; readonly chain: Chain }
/** Blocks from a number up to a known one. */
type SearchSpan = { readonly from: number; readonly head: Block }

/**
 * The first block of the span with a timestamp of at least `seconds` (Unix); `head` if all are older. The schedule
 * guesses it; where it is wrong, interpolation and bisection go on from there. A block that the endpoint does not
 * have counts as late, one that is older than it serves as early. Throws IngestError.
 */
export async function firstBlockSince(
  { rpc, chain }: Source,
  seconds: number,
  { from, head }: SearchSpan,
): Promise<number> {
  let early: Block | undefined
  let [low, high] = [from, head.number]
  let late: Block | undefined = head
  const guess = guessedBlock(chain.schedule, seconds * 1_000 - 1)
  const probes = guess === undefined ? [] : [guess + 1, guess]
  for (let round = 0; low < high; round += 1) {
    const middle = Math.floor((low + high) / 2)
    const isBetween = early && late && round % 2 === 1
    const wanted = probes.shift() ?? (isBetween ? between(early as Block, late as Block, seconds) : middle)
    const block = Math.min(Math.max(wanted, low), high - 1)
    const header = await readHeader(rpc, block).catch(tooOld)
    if (header === 'too old' || (header && header.timestamp < seconds)) {
      early = header === 'too old' ? early : header
      low = block + 1
    } else {
      late = header
      high = block
    }
  }
  return high
}

function tooOld(fault: unknown): 'too old' {
  if (fault instanceof HistoryUnavailableError) return 'too old'
  throw fault
}

/** The block that would have the time if all between the two were of one pace. */
const between = (early: Block, late: Block, seconds: number): number =>
  early.number +
  Math.ceil(((seconds - early.timestamp) * (late.number - early.number)) / (late.timestamp - early.timestamp))

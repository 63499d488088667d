/** The head of the chain: where blocks are new. Of a chain with an exact beat each is looked for when it is due, with one call. */
import type { Block } from '../market/segment.ts'
import { type Beat, openBeat } from './beat.ts'
import type { Chain } from './chains.ts'
import { AddressRequiredError, BlockNotYetAvailableError, BlockRangeTooLargeError } from './faults.ts'
import { answering, answerOf, type Glimpse, lookAfter } from './glimpse.ts'
import { readHeader } from './headers.ts'
import type { Rpc } from './rpc.ts'

export type Head = {
  /** The newest block that is known to be there, when `after` was read last; `after` itself where it is not time to ask. Throws IngestError. */
  read(after: Block | null): Promise<Block>
  /** Where ranges are read: what the head has told is answered at once. */
  readonly rpc: Rpc
  /** Milliseconds until it is worth asking again. */
  idleMs(): number
}

/** Blocks behind the head, by the clock, that are read as a range of the past. */
const NEAR_BLOCKS = 30
/** Looks for one block that is late. */
const LOOKS_MAX = 4
const LOOK_AGAIN_MS = 100
/** Blocks without a log in a row after which the head is asked for by itself. */
const QUIET_BLOCKS = 8
/** Of the last blocks so many had logs: one that has none is not there yet. */
const BUSY_SHARE = 0.9
const SHARE_MEMORY = 0.05
/** Pause before the chain is asked again where no beat is kept. */
const IDLE_MS = 200

/** Opens the head of a chain. */
export function openHead(rpc: Rpc, chain: Chain): Head {
  const { timestampOf } = chain
  let beat: Beat | undefined
  let glimpse: Glimpse | undefined
  let [looks, lookedFor, quiet, busy, askAt] = [0, 0, 0, 1, 0]

  const fromAfar = async (): Promise<Block> => {
    const header = await latest(rpc)
    if (timestampOf) beat = openBeat((block) => timestampOf(block) * 1_000, header.number)
    askAt = beat ? beat.visibleAt(header.number) : Date.now() + IDLE_MS
    return header
  }
  const nothingNew = (at: Beat, due: number): void => {
    looks += 1
    if (looks === 1) quiet += 1
    if (looks === 1) busy *= 1 - SHARE_MEMORY
    lookedFor = due
    const isLate = busy >= BUSY_SHARE && looks < LOOKS_MAX
    askAt = isLate ? Date.now() + LOOK_AGAIN_MS : at.visibleAt(due)
    looks = isLate ? looks : 0
  }
  const nearby = async (after: Block, timeOf: (block: number) => number, at: Beat): Promise<Block> => {
    const due = at.due()
    // Asked before the logs: what is empty then is empty up to it.
    const asked = quiet >= QUIET_BLOCKS ? await latest(rpc) : undefined
    const found = await lookAfter({ rpc, chain, timeOf }, after, asked)
    // Another hash at its height is how a head shows a fork.
    if (found === 'reorged') return { ...after, hash: '0x' }
    if (!found) {
      nothingNew(at, due)
      return after
    }
    glimpse = found
    const first = found.logs.reduce((least, log) => Math.min(least, log.blockNumber), found.last.number)
    // What was looked for before, and is there only now.
    if (first <= lookedFor) at.missed()
    at.seen(found.last.number, first > lookedFor && found.last.number >= due)
    lookedFor = found.last.number
    if (found.logs.length > 0) busy += (1 - busy) * SHARE_MEMORY
    looks = quiet = 0
    askAt = at.visibleAt(Math.max(found.last.number, due))
    return found.last
  }

  return {
    idleMs: () => Math.max(0, askAt - Date.now()),
    rpc: answering(rpc, (call) => glimpse && answerOf(glimpse, call, timestampOf)),
    async read(after) {
      glimpse = undefined
      const isNear = after && beat && beat.due() - after.number <= NEAR_BLOCKS
      if (!isNear || !timestampOf || !beat || !rpc.endpoint.takesTopicsAlone) return fromAfar()
      if (Date.now() < askAt) return after
      try {
        return await nearby(after, timestampOf, beat)
      } catch (fault) {
        // Some say so of blocks that are not there yet, or of so wide a filter.
        const isOfBlocks =
          fault instanceof BlockNotYetAvailableError ||
          fault instanceof BlockRangeTooLargeError ||
          fault instanceof AddressRequiredError
        if (!isOfBlocks) throw fault
        return fromAfar()
      }
    },
  }
}

const latest = async (rpc: Rpc): Promise<Block> => {
  const header = await readHeader(rpc, 'latest')
  if (!header) throw new BlockNotYetAvailableError()
  return header
}

/** Finds endpoints that allow too few blocks a call for reading history, before anything is read. */
import { DAY_SECONDS } from '../../market/calendar.ts'
import type { Chain } from '../client/chains.ts'
import { isNarrowBeside } from '../client/endpoint-traits.ts'
import {
  AddressRequiredError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  IngestError,
  orFault,
} from '../client/faults.ts'
import { headOf, quantity, readHeader } from '../client/headers.ts'
import type { LogFilter } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'

/** An endpoint whose ranges are shorter than a minute of the chain, and the calls that a day of history costs through it. */
export type NarrowEndpoint = {
  readonly endpoint: string
  /** Blocks in one eth_getLogs, and the chain time that they span. */
  readonly blocks: number
  readonly seconds: number
  /** Calls for a day of history, and hours at the rate of public endpoints. */
  readonly callsADay: number
  readonly hoursADay: number
  /** An endpoint that allows many more blocks; undefined: there is none. */
  readonly wider?: string
}

const MINUTE_SECONDS = 60
/** Measured (bench, endpoints) for ranges shorter than a minute, both readings and verification included. */
const CALLS_A_RANGE = 22
/** Halvings of the first width, and one more. */
const PROBES_MAX = 12

/** Measures how many blocks each endpoint allows, and finds the narrow ones. Endpoints that fail are left out. */
export async function narrowEndpoints(rpc: Rpc, chain: Chain): Promise<readonly NarrowEndpoint[]> {
  const all = rpc.each()
  const found = await Promise.all(
    all.map(async (one) => {
      const secondsABlock = await probe(one, chain).catch(orFault)
      return secondsABlock instanceof IngestError ? undefined : { one, secondsABlock }
    }),
  )
  return found.flatMap((probed) => {
    if (!probed) return []
    const { one, secondsABlock } = probed
    const blocks = one.endpoint.width.blocks()
    const seconds = blocks * secondsABlock
    if (seconds <= 0 || seconds >= MINUTE_SECONDS) return []
    const callsADay = Math.ceil(DAY_SECONDS / seconds) * CALLS_A_RANGE
    const { callsASecond } = chain.publicEndpoints ?? { callsASecond: Number.POSITIVE_INFINITY }
    const wider = all.find((other) => isNarrowBeside(one.endpoint, other.endpoint))
    return [
      {
        endpoint: one.endpoint.name,
        blocks,
        seconds,
        callsADay,
        hoursADay: callsADay / callsASecond / 3_600,
        ...(wider && { wider: wider.endpoint.name }),
      },
    ]
  })
}

/** A filter that no log matches. */
const nothing: LogFilter = { topics: [[`0x${'0'.repeat(64)}`]] }

/** Narrows the endpoint's width to its limit; returns the chain time of a block (s) in the newest range. Throws IngestError, the last one if it answers no range at all. */
async function probe(rpc: Rpc, chain: Chain): Promise<number> {
  const { width } = rpc.endpoint
  const head = await headOf(rpc)
  const first = Math.max(0, head.number - width.blocks() + 1)
  const before = await readHeader(rpc, first)
  for (let probes = 1; ; probes += 1) {
    const blocks = Math.min(width.blocks(), head.number + 1)
    const filter = rpc.endpoint.takesTopicsAlone ? nothing : { ...nothing, address: [chain.factory] }
    const span = { fromBlock: quantity(head.number - blocks + 1), toBlock: quantity(head.number) }
    try {
      await rpc.request('eth_getLogs', [{ ...filter, ...span }])
      break
    } catch (fault) {
      if (probes === PROBES_MAX) throw fault
      if (fault instanceof BlockRangeTooLargeError && blocks > 1)
        width.narrow(blocks, fault.allowedBlocks, fault.isCertain)
      else if (!(fault instanceof AddressRequiredError || fault instanceof FilterTooLargeError)) throw fault
    }
  }
  return before && head.number > first ? (head.timestamp - before.timestamp) / (head.number - first) : 0
}

import { minuteOfBlock } from '../../market/calendar.ts'
import type { Block } from '../../market/segment.ts'
import { anyConfirms } from '../client/endpoints.ts'
import { BlockNotYetAvailableError } from '../client/faults.ts'
import { readHeader } from '../client/headers.ts'
import type { Rpc } from '../client/rpc.ts'

/**
 * Whether a block is canonical, for a rewind. Up to the last seen head some block exists at its height; an endpoint
 * without one lags and proves nothing. Both throw IngestError, BlockNotYetAvailableError in that case.
 */
export function chainUpTo(rpc: Rpc, head: Block) {
  const headerAt = async (endpoint: Rpc, number: number) => {
    const header = await readHeader(endpoint, number)
    if (!header && number <= head.number) throw new BlockNotYetAvailableError(number)
    return header
  }
  const has = async (endpoint: Rpc, block: Block): Promise<boolean> =>
    (await headerAt(endpoint, block.number))?.hash === block.hash
  return {
    isCanonical: (block: Block) => has(rpc, block),
    /**
     * Whether any endpoint has this very block, followed by none of the same minute, as must hold for the last block of
     * a sealed minute.
     */
    isEndOfMinute: (block: Block) =>
      anyConfirms(rpc, async (endpoint) => {
        if (!(await has(endpoint, block))) return false
        const next = await headerAt(endpoint, block.number + 1)
        return !next || minuteOfBlock(next) > minuteOfBlock(block)
      }),
  }
}

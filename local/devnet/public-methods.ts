/** Methods by which others mine and reorganise the development chain: carried out by its own miner, so that the journal has what they do. */
import type { Block } from '../../market/segment.ts'

/** Carries out a call with these parameters and returns its result. Throws InvalidParametersError. */
export type PublicMethod = (parameters: readonly unknown[]) => Promise<unknown>

/** A call has parameters that it cannot have. */
export class InvalidParametersError extends Error {
  override readonly name = 'InvalidParametersError'
}

/** The chain as these methods change it. */
type MinedChain = {
  head(): Block
  mineBlock(timestamp?: number): Promise<unknown>
  rollback(depth: number): Promise<void>
}

/** Blocks that one call may make, or roll back. */
const BLOCKS_MAX = 1_000

/** The methods by name, with anvil's parameters and results. Rolled back blocks are replaced by empty ones. */
export function publicMethodsOf(chain: MinedChain): Readonly<Record<string, PublicMethod>> {
  const mine = async (count: number) => {
    for (let made = 0; made < count; made += 1) await chain.mineBlock()
  }
  // The first block has the contracts.
  const depthOf = (value: unknown) => integerOf(value, Math.min(BLOCKS_MAX, chain.head().number - 1))
  return {
    async evm_mine([at]) {
      const timestamp = typeof at === 'object' && at !== null && 'timestamp' in at ? at.timestamp : at
      const isGiven = timestamp !== undefined && timestamp !== null
      await chain.mineBlock(isGiven ? integerOf(timestamp, Number.MAX_SAFE_INTEGER) : undefined)
      return '0x0'
    },
    async anvil_mine([count = 1]) {
      await mine(integerOf(count, BLOCKS_MAX))
      return null
    },
    async anvil_reorg([depth, transactions = []]) {
      if (!Array.isArray(transactions) || transactions.length > 0)
        throw new InvalidParametersError(
          'a reorg here replaces blocks by empty ones: no transactions can be given',
        )
      const count = depthOf(depth)
      await chain.rollback(count)
      await mine(count)
      return null
    },
    async anvil_rollback([depth = 1]) {
      await chain.rollback(depthOf(depth))
      return null
    },
  }
}

/** A number as JSON-RPC writes it, from 1 to `most`. */
function integerOf(value: unknown, most: number): number {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number) || number < 1 || number > most)
    throw new InvalidParametersError(`${JSON.stringify(value)} is no integer from 1 to ${most}`)
  return number
}

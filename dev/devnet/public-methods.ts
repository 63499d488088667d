/** Public methods that mine and reorganise the development chain: carried out by its own miner, so that the journal records them. */
import type { Block } from '../../market/segment.ts'
import type { Mining } from './miner.ts'
import { InvalidParametersError, type PublicMethod } from './rpc-servers.ts'

/** The chain as these methods change it. `now` is in milliseconds. */
type MinedChain = {
  head(): Block
  now(): number
  turn(step: (mining: Mining) => Promise<void>): Promise<void>
}

/** Blocks that one call may make, or roll back. */
const BLOCKS_MAX = 1_000
/** How far ahead of the wall clock a block may be, in seconds: the market needs as long again to wait for the clock. */
const AHEAD_MAX = 86_400

/** The methods by name, with anvil's parameters and results. Rolled back blocks are replaced by empty ones. */
export function publicMethodsOf(chain: MinedChain): Readonly<Record<string, PublicMethod>> {
  const wallClock = () => Math.floor(chain.now() / 1_000)
  const latest = () => wallClock() + AHEAD_MAX
  const mine = async (mining: Mining, count: number, at = wallClock()) => {
    for (let made = 0; made < count; made += 1) {
      const next = Math.max(at, chain.head().timestamp + 1)
      await mining.mine(Math.min(next, Math.max(latest(), chain.head().timestamp)), [])
    }
  }
  // The first block has the contracts.
  const depthOf = (value: unknown) => integerOf(value, Math.min(BLOCKS_MAX, chain.head().number - 1))
  return {
    async evm_mine([asked]) {
      const at = typeof asked === 'object' && asked !== null && 'timestamp' in asked ? asked.timestamp : asked
      const timestamp = at === undefined || at === null ? undefined : integerOf(at, latest())
      await chain.turn((mining) => mine(mining, 1, timestamp))
      return '0x0'
    },
    async anvil_mine([count = 1]) {
      const blocks = integerOf(count, BLOCKS_MAX)
      await chain.turn((mining) => mine(mining, blocks))
      return null
    },
    async anvil_reorg([depth, transactions = []]) {
      if (!Array.isArray(transactions) || transactions.length > 0)
        throw new InvalidParametersError(
          'a reorg here replaces blocks by empty ones: no transactions can be given',
        )
      await chain.turn(async (mining) => {
        const count = depthOf(depth)
        await mining.rollback(count)
        await mine(mining, count)
      })
      return null
    },
    async anvil_rollback([depth = 1]) {
      await chain.turn((mining) => mining.rollback(depthOf(depth)))
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

/** Tokens launched and traded at prices in dollars, folded minute by minute into a log. */
import { fold } from '../../market/fold.ts'
import { NOBODY } from '../../market/holders.ts'
import type { Coin, Minute, Prior } from '../../market/segment.ts'
import { block, blockOf, prior, swapped, transferred, WHOLE } from './facts.ts'
import { type MemoryLog, memoryLog, rollBackTo, sealSegment } from './memory-stores.ts'

/** Facts of one transaction. */
export type BlockFactsList = Parameters<typeof blockOf>[1]

/** A token whose pool opens at `floor` quotes a token and is bought up to `price`; then it holds `stake` whole quotes. */
export type Listed = {
  readonly coin: Coin
  readonly floor: number
  readonly price: number
  readonly stake: number
}

const SUPPLY = 10n ** 9n * WHOLE
const tickOf = (price: number): number => Math.round(Math.log(price) / Math.log(1.0001))

/** The price of a token that is currency 0 as its pool has it. */
export const sqrtX96 = (price: number): bigint => BigInt(Math.floor(Math.sqrt(price) * 2 ** 96))

/** The transaction that launches a token, and buys of it. */
export function launchFacts({ coin, floor, price, stake }: Listed): BlockFactsList {
  const { address: token, creator, poolId } = coin
  const move = BigInt(Math.round((Math.sqrt(price) - Math.sqrt(floor)) * 1e12))
  return [
    { is: 'initialized', token, poolId, sqrtPriceX96: sqrtX96(floor) },
    {
      ...{ is: 'provided', token, poolId, liquidityDelta: (BigInt(stake) * WHOLE * 10n ** 12n) / move },
      ...{ tickLower: tickOf(floor), tickUpper: tickOf(price * 100) },
    },
    transferred({
      ...{ token: coin, from: NOBODY, to: creator, amount: SUPPLY },
      ...{ fromBalance: 0n, toBalance: SUPPLY },
    }),
    { is: 'launched', coin },
    swapped({ token: coin, sqrtPriceX96: sqrtX96(price) }),
  ]
}

export type FoldedChain = {
  readonly log: MemoryLog
  /** Folds a minute of one transaction and seals it. */
  seal(minute: Minute, facts: BlockFactsList): Promise<void>
  /** Takes back every minute after a sealed one. */
  rewind(minute: Minute): Promise<void>
}

/** A log that begins empty, with ZORA at a dollar. */
export function startFoldedChain(): FoldedChain {
  const log = memoryLog()
  const priors = new Map<Minute, Prior>()
  const latest = (): Prior => [...priors.values()].at(-1) ?? prior([])
  const lastOf = (minute: Minute) => block(minute * 30, minute * 60)
  return {
    log,
    async seal(minute, facts) {
      const last = lastOf(minute)
      const blocks = [blockOf(last, facts)]
      const { segment, after } = fold(latest(), { minute, firstBlock: last.number, last, blocks })
      priors.set(minute, after)
      await sealSegment(log, segment)
    },
    async rewind(minute) {
      for (const later of [...priors.keys()]) if (later > minute) priors.delete(later)
      await rollBackTo(log, { minute, last: lastOf(minute) })
    },
  }
}

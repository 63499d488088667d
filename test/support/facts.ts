import type { BlockFacts, Fact } from '../../market/fold/fact.ts'
import { noTotals } from '../../market/fold/running-totals.ts'
import type { PriorState, PriorToken } from '../../market/prior.ts'
import {
  type Address,
  type Block,
  type Coin,
  emptyState,
  type Hash,
  type Launch,
  type TokenState,
} from '../../market/segment.ts'

/** Makers of facts, blocks and priors for tests; every one takes only what the test is about. */

export const hex = (value: number | bigint, bytes: number): Hash =>
  `0x${BigInt(value)
    .toString(16)
    .padStart(bytes * 2, '0')}`
export const address = (value: number): Address => hex(value, 20)
export const hash = (value: number): Hash => hex(value, 32)

export const ZORA = address(0x1111)
export const HOOK = address(0x40)
export const MANAGER = address(0x41)
/** Price 1: the token costs one whole quote. */
export const ONE_X96 = 2n ** 96n
export const USD = 10n ** 36n
export const WHOLE = 10n ** 18n

export const block = (number: number, timestamp: number): Block => ({
  number,
  hash: hash(number * 7 + 1),
  timestamp,
})

export function coin(part: Partial<Coin> & { address: Address }): Coin {
  return {
    kind: 'creator',
    creator: address(0xc0),
    launchedBy: part.creator ?? address(0xc0),
    name: 'Name',
    symbol: 'SYM',
    uri: null,
    quote: ZORA,
    poolId: hash(Number(BigInt(part.address))),
    hook: HOOK,
    isCurrency0: true,
    launchedAt: { blockNumber: 1, logIndex: 9, transactionHash: hash(1), timestamp: 60 },
    ...part,
  }
}

export function known(part: { coin: Coin; state?: Partial<TokenState>; launch?: Launch }): PriorToken {
  return {
    token: {
      ...part.coin,
      launch: part.launch ?? { priceUsdE36: USD, supply: 1_000n * WHOLE },
      migrations: [],
    },
    state: { ...emptyState, sqrtPriceX96: ONE_X96, supply: 1_000n * WHOLE, ...part.state },
    ranges: [],
    hour: 0,
    wallets: new Map(),
  }
}

export function prior(tokens: readonly PriorToken[], zoraUsdE36 = USD): PriorState {
  const rate = { observedUsdE36: zoraUsdE36, heldUsdE36: zoraUsdE36, outside: 0, decimals: 18 }
  return {
    references: new Map([[ZORA, rate]]),
    tokens: new Map(tokens.map((entry) => [entry.token.address, entry])),
    poolManager: MANAGER,
    uncounted: new Set([MANAGER, HOOK]),
    owners: new Map(),
    totals: noTotals,
  }
}

export type Loose<F> = F extends Fact
  ? Omit<F, 'blockNumber' | 'logIndex' | 'transactionHash'> & { tx?: number }
  : never

/** A block whose facts get consecutive log indexes; `tx` names the transaction (default: one for all). */
export function blockOf(header: Block, facts: readonly Loose<Fact>[]): BlockFacts {
  return {
    block: header,
    facts: facts.map(({ tx, ...fact }, logIndex) => ({
      ...fact,
      blockNumber: header.number,
      logIndex,
      transactionHash: hash(tx ?? header.number),
    })) as Fact[],
  }
}

export function swapped(part: {
  token: Coin
  isBuy?: boolean
  amountToken?: bigint
  amountQuote?: bigint
  sqrtPriceX96?: bigint
  sender?: Address
  trader?: Address | 'untrusted' | null
  tx?: number
}): Loose<Fact> {
  return {
    is: 'swapped',
    token: part.token.address,
    poolId: part.token.poolId,
    quote: part.token.quote,
    isBuy: part.isBuy ?? true,
    amountToken: part.amountToken ?? WHOLE,
    amountQuote: part.amountQuote ?? WHOLE,
    sqrtPriceX96: part.sqrtPriceX96 ?? ONE_X96,
    sender: part.sender ?? address(0x40e7),
    swapSender: part.trader === undefined ? address(0x7) : part.trader,
    ...(part.tx === undefined ? {} : { tx: part.tx }),
  }
}

export function transferred(part: {
  token: Coin
  from: Address
  to: Address
  amount: bigint
  fromBalance: bigint
  toBalance: bigint
  tx?: number
}): Loose<Fact> {
  return { is: 'transferred', ...part, token: part.token.address }
}

/** Builders of what the fold takes and of what it makes: facts, blocks, tokens, states, swaps, segments. Each one takes only what a test is about. */

import { isImported } from '../../../market/coverage.ts'
import type { BlockFacts, Fact, FactOf } from '../../../market/fold/fact.ts'
import { fixedRate } from '../../../market/fold/references.ts'
import { noTotals } from '../../../market/fold/running-totals.ts'
import type { PriorState, PriorToken } from '../../../market/prior.ts'
import { untraded } from '../../../market/rate-source.ts'
import { FOLD_VERSION } from '../../../market/rules.ts'
import {
  type Address,
  type Block,
  type Candle,
  type Coin,
  emptyState,
  type Hash,
  type Launch,
  type Minute,
  type PoolName,
  type ReferenceRate,
  type References,
  type Segment,
  type Swap,
  type Token,
  type TokenState,
} from '../../../market/segment.ts'
import { sha256Of } from '../../../store/aws/tables.ts'

export const hex = (value: number | bigint, bytes: number): Hash =>
  `0x${value.toString(16).padStart(bytes * 2, '0')}`
export const address = (value: number): Address => hex(value, 20)
export const hash = (value: number): Hash => hex(value, 32)
export const hashOfText = (text: string): Hash => `0x${sha256Of(text)}`
/** One of the many addresses of a market; the first ones are those of `tokenAt`. */
export const nthAddress = (number: number): Address => address(0xa000 + number)

export const ZORA: Address = `0x${'11'.repeat(20)}`
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

/** The last block of a minute of 30. */
export const lastBlockOf = (minute: Minute): Block => ({
  number: minute * 30 + 29,
  hash: hash(minute),
  timestamp: minute * 60 + 58,
})

/** Where a token is launched; `tx` names the transaction. */
export const launchedIn = (
  { number, timestamp }: Pick<Block, 'number' | 'timestamp'>,
  logIndex: number,
  tx = number,
): Coin['launchedAt'] => ({ blockNumber: number, logIndex, transactionHash: hash(tx), timestamp })

export function coin(part: Partial<Coin> & { address: Address }): Coin {
  const { launchedAt = launchedIn({ number: 1, timestamp: 60 }, 9) } = part
  const since = isImported({ launchedAt }) ? null : launchedAt.timestamp
  return {
    kind: 'creator',
    creator: address(0xc0),
    launchedBy: part.creator ?? address(0xc0),
    name: 'Name',
    symbol: 'SYM',
    nameSince: since,
    symbolSince: since,
    uri: null,
    quote: ZORA,
    poolId: hash(Number(BigInt(part.address))),
    hook: HOOK,
    isCurrency0: true,
    launchedAt,
    ...part,
  }
}

/** One of many tokens, launched at the start of a minute. */
export function tokenAt(number: number, minute: Minute, part: Partial<Token> = {}): Token {
  const creator = part.creator ?? nthAddress(500 + number)
  const at = launchedIn({ number: minute * 30, timestamp: minute * 60 }, number, number + 1)
  return {
    ...coin({ address: nthAddress(number), creator, launchedAt: part.launchedAt ?? at }),
    name: `Token ${number}`,
    symbol: `T${number}`,
    uri: `ipfs://${number}`,
    poolId: hash(number),
    hook: nthAddress(900),
    isCurrency0: false,
    launch: { priceUsdE36: 10n ** 30n, supply: 10n ** 27n },
    migrations: [],
    ...part,
  }
}

export const stateWith = (numbers: Partial<TokenState>): TokenState => ({ ...emptyState, ...numbers })

/** @default a dollar */
export const rate = (usdE36 = USD, decimals = 18): ReferenceRate => fixedRate(usdE36, decimals)

/** The pool of ZORA and DOLLAR whose swaps rate ZORA. */
export const RATE_POOL = hash(0x2a7e)
export const DOLLAR = address(0xd011a4)

/** ZORA at a price, until its pool says another one. */
export const zoraRate = (usdE36: bigint): ReferenceRate => ({
  ...rate(usdE36),
  sources: [{ pool: RATE_POOL, quote: DOLLAR, isCurrency0: true, ...untraded }],
})

/** 1 ZORA = `dollars` / 1000. */
export const references = (milliDollars: number): References =>
  new Map([[ZORA, rate(BigInt(milliDollars) * 10n ** 33n)]])

export function known(part: { coin: Coin; state?: Partial<TokenState>; launch?: Launch }): PriorToken {
  return {
    token: {
      ...part.coin,
      launch: part.launch ?? { priceUsdE36: USD, supply: 1_000n * WHOLE },
      migrations: [],
    },
    state: stateWith({ sqrtPriceX96: ONE_X96, supply: 1_000n * WHOLE, ...part.state }),
    ranges: [],
    hour: 0,
    wallets: new Map(),
  }
}

export function prior(tokens: readonly PriorToken[], zoraUsdE36 = USD): PriorState {
  return {
    references: new Map([
      [ZORA, zoraRate(zoraUsdE36)],
      [DOLLAR, rate()],
    ]),
    closes: [],
    tokens: new Map(tokens.map((entry) => [entry.token.address, entry])),
    poolManager: MANAGER,
    uncounted: new Set([MANAGER, HOOK]),
    owners: new Map(),
    totals: noTotals,
  }
}

/** A fact before it has a place; `tx` names its transaction. */
export type Loose<F extends Fact = Fact> = F extends Fact
  ? Omit<F, 'blockNumber' | 'logIndex' | 'transactionHash'> & { tx?: number }
  : never

/** A block whose facts get consecutive log indexes; `tx` names the transaction (default: one for all). */
export function blockOf(header: Block, facts: readonly Loose[]): BlockFacts {
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

/** The minute of these blocks, as the fold takes it. */
export const minuteOf = (...blocks: readonly [BlockFacts, ...BlockFacts[]]) => ({
  minute: Math.floor(blocks[0].block.timestamp / 60),
  firstBlock: blocks[0].block.number,
  last: (blocks.at(-1) ?? blocks[0]).block,
  blocks,
})

type Pooled = Pick<Coin, 'address' | 'poolId'>
type Named = Pick<Coin, 'address'>
type LooseOf<Kind extends Fact['is']> = Loose<FactOf<Kind>>

const loose = <Kind extends Fact['is']>(is: Kind, words: Omit<LooseOf<Kind>, 'is' | 'tx'>) =>
  ({ is, ...words }) as unknown as LooseOf<Kind>

export function swapped(
  part: { token: Pooled & Pick<Coin, 'quote'>; trader?: Address | 'untrusted' | null } & Partial<
    Omit<LooseOf<'swapped'>, 'is' | 'token' | 'swapSender'>
  >,
): LooseOf<'swapped'> {
  const { token, trader = address(0x7), ...more } = part
  return {
    is: 'swapped',
    token: token.address,
    poolId: token.poolId,
    quote: token.quote,
    isBuy: true,
    amountToken: WHOLE,
    amountQuote: WHOLE,
    sqrtPriceX96: ONE_X96,
    sender: address(0x40e7),
    swapSender: trader,
    ...more,
  }
}

/** A transfer between two, and the balances that it leaves them with. */
export const transferred = (
  { address: token }: Named,
  [from, to]: readonly [Address, Address],
  [amount, fromBalance, toBalance]: readonly [bigint, bigint, bigint],
) => loose('transferred', { token, from, to, amount, fromBalance, toBalance })

export const launched = (coin: Coin) => loose('launched', { coin })

/** A token's pool got its first price. */
export const initialized = ({ address: token, poolId }: Pooled, sqrtPriceX96 = ONE_X96) =>
  loose('initialized', { token, poolId, sqrtPriceX96 })

export const moved = ({ address: token, poolId }: Pooled, sqrtPriceX96 = ONE_X96) =>
  loose('moved', { token, poolId, sqrtPriceX96 })

export const provided = (
  { address: token, poolId }: Pooled,
  liquidityDelta: bigint,
  [tickLower, tickUpper]: readonly [number, number] = [-200, 400],
) => loose('provided', { token, poolId, tickLower, tickUpper, liquidityDelta })

/** A token got another pool: as it is from then on. */
export const migrated = ({ address: token, poolId, hook, quote, isCurrency0 }: Coin) =>
  loose('migrated', { token, poolId, hook, quote, isCurrency0 })

export const renamed = ({ address: token }: Named, name: string, symbol = name) =>
  loose('renamed', { token, name, symbol })

export const uriUpdated = ({ address: token }: Named, uri: string | null) =>
  loose('uriUpdated', { token, uri })

/** A swap in a deep pool that leaves ZORA at a price: exactly if it is the square of a short fraction. */
export const rated = (usdE36: bigint, pool: PoolName = RATE_POOL) =>
  loose('rated', { pool, sqrtPriceX96: rootX96(usdE36), liquidity: 10n ** 24n })

/** sqrtPriceX96 of a pool of two currencies of the same decimals. */
function rootX96(usdE36: bigint): bigint {
  const square = (usdE36 << 192n) / USD
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (let next = (root + square / root) >> 1n; next < root; next = (root + square / root) >> 1n) root = next
  return root
}

/** A buy, as a segment and the feed have it. */
export const swapWith = (part: Partial<Swap>): Swap => ({
  blockNumber: 1,
  blockHash: hash(4),
  timestamp: 60,
  logIndex: 0,
  transactionHash: hash(3),
  token: nthAddress(1),
  poolId: hash(1),
  quote: ZORA,
  isBuy: true,
  amountToken: WHOLE,
  amountQuote: WHOLE,
  volumeMicroUsd: 10n ** 9n,
  paidUsdE36: 10n ** 33n,
  timestampMs: null,
  trader: nthAddress(70),
  from: nthAddress(71),
  to: nthAddress(72),
  ...part,
})

/** A minute in which a token stood at one price. */
export const candleAt = (usdE36 = USD, sqrt = ONE_X96): Candle => ({
  ...{ open: usdE36, high: usdE36, low: usdE36, close: usdE36 },
  ...{ firstSqrt: sqrt, highSqrt: sqrt, lowSqrt: sqrt },
})

/** A million tokens that cost one whole quote each, after a trade. */
export const tradedState = (numbers: Partial<TokenState> = {}): TokenState =>
  stateWith({ sqrtPriceX96: ONE_X96, supply: 10n ** 6n * WHOLE, cumTrades: 1, ...numbers })

type SegmentParts = Partial<Omit<Segment, 'tokens' | 'rows'>> & {
  /** Tokens that are launched, or described anew. */
  readonly born?: readonly Token[]
  /** How the minute left what it touched. */
  readonly rows?: readonly (readonly [Address, TokenState, Candle?])[]
  /** Thousandths of a dollar for a ZORA. @default 1000 */
  readonly rate?: number
}

/** A segment with the given content, in which every `before` is empty; `seal` completes it. */
export function segmentOf(minute: Minute, given: SegmentParts = {}): Segment {
  const { born = [], rows = [], rate: zora = 1000, ...more } = given
  return {
    rules: FOLD_VERSION,
    owners: [],
    totals: { before: noTotals, after: noTotals },
    minute,
    firstBlock: minute * 30,
    last: lastBlockOf(minute),
    tokens: born.map((after) => ({ before: null, after })),
    rows: rows.map(([token, after, candle = null]) => ({
      token,
      before: emptyState,
      after,
      rangesBefore: [],
      ranges: [],
      candle,
      description: born.find(({ address }) => address === token) ?? tokenAt(0, minute, { address: token }),
    })),
    swaps: [],
    balances: [],
    references: references(zora),
    hooks: [],
    facts: 1,
    ...more,
  }
}

/** The minute in which a token is launched. */
export const launchOf = (token: Token, state = tradedState()): Segment =>
  segmentOf(token.launchedAt.timestamp / 60, { born: [token], rows: [[token.address, state]] })

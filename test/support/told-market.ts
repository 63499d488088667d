/** Small markets told log by log, for vectors worked by hand. Names stand for addresses. */
import type { Chain } from '../../ingest/chains.ts'
import { LOGS, type RawLog, ZERO } from './raw-logs.ts'
import { type Market, marketFrom } from './raw-market.ts'
import { valued } from './raw-usd.ts'

// Prices are powers of two: 2^96 is 1 quote per token (every token is currency0), 2^97 is 4, 2^95 a quarter.
/** sqrtPriceX96 of one quote per token, of four, of a quarter. */
export const ONE = 2n ** 96n
export const FOUR = 2n ** 97n
export const QUARTER = 2n ** 95n
/** Base units of a whole token, and one dollar as a price. */
export const E18 = 10n ** 18n
export const E36 = 10n ** 36n
/** Dollars in µ$. */
export const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1e6))

const chain = {
  ...{ name: 'devnet', id: 1, factory: 'factory', poolManager: 'manager', internalSenders: [] },
  references: [
    {
      ...{ address: 'zora', symbol: 'ZORA', name: 'Zora', decimals: 18 },
      source: { is: 'v4Pool', poolId: 'zora-usd', isCurrency0: true, dollarDecimals: 18 },
    },
  ],
  ...{ creationsFrom: 0, sealingDepth: 1, timestampOf: null },
} as unknown as Chain

/** 10:00 of some day; blocks are whole minutes after it unless said. */
export const TEN = 36_000 + 100 * 86_400

/** A log: who says what; all logs of a block are one transaction unless `tx` says otherwise. */
export type Told = readonly [address: string, event: string, args: object, tx?: string]
/** A market from logs told block by block; `minutes` places each block after 10:00. */
export function marketOf(blocks: Readonly<Record<number, readonly Told[]>>): Market {
  const minutes = Object.keys(blocks).map(Number)
  const logs = Object.values(blocks).flatMap((told, n) =>
    told.map(
      ([address, event, args, tx], i) =>
        ({ at: n * LOGS + i, tx: tx ?? `tx${n}`, address, event, args }) as RawLog,
    ),
  )
  return valued(marketFrom(chain, { seconds: minutes.map((m) => TEN + m * 60), logs, senders: new Map() }))
}
/** The exclusive end of a minute after 10:00, Unix seconds. */
export const after = (minute: number): number => TEN + (minute + 1) * 60

/** The reference pool trades. */
export const rate = (sqrtPriceX96: bigint): Told => [
  'manager',
  'Swap',
  { id: 'zora-usd', sender: 'anyone', sqrtPriceX96 },
]
/** A pool key; every token is currency0. */
export const pool = (coin: string, quote: string) => ({ currency0: coin, currency1: quote, hooks: 'hook' })
const mint = (coin: string, to: string, tokens: number): Told => move(coin, ZERO, to, tokens)
/** A transfer of whole tokens. */
export const move = (coin: string, from: string, to: string, tokens: number): Told => [
  coin,
  'CoinTransfer',
  { from, to, amount: BigInt(tokens) * E18 },
]
/** Arguments of a creation log. */
export const creation = (coin: string, quote: string): object => ({
  coin,
  id: `${coin}-pool`,
  payoutRecipient: 'artist',
  poolKey: pool(coin, quote),
  name: coin,
  symbol: coin.toUpperCase(),
})
/** Mints (half vests), Initialize and creation, in the order of the platform. */
export const launch = (coin: string, quote: string, sqrtPriceX96: bigint): Told[] => [
  mint(coin, coin, 500),
  mint(coin, 'manager', 500),
  ['manager', 'Initialize', { id: `${coin}-pool`, sqrtPriceX96 }],
  ['factory', quote === 'zora' ? 'CreatorCoinCreated' : 'CoinCreatedV4', creation(coin, quote)],
]
/** Amounts as the swapper sees them: whole tokens and quote currency, negative where paid. */
export const swap = (
  coin: string,
  [tokens, quote]: readonly [number, number],
  sqrtPriceX96: bigint,
): Told => {
  const amounts = { amount0: BigInt(tokens) * E18, amount1: BigInt(Math.round(quote * 1e6)) * 10n ** 12n }
  return [
    'hook',
    'Swapped',
    { id: `${coin}-pool`, swapSender: 'ann', isTrusted: true, ...amounts, sqrtPriceX96 },
  ]
}
/** The same swap by another wallet than ann; the zero address: the hook could not name it. */
export const by = (swapSender: string, [address, event, args]: Told): Told => [
  address,
  event,
  { ...args, swapSender },
]

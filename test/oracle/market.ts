/** The authentic part of a chain's logs, sorted into arrays per token and pool. Nothing is valued here. */
import type { Chain } from '../../ingest/client/chains.ts'
import { type DecodedRawLog, LOGS, type Raw, ZERO } from './logs.ts'
import type { RateSwaps, RawMinute } from './rates.ts'

/** A pool of a token, current from a position on. */
export type RawPool = { since: number; id: string; hook: string; quote: string; isCurrency0: boolean }
/** A creator or post token and its logs, in chain order. */
export type RawCoin = {
  address: string
  kind: 'creator' | 'post'
  creator: string
  /** Who launched it: the caller; the one it names also where they sent the transaction to a pass-through contract that called. */
  launcher: string
  launchedAt: number
  launchSeconds: number
  launch: { price: bigint; cap: bigint }
  uri: string | null
  names: { at: number; name: string; symbol: string }[]
  /** The current pool, and each that a migration made current. */
  pools: RawPool[]
  trades: { at: number; isBuy: boolean; trader: string; quoteAmount: bigint; volume: bigint }[]
  transfers: { at: number; tx: string; from: string; to: string; amount: bigint }[]
  payments: RawPayment[]
}
/** Fees of a token that a hook paid out, in base units of a currency; `usd`: micro-dollars of each share. */
export type RawPayment = {
  at: number
  currency: string
  recipient: string
  amounts: RawShares
  usd: RawShares
}
type RawShares = { creator: bigint; platform: bigint; referrer: bigint; protocol: bigint }
/** Everything up to a block. `coins` in creation order; amounts in base units. USD figures are 0 until the oracle sets them. */
export type RawMarket = {
  chain: Chain
  seconds: readonly number[]
  minutes: RawMinute[]
  rateSwaps: RateSwaps
  coins: RawCoin[]
  /** By pool id: what set its price, and the liquidity that hooks added. */
  prices: Map<string, { at: number; sqrt: bigint }[]>
  ranges: Map<string, { at: number; lower: number; upper: number; delta: bigint }[]>
  hooks: ReadonlySet<string>
}

/** Creations by the factory; renames, migrations and transfers by their coins; swaps by the hooks of these coins; prices and liquidity by the PoolManager. */
export function marketFrom(chain: Chain, { seconds, logs, sent }: Raw): RawMarket {
  const byAddress = new Map<string, DecodedRawLog[]>()
  for (const log of logs) listIn(byAddress, log.address).push(log)
  const isCreation = ({ event }: DecodedRawLog) => event === 'CreatorCoinCreated' || event === 'CoinCreatedV4'
  const created = (byAddress.get(chain.factory) ?? []).filter(isCreation)
  const coins = created.map((log) =>
    coinFrom(log, byAddress.get(log.args.coin) ?? [], { chain, seconds, sent }),
  )
  const hooks = new Set(coins.flatMap((coin) => coin.pools.map((pool) => pool.hook)))
  const market: RawMarket = {
    chain,
    seconds,
    coins,
    hooks,
    minutes: [],
    rateSwaps: rateSwapsOf(chain, logs),
    prices: new Map(),
    ranges: new Map(),
  }
  const movers = new Set([...hooks, ...chain.internalSenders])
  for (const log of logs) {
    const { at, address, event, args } = log
    const isOfPools = address === chain.poolManager
    const isSwapped = event === 'Swapped' && hooks.has(address)
    // Of hooks before 2.5.0 another hook that sells fees is a sender, too, and so is the order book.
    const isTrade = isSwapped && !movers.has(args.sender)
    const isMove = isOfPools && (event === 'Initialize' || (event === 'Swap' && movers.has(args.sender)))
    if (isSwapped || isMove) listIn(market.prices, args.id).push({ at, sqrt: args.sqrtPriceX96 })
    if (isTrade) addTrade(coins, log, sent)
    if (hooks.has(address)) addPayment(coins, log)
    if (isOfPools && event === 'ModifyLiquidity' && hooks.has(args.sender))
      listIn(market.ranges, args.id).push({
        at,
        lower: args.tickLower,
        upper: args.tickUpper,
        delta: args.liquidityDelta,
      })
  }
  return market
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

/** Swaps in a pool, whether it is a contract of its own or in the PoolManager. */
export const rateSwapsOf = (chain: Chain, logs: readonly DecodedRawLog[]): RateSwaps =>
  new Map(
    chain.references.flatMap(({ sources }) =>
      sources.map(({ pool }) => [
        pool,
        logs
          .filter(({ event, address, args }) => {
            const isHere = address === pool || (address === chain.poolManager && args.id === pool)
            return event === 'Swap' && isHere
          })
          .map(({ at, args: { sqrtPriceX96: sqrt, liquidity } }) => ({ at, sqrt, liquidity })),
      ]),
    ),
  )

function coinFrom(
  created: DecodedRawLog,
  own: readonly DecodedRawLog[],
  { chain, seconds, sent }: Pick<Raw, 'seconds' | 'sent'> & { chain: Chain },
): RawCoin {
  const { coin: address, payoutRecipient: creator, caller } = created.args
  const { from, to } = sent.get(created.tx) ?? {}
  const isPassed = chain.passThroughs.some((each) => each === caller) && to === caller
  const launcher = isPassed && from === creator ? creator : caller
  const poolFrom = ({ at, args: { id, poolKey } }: DecodedRawLog): RawPool => {
    const isCurrency0 = poolKey.currency0 === address
    return {
      since: at,
      id,
      hook: poolKey.hooks,
      quote: isCurrency0 ? poolKey.currency1 : poolKey.currency0,
      isCurrency0,
    }
  }
  const ownOf = (event: string) => own.filter((log) => log.event === event)
  const named = [created, ...ownOf('NameAndSymbolUpdated')].sort((a, b) => a.at - b.at)
  return {
    address,
    kind: created.event === 'CoinCreatedV4' ? 'post' : 'creator',
    creator,
    launcher,
    launchedAt: created.at,
    launchSeconds: seconds[Math.floor(created.at / LOGS)]!,
    launch: { price: 0n, cap: 0n },
    uri: created.args.uri || null,
    names: named.map(({ at, args }) => ({
      at,
      name: cleaned(args.name, 128),
      symbol: cleaned(args.symbol, 32),
    })),
    // The first pool is current from the start: Initialize and mints come before the creation log of their transaction.
    pools: [{ ...poolFrom(created), since: -1 }, ...ownOf('LiquidityMigrated').map(poolFrom)],
    trades: [],
    payments: [],
    transfers: ownOf('CoinTransfer').map(({ at, tx, args: { from, to, amount } }) => ({
      at,
      tx,
      from,
      to,
      amount,
    })),
  }
}

/** An untrusted name without control and direction characters, trimmed, at most so many code points. */
export function cleaned(text: string, most: number): string {
  const bare = text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/(?![\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '')
    // Of the two that make emoji, those that make none.
    .replace(/(?<![\p{Emoji_Presentation}\p{Extended_Pictographic}]\ufe0f?)[\u200d\ufe0f]/gu, '')
  return [...bare.trim()].slice(0, most).join('').trim()
}

/** The pool that is a token's current one for logs before a position. */
export const poolAt = ({ pools }: RawCoin, before: number): RawPool =>
  pools.length === 1 ? pools[0]! : pools.findLast(({ since }) => since < before)!

const coinsOf = new WeakMap<RawMarket, ReadonlyMap<string, RawCoin>>()

/** The token at an address; none: it is something else. */
export function coinAt(market: RawMarket, address: string): RawCoin | undefined {
  const known = coinsOf.get(market) ?? new Map(market.coins.map((coin) => [coin.address, coin]))
  coinsOf.set(market, known)
  return known.get(address)
}

/** A payment; the short form right behind the full one says the same again. */
function addPayment(coins: readonly RawCoin[], { at, event, args }: DecodedRawLog): void {
  const coin = coins.find((each) => each.address === args.coin)
  if (!coin || !/Rewards/.test(event)) return
  const isAgain = event === 'CreatorCoinRewards' && coin.payments.some((each) => each.at === at - 1)
  if (isAgain) return
  const { rewards = {}, creatorAmount, protocolAmount, currency, payoutRecipient: recipient } = args
  const amountOf = (name: string) => rewards[`${name}AmountCurrency`] ?? 0n
  const amounts = {
    creator: amountOf('creatorPayout') || (creatorAmount ?? 0n),
    platform: amountOf('platformReferrer'),
    referrer: amountOf('tradeReferrer'),
    protocol: amountOf('protocol') + amountOf('doppler') || (protocolAmount ?? 0n),
  }
  coin.payments.push({ at, currency, recipient, amounts, usd: { ...amounts } })
}

/** A swap counts in the pool that is current at its log. Who traded: a trusted router's word; where that names nobody, the last transfer's counterparty; tx.from of any other. */
function addTrade(coins: readonly RawCoin[], { at, tx, args }: DecodedRawLog, sent: Raw['sent']): void {
  const coin = coins.find((each) => poolAt(each, at).id === args.id)
  if (!coin) return
  const [own, quote] = poolAt(coin, at).isCurrency0
    ? [args.amount0, args.amount1]
    : [args.amount1, args.amount0]
  const isBuy = own > 0n || quote < 0n
  const last = coin.transfers.findLast((transfer) => transfer.tx === tx)
  const named = args.swapSender === ZERO ? (isBuy ? last?.to : last?.from) : args.swapSender
  const trader = (args.isTrusted ? named : undefined) ?? sent.get(tx)!.from
  coin.trades.push({ at, isBuy, trader, quoteAmount: quote < 0n ? -quote : quote, volume: 0n })
}

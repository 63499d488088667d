/** Unusual events that every public chain has sooner or later, spread over a history; an indexer must handle all of them. */
import { encodeAbiParameters, encodeEventTopics, numberToHex, zeroAddress } from 'viem'
import { poolIdOf } from '../../ingest/old-tokens.ts'
import type { Address, Hash } from '../../market/segment.ts'
import {
  burn,
  type Curve,
  claimVesting,
  forge,
  launchCreator,
  launchPost,
  launchTrend,
  migrate,
  pretend,
  renameToken,
  transfer,
} from './actions.ts'
import type { Book, BookToken } from './book.ts'
import {
  compiledContracts,
  foreignAddress,
  hookAddresses,
  pretendingRouterAddress,
  zoraAddress,
} from './contracts.ts'
import { moveReference } from './genesis.ts'
import type { Event } from './market-history.ts'
import type { TransactionDraft } from './miner.ts'
import { hostileNamings } from './names.ts'
import { balanceOf, buy, buyNamed, sell, type TraderMarket, type Wish, zoraFor } from './traders.ts'

/** Worth trillions on paper, with nothing in the pool. */
const absurdCurve: Curve = {
  startTick: 200_000,
  ranges: [[200_000, 887_200]],
  amounts: [990_000_000n * 10n ** 18n],
}

/** Moves ZORA by more than a third, a reference price that must not be accepted at once. */
const SPIKE_USD = 3_500_000

/** The oddities of a history from `from` to `to` (Unix seconds). */
export function oddities(from: number, to: number): Event[] {
  return script.map(([share, wish]) => ({
    at: from + share * (to - from),
    wish,
    isLast: wish === migration,
  }))
}

const hostile = hostileNamings.flatMap((naming, n): [number, Wish][] => [
  [0.1 + n * 0.02, hostileLaunch(naming, n % 2 === 0)],
  [0.12 + n * 0.02, buyNamed(naming.symbol, 30)],
  [0.97, buyNamed(naming.symbol, 12)],
])

// Traders in its block still use the old pool.
const migration = withCreator(2, (token) => migrate(token, secondHook()))

const script: readonly (readonly [number, Wish])[] = [
  ...hostile,
  [
    0.2,
    ofWallet(0, (wallet) => launchPost(wallet, { name: 'no creator', symbol: 'ZPOST', quote: zoraAddress })),
  ],
  [0.22, buyNamed('ZPOST', 150)],
  [0.98, buyNamed('ZPOST', 20)],
  [0.3, ofWallet(1, (wallet) => launchTrend(wallet, 'TREND'))],
  [0.32, buyNamed('TREND', 500)],
  [0.8, buyNamed('TREND', 300)],
  [0.34, postOfAPost],
  [0.36, buyNamed('DEEP', 40)],
  [0.99, buyNamed('DEEP', 5)],
  [0.4, absurdPost],
  [0.42, buyNamed('WHALE', 2)],
  [0.96, buyNamed('WHALE', 1)],
  [0.45, forgedCreation],
  [0.5, forgedSwap],
  [0.51, forgedTransfer],
  [0.5, burnHalf],
  [0.55, withCreator(1, (token) => renameToken(token, `${token.name} (new)`, `${token.symbol}2`))],
  [0.6, withCreator(0, (token) => claimVesting(token.address, token.owner))],
  [0.95, withCreator(0, (token) => claimVesting(token.address, token.owner))],
  [0.61, transferToOneself],
  [0.62, transferToTheDead],
  [0.65, leaver(buyAsLeaver)],
  [0.67, leaver(sellAsLeaver)],
  [0.7, migration],
  [0.72, withCreator(2, (token, book) => buy(book, { wallet: token.owner, token, usd: 80 }))],
  [0.9, withCreator(2, (token, book) => buy(book, { wallet: token.owner, token, usd: 25 }))],
  [0.93, ofWallet(2, (wallet) => moveReference(wallet, { isUp: true, usd: SPIKE_USD }))],
  [0.931, ofWallet(2, (wallet) => moveReference(wallet, { isUp: false, usd: SPIKE_USD }))],
  ...[0.97, 0.98, 0.99].map((share): [number, Wish] => [share, dust]),
  [0.94, ofWallet(3, fundPretender)],
  [0.985, buyAsMany],
]

function secondHook(): Address {
  return hookAddresses()[1] ?? foreignAddress
}

function ofWallet(index: number, draft: (wallet: Address) => TransactionDraft): Wish {
  return async ({ wallets }) => {
    const wallet = wallets[index]
    return wallet && draft(wallet)
  }
}

// The n-th launched creator; the first ones, so that all of this has a history before and after it.
function withCreator(n: number, draft: (token: BookToken, book: Book) => TransactionDraft): Wish {
  return async ({ book }) => {
    const token = book.tokens('creator')[n]
    return token ? draft(token, book) : 'later'
  }
}

function hostileLaunch(naming: { name: string; symbol: string }, isCreator: boolean): Wish {
  return async ({ book, wallets, random }) => {
    const quote = book.tokens('creator')[0]
    if (isCreator) return launchCreator(random.pick(wallets), naming)
    return quote ? launchPost(random.pick(wallets), { ...naming, quote: quote.address }) : 'later'
  }
}

async function absurdPost({ book, wallets }: TraderMarket) {
  const [quote] = book.tokens('creator')
  const [wallet] = wallets
  if (!quote || !wallet) return 'later' as const
  return launchPost(wallet, { name: 'Worth it', symbol: 'WHALE', quote: quote.address, curve: absurdCurve })
}

/** Four pools from USD, so it has no price. */
async function postOfAPost({ book, wallets }: TraderMarket) {
  const post = book.tokens('post').find(({ quote }) => book.token(quote)?.kind === 'creator')
  const [wallet] = wallets
  if (!post || !wallet) return 'later' as const
  return launchPost(wallet, { name: 'A post of a post', symbol: 'DEEP', quote: post.address })
}

async function dust({ book, wallets, random }: TraderMarket) {
  const token = book.tokens('creator')[0]
  return token ? buy(book, { wallet: random.pick(wallets), token, usd: 0.04 }) : ('later' as const)
}

/** One account that poses as many traders, with 20 cents for each. */
const PRETENDED = 80
const PRETENDED_USD = 0.2

function fundPretender(wallet: Address): TransactionDraft {
  const amount = BigInt(PRETENDED) * zoraFor(PRETENDED_USD)
  return transfer(zoraAddress, { from: wallet, to: pretendingRouterAddress, amount })
}

async function buyAsMany({ book, wallets }: TraderMarket) {
  const token = book.tokens('post').find(({ quote }) => quote === zoraAddress)
  const wallet = wallets[3]
  if (!token || !wallet) return 'later' as const
  const names = Array.from({ length: PRETENDED }, (_, n) => numberToHex(0xa11ce_0000 + n, { size: 20 }))
  return pretend(wallet, { key: token.key, currencyIn: zoraAddress, amountIn: zoraFor(PRETENDED_USD), names })
}

async function burnHalf(market: TraderMarket) {
  const held = await heldBySomebody(market)
  return held && burn(held.token, held.wallet, held.balance / 2n)
}

async function transferToOneself(market: TraderMarket) {
  const held = await heldBySomebody(market)
  return held && transfer(held.token, { from: held.wallet, to: held.wallet, amount: held.balance })
}

async function transferToTheDead(market: TraderMarket) {
  const held = await heldBySomebody(market)
  const to = '0x000000000000000000000000000000000000dead'
  return held && transfer(held.token, { from: held.wallet, to, amount: held.balance / 3n })
}

// The oldest buyer with a balance that this block does not use yet.
async function heldBySomebody({ anvil, book, spent }: TraderMarket) {
  for (const { wallet, token } of book.buyers()) {
    const balance = await balanceOf(anvil, token, wallet)
    if (balance === 0n || spent.has(`${wallet} ${token}`)) continue
    spent.add(`${wallet} ${token}`)
    return { wallet, token, balance }
  }
  return undefined
}

/** A separate wallet that buys one token once and sells all of it. */
function leaver(
  draft: (market: TraderMarket, order: { wallet: Address; token: BookToken }) => ReturnType<Wish>,
): Wish {
  return async (market) => {
    const token = market.book.tokens('creator')[3] ?? market.book.tokens('creator')[0]
    const wallet = market.wallets.at(-1)
    return token && wallet ? draft(market, { wallet, token }) : 'later'
  }
}

async function buyAsLeaver({ book }: TraderMarket, order: { wallet: Address; token: BookToken }) {
  return buy(book, { ...order, usd: 75 })
}

async function sellAsLeaver(
  { anvil, book }: TraderMarket,
  order: { wallet: Address; token: BookToken },
): ReturnType<Wish> {
  const amount = await balanceOf(anvil, order.token.address, order.wallet)
  return amount > 0n ? sell(book, { ...order, amount }) : 'later'
}

/** A log of one of our contracts' events, emitted by an untrusted contract. */
function forged(
  wallet: Address,
  [contract, eventName]: readonly ['DevFactory' | 'DevHook' | 'DevToken', string],
  args: Readonly<Record<string, unknown>>,
): TransactionDraft {
  const abi = compiledContracts.contracts[contract].abi.filter(
    (item) => item.type === 'event' && item.name === eventName,
  )
  const inputs = abi.flatMap((item) => (item.type === 'event' ? item.inputs : []))
  const inData = inputs.filter(({ indexed }) => !indexed)
  const data = encodeAbiParameters(
    inData,
    inData.map(({ name = '' }) => args[name]),
  )
  const topics = encodeEventTopics({ abi, eventName, args }) as readonly Hash[]
  return forge(wallet, { topics, data })
}

async function forgedCreation({ book, wallets }: TraderMarket) {
  const [token] = book.tokens('creator')
  const [wallet] = wallets
  if (!token || !wallet) return 'later' as const
  return forged(wallet, ['DevFactory', 'CreatorCoinCreated'], {
    ...{ caller: wallet, payoutRecipient: wallet, platformReferrer: zeroAddress },
    ...{ currency: zoraAddress, uri: '', name: 'Forged', symbol: 'FORGED', coin: foreignAddress },
    ...{ poolKey: token.key, poolKeyHash: poolIdOf(token.key), version: 'forged' },
  })
}

async function forgedSwap({ book, wallets }: TraderMarket) {
  const [token] = book.tokens('creator')
  const [wallet] = wallets
  if (!token || !wallet) return 'later' as const
  const million = 10n ** 24n
  return forged(wallet, ['DevHook', 'Swapped'], {
    ...{ sender: wallet, swapSender: wallet, isTrustedSwapSenderAddress: true },
    ...{ key: token.key, poolKeyHash: poolIdOf(token.key) },
    params: { zeroForOne: true, amountSpecified: -million, sqrtPriceLimitX96: 1n },
    ...{ amount0: -million, amount1: million, isCoinBuy: true, hookData: '0x', sqrtPriceX96: 2n ** 96n },
  })
}

async function forgedTransfer({ wallets }: TraderMarket) {
  const [wallet] = wallets
  if (!wallet) return undefined
  return forged(wallet, ['DevToken', 'CoinTransfer'], {
    ...{ sender: foreignAddress, recipient: wallet },
    ...{ amount: 1n, senderBalance: 0n, recipientBalance: 10n ** 30n },
  })
}

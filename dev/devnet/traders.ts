/** The traders: each action looks at the current market and becomes some transactions, or none. */
import { padHex } from 'viem'
import type { PoolKey } from '../../ingest/decode/pool-state.ts'
import type { Address } from '../../market/segment.ts'
import { launchCreator, launchPost, type Trade, trade, transfer } from './actions.ts'
import type { Anvil } from './anvil.ts'
import type { Book, BookToken } from './book.ts'
import { zoraAddress } from './contracts.ts'
import { moveRate, ZORA_USD } from './genesis.ts'
import type { Habits } from './habits.ts'
import type { TransactionDraft } from './miner.ts'
import { creatorNaming, postNaming } from './names.ts'
import { type Random, zipf } from './random.ts'

/** The market as an action sees it. `spent`: the balances that this block already uses, as `wallet token`, and the creators who launch in it. */
export type TraderMarket = {
  readonly anvil: Anvil
  readonly book: Book
  readonly random: Random
  readonly wallets: readonly Address[]
  /** Who launches creator tokens: each one, as long as there are enough. */
  readonly creators: readonly Address[]
  readonly spent: Set<string>
  readonly habits: Habits
}

/** An action of one transaction or several; 'later' if it waits for a launch, undefined if there is nothing to do. */
export type Wish = (
  market: TraderMarket,
) => Promise<TransactionDraft | readonly TransactionDraft[] | 'later' | undefined>

const BALANCE_OF = '0x70a08231'

/** ZORA worth this many dollars, in base units. */
export function zoraFor(usd: number): bigint {
  return BigInt(Math.ceil((usd / ZORA_USD) * 1e9)) * 10n ** 9n
}

/** The pools from ZORA to the token, in a buyer's order. */
export function pathTo(book: Book, token: BookToken): readonly PoolKey[] {
  const quote = book.token(token.quote)
  return quote ? [...pathTo(book, quote), token.key] : [token.key]
}

/** Buys with ZORA, through the creator token's pool if the token is quoted in it. */
export function buy(
  book: Book,
  order: Pick<Trade, 'wallet' | 'recipient' | 'isAnonymous' | 'isFill'> & { token: BookToken; usd: number },
): TransactionDraft {
  const { token, usd, ...rest } = order
  return trade({ ...rest, path: pathTo(book, token), currencyIn: zoraAddress, amountIn: zoraFor(usd) })
}

/** Sells for ZORA; with `isShort` only as far as the token's own quote. */
export function sell(
  book: Book,
  order: { wallet: Address; token: BookToken; amount: bigint; isShort?: boolean },
): TransactionDraft {
  const { wallet, token, amount, isShort } = order
  const path = isShort ? [token.key] : [...pathTo(book, token)].reverse()
  return trade({ wallet, path, currencyIn: token.address, amountIn: amount })
}

/** A wallet's balance, in base units, as of the newest block. */
export async function balanceOf(anvil: Anvil, token: Address, wallet: Address): Promise<bigint> {
  const data = `${BALANCE_OF}${padHex(wallet).slice(2)}`
  return BigInt((await anvil.request('eth_call', [{ to: token, data }, 'latest'])) as string)
}

/** An ordinary trader: mostly buys, by popularity, often of new tokens; sells of bought tokens; sometimes a transfer. */
export const randomTrade: Wish = async (market) => {
  const { random } = market
  const kind = random.next()
  if (kind < 0.66) return buyOf(pickToken(market), randomUsd(market))(market)
  if (kind < 0.92) return sellSome(market)
  if (kind < 0.97) return spendCreatorTokens(market)
  return transferSome(market)
}

/** Buys a token by symbol. */
export function buyNamed(symbol: string, usd: number): Wish {
  return async (market) => {
    const token = market.book.tokens().findLast((known) => known.symbol === symbol)
    return token ? buyOf(token, usd)(market) : 'later'
  }
}

/** Launches a creator token, from an address of its own while there is one. */
export function creatorLaunch(naming: { name: string; symbol: string }): Wish {
  return async ({ book, random, wallets, creators, spent, habits }) => {
    const launched = new Set(book.tokens('creator').map(({ owner }) => owner))
    const free = creators.filter((creator) => !launched.has(creator) && !spent.has(creator))
    const creator = random.pick(free.length > 0 ? free : wallets)
    spent.add(creator)
    return launchCreator(creator, { ...naming, curve: habits.curves.creator })
  }
}

/** Launches a post in a creator's token, popular ones more often. */
export function postLaunch(naming: { name: string; symbol: string }): Wish {
  return async ({ book, random, habits }) => {
    const creators = byPopularity(book.tokens('creator'))
    const creator = creators[zipf(random, creators.length, 0.6)]
    if (!creator) return 'later'
    const { address: quote, payoutRecipient } = creator
    return launchPost(creator.owner, { ...naming, quote, payoutRecipient, curve: habits.curves.post })
  }
}

/** Launches a token. */
export const randomLaunch: Wish = async (market) =>
  market.random.chance(0.4)
    ? creatorLaunch(creatorNaming(market.random))(market)
    : postLaunch(postNaming(market.random))(market)

/** Moves the price of ZORA by some percent. */
export const rateMove: Wish = async ({ random, wallets, habits: { rateTrade } }) => {
  const { least, most } = rateTrade
  return moveRate(random.pick(wallets), { isUp: random.chance(0.5), usd: least + random.below(most - least) })
}

const buyOf =
  (token: BookToken | undefined, usd: number): Wish =>
  async ({ book, random, wallets }) => {
    if (!token) return 'later'
    const wallet = pickWallet(random, wallets)
    const isAnonymous = random.chance(0.06)
    const gift = random.chance(0.03) ? { recipient: random.pick(wallets) } : {}
    return buy(book, { wallet, token, usd, isAnonymous, ...gift })
  }

const sellSome: Wish = async (market) => {
  const held = await pickHeld(market)
  if (!held) return undefined
  const { all, least, most } = market.habits.sells
  const share = market.random.chance(all) ? 100 : least + market.random.below(most - least)
  const amount = (held.balance * BigInt(share)) / 100n
  return sell(market.book, { ...held, amount, isShort: market.random.chance(0.3) })
}

const spendCreatorTokens: Wish = async (market) => {
  const held = await pickHeld(market, (token) => token.kind === 'creator')
  const posts = market.book.tokens('post').filter((post) => post.quote === held?.token.address)
  if (!held || posts.length === 0) return undefined
  const { wallet, token, balance } = held
  const path = [market.random.pick(posts).key]
  return trade({ wallet, path, currencyIn: token.address, amountIn: balance / 3n })
}

const transferSome: Wish = async (market) => {
  const held = await pickHeld(market)
  if (!held) return undefined
  const to = market.random.pick(market.wallets)
  return transfer(held.token.address, { from: held.wallet, to, amount: held.balance / 4n })
}

/** A buyer with a balance that this block does not use yet. */
async function pickHeld(market: TraderMarket, isWanted: (token: BookToken) => boolean = () => true) {
  const { anvil, book, random, spent } = market
  const buyers = book.buyers()
  for (let attempt = 0; attempt < 4 && buyers.length > 0; attempt++) {
    const { wallet, token: address } = random.pick(buyers)
    const token = book.token(address)
    const key = `${wallet} ${address}`
    if (!token || token.kind === 'trend' || spent.has(key) || !isWanted(token)) continue
    const balance = await balanceOf(anvil, address, wallet)
    if (balance < 10n ** 6n) continue
    spent.add(key)
    return { wallet, token, balance }
  }
  return undefined
}

function pickToken({ book, random }: TraderMarket): BookToken | undefined {
  const tokens = book.tokens().filter(({ kind }) => kind !== 'trend')
  if (tokens.length > 0 && random.chance(0.2)) return random.pick(tokens.slice(-20))
  const ranked = byPopularity(tokens)
  return ranked[zipf(random, ranked.length)]
}

// Addresses are hashes, so their last digits give a random but stable order of tokens.
function byPopularity(tokens: readonly BookToken[]): BookToken[] {
  return [...tokens].sort((a, b) => (a.address.slice(-8) < b.address.slice(-8) ? -1 : 1))
}

function pickWallet(random: Random, wallets: readonly Address[]): Address {
  return wallets[zipf(random, wallets.length, 0.4)] ?? random.pick(wallets)
}

function randomUsd({ random, habits: { trade: usual } }: TraderMarket): number {
  // One in fifty is dust, below what counts as engagement.
  if (random.chance(0.02)) return 0.01 + random.next() * 0.08
  return Math.min(usual.largest, random.amount(usual.median, usual.spread))
}

/**
 * A planned action at a time (Unix seconds); `isLast`: must be the last of its block, because the others there do not
 * expect it.
 */
export type Event = { readonly at: number; readonly wish: Wish; readonly isLast?: boolean }

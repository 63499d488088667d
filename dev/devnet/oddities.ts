/** Unusual events that every public chain has sooner or later, spread over a history; an indexer must handle all of them. */
import { numberToHex } from 'viem'
import type { Address } from '../../market/segment.ts'
import {
  burn,
  type Curve,
  claimVesting,
  launchCreator,
  launchPost,
  launchTrend,
  migrate,
  pretend,
  renameToken,
  swapSilently,
  transfer,
} from './actions.ts'
import type { Book, BookToken } from './book.ts'
import {
  foreignAddress,
  hookAddresses,
  oldHooks,
  pretendingRouterAddress,
  silentRouterAddress,
  zoraAddress,
} from './contracts.ts'
import { forgedCreation, forgedSwap, forgedTransfer } from './forgeries.ts'
import { drainPool, moveOnePool, moveRate, ratePools } from './genesis.ts'
import type { TransactionDraft } from './miner.ts'
import { hostileNamings } from './names.ts'
import {
  balanceOf,
  buy,
  buyNamed,
  type Event,
  sell,
  type TraderMarket,
  type Wish,
  zoraFor,
} from './traders.ts'

/** Worth trillions on paper, with nothing in the pool. */
const absurdCurve: Curve = {
  startTick: 200_000,
  ranges: [[200_000, 887_200]],
  amounts: [990_000_000n * 10n ** 18n],
}

/** Moves ZORA by more than a third, a rate that must not be accepted at once. */
const SPIKE_USD = 3_500_000
/** Pumped, with and without its liquidity, which must not move the rate. */
const smallPool = ratePools[2]

/** The oddities of a history from `from` to `to` (Unix seconds). */
export function oddities(from: number, to: number): Event[] {
  return script.map(([share, wish]) => ({ at: from + share * (to - from), wish, isLast: wish === migration }))
}

type Draft = TransactionDraft | 'later' | undefined
type TokenDraft = (token: BookToken, wallet: Address, market: TraderMarket) => Draft | Promise<Draft>

/** Action of a wallet, by its index, on a token as soon as it is launched. */
function on(find: (book: Book) => BookToken | undefined, draft: TokenDraft, wallet = 0): Wish {
  return async (market) => {
    const [token, actor] = [find(market.book), market.wallets.at(wallet)]
    return token && actor ? draft(token, actor, market) : 'later'
  }
}

// The n-th launched creator; the first ones, so that all of this has a history before and after it.
const creator = (n: number) => (book: Book) => book.tokens('creator')[n]
const postOfCreator = (book: Book) =>
  book.tokens('post').find(({ quote }) => book.token(quote)?.kind === 'creator')
const zoraPost = (book: Book) => book.tokens('post').find(({ quote }) => quote === zoraAddress)

function ofWallet(
  index: number,
  draft: (wallet: Address) => TransactionDraft | readonly TransactionDraft[],
): Wish {
  return async ({ wallets }) => {
    const wallet = wallets[index]
    return wallet && draft(wallet)
  }
}

type Held = { readonly wallet: Address; readonly token: Address; readonly balance: bigint }

/** Action of the oldest buyer whose balance this block has not used yet. */
function ofHolder(draft: (held: Held) => TransactionDraft): Wish {
  return async ({ anvil, book, spent }) => {
    for (const { wallet, token } of book.buyers()) {
      const balance = await balanceOf(anvil, token, wallet)
      if (balance === 0n || spent.has(`${wallet} ${token}`)) continue
      spent.add(`${wallet} ${token}`)
      return draft({ wallet, token, balance })
    }
    return undefined
  }
}

const hostile = hostileNamings.flatMap((naming, n): [number, Wish][] => [
  [0.1 + n * 0.02, hostileLaunch(naming, n % 2 === 0)],
  [0.12 + n * 0.02, buyNamed(naming.symbol, 30)],
  [0.97, buyNamed(naming.symbol, 12)],
])

function hostileLaunch(naming: { name: string; symbol: string }, isCreator: boolean): Wish {
  if (isCreator) return async ({ wallets, random }) => launchCreator(random.pick(wallets), naming)
  return on(creator(0), ({ address: quote }, _, { wallets, random }) =>
    launchPost(random.pick(wallets), { ...naming, quote }),
  )
}

// Traders in its block still use the old pool.
const migration = on(creator(2), (token) => migrate(token, hookAddresses()[1] ?? foreignAddress))
const claim = on(creator(0), (token) => claimVesting(token.address, token.owner))
const dust = on(creator(0), (token, _, { book, wallets, random }) =>
  buy(book, { wallet: random.pick(wallets), token, usd: 0.04 }),
)
const buyMigrated = (usd: number) =>
  on(creator(2), (token, _, { book }) => buy(book, { wallet: token.owner, token, usd }))

/** A separate wallet that buys one token once and sells all of it. */
const LEAVER = -1
const left = (book: Book) => creator(3)(book) ?? creator(0)(book)

/** One account that poses as many traders, with 20 cents for each. */
const PRETENDED = 80
const PRETENDED_USD = 0.2
const pretended = Array.from({ length: PRETENDED }, (_, n) => numberToHex(0xa11ce_0000 + n, { size: 20 }))
const ofPretended = { currencyIn: zoraAddress, amountIn: zoraFor(PRETENDED_USD), names: pretended }

/** Tokens of the time before version 2.5.0, and a later post of that creator: the fees of both posts pass through the old hook. */
const named = (symbol: string) => (book: Book) => book.tokens().find((token) => token.symbol === symbol)
const oldTokens: readonly (readonly [number, Wish])[] = [
  [0.13, ofWallet(4, (wallet) => launchCreator(wallet, { ...naming('OLDC'), hook: oldHooks()[0] }))],
  [
    0.14,
    on(
      named('OLDC'),
      ({ address: quote }, wallet) => launchPost(wallet, { ...naming('OLDP'), quote, hook: oldHooks()[1] }),
      4,
    ),
  ],
  [
    0.15,
    on(named('OLDC'), ({ address: quote }, wallet) => launchPost(wallet, { ...naming('NEWP'), quote }), 4),
  ],
  ...[0.2, 0.55, 0.95].flatMap((share): [number, Wish][] => [
    [share, buyNamed('OLDP', 60)],
    [share + 0.01, buyNamed('NEWP', 60)],
  ]),
  ...['OLDC', 'OLDP'].map((symbol): [number, Wish] => [0.75, on(named(symbol), filledOrder, 5)]),
  [0.76, on(creator(0), filledOrder, 5)],
]

function naming(symbol: string) {
  return { name: `${symbol} of the devnet`, symbol }
}

function filledOrder(token: BookToken, wallet: Address, { book }: TraderMarket): TransactionDraft {
  return buy(book, { wallet, token, usd: 35, isFill: true })
}

const DEAD = '0x000000000000000000000000000000000000dead'

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
  // Four pools from USD, so it has no price.
  [
    0.34,
    on(postOfCreator, ({ address: quote }, wallet) =>
      launchPost(wallet, { name: 'A post of a post', symbol: 'DEEP', quote }),
    ),
  ],
  [0.36, buyNamed('DEEP', 40)],
  [0.99, buyNamed('DEEP', 5)],
  [
    0.4,
    on(creator(0), ({ address: quote }, wallet) =>
      launchPost(wallet, { name: 'Worth it', symbol: 'WHALE', quote, curve: absurdCurve }),
    ),
  ],
  [0.42, buyNamed('WHALE', 2)],
  [0.96, buyNamed('WHALE', 1)],
  [0.45, on(creator(0), forgedCreation)],
  [0.5, on(creator(0), forgedSwap)],
  [0.51, ofWallet(0, forgedTransfer)],
  [0.5, ofHolder(({ token, wallet, balance }) => burn(token, wallet, balance / 2n))],
  [0.55, on(creator(1), (token) => renameToken(token, `${token.name} (new)`, `${token.symbol}2`))],
  [0.6, claim],
  [0.95, claim],
  [
    0.61,
    ofHolder(({ token, wallet, balance }) => transfer(token, { from: wallet, to: wallet, amount: balance })),
  ],
  [
    0.62,
    ofHolder(({ token, wallet, balance }) =>
      transfer(token, { from: wallet, to: DEAD, amount: balance / 3n }),
    ),
  ],
  [0.65, on(left, (token, wallet, { book }) => buy(book, { wallet, token, usd: 75 }), LEAVER)],
  [0.67, on(left, sellAll, LEAVER)],
  [0.7, migration],
  [0.72, buyMigrated(80)],
  [0.9, buyMigrated(25)],
  [0.93, ofWallet(2, (wallet) => moveRate(wallet, { isUp: true, usd: SPIKE_USD }))],
  [0.931, ofWallet(2, (wallet) => moveRate(wallet, { isUp: false, usd: SPIKE_USD }))],
  // Deep and dear, then nearly empty and at several times its price, then as before.
  [0.935, ofWallet(2, (wallet) => moveOnePool(wallet, smallPool, { isUp: true, usd: 15_000 }))],
  [0.94, ofWallet(2, (wallet) => drainPool(wallet, smallPool, 99n))],
  [0.945, ofWallet(2, (wallet) => moveOnePool(wallet, smallPool, { isUp: true, usd: 2_000 }))],
  [0.95, ofWallet(2, (wallet) => moveOnePool(wallet, smallPool, { isUp: false, usd: 2_000 }))],
  [0.955, ofWallet(2, (wallet) => drainPool(wallet, smallPool, -99n))],
  [0.96, ofWallet(2, (wallet) => moveOnePool(wallet, smallPool, { isUp: false, usd: 15_000 }))],
  ...[0.97, 0.98, 0.99].map((share): [number, Wish] => [share, dust]),
  ...[pretendingRouterAddress, silentRouterAddress].map((router): [number, Wish] => [
    0.94,
    ofWallet(3, (wallet) => {
      const amount = BigInt(PRETENDED) * zoraFor(PRETENDED_USD)
      return transfer(zoraAddress, { from: wallet, to: router, amount })
    }),
  ]),
  [0.985, on(zoraPost, ({ key }, wallet) => pretend(wallet, { key, ...ofPretended }), 3)],
  [0.986, on(zoraPost, ({ key }, wallet) => swapSilently(wallet, { key, ...ofPretended }), 3)],
  ...oldTokens,
]

async function sellAll(token: BookToken, wallet: Address, { anvil, book }: TraderMarket): Promise<Draft> {
  const amount = await balanceOf(anvil, token.address, wallet)
  return amount > 0n ? sell(book, { wallet, token, amount }) : 'later'
}

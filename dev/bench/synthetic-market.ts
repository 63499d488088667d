/** A market of any size without its history: each number is a function of token and time. */

import { contributionOf, noPosts } from '../../market/fold/post-owners.ts'
import { noTotals } from '../../market/fold/running-totals.ts'
import {
  type Address,
  emptyState,
  type PostOwner,
  type RunningTotals,
  type Token,
  type TokenState,
} from '../../market/segment.ts'
import { tokenAt, ZORA } from '../../test/support/market/facts.ts'
import { randomFrom } from '../devnet/random.ts'

/** The newest minute of the market when the measurement starts. */
export const START = 29_000_000
/** All were launched in the days that the engine knows. */
const LIFETIME = 29 * 1_440
const X96 = 2 ** 96
/** Base units of one token. */
export const E18 = 10n ** 18n

/** A token, and what its numbers follow from. */
export type Grower = {
  readonly token: Token
  readonly perMinute: number
  readonly seed: number
  readonly since: number
}

export type SyntheticMarket = {
  readonly count: number
  /** Made anew each time: millions of them would take more memory than what is measured. */
  readonly growerAt: (number: number) => Grower
  /** The number of a token, as often as it trades. */
  readonly pick: () => number
  readonly owners: ReadonlyMap<Address, PostOwner>
  /** They stand still: what is measured does not depend on them. */
  readonly totals: RunningTotals
}

/** The address of a token, an owner or a wallet by its number. */
export const syntheticAddress = (number: number): Address =>
  `0x${(0xa000_0000 + number).toString(16).padStart(40, '0')}`

/**
 * `count` active tokens in the order of their launch over 29 days, a fifth of them creator tokens; few trade much, most hardly
 * ever. `ever` were launched in all.
 */
export function syntheticMarket(count: number, ever: number, swapsPerMinute: number): SyntheticMarket {
  const random = randomFrom(count).next
  const weights = Float64Array.from({ length: count }, () => (random() + 1e-5) ** -1.1)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const [owners, seeds, isInOwner] = [new Int32Array(count), new Float64Array(count), new Uint8Array(count)]
  for (let number = 0; number < count; number++) {
    // A fifth of the tokens before are creator tokens.
    const creators = Math.ceil(number / 5)
    owners[number] = isCreatorAt(number) ? number : 5 * Math.floor(random() ** 2 * creators)
    isInOwner[number] = Number(!(isCreatorAt(number) || random() < 0.15))
    seeds[number] = random()
  }
  const growerAt = (number: number): Grower => {
    const since = START - LIFETIME + Math.floor((number / count) * (LIFETIME - 1))
    const owner = owners[number] ?? 0
    const quote = isInOwner[number] === 1 ? syntheticAddress(owner) : ZORA
    const token = tokenOf(number, { owner, since, quote, kind: isCreatorAt(number) ? 'creator' : 'post' })
    return {
      token,
      perMinute: ((weights[number] ?? 0) / total) * swapsPerMinute,
      seed: seeds[number] ?? 0,
      since,
    }
  }
  const sums = new Float64Array(count)
  for (let number = 0, sum = 0; number < count; number++) sums[number] = sum += (weights[number] ?? 0) / total
  return {
    count,
    growerAt,
    pick: () => lowerBound(sums, random()),
    owners: ownersOf(count, growerAt),
    totals: {
      ...noTotals,
      firstMinute: START - LIFETIME,
      creators: Math.floor(ever / 5),
      posts: Math.ceil((ever * 4) / 5),
      holders: 1_000_000,
    },
  }
}

const isCreatorAt = (number: number): boolean => number % 5 === 0

function lowerBound(sums: Float64Array, value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 1) < value) low = middle + 1
    else high = middle
  }
  return low
}

type Birth = Pick<Token, 'kind' | 'quote'> & { readonly owner: number; readonly since: number }

const tokenOf = (number: number, { owner, since, quote, kind }: Birth): Token =>
  tokenAt(number, since, {
    address: syntheticAddress(number),
    kind,
    creator: syntheticAddress(owner + 5e8),
    quote,
    name: `Token number ${number}`,
    hook: syntheticAddress(9e8),
    isCurrency0: number % 2 === 0,
    launch: { priceUsdE36: 10n ** 28n, supply: 10n ** 27n },
  })

/** A token's numbers as of a minute, all by its trades: what nobody trades stands still. They only grow, but for the price. */
export function stateAt({ perMinute, seed, since, token }: Grower, minute: number, more = 0): TokenState {
  const trades = Math.floor(perMinute * (minute - since) + seed) + more
  const move = 1 + 0.3 * Math.sin(seed * 1e4 + trades / 7)
  const root = (token.quote === ZORA ? 1e-3 : 3e-2) * (1 + trades) ** 0.2 * move * (0.5 + seed)
  const sqrtPriceX96 = BigInt(Math.floor((token.isCurrency0 ? root : 1 / root) * X96))
  const reserve = BigInt(Math.floor(1e6 * root * root * 2e8 * (0.2 + seed)))
  return {
    ...emptyState,
    sqrtPriceX96,
    cumVolumeMicroUsd: BigInt(Math.floor(trades * 4e6 * (0.3 + seed))),
    cumBuyVolumeMicroUsd: BigInt(Math.floor(trades * 2e6 * (0.3 + seed))),
    cumRankVolumeMicroUsd: BigInt(Math.floor(trades * 3e6 * (0.3 + seed))),
    cumTrades: trades,
    cumBuys: trades >> 1,
    cumEngagement: Math.floor(trades * 0.6),
    // About when the last whole trade was; a token is launched with one.
    lastSwapMinute: Math.max(
      since,
      minute - Math.floor(((perMinute * (minute - since) + seed) % 1) / (perMinute || 1)),
    ),
    holders: Math.floor(trades ** 0.7),
    supply: 10n ** 27n - BigInt(trades) * E18,
    selfHeld: 5n * 10n ** 26n,
    reserveQuote: (reserve * E18) / 1_000_000n,
    reserveToken: 10n ** 26n,
    athUsdE36: sqrtPriceX96,
    atlUsdE36: sqrtPriceX96,
  }
}

/** What creators own of posts: those quoted in their token, and those in ZORA. */
function ownersOf(count: number, growerAt: SyntheticMarket['growerAt']): ReadonlyMap<Address, PostOwner> {
  const owners = new Map<Address, PostOwner>()
  for (let place = 0; place < count; place++) {
    const grower = growerAt(place)
    const { token } = grower
    if (token.kind === 'creator') owners.set(token.creator, { ...noPosts, oldestCreatorToken: token.address })
    if (token.kind === 'creator') continue
    const owner = token.quote === ZORA ? token.creator : token.quote
    const known = owners.get(owner) ?? noPosts
    const [sums = { counted: 0n, plain: 0n, count: 0, lastSwapMinute: 0 }] = known.posts
    const state = stateAt(grower, START)
    const { counted, plain } = contributionOf(token, state)
    const added = {
      quote: token.quote,
      counted: sums.counted + counted,
      plain: sums.plain + plain,
      count: sums.count + 1,
      lastSwapMinute: Math.max(sums.lastSwapMinute, state.lastSwapMinute),
    }
    owners.set(owner, { ...known, posts: [added] })
  }
  return owners
}

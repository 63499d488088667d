import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { movesOf } from '../../../market/board/token-page.ts'
import { fold } from '../../../market/fold/fold.ts'
import type { PriorState, PriorToken } from '../../../market/prior.ts'
import { MIGRATIONS_MAX } from '../../../market/rules.ts'
import type { Address, Coin, Hash, ReferenceTotals, Segment } from '../../../market/segment.ts'
import {
  address,
  block,
  blockOf,
  coin,
  hash,
  initialized,
  type Loose,
  launched,
  launchedIn,
  migrated,
  minuteOf,
  ONE_X96,
  prior,
  provided,
  rate,
  renamed,
  swapped,
  transferred,
  USD,
  WHOLE,
  ZORA,
} from '../../support/market/facts.ts'
import { rounds } from '../../support/rounds.ts'

const DOLLARS = address(0x2222)
const wallets = [address(0xc1), address(0xc2), address(0xc3)]
const tokens = Array.from({ length: 7 }, (_, at) => address(0xa00 + at))

type Act = {
  readonly token: number
  readonly does: 'trade' | 'provide' | 'rename' | 'migrate'
  readonly n: number
}

const act: fc.Arbitrary<Act> = fc.record({
  token: fc.nat(tokens.length - 1),
  does: fc.constantFrom<Act['does'][]>('trade', 'trade', 'provide', 'rename', 'migrate'),
  n: fc.nat(11),
})
/** What each token is from its launch on: a quote with a higher number may not exist yet, one beyond all never does. */
const coins = fc.tuple(
  ...tokens.map((own) =>
    fc
      .record({
        kind: fc.constantFrom('creator' as const, 'post' as const, 'post' as const),
        creator: fc.constantFrom(...wallets),
        // Whether the creator launched it, somebody else did, or nobody knows who did.
        launchedBy: fc.constantFrom<(Address | null)[]>(...wallets, null),
        quote: fc.constantFrom<Address[]>(
          ZORA,
          DOLLARS,
          address(0x99),
          ...tokens.filter((other) => other !== own),
        ),
        isCurrency0: fc.boolean(),
      })
      .map((words) => ({ ...words, address: own })),
  ),
)

function factsOf(coin: Coin, { does, n }: Act): Loose[] {
  const sqrtPriceX96 = (ONE_X96 * BigInt(2 * n + 1)) / 7n
  if (does === 'trade') return [swapped({ token: coin, sqrtPriceX96, amountQuote: BigInt(n) * WHOLE })]
  if (does === 'rename') return [renamed(coin, `${n}`, 'S')]
  const provide = (to: Coin) => provided(to, BigInt(n - 2) * WHOLE, [-60 * (n + 1), 60 * (n + 1)])
  if (does === 'provide') return [provide(coin)]
  const quote = n % 3 === 0 ? DOLLARS : n % 3 === 1 ? ZORA : (tokens[n % tokens.length] ?? ZORA)
  const poolId = hash(1_000_000 + Number(BigInt(coin.address)) * 100 + n)
  const after = { ...coin, poolId, quote }
  return [initialized(after, sqrtPriceX96), provide(after), migrated(after)]
}

function launchOf(born: Coin, n: number): Loose[] {
  const minted = BigInt(n + 1) * WHOLE
  const mint = transferred(born, [address(0), address(0x77)], [minted, 0n, minted])
  return [mint, initialized(born), launched(born)]
}

/** Folds minutes of acts; a token is launched by the first act that names it. Gives the segments and the last prior. */
function played(sketches: readonly Pick<Coin, 'address'>[], minutes: readonly (readonly Act[])[]) {
  const start = prior([])
  let known: PriorState = { ...start, references: new Map([...start.references, [DOLLARS, rate(USD, 6)]]) }
  const segments: Segment[] = []
  const moves: { readonly token: Address; readonly toPool: Hash; readonly blockNumber: number }[] = []
  for (const [at, acts] of minutes.entries()) {
    const number = 10 + at
    const facts: Loose[] = []
    const current = new Map([...known.tokens].map(([address, { token }]) => [address, token as Coin]))
    for (const one of acts) {
      const sketch = sketches[one.token]!
      if (!current.has(sketch.address)) {
        const launchedAt = launchedIn({ number, timestamp: 60 * at }, facts.length + 2, 1)
        const born = coin({ ...sketch, launchedAt })
        facts.push(...launchOf(born, one.n))
        current.set(sketch.address, born)
      } else facts.push(...factsOf(current.get(sketch.address)!, one))
    }
    for (const fact of facts)
      if (fact.is === 'migrated') moves.push({ token: fact.token, toPool: fact.poolId, blockNumber: number })
    const last = block(number, 6_000 + 60 * at)
    const { segment, after } = fold(known, minuteOf(blockOf(last, facts)))
    segments.push(segment)
    known = after
  }
  return { segments, known, moves }
}

function capOf({ token: { isCurrency0 }, state }: PriorToken, amount = state.supply): bigint {
  const price = state.sqrtPriceX96 ** 2n
  if (price === 0n) return 0n
  return isCurrency0 ? (amount * price) / 2n ** 192n : (amount * 2n ** 192n) / price
}
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const countedOf = (known: PriorToken) => least(capOf(known), 25n * known.state.reserveQuote)
const isThin = (known: PriorToken) => capOf(known) > 25n * known.state.reserveQuote
const plainOf = (known: PriorToken) => (isThin(known) ? 0n : capOf(known))

/** The creator token that a post is quoted in, if it is older than the post. */
function quoteOf(post: PriorToken, all: ReadonlyMap<Address, PriorToken>): PriorToken | undefined {
  const quote = all.get(post.token.quote)
  if (quote?.token.kind !== 'creator') return undefined
  const [a, b] = [quote.token.launchedAt, post.token.launchedAt]
  return a.blockNumber < b.blockNumber || (a.blockNumber === b.blockNumber && a.logIndex < b.logIndex)
    ? quote
    : undefined
}

/** The same totals computed from every token, by "Boards" and "Market totals" of market/README.md. */
function scanned({ tokens: all, references }: PriorState): ReadonlyMap<Address, ReferenceTotals> {
  const everyone = [...all.values()]
  const totalsOf = (currency: Address): ReferenceTotals => {
    const quoted = everyone.filter(({ token }) => token.quote === currency)
    const totals = { creatorCounted: 0n, creatorPlain: 0n, postCounted: 0n, postPlain: 0n, liquidity: 0n }
    for (const known of quoted) {
      totals.liquidity += known.state.reserveQuote
      if (known.token.kind === 'post') {
        totals.postCounted += countedOf(known)
        totals.postPlain += plainOf(known)
        continue
      }
      const posts = everyone.filter((post) => post.token.kind === 'post' && quoteOf(post, all) === known)
      const counted = posts.reduce((sum, post) => sum + countedOf(post), 0n)
      const plain = posts.reduce((sum, post) => sum + plainOf(post), 0n)
      const together = least(capOf(known) + capOf(known, counted), 25n * known.state.reserveQuote)
      totals.creatorCounted += countedOf(known)
      totals.creatorPlain += plainOf(known)
      totals.postCounted += together - countedOf(known)
      totals.postPlain += isThin(known) ? 0n : capOf(known, plain)
    }
    return totals
  }
  return new Map([...references.keys()].map((currency) => [currency, totalsOf(currency)]))
}

/** Whether an address launched a token that names it. */
const isOf = (owner: Address, { token: { creator, launchedBy } }: PriorToken) =>
  owner === creator && owner === launchedBy

/** Sums of an owner's posts in one quote (null: anything that counts for nothing), and its oldest creator token. */
function ownedBy(owner: Address, quote: Address | null, { tokens: all, references }: PriorState) {
  const posts = [...all.values()].filter((known) => {
    if (known.token.kind !== 'post') return false
    const quoted = quoteOf(known, all)
    if (quoted) return owner === known.token.quote && quote === owner
    return isOf(owner, known) && quote === (references.has(known.token.quote) ? known.token.quote : null)
  })
  const sum = (amountOf: (known: PriorToken) => bigint) =>
    quote === null ? 0n : posts.reduce((total, post) => total + amountOf(post), 0n)
  return { counted: sum(countedOf), plain: sum(plainOf), count: posts.length }
}

const minutesOf = fc.array(fc.array(act, { maxLength: 6 }), { minLength: 1, maxLength: 8 })

/** Checks what holds after any history. */
const everyHistory = (check: (history: ReturnType<typeof played>) => void): void =>
  fc.assert(
    fc.property(coins, minutesOf, (sketches, minutes) => check(played(sketches, minutes))),
    { numRuns: rounds(100, 3_000) },
  )

describe('running sums and totals', () => {
  it('equal those computed from every token: posts by owner and quote, and totals by reference currency', () => {
    everyHistory(({ known, segments }) => {
      const swaps = segments.flatMap((segment) => segment.swaps)
      const buys = swaps.filter(({ isBuy }) => isBuy)
      expect(known.totals.references).toEqual(scanned(known))
      const all = [...known.tokens.values()]
      const creators = all.filter(({ token }) => token.kind === 'creator')
      const volumeOf = (some: readonly PriorToken[]) =>
        some.reduce((sum, { state }) => sum + state.cumVolumeMicroUsd, 0n)
      expect(known.totals).toMatchObject({
        firstMinute: 100,
        creators: creators.length,
        posts: all.length - creators.length,
        trades: all.reduce((sum, { state }) => sum + state.cumTrades, 0),
        volume: volumeOf(all),
        creatorVolume: volumeOf(creators),
        buys: buys.length,
        buyVolume: buys.reduce((sum, { volumeMicroUsd }) => sum + volumeMicroUsd, 0n),
      })
      for (const owner of [...tokens, ...wallets]) {
        for (const quote of [ZORA, DOLLARS, owner, null]) {
          const sums = known.owners.get(owner)?.posts.find((one) => one.quote === quote)
          const { counted, plain, count } = sums ?? { counted: 0n, plain: 0n, count: 0 }
          expect({ counted, plain, count }).toEqual(ownedBy(owner, quote, known))
        }
        const [first] = creators
          .filter((known) => isOf(owner, known))
          .sort(
            ({ token: { launchedAt: a } }, { token: { launchedAt: b } }) =>
              a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
          )
        expect(known.owners.get(owner)?.oldestCreatorToken ?? null).toBe(first?.token.address ?? null)
      }
    })
  })

  it('are absolute in every segment: each starts with the values that the one before it ended with', () => {
    everyHistory(({ segments }) => {
      const owners = new Map<Address, Segment['owners'][number]['after']>()
      const states = new Map<Address, Segment['rows'][number]['after']>()
      let totals: Segment['totals']['after'] | undefined
      for (const segment of segments) {
        if (totals) expect(segment.totals.before).toEqual(totals)
        totals = segment.totals.after
        for (const { owner, before, after } of segment.owners) {
          expect(before).toEqual(owners.get(owner) ?? { oldestCreatorToken: null, posts: [] })
          owners.set(owner, after)
        }
        for (const { token, before, after } of segment.rows) {
          if (states.has(token)) expect(before).toEqual(states.get(token))
          states.set(token, after)
        }
      }
    })
  })

  it('come with the moves to other pools that the chain had, one after the other', () => {
    everyHistory(({ known, moves }) => {
      for (const { token } of known.tokens.values()) {
        const own = moves.filter((moved) => moved.token === token.address)
        const pools = [coin({ address: token.address }).poolId, ...own.map(({ toPool }) => toPool)]
        const led = own.map(({ toPool, blockNumber }, at) => ({ fromPool: pools[at], toPool, blockNumber }))
        const real = led.filter(({ fromPool, toPool }) => fromPool !== toPool)
        expect(movesOf(token).map(({ timestamp: _, ...moved }) => moved)).toEqual(real.slice(-MIGRATIONS_MAX))
      }
    })
  })

  it('come with the rows that a touched token’s price and portfolio depend on', () => {
    everyHistory(({ segments }) => {
      const launched = new Map<Address, Coin>()
      for (const { rows, owners, tokens: changes, swaps } of segments) {
        for (const { after } of changes) launched.set(after.address, after)
        const present = new Set(rows.map(({ token }) => token))
        const owning = new Map(owners.map(({ owner, after }) => [owner, after]))
        for (const { token } of swaps) expect(present).toContain(token)
        const touched = rows.filter(({ before, after }) => before.cumTrades !== after.cumTrades)
        for (const { description } of touched) {
          expect(description).toEqual(launched.get(description.address))
          if (launched.has(description.quote)) expect(present).toContain(description.quote)
          const { creator, launchedBy } = description
          const oldest = creator === launchedBy && owning.get(creator)?.oldestCreatorToken
          if (oldest) expect(present).toContain(oldest)
        }
      }
    })
  })
})

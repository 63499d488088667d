/** Small random histories of four tokens, folded minute by minute. */
import fc from 'fast-check'
import { fold } from '../../../market/fold/fold.ts'
import { NOBODY } from '../../../market/fold/holders.ts'
import type { PriorState } from '../../../market/prior.ts'
import type { Address, Coin, Minute, Segment } from '../../../market/segment.ts'
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
  renamed,
  swapped,
  transferred,
  uriUpdated,
  WHOLE,
} from './facts.ts'

export type Step =
  | { readonly is: 'seal'; readonly gap: number; readonly acts: readonly Act[] }
  /** Takes back so many minutes at the end of what is in force. */
  | { readonly is: 'rewind'; readonly depth: number }

type Act = { readonly does: keyof typeof acts; readonly token: number; readonly n: number }

/** What holds after a minute. */
export type LedgerWorld = {
  readonly minute: Minute
  readonly prior: PriorState
  /** By `token/holder`. */
  readonly balances: ReadonlyMap<string, bigint>
  readonly hooks: ReadonlySet<Address>
}

export const noWorld: LedgerWorld = {
  minute: 26_000_010,
  prior: prior([]),
  balances: new Map(),
  hooks: new Set(),
}

export const tokenAddresses: readonly Address[] = [0xa0, 0xa1, 0xa2, 0xa3].map(address)
export const ledgerNames = ['Foo', ' fOO', 'Straße', 'STRASSE', 'x'.repeat(300), '', '#~\u0000'] as const
export const ledgerHolders: readonly Address[] = [0x70, 0x71, 0x72].map(address)

/** A minute that is being made. */
type Draft = {
  readonly minute: Minute
  readonly coins: Map<Address, Coin>
  readonly balances: Map<string, bigint>
  readonly hooks: Set<Address>
  readonly facts: Loose[]
}

const hookAt = (n: number): Address => address(0xb00 + n)
const holderAt = (n: number): Address => ledgerHolders[n % ledgerHolders.length] ?? NOBODY
const nameAt = (n: number): string => ledgerNames[n % ledgerNames.length] ?? ''
/** Of a pool that is opened in this minute. */
const newPool = ({ minute, facts }: Draft) => hash(minute * 1_000 + facts.length)

/** None, the least, and more than 128 bits hold. */
const givenAmounts = [0n, 0n, 0n, 1n, 1n, 10n ** 28n + 1n, 10n ** 42n + 1n]

function trade({ facts }: Draft, token: Coin, n: number): void {
  const amounts = { amountToken: BigInt(n) * WHOLE, amountQuote: (BigInt(n + 1) * WHOLE) / 20n }
  const sqrtPriceX96 = ONE_X96 * BigInt(n + 1)
  facts.push(
    swapped({ token, isBuy: n % 2 === 0, ...amounts, sqrtPriceX96, trader: holderAt(n), tx: facts.length }),
  )
}

const acts = {
  trade,
  /** More trades than one item holds. */
  swarm: (draft: Draft, token: Coin, n: number) => {
    for (let at = 0; at < 7; at++) trade(draft, token, n + at)
  },
  /** A holder's balance becomes 0 or another amount: by a mint or a burn. */
  give: ({ balances, facts }: Draft, token: Coin, n: number) => {
    const holder = holderAt(n)
    const id = `${token.address}/${holder}`
    const [before, after] = [balances.get(id) ?? 0n, givenAmounts[n] ?? 0n]
    balances.set(id, after)
    if (after > before) facts.push(transferred(token, [NOBODY, holder], [after - before, 0n, after]))
    if (after < before) facts.push(transferred(token, [holder, NOBODY], [before - after, after, 0n]))
  },
  rename: ({ facts }: Draft, token: Coin, n: number) => {
    facts.push(renamed(token, nameAt(n), nameAt(n * 2)))
  },
  changeUri: ({ facts }: Draft, token: Coin, n: number) => {
    facts.push(uriUpdated(token, n % 3 === 0 ? null : `ipfs://${n}`))
  },
  migrate: (draft: Draft, token: Coin, n: number) => {
    const after = { ...token, poolId: newPool(draft), hook: hookAt(n) }
    draft.hooks.add(after.hook)
    draft.coins.set(after.address, after)
    draft.facts.push(initialized(after), migrated(after))
  },
  provide: ({ facts }: Draft, token: Coin, n: number) => {
    facts.push(provided(token, BigInt(n) - 2n, [n - 10, n]))
  },
}

const act: fc.Arbitrary<Act> = fc.record({
  does: fc.constantFrom('trade' as const, ...(Object.keys(acts) as Act['does'][])),
  token: fc.nat(3),
  n: fc.nat(6),
})

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        is: fc.constant('seal' as const),
        gap: fc.constantFrom(1, 1, 1, 2, 40),
        acts: fc.array(act, { maxLength: 5 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ is: fc.constant('rewind' as const), depth: fc.integer({ min: 1, max: 4 }) }),
    },
  ),
  { maxLength: 14 },
)

/** A minute after the world's, and the world after it. A token is launched by the first act that names it. */
export function sealed(
  world: LedgerWorld,
  step: Extract<Step, { is: 'seal' }>,
): { segment: Segment; world: LedgerWorld } {
  const minute = world.minute + step.gap
  const draft: Draft = {
    minute,
    coins: new Map([...world.prior.tokens].map(([address, { token }]) => [address, token])),
    balances: new Map(world.balances),
    hooks: new Set(world.hooks),
    facts: [],
  }
  for (const { does, token, n } of step.acts) {
    const at = tokenAddresses[token] ?? NOBODY
    acts[does](draft, draft.coins.get(at) ?? launch(draft, at, n), n)
  }
  const { segment, after } = fold(world.prior, minuteOf(blockOf(block(minute, minute * 60), draft.facts)))
  const { balances, hooks } = draft
  return { segment, world: { minute, prior: after, balances, hooks } }
}

/** Creator tokens and posts of two creators, all priced in a reference currency. */
function launch(draft: Draft, at: Address, n: number): Coin {
  const { minute, coins, hooks, facts } = draft
  const born = coin({
    address: at,
    kind: n % 2 ? 'creator' : 'post',
    creator: holderAt(n % 2),
    // A few only name their creator.
    launchedBy: holderAt(n % 7 === 0 ? (n + 1) % 2 : n % 2),
    name: nameAt(n),
    symbol: nameAt(n * 3),
    poolId: newPool(draft),
    hook: hookAt(n % 2),
    launchedAt: launchedIn({ number: minute, timestamp: minute * 60 }, facts.length),
  })
  hooks.add(born.hook)
  coins.set(at, born)
  facts.push(initialized(born), launched(born))
  return born
}

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import {
  type Address,
  type BalanceChange,
  emptyState,
  type Hash,
  type LiquidityRange,
  type Minute,
  type Segment,
  type Swap,
  type Token,
  type TokenState,
} from '../../market/segment.ts'
import { nothingSummed } from './market-history.ts'
import { emptyWorld, type World, wholeSegment } from './whole-segment.ts'

/** Small histories of four tokens that fit together: each minute begins where the one in force before it ended. */

export type Step =
  | { readonly is: 'seal'; readonly gap: number; readonly acts: readonly Act[] }
  /** Takes back so many minutes at the end of what is in force. */
  | { readonly is: 'rewind'; readonly depth: number }

type Act = { readonly does: keyof typeof acts; readonly token: number; readonly n: number }

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        is: fc.constant('seal' as const),
        gap: fc.constantFrom(1, 1, 1, 2, 40),
        acts: fc.array(
          fc.record({
            does: fc.constantFrom<Act['does'][]>(
              'trade',
              'trade',
              'swarm',
              'give',
              'rename',
              'migrate',
              'provide',
            ),
            token: fc.nat(3),
            n: fc.nat(6),
          }),
          { maxLength: 5 },
        ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ is: fc.constant('rewind' as const), depth: fc.integer({ min: 1, max: 4 }) }),
    },
  ),
  { maxLength: 14 },
)

/** What holds after a minute. */
export type LedgerWorld = World & {
  readonly minute: Minute
  /** By `token/holder`. */
  readonly balances: ReadonlyMap<string, bigint>
  readonly hooks: ReadonlySet<Address>
}

export const noWorld: LedgerWorld = {
  ...emptyWorld,
  minute: 26_000_010,
  balances: new Map(),
  hooks: new Set(),
}

const hexOf = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits)
const addressOf = (text: string): Address => `0x${hexOf(text, 40)}`
const hashOf = (text: string): Hash => `0x${hexOf(text, 64)}`

export const tokenAddresses: readonly Address[] = [0, 1, 2, 3].map((n) => addressOf(`token ${n}`))
export const ledgerNames = ['Foo', ' fOO', 'Straße', 'STRASSE', 'x'.repeat(300), '', '#~\u0000'] as const
export const ledgerHolders: readonly Address[] = [0, 1, 2].map((n) => addressOf(`holder ${n}`))
export const quote: Address = addressOf('quote')

/** A world that is being changed, and what has been traded in its minute. */
type Draft = {
  tokens: Map<Address, Token>
  states: Map<Address, TokenState>
  ranges: Map<Address, readonly LiquidityRange[]>
  balances: Map<string, bigint>
  hooks: Set<Address>
  touched: Set<Address>
  swaps: Swap[]
  minute: Minute
}

const acts = {
  trade: (draft: Draft, token: Token, n: number) => trade(draft, token, n),
  /** More than a row keeps itself. */
  swarm: (draft: Draft, token: Token, n: number) => {
    for (let at = 0; at < 7; at++) trade(draft, token, n + at)
  },
  give: (draft: Draft, token: Token, n: number) => {
    draft.balances.set(`${token.address}/${ledgerHolders[n % 3]}`, n < 3 ? 0n : 10n ** (7n * BigInt(n)) + 1n)
  },
  rename: (draft: Draft, token: Token, n: number) => {
    const name = ledgerNames[n] ?? ''
    draft.tokens.set(token.address, {
      ...token,
      name,
      symbol: ledgerNames[(n * 2) % ledgerNames.length] ?? '',
    })
  },
  migrate: (draft: Draft, token: Token, n: number) => {
    const poolId = hashOf(`${token.poolId} ${n} ${draft.minute}`)
    const hook = addressOf(`hook ${n}`)
    draft.hooks.add(hook)
    draft.tokens.set(token.address, { ...token, poolId, hook })
  },
  provide: (draft: Draft, token: Token, n: number) => {
    draft.ranges.set(token.address, [{ tickLower: n - 10, tickUpper: n, liquidity: BigInt(n) - 2n }])
  },
}

function trade(draft: Draft, token: Token, n: number): void {
  const state = draft.states.get(token.address) ?? emptyState
  const position = { blockNumber: draft.minute, logIndex: draft.swaps.length }
  const swap: Swap = {
    ...position,
    transactionHash: hashOf(`transaction ${draft.minute} ${draft.swaps.length}`),
    blockHash: hashOf(`block ${draft.minute}`),
    timestamp: draft.minute * 60,
    token: token.address,
    poolId: token.poolId,
    quote,
    isBuy: n % 2 === 0,
    amountToken: BigInt(n),
    amountQuote: BigInt(n + 1),
    trader: ledgerHolders[n % 3] ?? quote,
    from: quote,
    to: quote,
    volumeMicroUsd: BigInt(n) * 50_000n,
    paidUsdE36: 3n,
  }
  draft.swaps.push(swap)
  draft.states.set(token.address, {
    ...state,
    cumTrades: state.cumTrades + 1,
    cumVolumeMicroUsd: state.cumVolumeMicroUsd + swap.volumeMicroUsd,
  })
}

/** A minute after the world's, and the world after it. A token is launched by the first act that names it. */
export function sealed(
  world: LedgerWorld,
  step: Extract<Step, { is: 'seal' }>,
): { segment: Segment; world: LedgerWorld } {
  const minute = world.minute + step.gap
  const draft: Draft = {
    tokens: new Map(world.tokens),
    states: new Map(world.states),
    ranges: new Map(world.ranges),
    balances: new Map(world.balances),
    hooks: new Set(world.hooks),
    touched: new Set(),
    swaps: [],
    minute,
  }
  for (const { does, token, n } of step.acts) {
    const address = tokenAddresses[token] ?? quote
    const known = draft.tokens.get(address) ?? launched(draft, address, n)
    draft.touched.add(address)
    acts[does](draft, known, n)
  }
  const { segment, world: after } = wholeSegment(world, sketchOf(world, draft))
  const { balances, hooks } = draft
  return { segment, world: { ...after, minute, balances, hooks } }
}

function launched(draft: Draft, address: Address, n: number): Token {
  const hook = addressOf(`hook ${n % 2}`)
  const launchedAt = {
    blockNumber: draft.minute,
    logIndex: n,
    transactionHash: hashOf(address),
    timestamp: 1,
  }
  const token: Token = {
    address,
    kind: n % 2 ? 'creator' : 'post',
    creator: ledgerHolders[n % 2] ?? quote,
    name: ledgerNames[n] ?? '',
    symbol: ledgerNames[(n * 3) % ledgerNames.length] ?? '',
    quote,
    poolId: hashOf(`pool ${address} ${draft.minute}`),
    hook,
    isCurrency0: true,
    launchedAt,
    launch: { priceUsdE36: null, supply: 5n },
  }
  draft.hooks.add(hook)
  draft.tokens.set(address, token)
  draft.states.set(address, { ...emptyState, supply: 5n, cumBuys: draft.minute })
  return token
}

/** Half of the tokens are posts, priced in `quote`, of two creators. */
function sketchOf(world: LedgerWorld, draft: Draft): Segment {
  const { minute, swaps } = draft
  const touched = [...draft.touched].sort().flatMap((address) => draft.tokens.get(address) ?? [])
  return {
    ...nothingSummed,
    minute,
    firstBlock: minute,
    last: { number: minute, hash: hashOf(`block ${minute}`), timestamp: minute * 60 },
    tokens: touched
      .filter((token) => token !== world.tokens.get(token.address))
      .map((after) => ({ before: null, after })),
    rows: touched.map((token) => ({
      ...{ token: token.address, description: token, before: emptyState },
      after: draft.states.get(token.address) ?? emptyState,
      ...{ rangesBefore: [], ranges: draft.ranges.get(token.address) ?? [] },
      candle: swaps.length > 0 ? { open: 1n, high: 2n, low: 1n, close: 2n } : null,
    })),
    swaps,
    balances: balanceChanges(world, draft),
    references: new Map([
      [quote, { observedUsdE36: 1n, heldUsdE36: BigInt(minute), outside: 0, decimals: 18 }],
    ]),
    hooks: [...draft.hooks].filter((hook) => !world.hooks.has(hook)).sort(),
    facts: 1,
  }
}

const balanceChanges = (world: LedgerWorld, draft: Draft): BalanceChange[] =>
  [...draft.balances].flatMap(([id, after]) => {
    const before = world.balances.get(id) ?? 0n
    const [token, holder] = id.split('/') as [Address, Address]
    return before === after ? [] : [{ token, holder, before, after }]
  })

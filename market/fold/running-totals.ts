import { verifiedCreator } from '../authorship.ts'
import type {
  Address,
  MarketTotals,
  Minute,
  PostOwner,
  References,
  ReferenceTotals,
  RunningTotals,
  Token,
  TokenState,
} from '../segment.ts'
import { contributionOf, noPosts, partsOf, sharesOf, type TokenStep } from './post-owners.ts'

/** Before the first trade. */
export const emptyTotals: MarketTotals = { volume: 0n, buyVolume: 0n, creatorVolume: 0n, trades: 0, buys: 0 }

/** Before the first minute. */
export const noTotals: RunningTotals = {
  ...emptyTotals,
  coverageFrom: null,
  firstMinute: null,
  creators: 0,
  posts: 0,
  holders: 0,
  references: new Map(),
}

const noneOfReference: ReferenceTotals = {
  creatorCounted: 0n,
  creatorPlain: 0n,
  postCounted: 0n,
  postPlain: 0n,
  liquidity: 0n,
}

/** A minute's inputs to the totals: the tokens it touched, and the owners before and after it. */
export type TotalsStep = {
  readonly minute: Minute
  readonly references: References
  readonly steps: readonly TokenStep[]
  readonly ownersBefore: ReadonlyMap<Address, PostOwner>
  readonly ownersAfter: ReadonlyMap<Address, PostOwner>
  /** Tokens that the minute did not touch. */
  readonly relatedStepOf: (address: Address) => TokenStep['after'] | undefined
}

/**
 * The totals after a minute, from those before it and the minute's changes. A creator token whose quote is not a
 * reference currency counts for nothing, and neither do the posts quoted in it.
 */
export function totalsAfter(before: RunningTotals, step: TotalsStep): RunningTotals {
  const totals = { ...before, firstMinute: before.firstMinute ?? step.minute }
  for (const tokenStep of step.steps) addTrades(totals, tokenStep)
  return { ...totals, references: referencesAfter(before, step) }
}

function addTrades(
  totals: { -readonly [Name in keyof RunningTotals]: RunningTotals[Name] },
  { before, after: { token, state } }: TokenStep,
): void {
  if (!before) totals[token.kind === 'creator' ? 'creators' : 'posts'] += 1
  const volume = state.cumVolumeMicroUsd - (before?.state.cumVolumeMicroUsd ?? 0n)
  totals.volume += volume
  if (token.kind === 'creator') totals.creatorVolume += volume
  totals.buyVolume += state.cumBuyVolumeMicroUsd - (before?.state.cumBuyVolumeMicroUsd ?? 0n)
  totals.trades += state.cumTrades - (before?.state.cumTrades ?? 0)
  totals.buys += state.cumBuys - (before?.state.cumBuys ?? 0)
  totals.holders += state.holders - (before?.state.holders ?? 0)
}

type Draft = Map<Address, { -readonly [Name in keyof ReferenceTotals]: bigint }>

function referencesAfter({ references }: RunningTotals, step: TotalsStep): RunningTotals['references'] {
  const draft: Draft = new Map(
    [...step.references.keys()].map((currency) => [
      currency,
      { ...(references.get(currency) ?? noneOfReference) },
    ]),
  )
  const { ownersBefore, ownersAfter } = step
  for (const { before, after } of step.steps) {
    if (before) add(draft, -1n, before.token.quote, shareOf(before, ownersBefore))
    add(draft, 1n, after.token.quote, shareOf(after, ownersAfter))
  }
  const touched = new Set(step.steps.map(({ after }) => after.token.address))
  for (const [owner, after] of ownersAfter) {
    const before = ownersBefore.get(owner)
    if (before === after) continue
    addOwner(draft, -1n, owner, before)
    addOwner(draft, 1n, owner, after)
    const related = touched.has(owner) ? undefined : step.relatedStepOf(owner)
    if (!related) continue
    add(draft, -1n, related.token.quote, shareOf(related, ownersBefore))
    add(draft, 1n, related.token.quote, shareOf(related, ownersAfter))
  }
  return draft
}

function add(draft: Draft, sign: bigint, currency: Address, share: Partial<ReferenceTotals>): void {
  const totals = draft.get(currency)
  if (!totals) return
  for (const [name, amount] of Object.entries(share) as [keyof ReferenceTotals, bigint][]) {
    totals[name] += sign * amount
  }
}

/** Contribution of a post without an owner to the totals of its quote, if that is a reference currency. */
function ownShareOf({ token, state }: TokenStep['after']): Partial<ReferenceTotals> {
  const { counted, plain } = contributionOf(token, state)
  return { postCounted: counted, postPlain: plain }
}

/** The posts of a creator's address that are quoted in reference currencies. */
function addOwner(draft: Draft, sign: bigint, owner: Address, posts: PostOwner | undefined): void {
  for (const { quote, counted, plain } of posts?.posts ?? []) {
    if (quote !== null && quote !== owner) add(draft, sign, quote, { postCounted: counted, postPlain: plain })
  }
}

/** Contribution of a token, with the posts quoted in it, to the totals of its quote. */
function shareOf(
  { token, state }: { readonly token: Token; readonly state: TokenState },
  owners: ReadonlyMap<Address, PostOwner>,
): Partial<ReferenceTotals> {
  const liquidity = state.reserveQuote
  if (token.kind === 'post')
    return { liquidity, ...(verifiedCreator(token) ? {} : ownShareOf({ token, state })) }
  const { own } = partsOf(token.address, owners.get(token.address) ?? noPosts)
  const { postsAlone: _, ...shares } = sharesOf(token, state, own)
  return { ...shares, liquidity }
}

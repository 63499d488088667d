import { hourOfMinute } from '../calendar.ts'
import type { PriorState, PriorToken } from '../prior.ts'
import { priceAlong } from '../route.ts'
import { FOLD_VERSION } from '../rules.ts'
import type {
  Address,
  BalanceChange,
  Block,
  Minute,
  References,
  Segment,
  SegmentRow,
  Token,
  TokenChange,
} from '../segment.ts'
import { applyFact } from './apply-fact.ts'
import { type BlockFacts, countFacts } from './fact.ts'
import { type Folding, routeOf, type Transfer } from './folding.ts'
import { ownerChanges, ownersAfter, withRelatedTokens } from './post-owners.ts'
import { closeReferences, recentCloses } from './references.ts'
import { totalsAfter } from './running-totals.ts'
import { closeToken, newbornMinute, poolOf, resumedMinute, type TokenMinute } from './token-minute.ts'

/** The blocks of one minute, oldest first; blocks without facts may be left out. */
export type MinuteOfBlocks = {
  readonly minute: Minute
  readonly firstBlock: number
  readonly last: Block
  readonly blocks: readonly BlockFacts[]
}

/**
 * Folds a minute of the chain over the state before it: the one function behind the open and the sealed minute. Pure and
 * deterministic. `after` is the prior of the next minute for every token in `prior` or touched here.
 */
export function fold(
  prior: PriorState,
  minute: MinuteOfBlocks,
): { readonly segment: Segment; readonly after: PriorState } {
  const hour = hourOfMinute(minute.minute)
  const folding = beginFold(prior, minute.blocks, hour)
  for (const { block, facts, timestampMs = null } of minute.blocks) {
    folding.timestampMs = timestampMs
    for (const fact of facts) applyFact(folding, fact, block)
  }
  const { rated: swaps } = folding
  const references = closeReferences(prior.references, { minute: minute.minute, swaps, closes: prior.closes })
  for (const token of folding.tokens.values()) {
    if (!token.isTouched) continue
    const priceUsdE36 = priceAlong(routeOf(folding, references, token))
    closeToken(token, { minute: minute.minute, priceUsdE36 })
  }
  const closed = { references, ...sumsAfter(folding, minute.minute, references) }
  return { segment: segmentFrom(folding, minute, closed), after: priorFrom(folding, closed, minute.minute) }
}

/** Market-wide state after the minute. */
type Closed = Pick<PriorState, 'references' | 'owners' | 'totals'>

function sumsAfter(
  { prior, tokens }: Folding,
  minute: Minute,
  references: References,
): Pick<Closed, 'owners' | 'totals'> {
  const lookUp = (address: Address) => {
    const token = tokens.get(address)
    return token && { token: tokenOf(token), state: token.state }
  }
  const steps = [...tokens.values()]
    .filter((token) => token.isTouched)
    .map((token) => ({
      before: knownBefore(prior, token.coin.address),
      after: { token: tokenOf(token), state: token.state },
    }))
  const market = { references, tokenOf: (address: Address) => lookUp(address)?.token }
  const owners = ownersAfter(prior.owners, steps, market)
  const totals = totalsAfter(prior.totals, {
    minute,
    references,
    steps,
    ownersBefore: prior.owners,
    ownersAfter: owners,
    relatedStepOf: lookUp,
  })
  return { owners, totals }
}

/** null: the minute launched or imported it. */
function knownBefore({ tokens }: PriorState, address: Address): PriorToken | null {
  const known = tokens.get(address)
  return known && !known.isNew ? known : null
}

function beginFold(prior: PriorState, blocks: readonly BlockFacts[], hour: number): Folding {
  const tokens = new Map<Address, TokenMinute>()
  for (const [address, known] of prior.tokens) tokens.set(address, resumedMinute(known, hour))
  const uncounted = new Set(prior.uncounted)
  const lastTransfers = new Map<string, Transfer>()
  // Mints, Initialize and first trades come before the creation log of their transaction, so newborn tokens are needed
  // from the start.
  for (const fact of blocks.flatMap((block) => block.facts)) {
    if (fact.is === 'launched') tokens.set(fact.coin.address, newbornMinute(fact.coin))
    if (fact.is === 'launched') uncounted.add(fact.coin.hook)
    if (fact.is === 'migrated') uncounted.add(fact.hook)
    if (fact.is === 'transferred') lastTransfers.set(fact.transactionHash + fact.token, fact)
  }
  const inForce = new Map(prior.references)
  const balances = new Map<string, BalanceChange>()
  const folding: Folding = {
    prior,
    timestampMs: null,
    inForce,
    tokens,
    uncounted,
    rated: new Map(),
    lastTransfers,
    balances,
    swaps: [],
  }
  for (const known of prior.tokens.values()) if (known.isNew) importToken(folding, known)
  return folding
}

/** An imported token gets a row when it is first touched or first needed as a related token. */
function importToken({ tokens, uncounted }: Folding, { token }: PriorToken): void {
  const minute = tokens.get(token.address)
  if (minute) minute.isTouched = true
  uncounted.add(token.hook)
}

function segmentFrom(folding: Folding, minute: MinuteOfBlocks, closed: Closed): Segment {
  const { prior, tokens } = folding
  const touched = [...tokens.values()].filter((token) => token.isTouched).sort(byAddress)
  const coinsOf = (address: Address) =>
    [tokens.get(address)?.coin ?? [], prior.tokens.get(address)?.token ?? []].flat()
  const addresses = withRelatedTokens(
    touched.map(({ coin }) => coin.address),
    coinsOf,
    closed,
  )
  const rows = addresses.flatMap((address) => tokens.get(address) ?? [])
  return {
    rules: FOLD_VERSION,
    minute: minute.minute,
    firstBlock: minute.firstBlock,
    last: minute.last,
    tokens: touched.flatMap((token) => changeOf(folding, token)),
    rows: rows.map(rowOf),
    owners: ownerChanges(
      rows.map(({ coin }) => coin),
      prior.owners,
      closed.owners,
    ),
    totals: { before: prior.totals, after: closed.totals },
    swaps: folding.swaps,
    balances: [...folding.balances.values()].sort(byTokenAndHolder),
    references: closed.references,
    hooks: [...folding.uncounted].filter((hook) => !prior.uncounted.has(hook)).sort(),
    facts: countFacts(minute.blocks),
  }
}

function changeOf({ prior }: Folding, minute: TokenMinute): readonly TokenChange[] {
  const before = knownBefore(prior, minute.coin.address)?.token ?? null
  const after = tokenOf(minute)
  return before && hasSame(before, after) ? [] : [{ before, after }]
}

/** Whatever no fact changed is the very value that it was. */
function hasSame<Values extends object>(before: Values, after: Values): boolean {
  for (const key in after) if (before[key] !== after[key]) return false
  return true
}

const tokenOf = ({ coin, launch, migrations }: TokenMinute): Token => ({
  ...coin,
  launch: launch ?? { priceUsdE36: null, supply: 0n },
  migrations,
})

const rowOf = (token: TokenMinute): SegmentRow => ({
  token: token.coin.address,
  description: tokenOf(token),
  before: token.before,
  after: { ...token.state },
  rangesBefore: token.rangesBefore,
  ranges: poolOf(token, token.coin.poolId).ranges,
  candle: token.candle,
})

function priorFrom({ prior, tokens, uncounted }: Folding, closed: Closed, minute: Minute): PriorState {
  const hour = hourOfMinute(minute)
  const closes = recentCloses([...prior.closes, { minute, references: closed.references }])
  const after = new Map<Address, PriorToken>()
  for (const [address, minute] of tokens) {
    const { ranges } = poolOf(minute, minute.coin.poolId)
    after.set(address, {
      token: tokenOf(minute),
      state: { ...minute.state },
      ranges,
      hour,
      wallets: minute.wallets,
    })
  }
  return { ...closed, closes, tokens: after, poolManager: prior.poolManager, uncounted }
}

const byAddress = (a: TokenMinute, b: TokenMinute): number => compare(a.coin.address, b.coin.address)

const byTokenAndHolder = (
  a: { token: string; holder: string },
  b: { token: string; holder: string },
): number => compare(a.token, b.token) || compare(a.holder, b.holder)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

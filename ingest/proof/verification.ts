/**
 * Before minutes are sealed, they are read again, by another endpoint or in another mode, until two readings agree and no
 * other has more; then their logs must be consistent with each other and with the stored state. What is missing is
 * requested individually and known from then on: a reading without it is incomplete.
 */
import { isImported } from '../../market/coverage.ts'
import type { BlockFacts, Fact } from '../../market/fold/fact.ts'
import type { LogEntry } from '../../market/log.ts'
import type { Address, BalanceChange, Block, References } from '../../market/segment.ts'
import type { Reads } from '../../store/aws/table.ts'
import { balanceName, readBalancesOf } from '../../store/items/holders.ts'
import { openTokens } from '../../store/items/tokens.ts'
import type { LogStore } from '../../store/log/log.ts'
import { endpointsOf, firstAnswer } from '../client/endpoints.ts'
import { IngestError, orFault, StateUnavailableError } from '../client/faults.ts'
import { readHeader } from '../client/headers.ts'
import type { Rpc } from '../client/rpc.ts'
import type { OldTokens } from '../decode/old-tokens.ts'
import type { SecondReading, Source } from '../read/range.ts'
import { openQuorum, type Quorum, readingSourcesAfter, readWhole } from '../read/reading.ts'
import {
  type BrokenBalance,
  findBrokenBalance,
  holdersIn,
  suspectTransactionsIn,
  tokensOfUnknownHolders,
} from './consistency.ts'
import { factsOfPools, factsOfTransactions, findPastGap, type PastGap, transfersOf } from './missing-logs.ts'
import { misreadPools, pricesAfter } from './pool-prices.ts'

/** Minutes that were read and are to be sealed. */
export type Unverified = {
  readonly source: Omit<Source, 'mode'>
  readonly log: LogStore
  readonly tail: LogEntry | undefined
  /** The block before the minutes, and their last one. */
  readonly after: Block | null
  readonly to: number
  /** A second reading of them, if it was read ahead. */
  readonly second: SecondReading | undefined
  /** Balances of committed minutes that the table may not have yet, oldest first. */
  readonly committed: readonly BalanceChange[]
  /** The first reading, in the usual mode, and its endpoints. */
  readonly first: readonly BlockFacts[]
  readonly firstEndpoints: ReadonlySet<string>
  /** Blocks between the log's end and the minutes, verified but not sealed yet. */
  readonly before: readonly BlockFacts[]
  /** Proven facts, of any blocks. */
  readonly known: readonly BlockFacts[]
  /** Reference rates as of the log's end. */
  readonly references: References
  /** The first block that can hold a log of the platform. */
  readonly start: number
  /** Usual number of token facts in this number of minutes; undefined: unknown. */
  readonly usual: number | undefined
  /** Whether a single endpoint is trusted that there are no facts of tokens. */
  readonly isQuietBelieved: boolean
  /** Tokens older than the log. */
  readonly oldTokens: OldTokens
}

/** The same with the stored state that they must continue. */
type Checked = Unverified & { readonly table: Reads }

/** Logs that are known or likely to be missing, and the endpoints without them. */
export type Lack = { readonly missing: string; readonly endpoints: readonly string[] }

/** Result of a verification. */
export type SpanVerdict =
  | {
      readonly is: 'verified'
      readonly blocks: readonly BlockFacts[]
      readonly incomplete: readonly string[]
    }
  /** A sealed minute lacks logs. */
  | { readonly is: 'sealed too early'; readonly gap: PastGap }
  | ({ readonly is: 'incomplete' } & Lack)
  /** The first reading is from another fork. */
  | { readonly is: 'reorged' }

/** Time (ms) without requests for state to an endpoint that lacked the state of a block. */
const NO_STATE_MS = 60_000
/** Maximum readings of the same minutes in one attempt. */
const READINGS_MAX = 8
/** Usual facts of minutes that are doubted if one endpoint alone has none of them: a dozen trades of eight facts. Trades that come independently leave out such a minute once in months, and one of five trades once in two hours. */
const NOT_QUIET = 100

/** Verifies minutes. Changes only the registry. Throws IngestError if no endpoint can be read. */
export async function verifyMinutes(minutes: Unverified, table: Reads): Promise<SpanVerdict> {
  const unverified: Checked = { ...minutes, table }
  const { source, first, firstEndpoints, known } = unverified
  const quorum = openQuorum()
  const endpoint = [...firstEndpoints].join(', ')
  quorum.add({ readingSource: `${endpoint} usual`, endpoint, blocks: first, poolTransactions: [] })
  quorum.know(known.filter(({ block }) => isIn(block.number, unverified)))
  const blocksKnown = new Map(first.map(({ block }) => [block.number, block]))
  const span = { from: firstOf(unverified), to: unverified.to }
  const readingSources = readingSourcesAfter(source.rpc, firstEndpoints, span)
  let [missing, fault, forks, readings]: [string, IngestError | undefined, number, number] = [
    'logs',
    undefined,
    0,
    0,
  ]
  for (let at = 0; at < Math.max(READINGS_MAX, readingSources.length); at += 1) {
    const readingSource = readingSources[at % readingSources.length]
    if (!readingSource) break
    const reading =
      at === 0 && unverified.second
        ? await unverified.second
        : await readWhole({ ...source, known: blocksKnown }, readingSource, unverified).catch(orFault)
    if (reading instanceof IngestError) fault = reading
    else if (reading === 'reorged') forks += 1
    else {
      quorum.add(reading)
      readings += 1
    }
    if (readings === 0 && forks === readingSources.length) return { is: 'reorged' }
    if (!quorum.isReached()) continue
    const check = await checkTransactions(unverified, quorum)
    if (check.is === 'known') missing = check.missing
    else if (check.is === 'consistent') {
      return { is: 'verified', blocks: quorum.blocks(), incomplete: quorum.incomplete() }
    } else return check
  }
  if (readings === 0 && fault) throw fault
  const incomplete = quorum.incomplete()
  return { is: 'incomplete', missing, endpoints: incomplete.length > 0 ? incomplete : quorum.endpoints() }
}

/** Counts facts of tokens, without rates, which occur all the time. */
export const factsOfTokens = (blocks: readonly BlockFacts[]): number =>
  blocks.reduce((sum, { facts }) => sum + facts.filter(({ is }) => is !== 'rated').length, 0)

/** 'known': something was missing that the quorum has now. */
type Check =
  | { readonly is: 'consistent' }
  | { readonly is: 'known'; readonly missing: string }
  | Exclude<SpanVerdict, { readonly is: 'verified' }>

async function checkTransactions(unverified: Checked, quorum: Quorum): Promise<Check> {
  const { source, usual, isQuietBelieved } = unverified
  const facts = quorum.blocks().flatMap((block) => block.facts)
  const isUnusual = usual === undefined || usual >= NOT_QUIET
  const isQuiet = isUnusual && quorum.endpoints().length < 2 && factsOfTokens(quorum.blocks()) === 0
  if (isQuiet && !isQuietBelieved) {
    const missing = usual === undefined ? 'every log' : `all logs, usually about ${Math.round(usual)}`
    return { is: 'incomplete', missing, endpoints: quorum.endpoints() }
  }
  const quotes = facts.flatMap((fact) => (fact.is === 'swapped' ? [fact.quote] : []))
  const { registry, chain } = source
  const [tokens, hooks] = [await registry.tokens(new Set(quotes)), await registry.hooks()]
  const known = { poolManager: chain.poolManager, tokens, hooks }
  const suspects = suspectTransactionsIn(facts, quorum.poolTransactions(), known)
  if (suspects.length > 0) {
    const hashes = suspects.map(({ transactionHash }) => transactionHash)
    const isNew = await askElsewhere(unverified, async (rpc) => {
      const found = await factsOfTransactions({ ...source, rpc }, hashes)
      return quorum.know(found.filter(({ block }) => isIn(block.number, unverified))) || undefined
    })
    const [first] = suspects
    if (isNew) return { is: 'known', missing: `${first?.missing} in transaction ${first?.transactionHash}` }
  }
  return checkBalances(unverified, quorum)
}

async function checkBalances(unverified: Checked, quorum: Quorum): Promise<Check> {
  const { source, table, before, committed, to } = unverified
  const facts = [...before, ...quorum.blocks()].flatMap((block) => block.facts)
  const balances = new Map(await readBalancesOf(table, holdersIn(facts), source.chain.poolManager))
  for (const change of committed) balances.set(balanceName(change), change.after)
  const old = await importedAmong(unverified, tokensOfUnknownHolders(facts, balances))
  const broken = findBrokenBalance(facts, balances, old)
  if (!broken) return checkPrices(unverified, quorum, facts)
  const missing = describe(broken)
  const from = firstOf(unverified)
  const found = await askElsewhere(unverified, async (rpc) => {
    const own = await transfersOf({ ...source, rpc }, broken, { from, to })
    return quorum.know(own) || undefined
  })
  if (found) return { is: 'known', missing }
  const gap = await pastGapOf(unverified, broken)
  return gap ? { is: 'sealed too early', gap } : { is: 'incomplete', missing, endpoints: quorum.endpoints() }
}

/** After its last trade, a pool must have that trade's price. Not checked if no endpoint has the state of the last block. */
async function checkPrices(unverified: Unverified, quorum: Quorum, facts: readonly Fact[]): Promise<Check> {
  const { source, to, references } = unverified
  const read = pricesAfter(references, facts)
  let isMisread = false
  const found = await firstAnswer(endpointsOf(source.rpc, unverified.firstEndpoints), async (rpc) => {
    if (Date.now() < rpc.endpoint.noStateUntil) return undefined
    const misread = await misreadPools(rpc, source.chain, to, read).catch((fault: unknown) => {
      if (fault instanceof StateUnavailableError) rpc.endpoint.noStateUntil = Date.now() + NO_STATE_MS
      throw fault
    })
    if (misread.length === 0) return 'consistent'
    isMisread = true
    const own = await factsOfPools({ ...source, rpc }, misread, { from: firstOf(unverified), to })
    if (own === 'none') return undefined
    return quorum.know(own) ? 'known' : 'consistent'
  })
  const missing = 'the last trade of a pool'
  if (found === 'known') return { is: 'known', missing }
  return isMisread && !found
    ? { is: 'incomplete', missing, endpoints: quorum.endpoints() }
    : { is: 'consistent' }
}

const firstOf = ({ after, source }: Unverified): number =>
  (after?.number ?? source.chain.creationsFrom - 1) + 1

/** The tokens older than the log, whether it has them already or not. */
async function importedAmong(
  { table, oldTokens, after }: Checked,
  tokens: readonly Address[],
): Promise<ReadonlySet<Address>> {
  if (tokens.length === 0) return new Set()
  const stored = await openTokens(table).tokens(tokens)
  const missing = tokens.filter((token) => !stored.has(token))
  const found = await oldTokens.find(missing, after?.number ?? 0)
  return new Set(
    tokens.filter((token) => {
      const known = stored.get(token) ?? found.get(token)?.token
      return known !== undefined && isImported(known)
    }),
  )
}

async function pastGapOf(unverified: Unverified, broken: BrokenBalance): Promise<PastGap | undefined> {
  const { source, log, tail, after, start } = unverified
  if (!tail || !after) return undefined
  const span = { from: start, to: after.number }
  return askElsewhere(unverified, (rpc) => findPastGap({ log, tail }, { ...source, rpc }, broken, span))
}

/** The first answer of an endpoint on the same fork; endpoints other than the first reading's are preferred. */
function askElsewhere<T>(
  { source, firstEndpoints, first }: Unverified,
  ask: (rpc: Rpc) => Promise<T | undefined>,
): Promise<T | undefined> {
  const last = first.at(-1)?.block
  return firstAnswer(endpointsOf(source.rpc, firstEndpoints), async (rpc) => {
    const header = last && (await readHeader(rpc, last.number))
    return header && header.hash === last.hash ? ask(rpc) : undefined
  })
}

const describe = ({ token, holder, known, before, fact }: BrokenBalance): string =>
  `a transfer of token ${token} before block ${fact.blockNumber}: ${holder} had ${known} base units, then ${before}`

const isIn = (block: number, { after, to }: Unverified): boolean =>
  block > (after?.number ?? -1) && block <= to

/**
 * A chain of any length that is worked out, not run: creations at an even pace and trades of a few of the tokens, in blocks of
 * two seconds or of any other pace. Its logs tie as the platform's do (balances, prices, receipts), and are made when they are asked for.
 */
import { type Random, randomFrom } from '../../../dev/devnet/random.ts'
import { type Chain, chains } from '../../../ingest/client/chains.ts'
import { type Era, guessedTimeMs } from '../../../ingest/client/schedule.ts'
import { poolIdOf } from '../../../ingest/decode/pool-state.ts'
import type { Address, TokenKind } from '../../../market/segment.ts'
import { address, hashOfText, ONE_X96, WHOLE } from '../market/facts.ts'
import type { HeaderChain, NodeLog } from './json-rpc.ts'
import { type BlockPace, erasOf, firstBlockFrom, twoSeconds } from './paces.ts'
import {
  createdLog,
  type Emitted,
  FACTORY,
  initializedLog,
  nobody,
  nodeLogs,
  POOL_MANAGER,
  poolSwappedLog,
  providedLog,
  referencePool,
  renamedLog,
  type Sketch,
  sketchPoolKey,
  swapLog,
  transferLog,
} from './raw-logs.ts'

export type ChainPlan = {
  readonly seed: number
  readonly minutes: number
  /** Tokens that are created, the first ten with the first block. One in ten is a creator token, and the nine after it are its posts. */
  readonly creations: number
  readonly swapsAMinute: number
  /** One in so many groups of ten is traded, all others never. @default 1 */
  readonly activeOneIn?: number
  /** How fast blocks come. @default two seconds each */
  readonly paces?: readonly BlockPace[]
}

/** A trade, with what it leaves. `via`: the leg through the creator token's pool before or after it. */
type Trade = {
  readonly block: number
  readonly token: GeneratedToken
  readonly isBuy: boolean
  readonly amountToken: bigint
  readonly amountQuote: bigint
  readonly sqrtPriceX96: bigint
  readonly wallet: Address
  readonly walletBalance: bigint
  readonly pooled: bigint
  readonly via: Leg | null
}

/** The state of a pool from a block on. */
type Standing = { readonly block: number; readonly sqrtPriceX96: bigint; readonly pooled: bigint }

export type GeneratedChain = HeaderChain & {
  readonly rules: Chain
  readonly first: number
  readonly last: number
  logsIn(from: number, to: number): readonly NodeLog[]
  /** The token of an address, where it has been created by the end of the block. */
  tokenBy(address: string, block: number): GeneratedToken | undefined
  /** Tokens that are traded, now or later. */
  traded(): readonly GeneratedToken[]
  standingOf(token: GeneratedToken, block: number): Standing
  /** sqrtPriceX96 of the reference pool. */
  referenceAt(block: number): bigint
}

const FIRST_BLOCK = 1_000_000
/** Thursday 2025-02-20 00:00 UTC, in minutes. */
const FIRST_MINUTE = 29_000_160
/** Wallets that trade one token. */
const WALLETS = 40
const ROUTER: Address = `0x${'ee'.repeat(20)}`
/** $0.05 for a whole ZORA, of a dollar with 6 decimals: √5e-14 × 2^96. */
const REFERENCE_SQRT = 17_715_955_711_429_571_028_992n

const firstBlockOf = (schedule: readonly Era[], minute: number): number =>
  firstBlockFrom(schedule, (FIRST_MINUTE + minute) * 60_000)

/** What a generated chain knows of a token without its trades follows from its number. */
export type GeneratedToken = Required<Sketch> & {
  readonly index: number
  readonly kind: TokenKind
  /** Where it was launched. */
  readonly block: number
  /** Of a post: the number of the creator token that it is priced in. */
  readonly quoteIndex: number
  readonly supply: bigint
  /** What the token's contract holds itself. */
  readonly selfHeld: bigint
  readonly pooledAtLaunch: bigint
  /** The opening price. */
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
}

const HOOK = address(0xd0000040)
/** The one range of every pool is from -TICK to TICK. */
export const TICK = 199_000
const GROUP = 10

const addressOf = (index: number): Address => `0x10${index.toString(16).padStart(38, '0')}`

/** One in ten is a creator token; the nine after it are posts that are priced in it. */
export function generatedToken(index: number, block: number): GeneratedToken {
  const kind = index % GROUP === 0 ? 'creator' : 'post'
  const quoteIndex = index - (index % GROUP)
  const zora = chains.devnet.references[0]?.address ?? '0x'
  const pair = {
    coin: addressOf(index),
    quote: kind === 'creator' ? zora : addressOf(quoteIndex),
    hook: HOOK,
  }
  const supply = 10n ** 9n * WHOLE
  // A token costs a ten-thousandth of a ZORA, a post a thousandth of its creator's token.
  const root = kind === 'creator' ? 100n : 32n
  return {
    ...pair,
    poolId: poolIdOf(sketchPoolKey(pair)),
    index,
    kind,
    block,
    quoteIndex,
    supply,
    creator: `0x30${quoteIndex.toString(16).padStart(38, '0')}`,
    name: `Token ${index}`,
    symbol: `T${index}`,
    selfHeld: kind === 'creator' ? supply / 2n : 0n,
    pooledAtLaunch: kind === 'creator' ? supply / 2n : (supply * 99n) / 100n,
    sqrtPriceX96: isCurrency0(pair) ? ONE_X96 / root : ONE_X96 * root,
    liquidity: 10n ** 24n,
  }
}

const isCurrency0 = ({ coin, quote }: Pick<Sketch, 'coin' | 'quote'>): boolean => coin < quote

/** Works a chain out: its trades are kept, a hundred bytes each, its logs are not. */
export function generateChain(plan: ChainPlan): GeneratedChain {
  const { minutes, creations, paces = twoSeconds } = plan
  const schedule = erasOf(paces, { block: FIRST_BLOCK, ms: FIRST_MINUTE * 60_000 })
  const last = firstBlockOf(schedule, minutes) - 1
  const timeMsOf = (block: number) => guessedTimeMs(schedule, block) ?? 0
  const timestampOf = (block: number) => Math.floor(timeMsOf(block) / 1_000)
  const minuteOf = (block: number) => Math.floor(timestampOf(block) / 60) - FIRST_MINUTE
  const rules: Chain = {
    ...chains.devnet,
    factory: FACTORY,
    poolManager: POOL_MANAGER,
    // With a single source.
    references: chains.devnet.references.map((one) => ({ ...one, sources: one.sources.slice(0, 1) })),
    schedule,
    creationsFrom: FIRST_BLOCK,
    sealingSeconds: 6,
  }
  // The first group is there from the beginning, the others follow at an even pace.
  const blockOf = (index: number): number =>
    FIRST_BLOCK + Math.floor((Math.floor(index / GROUP) * GROUP * (last - FIRST_BLOCK)) / creations)
  const tokens = new Map<number, GeneratedToken>()
  const token = (index: number): GeneratedToken => {
    const known = tokens.get(index) ?? generatedToken(index, blockOf(index))
    tokens.set(index, known)
    return known
  }
  const { trades, standings } = tradesOf(plan, { last, schedule }, token)
  const referenceAt = (block: number): bigint => {
    const minute = minuteOf(Math.min(block, last))
    return (REFERENCE_SQRT * BigInt(1_000 + ((minute * 7) % 19))) / 1_000n
  }
  const chunks = new Map<number, readonly NodeLog[]>()
  const make = (from: number, to: number): readonly NodeLog[] => {
    const logs: NodeLog[] = []
    const put = transactionsInto(logs)
    let index =
      Math.ceil(((from - FIRST_BLOCK) * creations) / Math.max(1, last - FIRST_BLOCK) / GROUP) * GROUP
    index = Math.max(0, index - GROUP)
    let trade = firstFrom(trades, from)
    for (let block = from; block <= to; block += 1) {
      if (block === FIRST_BLOCK || minuteOf(block) > minuteOf(block - 1))
        put(block, `rate ${block}`, [poolSwappedLog(referencePool, ROUTER, referenceAt(block))])
      for (; index < creations && blockOf(index) <= block; index += 1)
        if (blockOf(index) === block) put(block, `launch ${index}`, launchLogs(token(index)))
      for (let one = trades[trade]; one?.block === block; one = trades[trade]) {
        put(block, `trade ${trade}`, tradeLogs(one))
        trade += 1
      }
    }
    return logs
  }
  const CHUNK = 1_000
  const CHUNKS_MAX = 60
  const logsIn = (from: number, to: number): readonly NodeLog[] => {
    const found: NodeLog[] = []
    for (let chunk = Math.floor(from / CHUNK); chunk * CHUNK <= to; chunk += 1) {
      const logs =
        chunks.get(chunk) ??
        make(Math.max(FIRST_BLOCK, chunk * CHUNK), Math.min(last, chunk * CHUNK + CHUNK - 1))
      chunks.delete(chunk)
      chunks.set(chunk, logs)
      // Only what was asked for last: each range is asked for several times, among those after it.
      for (const oldest of chunks.keys()) if (chunks.size > CHUNKS_MAX) chunks.delete(oldest)
      for (const log of logs)
        if (Number(log.blockNumber) >= from && Number(log.blockNumber) <= to) found.push(log)
    }
    return found
  }
  return {
    rules,
    first: FIRST_BLOCK,
    last,
    logsIn,
    referenceAt,
    timestampOf,
    timeMsOf,
    hashOf: (block) => hashOfText(`block ${block}`),
    tokenBy(address, block) {
      const index = Number.parseInt(address.slice(-8), 16)
      if (index >= creations || !address.startsWith('0x10')) return undefined
      const found = token(index)
      return found.coin === address && found.block <= block ? found : undefined
    },
    traded: () => [...standings.keys()].map(token),
    standingOf(one, block) {
      const all = standings.get(one.index) ?? []
      return all[firstFrom(all, block + 1) - 1] ?? { ...one, pooled: one.pooledAtLaunch }
    },
  }
}

/** The trades in order, and what each leaves its pool at. */
function tradesOf(
  plan: ChainPlan,
  { last, schedule }: { readonly last: number; readonly schedule: readonly Era[] },
  token: (index: number) => GeneratedToken,
) {
  const { seed, minutes, swapsAMinute, creations, activeOneIn = 1 } = plan
  const random = randomFrom(seed, 77)
  const standings = new Map<number, Standing[]>()
  const balances = new Map<string, bigint>()
  const trades: Trade[] = []
  let legs = 0
  const now = (one: GeneratedToken) =>
    standings.get(one.index)?.at(-1) ?? { ...one, pooled: one.pooledAtLaunch }
  const leave = (one: GeneratedToken, standing: Standing) => {
    const all = standings.get(one.index) ?? []
    standings.set(one.index, all)
    all.push(standing)
  }
  for (let minute = 0; minute < minutes; minute += 1) {
    const first = firstBlockOf(schedule, minute)
    const count = firstBlockOf(schedule, minute + 1) - first
    // While the chain stands still, nobody trades.
    if (count === 0) continue
    const blocks = Array.from({ length: Math.max(0, Math.round((minute + 1) * swapsAMinute) - legs) }, () =>
      random.below(count),
    ).sort((a, b) => a - b)
    for (const offset of blocks) {
      if (legs >= (minute + 1) * swapsAMinute) break
      const block = first + offset
      // Groups that stand since the block before.
      const groups = Math.floor(((block - 1 - FIRST_BLOCK) * creations) / (last - FIRST_BLOCK) / GROUP)
      const active = Math.max(1, Math.floor(Math.min(groups, creations / GROUP - 1) / activeOneIn) + 1)
      if (block === FIRST_BLOCK) continue
      const group = Math.floor(active * random.next() ** 2) * activeOneIn
      const one = token(group * GROUP + (random.chance(0.4) ? 0 : random.below(GROUP)))
      if (one.block >= block) continue
      const trade = tradeOf(one, block, { random, balances, now, token })
      if (trade.via)
        leave(trade.via.token, { ...now(trade.via.token), block, sqrtPriceX96: trade.via.sqrtPriceX96 })
      leave(one, { block, sqrtPriceX96: trade.sqrtPriceX96, pooled: trade.pooled })
      trades.push(trade)
      legs += trade.via ? 2 : 1
    }
  }
  return { trades, standings }
}

function tradeOf(
  token: GeneratedToken,
  block: number,
  plan: {
    readonly random: Random
    readonly balances: Map<string, bigint>
    readonly now: (token: GeneratedToken) => Standing
    readonly token: (index: number) => GeneratedToken
  },
): Trade {
  const { random, balances, now } = plan
  const wallet: Address = `0x20${(token.index * WALLETS + random.below(WALLETS)).toString(16).padStart(38, '0')}`
  const name = token.coin + wallet
  const held = balances.get(name) ?? 0n
  const isBuy = held === 0n || random.chance(0.55)
  const before = now(token)
  const quoteWanted = BigInt(1 + random.below(200)) * WHOLE
  const creator = token.kind === 'post' ? plan.token(token.quoteIndex) : undefined
  const inQuote = creator ? tokensFor(creator, now(creator).sqrtPriceX96, quoteWanted) : quoteWanted
  const wanted = tokensFor(token, before.sqrtPriceX96, inQuote)
  const most = isBuy ? before.pooled / 500n : held
  const amountToken = wanted < most ? wanted : most
  const amountQuote = quoteFor(token, before.sqrtPriceX96, amountToken)
  const pooled = before.pooled + (isBuy ? -amountToken : amountToken)
  const walletBalance = held + (isBuy ? amountToken : -amountToken)
  balances.set(name, walletBalance)
  const step = BigInt(1 + random.below(15))
  const via = creator && {
    token: creator,
    isBuy,
    amountToken: amountQuote,
    amountQuote: quoteFor(creator, now(creator).sqrtPriceX96, amountQuote),
    sqrtPriceX96: moved(creator, now(creator).sqrtPriceX96, isBuy, step),
  }
  return {
    block,
    token,
    isBuy,
    amountToken,
    amountQuote,
    wallet,
    walletBalance,
    pooled,
    via: via ?? null,
    sqrtPriceX96: moved(token, before.sqrtPriceX96, isBuy, step),
  }
}

/** A price between a tenth and ten times that of the launch. */
function moved(token: GeneratedToken, sqrtPriceX96: bigint, isBuy: boolean, step: bigint): bigint {
  const isUp = isBuy === isCurrency0(token)
  const next = (sqrtPriceX96 * (isUp ? 1_000n + step : 1_000n - step)) / 1_000n
  return next > token.sqrtPriceX96 * 3n || next < token.sqrtPriceX96 / 3n ? token.sqrtPriceX96 : next
}

/** An amount times the square of a ratio. */
const across = (amount: bigint, over: bigint, under: bigint): bigint =>
  (((amount * over) / under) * over) / under
const tokensFor = (token: GeneratedToken, sqrt: bigint, quote: bigint): bigint =>
  isCurrency0(token) ? across(quote, ONE_X96, sqrt) : across(quote, sqrt, ONE_X96)
const quoteFor = (token: GeneratedToken, sqrt: bigint, tokens: bigint): bigint =>
  isCurrency0(token) ? across(tokens, sqrt, ONE_X96) : across(tokens, ONE_X96, sqrt)

function firstFrom(all: readonly { readonly block: number }[], block: number): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.block ?? 0) < block) low = middle + 1
    else high = middle
  }
  return low
}

/** Adds transactions, and numbers the logs of each block. */
function transactionsInto(logs: NodeLog[]) {
  let [number, next] = [-1, 0]
  return (block: number, name: string, own: readonly Emitted[]): void => {
    if (block !== number) [number, next] = [block, 0]
    const transaction = hashOfText(name)
    logs.push(
      ...nodeLogs(own, { block, blockHash: hashOfText(`block ${block}`), first: next }, () => transaction),
    )
    next += own.length
  }
}

const ticks = [-TICK, TICK] as const

/** A launch as the platform's: its name, its mint, its pool and the pool's liquidity; the creation is the last log. */
function launchLogs(token: GeneratedToken): readonly Emitted[] {
  const { coin, supply, selfHeld, pooledAtLaunch, name, symbol, creator, kind } = token
  const given = supply - pooledAtLaunch - selfHeld
  return [
    renamedLog(coin, name, symbol),
    transferLog(coin, [nobody, coin], [supply, 0n, supply]),
    ...(given > 0n ? [transferLog(coin, [coin, creator], [given, supply - given, given])] : []),
    initializedLog(token, token.sqrtPriceX96),
    providedLog(token, token.liquidity, { ticks }),
    transferLog(coin, [coin, POOL_MANAGER], [pooledAtLaunch, selfHeld, pooledAtLaunch]),
    createdLog(token, kind),
  ]
}

/** A trade as the platform's: of a post on the way from or to the creator token's pool. */
function tradeLogs(trade: Trade): readonly Emitted[] {
  const { token, isBuy, via, wallet, amountToken, walletBalance, pooled } = trade
  const own = legLogs(trade, wallet)
  const legs = via ? (isBuy ? [legLogs(via, wallet), own] : [own, legLogs(via, wallet)]) : [own]
  const transfer = isBuy
    ? transferLog(token.coin, [POOL_MANAGER, wallet], [amountToken, pooled, walletBalance])
    : transferLog(token.coin, [wallet, POOL_MANAGER], [amountToken, walletBalance, pooled])
  return [...legs.flat(), transfer]
}

type Leg = Pick<Trade, 'token' | 'isBuy' | 'amountToken' | 'amountQuote' | 'sqrtPriceX96'>

function legLogs(leg: Leg, swapSender: Address): readonly Emitted[] {
  const { token, isBuy, amountToken, amountQuote, sqrtPriceX96 } = leg
  const amounts = isBuy ? ([amountToken, -amountQuote] as const) : ([-amountToken, amountQuote] as const)
  return [
    poolSwappedLog(token.poolId, ROUTER, sqrtPriceX96),
    providedLog(token, 0n, { ticks }),
    swapLog(token, { swapSender, amounts, sqrtPriceX96 }),
  ]
}

import { type Market, rankedMarket } from '../../market/board/rankings.ts'
import { noTotals } from '../../market/fold/running-totals.ts'
import { FOLD_VERSION } from '../../market/rules.ts'
import {
  type Address,
  type Block,
  type Candle,
  emptyState,
  type Hash,
  type Minute,
  type References,
  type Segment,
  type Swap,
  type Token,
  type TokenKind,
  type TokenState,
} from '../../market/segment.ts'
import { type Engine, windowsOf } from '../../snapshot/engine.ts'
import { cachedSegments, followLog } from '../../snapshot/follow.ts'
import type { LogStore } from '../../store/log.ts'
import {
  type MemoryBucket,
  type MemoryLog,
  memoryBucket,
  memoryLog,
  rollBackTo,
  sealSegment,
} from './memory-stores.ts'
import { emptyWorld, type World, wholeSegment } from './whole-segment.ts'

export const HISTORY_ZORA: Address = `0x${'11'.repeat(20)}`
export const nthAddress = (number: number): Address => `0x${(0xa000 + number).toString(16).padStart(40, '0')}`
export const hashOf = (number: number): Hash => `0x${number.toString(16).padStart(64, '0')}`

/** 1 ZORA = `dollars` / 1000. */
export const references = (milliDollars: number): References =>
  new Map([
    [
      HISTORY_ZORA,
      {
        observedUsdE36: BigInt(milliDollars) * 10n ** 33n,
        heldUsdE36: BigInt(milliDollars) * 10n ** 33n,
        outside: 0,
        decimals: 18,
      },
    ],
  ])

/** The last block of a minute of 30. */
export const lastBlockOf = (minute: Minute): Block => ({
  number: minute * 30 + 29,
  hash: hashOf(minute),
  timestamp: minute * 60 + 58,
})

/** A token launched at the start of a minute. */
export function tokenAt(
  number: number,
  minute: Minute,
  words: Partial<Omit<Token, 'kind'>> & { kind?: TokenKind } = {},
): Token {
  const creator = words.creator ?? nthAddress(500 + number)
  return {
    address: nthAddress(number),
    kind: 'creator',
    creator,
    launchedBy: creator,
    name: `Token ${number}`,
    symbol: `T${number}`,
    uri: `ipfs://${number}`,
    quote: HISTORY_ZORA,
    poolId: hashOf(number),
    hook: nthAddress(900),
    isCurrency0: false,
    launchedAt: {
      blockNumber: minute * 30,
      logIndex: number,
      transactionHash: hashOf(number + 1),
      timestamp: minute * 60,
    },
    launch: { priceUsdE36: 10n ** 30n, supply: 10n ** 27n },
    migrations: [],
    ...words,
  }
}

export const stateWith = (numbers: Partial<TokenState>): TokenState => ({ ...emptyState, ...numbers })

/** A buy; `part`: what the test is about. */
export const swapWith = (part: Partial<Swap>): Swap => ({
  blockNumber: 1,
  blockHash: hashOf(4),
  timestamp: 60,
  logIndex: 0,
  transactionHash: hashOf(3),
  token: nthAddress(1),
  poolId: hashOf(1),
  quote: HISTORY_ZORA,
  isBuy: true,
  amountToken: 10n ** 18n,
  amountQuote: 10n ** 18n,
  volumeMicroUsd: 10n ** 9n,
  paidUsdE36: 10n ** 33n,
  timestampMs: null,
  trader: nthAddress(70),
  from: nthAddress(71),
  to: nthAddress(72),
  ...part,
})

/** For segments whose sums do not matter. */
export const nothingSummed = {
  rules: FOLD_VERSION,
  owners: [],
  totals: { before: noTotals, after: noTotals },
} as const

type Minutes = Partial<Omit<Segment, 'tokens' | 'rows'>> & {
  /** Tokens that are launched, or described anew. */
  readonly born?: readonly Token[]
  /** How the minute left what it touched. */
  readonly rows?: readonly (readonly [Address, TokenState, Candle?])[]
  /** Thousandths of a dollar for a ZORA. @default 1000 */
  readonly rate?: number
}

/** A segment with the given content, in which every `before` is empty; `seal` completes it. */
export function segmentOf(minute: Minute, given: Minutes = {}): Segment {
  const { born = [], rows = [], rate = 1000, ...more } = given
  return {
    ...nothingSummed,
    minute,
    firstBlock: minute * 30,
    last: lastBlockOf(minute),
    tokens: born.map((after) => ({ before: null, after })),
    rows: rows.map(([token, after, candle = null]) => ({
      token,
      before: emptyState,
      after,
      rangesBefore: [],
      ranges: [],
      candle,
      description: born.find(({ address }) => address === token) ?? tokenAt(0, minute, { address: token }),
    })),
    swaps: [],
    balances: [],
    references: references(rate),
    hooks: [],
    facts: 1,
    ...more,
  }
}

const histories = new WeakMap<object, World[]>()

/** The worlds after each effective minute of a log, oldest first. */
export function worldsOf(log: object): World[] {
  const worlds = histories.get(log) ?? []
  histories.set(log, worlds)
  return worlds
}

/** Seals a minute: segment, entry, APPLIED. The segment is completed as the fold would have written it (whole-segment.ts). */
export async function seal(log: LogStore, sketch: Segment): Promise<void> {
  const worlds = worldsOf(log)
  const { segment, world } = wholeSegment(worlds.at(-1) ?? emptyWorld, sketch)
  worlds.push(world)
  await sealSegment(log, segment)
}

/** Rolls back every minute after `minute`. */
export async function rewind(log: MemoryLog, minute: Minute | null): Promise<void> {
  const worlds = worldsOf(log)
  while (worlds.length > 0 && (worlds.at(-1)?.minute ?? 0) > (minute ?? 0)) worlds.pop()
  const last = minute === null ? null : lastBlockOf(minute)
  await rollBackTo(log, { minute, last })
}

/** An engine that has read a log from its first entry to entry `to`. */
export const engineOf = (log: MemoryLog, to = log.entries.length): Promise<Engine> =>
  followLog(undefined, { log, bucket: memoryBucket(), read: cachedSegments(log), to, isOver: () => false })

/** The market after these minutes, ranked. */
export async function marketAfter(segments: readonly Segment[]): Promise<Market> {
  const log = memoryLog()
  for (const segment of segments) await seal(log, segment)
  return rankedMarket(windowsOf(await engineOf(log)))
}

/** A copy of a bucket that has lost its checkpoints: an engine starts from the index records and the segments. */
export function withoutCheckpoints(bucket: MemoryBucket): MemoryBucket {
  const left = memoryBucket()
  for (const [key, object] of bucket.objects) if (key.startsWith('index/')) left.objects.set(key, object)
  return left
}

/** A creator token and a post over many days: a log of minutes with reorgs, and the raw events that candles are rechecked from. */
import { type Random, randomFrom } from '../../devnet/random.ts'
import { materializeEntry } from '../../ingest/writer/materialize.ts'
import { candles } from '../../lambdas/endpoints/candles.ts'
import type { ReadStores } from '../../lambdas/endpoints/endpoint.ts'
import { fold } from '../../market/fold/fold.ts'
import { effectiveEntries } from '../../market/log.ts'
import { microUsdOf, priceUsdE36 } from '../../market/pool.ts'
import type { PriorState } from '../../market/prior.ts'
import type { Coin, Minute } from '../../market/segment.ts'
import { openLog } from '../../store/log.ts'
import { openMemoryTable } from '../../store/memory.ts'
import { allOf } from '../../store/parallel.ts'
import {
  address,
  block,
  blockOf,
  coin,
  initialized,
  type Loose,
  launched,
  launchedIn,
  minuteOf,
  ONE_X96,
  prior,
  rated,
  swapped,
  transferred,
  USD,
  WHOLE,
  ZORA,
} from './facts.ts'
import { memoryBucket } from './memory-stores.ts'

/** A Monday. */
const START: Minute = 20_000_160 + 5_760 - (20_000_160 % 10_080)

type RawEvent =
  | { readonly second: number; readonly is: 'rated'; readonly usd: bigint }
  | {
      readonly second: number
      readonly is: 'priced'
      readonly token: string
      readonly sqrt: bigint
      readonly trade: { readonly isBuy: boolean; readonly quote: bigint } | null
    }

type Sealed = { readonly minute: Minute; readonly prior: PriorState; readonly events: readonly RawEvent[] }

const bornIn = (part: Pick<Coin, 'address' | 'kind' | 'quote' | 'isCurrency0'>, minute: Minute): Coin =>
  coin({ ...part, launchedAt: launchedIn({ number: minute, timestamp: minute * 60 }, 2) })

/** Writes a log at random and answers for it. */
export function openCandleMarket(seed: number) {
  const random = randomFrom(seed)
  const [table, bucket] = [openMemoryTable(), memoryBucket()]
  let log = openLog(table, bucket)
  const sealed: Sealed[] = []
  let [n, now]: [number, PriorState] = [0, prior([])]
  const [bornCreator, bornPost] = [START + 5, START + 5 + random.below(4_000)]
  const creator = bornIn(
    { address: address(0xa), kind: 'creator', quote: ZORA, isCurrency0: false },
    bornCreator,
  )
  const post = bornIn(
    { address: address(0xb), kind: 'post', quote: creator.address, isCurrency0: true },
    bornPost,
  )
  const sqrts = new Map<string, bigint>()

  const trade = (token: Coin): Loose => {
    const isBuy = random.chance(0.5)
    const sqrtPriceX96 = stepped(random, sqrts.get(token.address) ?? ONE_X96)
    sqrts.set(token.address, sqrtPriceX96)
    const amountQuote = BigInt(1 + random.below(1_000_000)) * 10n ** 13n
    return swapped({ token, isBuy, amountQuote, sqrtPriceX96 })
  }
  const launch = (token: Coin): readonly Loose[] => [
    initialized(token),
    transferred(token, [address(0), address(0x99)], [1_000n * WHOLE, 0n, 1_000n * WHOLE]),
    launched(token),
  ]
  const factsOf = (minute: Minute): readonly Loose[] => {
    const born = [creator, post].filter(({ launchedAt }) => launchedAt.timestamp === minute * 60)
    const alive = [creator, post].filter(({ launchedAt }) => launchedAt.timestamp < minute * 60)
    const held = now.references.get(ZORA)?.heldUsdE36 ?? USD
    const observed = rated((held * BigInt(90 + random.below(21))) / 100n)
    return [
      ...born.flatMap(launch),
      ...Array.from({ length: random.below(4) }, () =>
        random.chance(0.2) ? [observed] : alive.map(trade),
      ).flat(),
    ]
  }
  const seal = async (minute: Minute) => {
    const facts = factsOf(minute)
    const last = block(minute, minute * 60 + 30)
    const before = now
    const { segment, after } = fold(before, minuteOf(blockOf(last, facts)))
    const previous = sealed.at(-1)?.minute ?? null
    n += 1
    const reference = await log.putSegment(segment)
    const entry = { n, is: 'sealed' as const, minute, firstBlock: minute, last, segment: reference }
    await log.append(entry)
    await materializeEntry(log, entry, previous)
    now = {
      ...after,
      tokens: new Map([...after.tokens].map(([at, known]) => [at, { ...known, isNew: false }])),
    }
    sealed.push({ minute, prior: before, events: facts.flatMap((fact) => rawOf(fact, minute * 60 + 30)) })
  }
  const rewind = async (count: number) => {
    const taken = sealed.splice(Math.max(1, sealed.length - count))
    if (taken.length === 0) return
    now = taken[0]!.prior
    for (const { address: token } of [creator, post])
      sqrts.set(token, now.tokens.get(token)?.state.sqrtPriceX96 ?? ONE_X96)
    const orphaned = []
    for await (const entry of log.entriesBefore(n + 1))
      if (entry.is === 'sealed' && taken.length > orphaned.length) orphaned.push(entry.segment)
    n += 1
    const minute = sealed.at(-1)!.minute
    const entry = { n, is: 'rewound' as const, minute, last: block(minute, minute * 60 + 30), orphaned }
    await log.append(entry)
    await materializeEntry(log, entry, null)
  }

  return {
    tokens: [creator, post] as const,
    table,
    /** Its effective minutes. */
    async minutes() {
      const entries = effectiveEntries(await allOf(log.entriesAfter(0)))
      return { entries, readWhole: log.readSegment }
    },
    last: () => sealed.at(-1)!.minute,
    /** Seals minutes for so many days, with gaps; some are rolled back and written anew, and processes start again. */
    async grow(days: number, gap: number) {
      const end = START + days * 1_440
      await seal(START)
      while (sealed.at(-1)!.minute < end) {
        const previous = sealed.at(-1)!.minute
        const next = previous + 1 + random.below(gap)
        const births = [bornCreator, bornPost].filter((minute) => minute > previous)
        await seal(Math.min(next, ...births))
        // A reorg is of minutes since the last one was rolled back.
        if (random.chance(0.02)) await rewindSome()
        if (random.chance(0.02)) log = openLog(table, bucket)
      }
    },
    /** All candles of a query, read page by page; each page’s rows are joined. */
    async read(token: Coin, query: Readonly<Record<string, string>>) {
      const rows: Record<string, unknown>[] = []
      let pages = 0
      for (let before: string | undefined; ; ) {
        const { interval: resolution, ...more } = query
        const defaults = { limit: '300', fill: 'last', currency: 'usd' }
        const asked = { ...defaults, resolution, ...more, ...(before && { before }) }
        const answer = await candles({ id: token.address, query: asked }, readsOf(), asking)
        if (!('page' in answer)) throw new Error('candles are a list')
        const page = JSON.parse(answer.page.list) as Record<string, unknown>[]
        if (page.length > Number(asked.limit)) throw new Error('a page has more rows than its limit')
        rows.unshift(...page)
        pages += 1
        before = answer.page.onward?.['before']
        if (before === undefined) return { rows, pages }
      }
    },
    expected: (token: Coin, slot: SlotOf) => recheck({ sealed, creator }, token, slot),
  }

  async function rewindSome() {
    const count = 1 + random.below(random.chance(0.3) ? 60 : 5)
    const newest = sealed.slice(-count).filter(({ minute }) => minute > bornPost)
    await rewind(newest.length)
  }

  function readsOf(): ReadStores {
    const stores = {
      table,
      past: table,
      log: { ...log, cached: async () => ({ applied: await log.applied(), holds: () => true }) },
      references: new Map([[ZORA, { address: ZORA, symbol: 'ZORA', name: 'Zora', decimals: 18 }]]),
    }
    return stores as unknown as ReadStores
  }
}

const asking = { caller: null, viewer: '', now: 0, site: '' }

/** Up to a tenth up or down. */
const stepped = (random: Random, sqrt: bigint): bigint => (sqrt * BigInt(1_900 + random.below(201))) / 2_000n

function rawOf(fact: Loose, second: number): readonly RawEvent[] {
  if (fact.is === 'rated') return [{ second, is: 'rated', usd: fact.usdE36 }]
  if (fact.is === 'initialized')
    return [{ second, is: 'priced', token: fact.token, sqrt: fact.sqrtPriceX96, trade: null }]
  if (fact.is !== 'swapped') return []
  const trade = { isBuy: fact.isBuy, quote: fact.amountQuote }
  return [{ second, is: 'priced', token: fact.token, sqrt: fact.sqrtPriceX96, trade }]
}

/** Seconds of a slot, and of the end of the log. */
type SlotOf = { readonly start: number; readonly end: number }

export type Recounted = {
  readonly usd: readonly bigint[]
  readonly quote: readonly bigint[]
  readonly close: { readonly usd: bigint; readonly quote: bigint }
  readonly volume: bigint
  readonly buyVolume: bigint
  readonly volumeQuote: bigint
  readonly trades: number
  readonly buys: number
  readonly isSet: boolean
}

/** A slot by going through all events from the first on. Prices are those at its start, those set in it and at minutes’ ends, and that at its end, in order. */
function recheck(
  { sealed, creator }: { readonly sealed: readonly Sealed[]; readonly creator: Coin },
  token: Coin,
  { start, end }: SlotOf,
): Recounted {
  const sqrts = new Map<string, bigint>()
  let held = USD
  const quoteOf = (coin: Coin): bigint => (coin === creator ? held : usdOf(creator))
  const usdOf = (coin: Coin): bigint => priceOf(coin, quoteOf(coin))
  const priceOf = ({ address: of, isCurrency0 }: Coin, quoteUsd: bigint): bigint =>
    priceUsdE36({ sqrtPriceX96: sqrts.get(of) ?? 0n, isCurrency0, quoteDecimals: 18 }, quoteUsd)
  const [usd, quote]: [bigint[], bigint[]] = [[], []]
  const sums = { volume: 0n, buyVolume: 0n, volumeQuote: 0n, trades: 0, buys: 0, isSet: false }
  const note = () => {
    usd.push(usdOf(token))
    quote.push(priceOf(token, USD))
  }
  let isOpen = false
  const open = () => {
    if (!isOpen && sqrts.has(token.address)) note()
    isOpen = true
  }
  for (const { minute, events } of sealed) {
    if (minute * 60 >= end) break
    const isInside = minute * 60 >= start
    if (isInside) open()
    let [observed, isSet] = [held, false]
    for (const event of events) {
      if (event.is === 'rated') {
        observed = event.usd
        continue
      }
      const isOwn = event.token === token.address
      if (isOwn && isInside && event.trade) {
        const value = microUsdOf(event.trade.quote, quoteOf(token), 18)
        sums.volume += value
        sums.volumeQuote += event.trade.quote
        sums.trades += 1
        if (event.trade.isBuy) sums.buys += 1
        if (event.trade.isBuy) sums.buyVolume += value
      }
      sqrts.set(event.token, event.sqrt)
      if (isOwn && isInside) note()
      isSet ||= isOwn
    }
    held = observed
    if (isSet && isInside) note()
    sums.isSet ||= isSet && isInside
  }
  open()
  const close = { usd: usdOf(token), quote: priceOf(token, USD) }
  return { ...sums, usd: [...usd, close.usd], quote: [...quote, close.quote], close }
}

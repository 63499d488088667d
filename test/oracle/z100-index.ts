/**
 * The oracle, continued: the Z100 Index and its history, minute by minute from the first one of the chain, by brute force.
 * The rules are written out again in its own words and numbers. See boards.ts.
 */
import { marketCapMicroUsd, microUsdOf } from '../../market/pool.ts'
import { alive, namesAt, type OracleView, type Row, reservesAt, viewAt } from './boards.ts'
import { LOGS, ZERO } from './logs.ts'
import { coinAt, poolAt, type RawCoin, type RawMarket } from './market.ts'
import { quoteOf, secondsOf, sqrtOf, usdOf } from './usd.ts'

const HOUR = 60
const DAY = 24 * HOUR
const KINDS = ['creator', 'post'] as const
/** Minutes of each interval, and the minute that number 0 of them begins with: weeks begin on Mondays. */
const INTERVALS = { hourly: [HOUR, 0], daily: [DAY, 0], weekly: [7 * DAY, 4 * DAY] } as const

type Seen = { price: bigint; supply: bigint; cap: bigint; liquidity: bigint; counted: bigint }
/** What is seen of a coin at the close of the nth minute that has a block. */
type Look = (nth: number, coin: RawCoin) => Seen
/** The quantity that each member counts with. */
type Members = ReadonlyMap<RawCoin, bigint>
export type Bar = { end: number; open: bigint; high: bigint; low: bigint; close: bigint } & {
  [kind in 'creator' | 'post']: { volume: bigint; active: Set<RawCoin> }
} & { trades: number }
/** A member at the end: what it counts with and for (µ$), and the minute it sat down in. */
export type OracleSeat = Pick<Row, 'coin' | 'name' | 'creatorToken'> & {
  [of in 'quantity' | 'counted' | 'price']: bigint
} & { since: number; countedDayBefore: bigint | null }
export type Index = {
  /** × 1e8, by minute. */
  points: Map<number, bigint>
  /** µ$ × 1e18. */
  divisor: bigint
  members: Members
  since: Map<RawCoin, number>
  /** The heaviest first, the oldest among equals. */
  seats: OracleSeat[]
  bars: { [interval in keyof typeof INTERVALS]: Bar[] }
  /** What a coin cost at the ends of the last 24 hours, oldest first; null before it had a price. */
  courseOf: (coin: RawCoin) => (bigint | null)[]
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
/** To the nearest; a half to the even one. */
function nearest(over: bigint, under: bigint): bigint {
  const [floor, rest] = [over / under, (over % under) * 2n]
  return rest > under || (rest === under && floor % 2n === 1n) ? floor + 1n : floor
}
const sum = (numbers: readonly bigint[]): bigint => numbers.reduce((total, each) => total + each, 0n)

/** The index at an exclusive end of a minute (Unix seconds). */
export function expectedIndex(market: RawMarket, asOf: number): Index {
  const look = looking(market)
  const index: Index = {
    points: new Map(),
    divisor: 0n,
    members: new Map(),
    since: new Map(),
    seats: [],
    bars: { hourly: [], daily: [], weekly: [] },
    courseOf: (coin) => ends.map((nth) => priceAt(nth, coin)),
  }
  const closed = market.minutes.filter(({ minute }) => (minute + 1) * 60 <= asOf)
  const hour = Math.floor((closed.at(-1)?.minute ?? 0) / HOUR)
  const ends = Array.from({ length: 24 }, (_, n) => hour - 23 + n)
    .map((begun) => closed.findLastIndex(({ minute }) => minute < begun * HOUR))
    .filter((nth) => nth >= 0)
  const priceAt = (nth: number, coin: RawCoin) => {
    const isThere = alive(viewAt(market, (closed[nth]!.minute + 1) * 60)).includes(coin)
    return (isThere && look(nth, coin).price) || null
  }
  const trades = tradesByMinute(market)
  for (const nth of closed.keys()) addMinute(index, market, { nth, look, trades })
  const dayBefore = closed.findLastIndex(({ minute }) => (minute + 1) * 60 <= asOf - 86_400)
  index.seats = seatsOf(index, viewAt(market, asOf), {
    now: (coin) => look(closed.length - 1, coin),
    dayBefore: dayBefore < 0 ? null : (coin) => look(dayBefore, coin),
  })
  return index
}

const countedOf = ({ price, liquidity }: Seen, quantity: bigint): bigint =>
  least(marketCapMicroUsd(price, quantity), 25n * liquidity)

type Looks = { now: (coin: RawCoin) => Seen; dayBefore: ((coin: RawCoin) => Seen) | null }

function seatsOf({ members, since }: Index, view: OracleView, { now, dayBefore }: Looks): OracleSeat[] {
  const oldestFirst = alive(view).filter((coin) => members.has(coin))
  const seats = oldestFirst.map((coin) => {
    const [seen, quantity] = [now(coin), members.get(coin)!]
    const countedDayBefore = dayBefore && countedOf(dayBefore(coin), quantity)
    const counts = { price: seen.price, quantity, counted: countedOf(seen, quantity), countedDayBefore }
    return { coin, ...namesAt(view, coin), ...counts, since: since.get(coin)! }
  })
  return seats.sort((a, b) => Number(b.counted - a.counted))
}

function addMinute(
  index: Index,
  market: RawMarket,
  { nth, look, trades }: { nth: number; look: Look; trades: Trades },
): void {
  const minute = market.minutes[nth]!.minute
  const worth = (members: Members) =>
    sum([...members].map(([coin, quantity]) => countedOf(look(nth, coin), quantity)))
  const isBased = index.points.size > 0
  const next = membersAfter(index.members, { isBased, market, nth, look })
  const [before, after] = [worth(index.members), worth(next)]
  if (!isBased && after === 0n) return
  const sitting = isBased ? index.members : next
  const value = isBased ? nearest(before * 10n ** 26n, index.divisor) : 1000n * 10n ** 8n
  index.points.set(minute, value)
  const traded = (trades.get(minute) ?? []).filter(({ coin }) => sitting.has(coin))
  for (const interval of Object.keys(INTERVALS) as (keyof typeof INTERVALS)[])
    addPoint(index.bars[interval], INTERVALS[interval], { minute, value, traded })
  if (next === index.members || after === 0n || (isBased && before === 0n)) return
  index.divisor = isBased ? nearest(index.divisor * after, before) : nearest(after * 10n ** 18n, 1000n)
  for (const coin of index.members.keys()) if (!next.has(coin)) index.since.delete(coin)
  for (const coin of next.keys()) if (!index.since.has(coin)) index.since.set(coin, minute)
  index.members = next
}

/** Who sits from the next minute on, with which quantities: the members themselves when nothing changes. */
function membersAfter(
  members: Members,
  { isBased, market, nth, look }: { isBased: boolean; market: RawMarket; nth: number; look: Look },
): Members {
  const [minute, last] = [market.minutes[nth]!.minute, market.minutes[nth - 1]?.minute]
  const isIn = (size: number) => last !== undefined && Math.floor(minute / size) !== Math.floor(last / size)
  if (!isIn(HOUR)) return members
  const ranked = ranking(market, { nth, look })
  const worth = (coin: RawCoin, quantity: bigint) => countedOf(look(nth, coin), quantity)
  if (!isBased || isIn(DAY)) {
    const order = (coins: RawCoin[]) => {
      if (!isBased) return coins
      const near = coins.slice(90, 110).filter((coin) => members.has(coin))
      return [...coins.slice(0, 90), ...near, ...coins.slice(90).filter((coin) => !near.includes(coin))]
    }
    const seated = seats(
      [],
      KINDS.flatMap((kind) => order(ranked.filter((coin) => coin.kind === kind))),
    )
    if (seated.length < (isBased ? 1 : 20)) return members
    return capped(new Map(seated.map((coin) => [coin, look(nth, coin).supply])), worth)
  }
  const deep = [...members].filter(([coin]) => look(nth - 1, coin).liquidity >= 100_000_000n)
  const staying = deep.length === 0 ? [...members] : deep
  const others = ranked.filter((coin) => !staying.some(([each]) => each === coin))
  const sitting = staying.map(([coin]) => coin)
  const byKind = KINDS.flatMap((kind) => others.filter((coin) => coin.kind === kind))
  const added = seats(sitting, byKind).map((coin) => [coin, look(nth, coin).supply] as const)
  return added.length === 0 && staying.length === members.size ? members : new Map([...staying, ...added])

  function seats(taken: readonly RawCoin[], coins: readonly RawCoin[]): RawCoin[] {
    const all = [...taken]
    const shared = (a: RawCoin, b: RawCoin) => ({
      root: rootOf(market, nth, a) === rootOf(market, nth, b),
      party: partyOf(a) === partyOf(b),
    })
    for (const coin of coins) {
      const isFull = all.filter(({ kind }) => kind === coin.kind).length >= 100
      const ofRoot = all.filter((other) => shared(coin, other).root).length
      const ofParty = all.filter((other) => shared(coin, other).party).length
      if (!isFull && ofRoot < 3 && ofParty < 3) all.push(coin)
    }
    return all.slice(taken.length)
  }

  function capped(seated: Map<RawCoin, bigint>, worthOf: typeof worth): Members {
    const total = sum([...seated].map(([coin, quantity]) => worthOf(coin, quantity)))
    const result = new Map<RawCoin, bigint>()
    for (const [coin, quantity] of seated) {
      const own = [...seated].filter(([other]) => rootOf(market, nth, other) === rootOf(market, nth, coin))
      const isIn = (f: bigint) =>
        sum(own.map(([each, q]) => worthOf(each, (q * f) / 1_000_000n))) * 10n <= total
      let [low, high] = [0n, 1_000_001n]
      while (high - low > 1n) {
        const middle = (low + high) / 2n
        if (isIn(middle)) low = middle
        else high = middle
      }
      result.set(coin, (quantity * low) / 1_000_000n)
    }
    return result
  }
}

/** Whoever launched a coin, together with the creator it names. */
const partyOf = ({ launcher, creator }: RawCoin): string => `${launcher} ${creator}`

/** The creator token that a coin is quoted in, or itself if it is one; else its party. */
function rootOf(market: RawMarket, nth: number, coin: RawCoin): string {
  const quote = coinAt(market, poolAt(coin, (market.minutes[nth]!.lastBlock + 1) * LOGS).quote)
  const last = quote ?? coin
  return last.kind === 'creator' ? last.address : partyOf(coin)
}

type Trade = { coin: RawCoin; volume: bigint }
type Trades = ReadonlyMap<number, readonly Trade[]>

function tradesByMinute(market: RawMarket): Trades {
  const all = market.coins.flatMap((coin) =>
    coin.trades.map(({ at, volume }) => ({ minute: Math.floor(secondsOf(market, at) / 60), coin, volume })),
  )
  const byMinute = new Map<number, Trade[]>()
  for (const { minute, ...trade } of all) byMinute.set(minute, [...(byMinute.get(minute) ?? []), trade])
  return byMinute
}

/** All that may sit, strongest first: the least effective cap of 24 hourly closes, then the volume of the day, the market cap, the age. */
function ranking(market: RawMarket, { nth, look }: { nth: number; look: Look }): RawCoin[] {
  const { minute } = market.minutes[nth]!
  const end = (minute + 1) * 60
  const now = viewAt(market, end)
  const since = (days: number) => viewAt(market, end - days * 86_400).before
  const tradesFrom = (coin: RawCoin, from: number) =>
    coin.trades.filter(({ at }) => at >= from && at < now.before)
  const hour = Math.floor(minute / 60)
  const closes = Array.from({ length: 24 }, (_, back) =>
    market.minutes.findLastIndex((each) => each.minute < (hour - back) * 60),
  )
  const rows = alive(now).flatMap((coin) => {
    const { price, cap } = look(nth, coin)
    if (coin.launchSeconds + 86_400 > end || price === 0n || tradesFrom(coin, since(7)).length === 0)
      return []
    const caps = closes.map((at) => (at < 0 ? 0n : look(at, coin).counted))
    const weakest = caps.reduce(least)
    if (weakest < 2_500_000_000n) return []
    const volume = sum(tradesFrom(coin, since(1)).map((trade) => trade.volume))
    return [{ coin, keys: [weakest, volume, cap] }]
  })
  const order = (a: bigint[], b: bigint[]) => a.map((key, i) => b[i]! - key).find((each) => each !== 0n) ?? 0n
  return rows.sort((a, b) => Number(order(a.keys, b.keys))).map(({ coin }) => coin)
}

type Point = { minute: number; value: bigint; traded: readonly Trade[] }

/** A point in its interval. Each opens at the close before; without a block it stands there. */
function addPoint(bars: Bar[], [size, first]: readonly [number, number], point: Point): void {
  const { minute, value, traded } = point
  const start = first + Math.floor((minute - first) / size) * size
  const flat = (end: number, at: bigint): Bar => ({
    end,
    open: at,
    high: at,
    low: at,
    close: at,
    trades: 0,
    creator: { volume: 0n, active: new Set() },
    post: { volume: 0n, active: new Set() },
  })
  const end = (start + size) * 60
  for (let last = bars.at(-1); last && last.end < end; last = bars.at(-1))
    bars.push(flat(last.end + size * 60, last.close))
  if (bars.length === 0) bars.push(flat(end, value))
  const bar = bars.at(-1)!
  bar.close = value
  if (value > bar.high) bar.high = value
  if (value < bar.low) bar.low = value
  for (const { coin, volume } of traded) {
    bar[coin.kind].volume += volume
    bar[coin.kind].active.add(coin)
    bar.trades += 1
  }
}

/** Looks are remembered: a ledger of ranges is added up once for each price it is valued at. */
function looking(market: RawMarket): Look {
  const views = market.minutes.map(({ minute }) => viewAt(market, (minute + 1) * 60))
  const seen = views.map(() => new Map<RawCoin, Seen>())
  const reserves = new Map<string, bigint>()
  const issued = new Map(
    market.coins.map((coin) => [coin, coin.transfers.filter(({ from, to }) => from === ZERO || to === ZERO)]),
  )
  const held = (view: OracleView, coin: RawCoin): bigint => {
    const { id } = poolAt(coin, view.before)
    const provided = (market.ranges.get(id) ?? []).findLastIndex(({ at }) => at < view.before)
    const key = `${id} ${sqrtOf(view, coin)} ${provided}`
    const known = reserves.get(key) ?? reservesAt(view, coin)[0]
    reserves.set(key, known)
    return known
  }
  const look: Look = (nth, coin) => {
    const known = seen[nth]!.get(coin)
    if (known) return known
    const view = views[nth]!
    const quote = quoteOf(view, coin)
    const own = microUsdOf(held(view, coin), quote.usd, quote.decimals)
    const behind = coinAt(market, poolAt(coin, view.before).quote)
    const liquidity = behind ? least(own, look(nth, behind).liquidity) : own
    const [price, supply] = [usdOf(view, coin.address), supplyAt(issued.get(coin)!, view.before)]
    const cap = marketCapMicroUsd(price, supply)
    const is = { price, supply, cap, liquidity, counted: least(cap, 25n * liquidity) }
    seen[nth]!.set(coin, is)
    return is
  }
  return look
}

/** Minted less burned. */
const supplyAt = (issued: RawCoin['transfers'], before: number): bigint =>
  sum(issued.filter(({ at }) => at < before).map(({ from, amount }) => (from === ZERO ? amount : -amount)))

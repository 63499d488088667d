/** A market's history: launches and trades over some days, with increasing density, in few blocks. */
import type { Miner, TransactionDraft } from './miner.ts'
import { creatorNaming, postNaming } from './names.ts'
import { oddities } from './oddities.ts'
import {
  buyNamed,
  creatorLaunch,
  type Event,
  postLaunch,
  randomTrade,
  rateMove,
  type TraderMarket,
} from './traders.ts'

/** Amount of activity. `trades` are transactions; every second one swaps in two pools. */
export type HistoryPlan = {
  readonly blocks: number
  readonly trades: number
  readonly creators: number
  readonly posts: number
  /** Whether the market's oddities are part of it, if it has any. */
  readonly hasOddities: boolean
}

const HOUR = 3_600
const DAY = 86_400
/** One launch in this many is bought while the launch fee applies. */
const SNIPED = 8

/** Mines the time from `span.from` to `span.to` (Unix seconds). Calls `onBlock` after each block. */
export async function mineHistory(
  chain: { miner: Pick<Miner, 'head' | 'mine'>; market: Omit<TraderMarket, 'spent'> },
  span: { from: number; to: number; plan: HistoryPlan },
  onBlock: (done: number, total: number) => void,
): Promise<void> {
  const { events, moments } = planned(chain.market, span)
  let waiting: Event[] = []
  let next = 0
  for (const [index, timestamp] of moments.entries()) {
    const due = waiting
    waiting = []
    for (let event = events[next]; event && event.at <= timestamp; event = events[++next]) due.push(event)
    const { drafts, later } = await draftsOf(chain.market, due)
    waiting = later
    if (timestamp <= chain.miner.head().timestamp) continue
    await chain.miner.mine(timestamp, drafts)
    onBlock(index + 1, moments.length)
  }
}

/** The transactions of one block, in order, and the actions that must wait for a launch. */
export async function draftsOf(market: Omit<TraderMarket, 'spent'>, events: readonly Event[]) {
  const spent = new Set<string>()
  const drafts: TransactionDraft[] = []
  const later: Event[] = []
  // Sequentially, since all draw from the same random stream.
  for (const event of [...events.filter(({ isLast }) => !isLast), ...events.filter(({ isLast }) => isLast)]) {
    const draft = await event.wish({ ...market, spent })
    if (draft === 'later') later.push(event)
    else if (draft) drafts.push(...[draft].flat())
  }
  return { drafts, later }
}

function planned(
  { random, habits }: Pick<TraderMarket, 'random' | 'habits'>,
  span: { from: number; to: number; plan: HistoryPlan },
) {
  const { from, to, plan } = span
  const timeAt = skewed(from, to)
  const events: Event[] = []
  const snipes: number[] = []
  const launches = [
    ...Array.from({ length: plan.creators }, (_, n) => ({ n, isCreator: true })),
    ...Array.from({ length: plan.posts }, (_, n) => ({ n, isCreator: false })),
  ]
  for (const { n, isCreator } of launches) {
    const naming = isCreator ? creatorNaming(random) : postNaming(random)
    // Creators are launched early, the first ones at once; posts all the time.
    const share = isCreator
      ? (n / plan.creators) ** 2.2 * 0.97
      : 0.01 + ((n + random.next()) / plan.posts) * 0.98
    const at = from + (to - from) * share
    events.push({ at, wish: isCreator ? creatorLaunch(naming) : postLaunch(naming) })
    events.push(...firstTrades({ random, habits }, { at, to, symbol: naming.symbol }))
    if (n % SNIPED !== 0 || snipes.length >= plan.blocks / 4) continue
    snipes.push(at, at + 3)
    events.push({ at: at + 3, wish: buyNamed(naming.symbol, 40) })
  }
  for (let n = 0; n < plan.trades; n++) events.push({ at: timeAt(random.next()), wish: randomTrade })
  for (let n = 0; n < plan.blocks / 12; n++) events.push({ at: timeAt(random.next()), wish: rateMove })
  if (plan.hasOddities && habits.hasOddities) events.push(...oddities(from, to))
  const regular = Math.max(2, plan.blocks - snipes.length)
  const moments = [...snipes, ...Array.from({ length: regular }, (_, n) => timeAt((n + 1) / regular))]
  return {
    events: events.sort((a, b) => a.at - b.at),
    moments: [...new Set(moments.map(Math.floor))].sort((a, b) => a - b),
  }
}

/** Every token is traded soon after its launch, and nearly every one again in the last day. */
function firstTrades(
  { random, habits: { firstBuy, laterBuy, unnoticed } }: Pick<TraderMarket, 'random' | 'habits'>,
  launch: { at: number; to: number; symbol: string },
): Event[] {
  const { at, to, symbol } = launch
  const soon = Math.min(to, at + 60 + random.below(2 * HOUR))
  const recent = Math.max(at, to - DAY) + random.next() * (to - Math.max(at, to - DAY))
  const usd = random.amount(firstBuy.median, firstBuy.spread)
  const isNoticed = unnoticed === 0 || !random.chance(unnoticed)
  const first = { at: soon, wish: buyNamed(symbol, isNoticed ? usd : usd / 100) }
  if (random.chance(0.1)) return [first]
  return [
    first,
    { at: Math.max(soon, recent), wish: buyNamed(symbol, random.amount(laterBuy.median, laterBuy.spread)) },
  ]
}

/**
 * Maps a share of the activity to a time: in a long span half of it is in the last day and a twelfth in the last hour; a
 * short span is even.
 */
function skewed(from: number, to: number): (share: number) => number {
  if (to - from < 2 * DAY) return (share) => from + share * (to - from)
  const stretches = [
    { until: 0.5, start: from, seconds: to - from - DAY },
    { until: 0.9, start: to - DAY, seconds: DAY - HOUR },
    { until: 1, start: to - HOUR, seconds: HOUR },
  ]
  return (share) => {
    let before = 0
    for (const { until, start, seconds } of stretches) {
      if (share <= until) return start + ((share - before) / (until - before)) * seconds
      before = until
    }
    return to
  }
}

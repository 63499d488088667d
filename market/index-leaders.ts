import { type Appraisal, appraise, countedOf, liquidityOf } from './appraisal.ts'
import { figureAt, type RankedEdge } from './figures.ts'
import type { ContendersMarket } from './index-contenders.ts'
import { type CapState, numbered, type Span, spansOf } from './index-median.ts'
import type { Members } from './index-review.ts'
import { nthLargest } from './ranking.ts'
import {
  INDEX_AGE_MINUTES,
  INDEX_GATE_PERCENT,
  INDEX_LIQUIDITY_MIN_MICRO_USD,
  INDEX_RANK_STAY,
} from './rules.ts'
import type { StateField, TokenKind } from './segment.ts'
import { asOf } from './window.ts'
import type { Workspace } from './workspace.ts'

/** The market at a minute's close, and what it was, with doubles to scan. */
export type LeadersMarket = ContendersMarket & {
  readonly now: RankedEdge<StateField>
  readonly tradedSince: RankedEdge<never>
}

/** More than a median of doubles is off. */
const MARGIN = 2 ** -30

/**
 * Numbers of the tokens that may take a seat, or hold one, whatever the occasion: every one of them that the exact ranks of
 * all eligible tokens could seat, and few more. Exact medians of a hundred thousand tokens take seconds; these take a scan a minute.
 */
export function leadersAt(
  market: LeadersMarket,
  { members, space }: { readonly members: Members; readonly space: Workspace },
): Int32Array {
  const spans = spansOf(market)
  if (hasMoved(market)) return Int32Array.from(market.now.tokens.keys())
  const looks = looksBack(market, spans, space)
  const weights = spans.map(({ clockMinutes }) => clockMinutes)
  const medians = {
    cap: mediansOf(looks.caps, weights, looks.numbers.length),
    price: mediansOf(looks.prices, weights, looks.numbers.length),
  }
  const { isCreator } = market.now.lineage
  const sitting = new Set([...members.keys()].map((address) => market.now.numberOf(address)))
  const ranks = INDEX_RANK_STAY + members.size
  const field = Array.from(looks.numbers, (number, at) => {
    const isMember = sitting.has(number)
    const distance = Math.abs((looks.prices[0]?.[at] ?? 0) - (medians.price[at] as number)) * 100
    const bound = (medians.price[at] as number) * Number(INDEX_GATE_PERCENT)
    const kind: TokenKind = isCreator[number] === 1 ? 'creator' : 'post'
    return {
      ...{ number, kind, cap: medians.cap[at] as number },
      isIn: isMember || distance < bound * (1 - MARGIN),
      isOut: !isMember && distance > bound * (1 + MARGIN),
    }
  })
  return Int32Array.from(
    (['creator', 'post'] as const).flatMap((kind) => {
      const mine = field.filter((each) => each.kind === kind && !each.isOut)
      const sure = Float64Array.from(mine.filter(({ isIn }) => isIn).map(({ cap }) => cap))
      const least = sure.length < ranks ? 0 : nthLargest(sure, ranks) * (1 - MARGIN)
      return mine.filter(({ cap }) => cap >= least).map(({ number }) => number)
    }),
  )
}

/** True when a token went to another pool within the minutes that medians are of: doubles of before are not kept. */
const hasMoved = ({ now, recent }: LeadersMarket): boolean =>
  recent.some(({ tokens }) =>
    tokens.some(([address, { quote, isCurrency0 }]) => {
      const token = now.tokens[now.numberOf(address) ?? -1]
      return token !== undefined && (token.quote !== quote || token.isCurrency0 !== isCurrency0)
    }),
  )

/** Effective caps and prices of the eligible tokens at the end of each span, newest first. */
function looksBack(market: LeadersMarket, spans: readonly Span[], space: Workspace) {
  const { now } = market
  const figures = {
    ...now.figures,
    rate: now.figures.rate.slice(),
    supply: now.figures.supply.slice(),
    reserveQuote: now.figures.reserveQuote.slice(),
  }
  const undone = new Map<number, CapState>()
  const read: RankedEdge<keyof CapState>['read'] = (field, number) =>
    undone.get(number)?.[field] ?? now.read(field, number)
  const [caps, prices]: [Float64Array[], Float64Array[]] = [[], []]
  let numbers = new Int32Array()
  for (const { references, undo } of spans) {
    const edge = { ...now, references, read, figures }
    const appraisal = appraise(edge, space.units.now)
    if (caps.length === 0) numbers = eligibleIn(market, appraisal)
    caps.push(Float64Array.from(numbers, (number) => countedOf(appraisal, number)))
    prices.push(Float64Array.from(numbers, (number) => appraisal.unit[number] as number))
    for (const [number, state] of numbered(now, undo?.states ?? [])) {
      undone.set(number, state)
      const root = Number(state.sqrtPriceX96) / 2 ** 96
      const isCurrency0 = now.tokens[number]?.isCurrency0 ?? true
      figures.rate[number] = root === 0 ? 0 : isCurrency0 ? root * root : 1 / (root * root)
      figures.supply[number] = Number(state.supply)
      figures.reserveQuote[number] = Number(state.reserveQuote)
    }
  }
  return { numbers, caps, prices }
}

/** Numbers of the tokens that are eligible but for the gate: small numbers of an appraisal are exact. */
function eligibleIn(
  { minute, now, tradedSince }: LeadersMarket,
  appraisal: Appraisal,
): Int32Array<ArrayBuffer> {
  const born = asOf(minute) - INDEX_AGE_MINUTES * 60
  const least = Number(INDEX_LIQUIDITY_MIN_MICRO_USD)
  const { trades } = now.figures
  const { trades: before } = tradedSince.figures
  const found: number[] = []
  for (let number = 0; number < now.tokens.length; number++) {
    if ((trades[number] as number) <= figureAt(before, number)) continue
    if ((now.lineage.launchedAt[number] as number) > born) continue
    if (appraisal.unit[number] === 0 || liquidityOf(appraisal, number) < least) continue
    found.push(number)
  }
  return Int32Array.from(found)
}

/** Lower medians by place, each look counted by its weight. */
function mediansOf(looks: readonly Float64Array[], weights: readonly number[], count: number): Float64Array {
  const middle = (weights.reduce((sum, weight) => sum + weight, 0) + 1) >> 1
  const order = looks.map((_, look) => look)
  return Float64Array.from({ length: count }, (_, at) => {
    order.sort((a, b) => (looks[a]?.[at] as number) - (looks[b]?.[at] as number))
    let seen = 0
    const found = order.find((look) => {
      seen += weights[look] as number
      return seen >= middle
    })
    return looks[found ?? 0]?.[at] ?? 0
  })
}

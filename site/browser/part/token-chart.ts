/** Candles of a token, its volume, and what was bought of it against what was sold. */
import type { PriceStep, TokenDetail } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { sidesBar } from '../base/cells.ts'
import type { Mark } from '../base/chart-paint.ts'
import { type Choice, choiceButtons, chosenValue } from '../base/choices.ts'
import { type Child, h } from '../base/dom.ts'
import { dayAndTime, dollars, priceLabel, shortDollars } from '../base/format.ts'
import { type ChartOptions, openChart } from './chart.ts'
import { openPanel } from './panel.ts'

/** Candles per picture. */
const SHOWN = 120
const EVERY_SECONDS = 55

const intervals: Choice = {
  name: 'interval',
  label: 'Interval',
  values: {
    '1m': '1 min',
    '5m': '5 min',
    '15m': '15 min',
    '1h': '1 h',
    '4h': '4 h',
    '1d': '1 d',
    '1w': '1 w',
  },
  fallback: '15m',
}
const scales: Choice = { name: 'scale', label: 'Scale', values: { linear: 'Linear', log: 'Log' } }

type Interval = '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w'

/** Its parts: the choices, then the chart. `first` gives the slots of the first request, in steps of 15 minutes. */
export function candlesOf(id: string, first: () => Promise<TokenDetail> | null): readonly HTMLElement[] {
  const chart = openChart()
  let slots: readonly PriceStep[] = []
  let marks: readonly Mark[] = []
  const load = async (signal: AbortSignal): Promise<readonly PriceStep[]> => {
    const whole = await first()
    if (whole) {
      marks = eventsOf(whole)
      void markSeat()
    }
    const interval = chosenValue(intervals) as Interval
    if (whole?.price_history && interval === intervals.fallback) return whole.price_history
    const query = { interval, limit: SHOWN }
    return (await ask('/v1/tokens/{id}/candles', { id, query }, signal)).body
  }
  const show = (): Child => [
    chart({ ...historyOf(slots, marks), isLog: chosenValue(scales) === 'log' }),
    sidesOf(slots),
  ]
  const panel = openPanel<readonly PriceStep[]>({
    load,
    show: (next) => {
      slots = next
      return show()
    },
    empty: {
      when: (all) => all.every(({ close }) => close === null),
      description: 'No US dollar price in this time.',
    },
    everySeconds: EVERY_SECONDS,
  })
  panel.element.classList.add('of-chart')
  const redraw = () => {
    if (slots.length > 0) show()
  }
  const markSeat = async () => {
    marks = [...marks, ...(await seatOf(id))]
    redraw()
  }
  const choices = h(
    'div',
    { class: 'row' },
    choiceButtons(intervals, panel.askOther),
    choiceButtons(scales, redraw),
  )
  return [h('div', { class: 'bar' }, h('h2', {}, 'Price'), choices), panel.element]
}

/** Its launch, and its moves to another pool. */
const eventsOf = ({ created_at: at, migrations }: TokenDetail): readonly Mark[] => [
  ...(at === null ? [] : [{ at: Date.parse(at) / 1_000, label: 'Launch' }]),
  ...migrations.map(({ timestamp }) => ({ at: timestamp, label: 'New pool' })),
]

/** The review at which the token became a member of the index, if it is one; without an answer it is not marked. */
async function seatOf(id: string): Promise<readonly Mark[]> {
  const answer = await ask('/v1/z100/index/constituents', {}).catch(() => null)
  const seat = answer?.body.constituents.find((row) => row.token_address.toLowerCase() === id.toLowerCase())
  return seat ? [{ at: Date.parse(seat.since) / 1_000, label: 'Joined the index' }] : []
}

/** What is marked within the times shown, in words. */
function wordsOf(marks: readonly Mark[], times: readonly number[]): string {
  const [from = 0, to = 0] = [times[0], times.at(-1)]
  return marks
    .filter(({ at }) => at >= from && at <= to)
    .map(({ at, label }) => ` ${label}: ${dayAndTime(new Date(at * 1_000).toISOString())} UTC.`)
    .join('')
}

function historyOf(slots: readonly PriceStep[], marks: readonly Mark[]): ChartOptions {
  const [first, last] = [slots[0], slots.at(-1)]
  const candle = (label: string, figureOf: (slot: PriceStep) => number | null) => ({
    label,
    values: slots.map(figureOf),
    text: priceLabel,
    as: 'candle' as const,
  })
  const times = slots.map(({ timestamp }) => timestamp)
  return {
    times,
    marks,
    series: [
      candle('Open', ({ open }) => open),
      candle('High', ({ high }) => high),
      candle('Low', ({ low }) => low),
      candle('Close', ({ close }) => close),
      { label: 'Volume', values: slots.map((slot) => slot.volume_usd), text: shortDollars, as: 'bars' },
    ],
    description: `Price since ${first ? dayAndTime(first.datetime) : ''} UTC: ${priceLabel(first?.open ?? null)} then, ${priceLabel(last?.close ?? null)} now.${wordsOf(marks, times)}`,
  }
}

/** What was bought against what was sold in the time shown. */
function sidesOf(slots: readonly PriceStep[]): Child {
  const sum = (figureOf: (slot: PriceStep) => number | null) =>
    slots.reduce((all, slot) => all + (figureOf(slot) ?? 0), 0)
  const [volume, bought] = [sum((slot) => slot.volume_usd), sum((slot) => slot.buy_volume)]
  const [trades, buys] = [sum((slot) => slot.trades), sum((slot) => slot.buys)]
  return (
    volume > 0 &&
    sidesBar({
      share: (100 * bought) / volume,
      bought: `Bought ${dollars(bought)}, ${buys} trades`,
      sold: `Sold ${dollars(volume - bought)}, ${trades - buys} trades`,
    })
  )
}

/** Candles of a token, its volume, and what was bought of it against what was sold. */
import type { PriceStep, TokenDetail } from '../../client/index.ts'
import { ask } from './ask.ts'
import { sidesBar } from './cells.ts'
import { type ChartOptions, openChart } from './chart.ts'
import type { Mark } from './chart-paint.ts'
import { type Choice, choiceButtons, chosenValue } from './choices.ts'
import { type Child, h } from './dom.ts'
import { dayAndTime, dollars, priceLabel, shortDollars } from './format.ts'
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
    if (whole?.created_at) marks = [{ at: Date.parse(whole.created_at) / 1_000, label: 'Launch' }]
    const interval = chosenValue(intervals) as Interval
    if (whole?.price_history && interval === intervals.fallback) return whole.price_history
    const query = { interval, limit: SHOWN }
    return (await ask('/v1/tokens/{id}/candles', { id, query }, signal)).body
  }
  const show = (): Child => [
    chart({ ...historyOf(slots), isLog: chosenValue(scales) === 'log', marks }),
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
  const rescale = () => {
    if (slots.length > 0) show()
  }
  const choices = h(
    'div',
    { class: 'row' },
    choiceButtons(intervals, panel.reload),
    choiceButtons(scales, rescale),
  )
  return [h('div', { class: 'bar' }, h('h2', {}, 'Price'), choices), panel.element]
}

function historyOf(slots: readonly PriceStep[]): ChartOptions {
  const [first, last] = [slots[0], slots.at(-1)]
  const candle = (label: string, of: (slot: PriceStep) => number | null) => ({
    label,
    values: slots.map(of),
    text: priceLabel,
    as: 'candle' as const,
  })
  return {
    times: slots.map(({ timestamp }) => timestamp),
    series: [
      candle('Open', ({ open }) => open),
      candle('High', ({ high }) => high),
      candle('Low', ({ low }) => low),
      candle('Close', ({ close }) => close),
      { label: 'Volume', values: slots.map((slot) => slot.volume_usd), text: shortDollars, as: 'bars' },
    ],
    description: `Price since ${first ? dayAndTime(first.datetime) : ''} UTC: ${priceLabel(first?.open ?? null)} then, ${priceLabel(last?.close ?? null)} now.`,
  }
}

/** What was bought against what was sold in the time shown. */
function sidesOf(slots: readonly PriceStep[]): Child {
  const sum = (of: (slot: PriceStep) => number | null) =>
    slots.reduce((all, slot) => all + (of(slot) ?? 0), 0)
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

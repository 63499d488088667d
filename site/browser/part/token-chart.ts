/** Candles of a token, its volume, and what was bought of it against what was sold. */
import type { PriceStep, TokenDetail } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { sidesBar } from '../base/cells.ts'
import type { Mark } from '../base/chart-paint.ts'
import { type Choice, choiceButtons, choose, chosenValue } from '../base/choices.ts'
import { type Child, h } from '../base/dom.ts'
import { countLabel, dayAndTime, dollars, OWN_DIGITS } from '../base/format.ts'
import { type ChartOptions, openChart } from './chart.ts'
import { openPanel } from './panel.ts'

const EVERY_SECONDS = 55

/** What each period is drawn of: the interval of its candles, and how many there are. */
const periods = {
  '1h': ['1m', 60, '1 h'],
  '6h': ['5m', 72, '6 h'],
  '24h': ['15m', 96, '1 d'],
  '7d': ['1h', 168, '1 w'],
  '30d': ['4h', 180, '1 mo'],
  '90d': ['1d', 90, '3 mo'],
  all: ['1d', 1_000, 'All'],
} as const
type Shown = keyof typeof periods

const choice: Choice = {
  name: 'period',
  label: 'Period',
  values: Object.fromEntries(Object.entries(periods).map(([name, [, , label]]) => [name, label])),
  fallback: '24h',
}
const SCALE = 'scale'
const isLog = () => new URLSearchParams(location.search).get(SCALE) === 'log'

/** Its parts: the choices, then the chart. `first` gives the slots of the first request, of the last 24 hours. */
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
    const period = chosenValue(choice) as Shown
    if (whole?.price_history && period === choice.fallback) return known(whole.price_history)
    const [interval, limit] = periods[period]
    return known((await ask('/v1/tokens/{id}/candles', { id, query: { interval, limit } }, signal)).body)
  }
  const show = (): Child => [chart({ ...historyOf(slots, marks), isLog: isLog() }), sidesOf(slots)]
  const panel = openPanel<readonly PriceStep[]>({
    load,
    show: (next) => {
      slots = next
      return show()
    },
    empty: { when: (all) => all.length === 0, description: 'No US dollar price in this time.' },
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
  const choices = h('div', { class: 'row' }, choiceButtons(choice, panel.askOther), logButton(redraw))
  return [h('div', { class: 'bar' }, choices), panel.element]
}

/** Switches between a linear and a logarithmic scale. */
function logButton(redraw: () => void): HTMLElement {
  const button = h('button', { type: 'button', class: 'toggle', on: { click: () => toggle() } }, 'Log')
  const tell = () => button.setAttribute('aria-pressed', String(isLog()))
  const toggle = () => {
    choose({ [SCALE]: isLog() ? '' : 'log' })
    tell()
    redraw()
  }
  tell()
  return button
}

/** From the first slot with a price on: before its launch a token has none. */
function known(slots: readonly PriceStep[]): readonly PriceStep[] {
  const first = slots.findIndex(({ close }) => close !== null)
  return first < 0 ? [] : slots.slice(first)
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
    short: label.slice(0, 1),
    values: slots.map(figureOf),
    text: dollars,
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
      { label: 'Volume', values: slots.map((slot) => slot.volume_usd), text: dollars, as: 'bars' },
    ],
    description: `Price since ${first ? dayAndTime(first.datetime) : ''} UTC: ${dollars(first?.open ?? null, OWN_DIGITS)} then, ${dollars(last?.close ?? null, OWN_DIGITS)} now.${wordsOf(marks, times)}`,
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
      bought: `Bought ${dollars(bought)} in ${countLabel(buys)} trades`,
      sold: `Sold ${dollars(volume - bought)} in ${countLabel(trades - buys)}`,
    })
  )
}

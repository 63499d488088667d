/** Charts over time: lines, bars and candles, with the same figures in a table for screen readers. */
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { drawCandles, drawMarks, logRange, logSplits, type Mark } from '../base/chart-paint.ts'
import { h, setChildren } from '../base/dom.ts'
import { dayAndTime } from '../base/format.ts'
import { type Column, openTableView } from '../base/table.ts'

/**
 * Values over time. Bars beside something else have a scale of their own, at the right; four `candle` series in a row
 * are open, high, low and close.
 */
export type Series = {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly text: (value: number | null) => string
  /** @default line */
  readonly as?: 'line' | 'bars' | 'candle'
}

/** A chart: `times` in Unix seconds, ascending; `description` summarizes it in one sentence. */
export type ChartOptions = {
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly description: string
  /** Equal ratios have equal heights. @default false */
  readonly isLog?: boolean
  /** The least value is at the top, as for ranks. @default false */
  readonly isUpsideDown?: boolean
  /** Moments that are marked. @default none */
  readonly marks?: readonly Mark[]
}

const HEIGHT = 280
/** Maximum height of bars, as a share of the chart's. */
const BARS_SHARE = 0.25
/** Maximum width of a bar, pixels: beside something else, and alone. */
const BAR = 12
const BAR_ALONE = 48
/** Days between two dates on the axis of figures by day. */
const DAYS = [1, 2, 7, 14, 28, 56, 182, 364]
/** A narrower chart has no axis of its bars. */
const NARROW = 520
const FONT = '12px system-ui'

/** Draws a chart, and redraws it in place with other figures. It follows its element's width and the colour scheme. */
export function openChart(): (options: ChartOptions) => HTMLElement {
  let shown: ChartOptions | undefined
  let plot: uPlot | undefined
  const place = h('div', { class: 'chart', role: 'img' })
  const figures = h('div', {})
  const draw = () => {
    plot?.destroy()
    plot = undefined
    if (shown && place.clientWidth > 0) plot = new uPlot(uplotOptions(shown, place), dataOf(shown), place)
  }
  new ResizeObserver(() => {
    if (!plot) draw()
    else plot.setSize({ width: place.clientWidth - 12, height: HEIGHT })
  }).observe(place)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  const summary = h('summary', {}, 'Show as a table')
  const element = h('div', {}, place, h('details', {}, summary, figures))
  return (options) => {
    shown = options
    place.setAttribute('aria-label', options.description)
    setChildren(figures, tableOf(options))
    draw()
    return element
  }
}

const dataOf = ({ times, series }: ChartOptions): uPlot.AlignedData => [
  [...times],
  ...series.map(({ values }) => [...values]),
]

/** Colours of the style sheet, as a canvas understands them. */
function coloursAt(place: HTMLElement) {
  const colour = (name: string) => getComputedStyle(resolved(place, name)).color
  return {
    ink: colour('--quiet'),
    line: colour('--line'),
    accent: colour('--accent'),
    bars: colour('--bars'),
    up: colour('--up'),
    down: colour('--down'),
  }
}

function uplotOptions(options: ChartOptions, place: HTMLElement): uPlot.Options {
  const { series, times, isLog = false, isUpsideDown = false, marks = [] } = options
  const colours = coloursAt(place)
  const firstCandle = series.findIndex(({ as }) => as === 'candle')
  // What is drawn about its time has half a step of room on both sides.
  const half = firstCandle >= 0 || isBarsAlone(series) ? stepOf(times) / 2 : 0
  return {
    width: place.clientWidth - 12,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { range: (_plot, first, last) => [first - half, last + half] },
      y: {
        dir: isUpsideDown ? -1 : 1,
        ...(isBarsAlone(series) ? { range: (_plot, _least, most) => fromZero(most) } : {}),
        ...(isLog ? { distr: 3 as const, range: (_plot, least, most) => logRange(least, most) } : {}),
      },
      bars: { range: (_plot, _least, most) => fromZero(most / BARS_SHARE) },
    },
    axes: axesOf(options, place, colours),
    series: [
      { label: 'UTC', value: (_plot, seconds) => momentText(seconds ?? times.at(-1) ?? 0) },
      ...series.map((each) => ({
        ...uplotSeries(each, colours, isBarsAlone(series) ? BAR_ALONE : BAR),
        scale: each.as === 'bars' && !isBarsAlone(series) ? 'bars' : 'y',
      })),
    ],
    hooks: {
      draw: [
        (plot) => {
          if (firstCandle >= 0) drawCandles(plot, firstCandle + 1, colours)
          drawMarks(plot, marks, colours)
        },
      ],
    },
  }
}

const isBarsAlone = (series: readonly Series[]): boolean => series.every(({ as }) => as === 'bars')

const fromZero = (most: number): [number, number] => [0, Math.max(most, Number.MIN_VALUE)]

/** Seconds between two times. */
const stepOf = (times: readonly number[]): number => (times[1] ?? 0) - (times[0] ?? 0)

type Colours = ReturnType<typeof coloursAt>

function axesOf(
  { series, isLog, times: shown }: ChartOptions,
  place: HTMLElement,
  { ink, line }: Colours,
): readonly uPlot.Axis[] & uPlot.Axis[] {
  const axis = {
    stroke: ink,
    font: FONT,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
  }
  const [first] = series
  const bars = series.find(({ as }) => as === 'bars')
  const times: uPlot.Axis = {
    ...axis,
    ...(stepOf(shown) >= DAY ? { incrs: DAYS.map((days) => days * DAY) } : {}),
    values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => timeText(tick, step)),
  }
  const values: uPlot.Axis = {
    ...axis,
    size: 74,
    values: (_plot, ticks) => ticks.map((tick) => first?.text(tick) ?? ''),
    ...(isLog ? { splits: (_plot, _axis, least, most) => logSplits(least, most) } : {}),
  }
  const ofBars: uPlot.Axis = {
    ...axis,
    scale: 'bars',
    side: 1,
    size: 62,
    grid: { show: false },
    // Bars fill the lower part only, and so do their figures.
    values: (plot, ticks) =>
      ticks.map((tick) =>
        tick <= (plot.scales['bars']?.max ?? 0) * BARS_SHARE ? (bars?.text(tick) ?? '') : '',
      ),
  }
  const isWide = place.clientWidth > NARROW
  return bars && isWide && !isBarsAlone(series) ? [times, values, ofBars] : [times, values]
}

function uplotSeries({ label, text, as, values }: Series, colours: Colours, most: number): uPlot.Series {
  const bars = uPlot.paths.bars?.({ size: [0.7, most] })
  const paths: Readonly<Record<NonNullable<Series['as']>, Partial<uPlot.Series>>> = {
    line: { stroke: colours.accent, width: 2 },
    bars: { fill: colours.bars, stroke: colours.bars, ...(bars ? { paths: bars } : {}) },
    candle: { paths: () => null },
  }
  return {
    label,
    // Without a pointer, the legend shows the last time.
    value: (_plot, value, _series, at) => text(at === null ? (values.at(-1) ?? null) : value),
    points: { show: false },
    ...paths[as ?? 'line'],
  }
}

/** Day and minute in UTC. */
const momentText = (seconds: number): string => dayAndTime(new Date(seconds * 1_000).toISOString())

const DAY = 86_400

/** A time on the axis, in UTC: the day where a day begins, else the hour and minute. */
function timeText(seconds: number, step: number): string {
  const iso = new Date(seconds * 1_000).toISOString()
  return step >= DAY || seconds % DAY === 0 ? iso.slice(5, 10) : iso.slice(11, 16)
}

/** An element in a colour of the style sheet, whose computed value a canvas understands. */
function resolved(place: HTMLElement, name: string): HTMLElement {
  const probe = h('span', { hidden: true, style: { color: `var(${name})` } })
  place.append(probe)
  queueMicrotask(() => probe.remove())
  return probe
}

function tableOf({ times, series, description }: ChartOptions): HTMLElement {
  const columns: readonly Column<number>[] = [
    { id: 'time', label: 'UTC', isHeading: true, cell: (n) => momentText(times[n] ?? 0) },
    ...series.map(({ label, values, text }) => ({
      id: 'value',
      label,
      isNumber: true,
      cell: (n: number) => text(values[n] ?? null),
    })),
  ]
  const table = openTableView({ caption: description, columns })
  table.show(times.map((_time, n) => n).reverse())
  return table.element
}

/** Charts over time: lines, bars and candles, with the same figures in a table for screen readers. */
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import {
  drawCandles,
  drawLast,
  drawMarks,
  FONT_FAMILY,
  logRange,
  logSplits,
  type Mark,
  zoomByWheel,
} from '../base/chart-paint.ts'
import { h, setChildren } from '../base/dom.ts'
import { dayAndTime } from '../base/format.ts'
import { type Column, openTableView } from '../base/table.ts'

/**
 * Values over time. Bars beside something else have a scale of their own; four `candle` series in a row are open, high,
 * low and close.
 */
export type Series = {
  readonly label: string
  /** Its name above the chart. @default the label */
  readonly short?: string
  readonly values: readonly (number | null)[]
  /** Prints a value in significant digits. */
  readonly text: (value: number | null, digits?: number) => string
  /** Only whole numbers are on its axis. @default false */
  readonly isCount?: boolean
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

/** Pixels of the frame, and of the values above the picture, which have two lines on a phone. */
const FRAME = 12
const legendHeight = () => (matchMedia('(max-width: 720px)').matches ? 40 : 26)
/** Fewer known values are a sentence. */
const LEAST_POINTS = 3
/** Maximum height of bars, as a share of the chart's. */
const BARS_SHARE = 0.25
/** Maximum width of a bar, pixels: beside something else, and alone. */
const BAR = 12
const BAR_ALONE = 48
/** Days between two dates on the axis of figures by day. */
const DAYS = [1, 2, 7, 14, 28, 56, 182, 364]
const WHOLE_STEPS = Array.from({ length: 10 }, (_, n) => [1, 2, 5].map((each) => each * 10 ** n)).flat()
const FONT = `12px ${FONT_FAMILY}`
/** Most significant digits of an axis. */
const MOST_DIGITS = 8

/**
 * Draws a chart, and redraws it in place with other figures; too few of them are told in a sentence. It follows its
 * element's size and the colour scheme. Dragging and the wheel zoom in, a double click shows all.
 */
export function openChart(): (options: ChartOptions) => HTMLElement {
  let shown: ChartOptions | undefined
  let plot: uPlot | undefined
  const place = h('div', { class: 'chart', role: 'img' })
  const figures = h('div', {})
  const draw = () => {
    const before = plot && { ...plot.scales['x'], step: stepOf(plot.data[0]) }
    const isWhole = !plot || !before || isAllOf(plot, before)
    plot?.destroy()
    plot = undefined
    if (!shown || place.clientWidth === 0 || isTold(shown)) return
    plot = new uPlot(uplotOptions(shown, place), dataOf(shown), place)
    // What the reader looks at stays in sight when the next figures come.
    if (before && !isWhole && before.step === stepOf(shown.times))
      plot.setScale('x', { min: before.min ?? 0, max: before.max ?? 0 })
  }
  new ResizeObserver(() => {
    if (!plot) draw()
    else plot.setSize(sizeOf(place))
  }).observe(place)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  const sentence = h('p', {})
  const whole = h('div', {}, place, h('details', {}, h('summary', {}, 'Show as a table'), figures))
  const element = h('div', { class: 'of-plot' })
  return (options) => {
    shown = options
    place.setAttribute('aria-label', options.description)
    sentence.textContent = options.description
    setChildren(figures, tableOf(options))
    setChildren(element, isTold(options) ? sentence : whole)
    draw()
    return element
  }
}

const isTold = ({ series }: ChartOptions): boolean =>
  (series[0]?.values.filter((value) => value !== null).length ?? 0) < LEAST_POINTS

const sizeOf = (place: HTMLElement) => ({
  width: place.clientWidth - FRAME,
  height: place.clientHeight - FRAME - legendHeight(),
})

/** Whether all of a chart's times are in sight. */
function isAllOf({ data: [times] }: uPlot, { min, max }: uPlot.Scale): boolean {
  return (min ?? 0) <= (times[0] ?? 0) && (max ?? 0) >= (times.at(-1) ?? 0)
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
    paper: colour('--paper'),
    line: colour('--line'),
    accent: colour('--accent'),
    bars: colour('--bars'),
    up: colour('--up'),
    down: colour('--down'),
  }
}

function uplotOptions(options: ChartOptions, place: HTMLElement): uPlot.Options {
  const { series, times } = options
  const colours = coloursAt(place)
  // What is drawn about its time has half a step of room on both sides.
  const half = firstCandle(series) >= 0 || isBarsAlone(series) ? stepOf(times) / 2 : 0
  const ends = [(times[0] ?? 0) - half, (times.at(-1) ?? 0) + half] as const
  return {
    ...sizeOf(place),
    padding: [6, 0, 0, 6],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    cursor: { drag: { x: true, y: false } },
    scales: scalesOf(options, half),
    axes: axesOf(options, colours),
    series: [
      { label: 'UTC', value: (_plot, seconds) => momentText(seconds ?? times.at(-1) ?? 0) },
      ...series.map((each) => ({
        ...uplotSeries(each, colours, isBarsAlone(series) ? BAR_ALONE : BAR),
        scale: each.as === 'bars' && !isBarsAlone(series) ? 'bars' : 'y',
      })),
    ],
    hooks: {
      draw: [(plot) => paint(plot, options, colours)],
      ready: [(plot) => zoomByWheel(plot, ends, stepOf(times))],
    },
  }
}

function scalesOf({ series, isLog, isUpsideDown }: ChartOptions, half: number): uPlot.Scales {
  return {
    x: { range: (_plot, first, last) => [first - half, last + half] },
    y: {
      dir: isUpsideDown ? -1 : 1,
      ...(isBarsAlone(series) ? { range: (_plot, _least, most) => fromZero(most) } : {}),
      ...(isLog ? { distr: 3 as const, range: (_plot, least, most) => logRange(least, most) } : {}),
    },
    bars: { range: (_plot, _least, most) => fromZero(most / BARS_SHARE) },
  }
}

/** What uPlot does not draw: candles, marks, the last value. */
function paint(plot: uPlot, { series, marks = [] }: ChartOptions, colours: Colours): void {
  const candle = firstCandle(series)
  if (candle >= 0) drawCandles(plot, candle + 1, colours)
  drawMarks(plot, marks, colours)
  const told = series[candle < 0 ? 0 : candle + CLOSE]
  const known = told?.values.filter((value) => value !== null) ?? []
  const last = known.at(-1)
  if (!told || last === undefined || isBarsAlone(series)) return
  const colour = candle < 0 ? colours.accent : last >= (known[0] ?? last) ? colours.up : colours.down
  drawLast(plot, { value: last, text: told.text(last, LABEL_DIGITS), colour, paper: colours.paper })
}

const firstCandle = (series: readonly Series[]): number => series.findIndex(({ as }) => as === 'candle')

/** Place of the close after the open. */
const CLOSE = 3
const LABEL_DIGITS = 4

const isBarsAlone = (series: readonly Series[]): boolean => series.every(({ as }) => as === 'bars')

const fromZero = (most: number): [number, number] => [0, Math.max(most, Number.MIN_VALUE)]

/** Seconds between two times. */
const stepOf = (times: ArrayLike<number>): number => (times[1] ?? 0) - (times[0] ?? 0)

type Colours = ReturnType<typeof coloursAt>

function axesOf({ series, isLog, times: shown }: ChartOptions, { ink, line }: Colours): uPlot.Axis[] {
  const axis = {
    stroke: ink,
    font: FONT,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
  }
  const [first] = series
  const times: uPlot.Axis = {
    ...axis,
    size: 34,
    ...(stepOf(shown) >= DAY ? { incrs: DAYS.map((days) => days * DAY) } : {}),
    values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => timeText(tick, step)),
  }
  const values: uPlot.Axis = {
    ...axis,
    side: 1,
    size: 84,
    ...(first?.isCount ? { incrs: WHOLE_STEPS } : {}),
    values: (_plot, ticks) => distinctTexts(ticks, first?.text ?? String, isLog === true),
    ...(isLog ? { splits: (_plot, _axis, least, most) => logSplits(least, most) } : {}),
  }
  return [times, values]
}

/** Texts of an axis in as few digits as tell its values apart and, where they are round, say them exactly. */
function distinctTexts(ticks: readonly number[], text: Series['text'], isLog: boolean): string[] {
  for (let digits = 2; ; digits += 1) {
    const texts = ticks.map((tick) => text(tick, digits))
    const isExact = ticks.every(
      (tick) => Number(tick.toPrecision(digits)) === Number(tick.toPrecision(MOST_DIGITS)),
    )
    if (digits === MOST_DIGITS || (new Set(texts).size === texts.length && (isLog || isExact))) return texts
  }
}

function uplotSeries(
  { label, short, text, as, values }: Series,
  colours: Colours,
  most: number,
): uPlot.Series {
  const bars = uPlot.paths.bars?.({ size: [0.7, most] })
  const paths: Readonly<Record<NonNullable<Series['as']>, Partial<uPlot.Series>>> = {
    line: { stroke: colours.accent, width: 2 },
    bars: { fill: colours.bars, stroke: colours.bars, ...(bars ? { paths: bars } : {}) },
    candle: { paths: () => null },
  }
  return {
    label: short ?? label,
    // Without a pointer, the legend shows the last time.
    value: (_plot, value, _series, at) => text(at === null ? (values.at(-1) ?? null) : value, LABEL_DIGITS),
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

/** Line charts over time, with the same figures in a table for screen readers. */
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { h, setChildren } from './dom.ts'
import { dayAndTime } from './format.ts'
import { type Column, openTableView } from './table.ts'

/** A line or, with `isBars`, bars on a separate scale. */
export type Series = {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly text: (value: number | null) => string
  readonly isBars?: boolean
}

/** A chart: `times` in Unix seconds, ascending; `says` summarizes it in one sentence. */
export type ChartOptions = {
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly description: string
}

const HEIGHT = 250
/** Maximum height of bars, as a share of the chart's. */
const BARS_SHARE = 0.25

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

function uplotOptions({ series, times }: ChartOptions, place: HTMLElement): uPlot.Options {
  const colour = (name: string) => getComputedStyle(resolved(place, name)).color
  const [ink, line, accent] = [colour('--quiet'), colour('--line'), colour('--accent')]
  const ofBars = colour('--bars')
  const [first] = series
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  const bars = uPlot.paths.bars?.({ size: [0.7, 12] })
  return {
    width: place.clientWidth - 12,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    cursor: { drag: { x: false, y: false } },
    scales: { bars: { range: (_plot, _least, most) => [0, Math.max(most, Number.MIN_VALUE) / BARS_SHARE] } },
    axes: [
      {
        ...axis,
        font: '12px system-ui',
        values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => timeText(tick, step)),
      },
      {
        ...axis,
        font: '12px system-ui',
        size: 78,
        values: (_plot, ticks) => ticks.map((tick) => first?.text(tick) ?? ''),
      },
    ],
    series: [
      { label: 'UTC', value: (_plot, seconds) => momentText(seconds ?? times.at(-1) ?? 0) },
      ...series.map(
        ({ label, text, isBars, values }): uPlot.Series => ({
          label,
          // Without a pointer, the legend shows the last time.
          value: (_plot, value, _series, at) => text(at === null ? (values.at(-1) ?? null) : value),
          scale: isBars ? 'bars' : 'y',
          points: { show: false },
          ...(isBars
            ? { fill: ofBars, stroke: ofBars, ...(bars ? { paths: bars } : {}) }
            : { stroke: accent, width: 2 }),
        }),
      ),
    ],
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

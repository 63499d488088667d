/** What uPlot does not draw by itself: candles, marks, the last value, and a logarithmic scale of any range. */
import type uPlot from 'uplot'

/** A moment that is marked: Unix seconds, and a word for it. */
export type Mark = { readonly at: number; readonly label: string }

type Colours = { readonly ink: string; readonly up: string; readonly down: string }

/** Share of a slot that a candle's body takes. */
const BODY_SHARE = 0.65
const WIDEST_BODY = 14
/** Height of a mark's word. */
const ROW = 13

/** Draws candles from four successive series: open, high, low and close, the first at index `at` of the data. */
export function drawCandles(plot: uPlot, at: number, { up, down }: Colours): void {
  const [times, open, high, low, close] = [0, at, at + 1, at + 2, at + 3].map((n) => plot.data[n])
  if (!times || !open || !high || !low || !close) return
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const slot = plot.valToPos(times[1] ?? 1, 'x', true) - plot.valToPos(times[0] ?? 0, 'x', true)
  const body = Math.max(ratio, Math.min(BODY_SHARE * slot, WIDEST_BODY * ratio))
  const y = (value: number) => plot.valToPos(value, 'y', true)
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.lineWidth = ratio
  for (const [n, time] of times.entries()) {
    const [o, h, l, c] = [open[n], high[n], low[n], close[n]]
    if (typeof time !== 'number' || o == null || h == null || l == null || c == null) continue
    const x = Math.round(plot.valToPos(time, 'x', true))
    ctx.fillStyle = ctx.strokeStyle = c >= o ? up : down
    ctx.beginPath()
    ctx.moveTo(x, y(h))
    ctx.lineTo(x, y(l))
    ctx.stroke()
    const [top, bottom] = [y(Math.max(o, c)), y(Math.min(o, c))]
    ctx.fillRect(x - body / 2, top, body, Math.max(ratio, bottom - top))
  }
  ctx.restore()
}

/** Draws a dashed line and a word at each mark within the chart; a word that would cover another stands below it. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], { ink }: Colours): void {
  const { ctx, bbox } = plot
  const { min = 0, max = 0 } = plot.scales['x'] ?? {}
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = ink
  ctx.lineWidth = devicePixelRatio
  ctx.font = `${11 * devicePixelRatio}px ${FONT_FAMILY}`
  ctx.textBaseline = 'top'
  const drawn: { readonly from: number; readonly to: number }[] = []
  for (const { at, label } of marks) {
    if (at < (min ?? 0) || at > (max ?? 0)) continue
    const x = Math.round(plot.valToPos(at, 'x', true))
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const isLeft = x > bbox.left + bbox.width / 2
    ctx.textAlign = isLeft ? 'right' : 'left'
    const beside = x + (isLeft ? -4 : 4) * devicePixelRatio
    const width = ctx.measureText(label).width
    const [from, to] = isLeft ? [beside - width, x] : [x, beside + width]
    const row = drawn.filter((other) => from <= other.to && to >= other.from).length
    drawn.push({ from, to })
    ctx.fillText(label, beside, bbox.top + 2 + row * ROW * devicePixelRatio)
  }
  ctx.restore()
}

type LastValue = {
  readonly value: number
  readonly text: string
  readonly colour: string
  readonly paper: string
}

/** Draws a dashed line at the last value, with its text at the right edge, over the axis. */
export function drawLast(plot: uPlot, { value, text, colour, paper }: LastValue): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const y = Math.round(plot.valToPos(value, 'y', true))
  if (y < bbox.top || y > bbox.top + bbox.height) return
  const right = bbox.left + bbox.width
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = colour
  ctx.lineWidth = ratio
  ctx.setLineDash([2 * ratio, 3 * ratio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(right, y)
  ctx.stroke()
  ctx.font = `600 ${12 * ratio}px ${FONT_FAMILY}`
  ctx.fillRect(right, y - 9 * ratio, ctx.measureText(text).width + 12 * ratio, 18 * ratio)
  ctx.fillStyle = paper
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.fillText(text, right + 6 * ratio, y)
  ctx.restore()
}

/** How much a step of the wheel shows more or less of. */
const WHEEL_FACTOR = 1.25
/** Steps of time that stay in sight, however near one looks. */
const LEAST_STEPS = 4

/** The wheel zooms about the pointer, within the range of times; where nothing changes, it scrolls the page. */
export function zoomByWheel(plot: uPlot, [first, last]: readonly [number, number], step: number): void {
  plot.over.addEventListener(
    'wheel',
    (event) => {
      const { min, max } = plot.scales['x'] ?? {}
      if (min == null || max == null || event.ctrlKey) return
      const factor = event.deltaY < 0 ? 1 / WHEEL_FACTOR : WHEEL_FACTOR
      if (event.deltaY === 0 || (factor > 1 && min <= first && max >= last)) return
      const at = plot.posToVal(event.offsetX, 'x')
      const from = Math.max(first, at - (at - min) * factor)
      const to = Math.min(last, at + (max - at) * factor)
      if (to - from < LEAST_STEPS * step) return
      event.preventDefault()
      plot.setScale('x', { min: from, max: to })
    },
    { passive: false },
  )
}

/** Of texts on canvases. */
export const FONT_FAMILY = 'Inter, system-ui, sans-serif'

const MARGIN = 1.04
const SPLITS = 5

/** The range of a logarithmic scale around positive values. */
export const logRange = (least: number, most: number): [number, number] =>
  least > 0 && most > 0 ? [least / MARGIN, most * MARGIN] : [1, 10]

/** Values at equal ratios. */
export const logSplits = (least: number, most: number): number[] =>
  Array.from({ length: SPLITS }, (_, n) => least * (most / least) ** ((n + 0.5) / SPLITS))

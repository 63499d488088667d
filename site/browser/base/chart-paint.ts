/** What uPlot does not draw by itself: candles, marks, and a logarithmic scale of any range. */
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
  const slot = bbox.width / Math.max(1, times.length)
  const body = Math.max(ratio, Math.min(BODY_SHARE * slot, WIDEST_BODY * ratio))
  const y = (value: number) => plot.valToPos(value, 'y', true)
  ctx.save()
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
  ctx.font = `${11 * devicePixelRatio}px system-ui`
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

const MARGIN = 1.04
const SPLITS = 5

/** The range of a logarithmic scale around positive values. */
export const logRange = (least: number, most: number): [number, number] =>
  least > 0 && most > 0 ? [least / MARGIN, most * MARGIN] : [1, 10]

/** Values at equal ratios. */
export const logSplits = (least: number, most: number): number[] =>
  Array.from({ length: SPLITS }, (_, n) => least * (most / least) ** ((n + 0.5) / SPLITS))

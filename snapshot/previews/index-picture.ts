import type { Index, IndexHours } from '../../clients/typescript/index.ts'
import { PREVIEW_SIZE } from '../../schemas/pages/previews.ts'
import type { Point, Raster } from './canvas.ts'
import { fitted, type Style, widthOf } from './letters.ts'
import { disc, stroke } from './shapes.ts'
import { changeColour, colours, dayText, MARGIN, openSheet, RIGHT, type Sheet, styles } from './sheet.ts'

const value: Style = { size: 124, weight: 'bold', colour: colours.ink, spacing: -0.035 }
const change: Style = { size: 46, weight: 'bold', colour: colours.quiet, isTabular: true }

/** The most pixels of the value, and of the change. */
const [VALUE_MOST, CHANGE_MOST] = [560, 300]

/** The line lies between these heights, and ends where the texts do. */
const [TOP, BOTTOM] = [356, 556]
const THICK = 5

const points = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const counts = new Intl.NumberFormat('en-US')

/** The picture of the Z100 Index: its value, its day, and its last seven days by hours. */
export function indexPicture(index: Index, { hours }: IndexHours, asOf: string): Raster {
  const sheet = openSheet(asOf)
  const { write } = sheet
  write('Z100 Index', styles.title, { at: [MARGIN, 96] })
  write('The market of creators and posts in one number', styles.line, { at: [MARGIN, 140] })
  const shown = points.format(index.index_value)
  const style = fitted(shown, value, VALUE_MOST)
  write(shown, style, { at: [MARGIN - 6, 290] })
  drawDay(sheet, index, MARGIN + widthOf(shown, style) + 28)
  drawLine(sheet, hours)
  return sheet.raster
}

/** The change of a day, and how many traded in it, from `left` on. */
function drawDay({ write }: Sheet, index: Index, left: number): void {
  const { index_change_percent: percent, active_creators: creators, active_posts: posts } = index
  const text = percent === null ? 'New' : changeText(percent)
  const style = fitted(text, { ...change, colour: changeColour(percent) }, CHANGE_MOST)
  write(text, style, { at: [left, 246] })
  if (percent !== null) write('in 24 hours', styles.line, { at: [left + widthOf(text, style) + 16, 246] })
  if (creators !== null && posts !== null)
    write(`${counts.format(creators)} creators and ${counts.format(posts)} posts traded`, styles.line, {
      at: [left, 288],
    })
}

const changeText = (percent: number): string =>
  `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${points.format(Math.abs(percent))}%`

/** The line on its tinted ground, with the day that it begins on. */
function drawLine({ fill, write }: Sheet, hours: IndexHours['hours']): void {
  const values = hours.map((hour) => hour.index_value)
  const [first] = hours
  if (!first || values.length < 2) return
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const placeOf = (at: number, each: number): Point => [
    MARGIN + (at * (RIGHT - MARGIN)) / (values.length - 1),
    most === least ? (TOP + BOTTOM) / 2 : TOP + ((most - each) / (most - least)) * (BOTTOM - TOP),
  ]
  const line = values.map((each, at) => placeOf(at, each))
  const { height } = PREVIEW_SIZE
  fill([[...line, [RIGHT, height], [MARGIN, height]]], colours.tint)
  fill(stroke(line, THICK), colours.accent)
  const end = line.at(-1)
  if (end) fill([disc(end, 2 * THICK)], colours.accent)
  write(dayText(first.date), styles.head, { at: [MARGIN + 16, height - 24] })
  write('now', styles.head, { at: [RIGHT - 16, height - 24], isRight: true })
}

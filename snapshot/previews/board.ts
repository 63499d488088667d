import type { BoardRow } from '../../clients/typescript/index.ts'
import { shortAddress } from '../../schemas/values/address.ts'
import type { Raster } from './canvas.ts'
import { fitted, isReadable } from './letters.ts'
import { changeColour, colours, drawAvatar, MARGIN, openSheet, RIGHT, type Sheet, styles } from './sheet.ts'

/** The words of a board's picture, and what of a row is in it. */
export type BoardWords = {
  readonly title: string
  readonly line: string
  readonly score: string
  readonly scoreOf: (row: BoardRow) => string
  readonly nameOf: (row: BoardRow) => string
  /** Beside the name, in a line of its own. */
  readonly under: (row: BoardRow) => string
}

/** Rows in the picture. */
const ROWS = 5
/** The first row's top, and the height of each. */
const [TOP, HEIGHT] = [212, 76]
const NAME = MARGIN + 118
const AVATAR = 48
/** Right ends of the columns. */
const columns = { rank: MARGIN + 32, score: 776, cap: 956, change: RIGHT } as const
const figureColumns = ['score', 'cap', 'change'] as const
/** The most pixels of a figure, and of a name. */
const FIGURE_MOST = 148
const NAME_MOST = columns.score - FIGURE_MOST - NAME

/** The picture of a board: its first rows as they are published. */
export function boardPicture(words: BoardWords, rows: readonly BoardRow[], asOf: string): Raster {
  const sheet = openSheet(asOf)
  sheet.write(words.title, styles.title, { at: [MARGIN, 96] })
  sheet.write(words.line, styles.line, { at: [MARGIN, 140] })
  if (rows.length === 0) sheet.write('No trades yet.', styles.name, { at: [MARGIN, 290] })
  else drawHeads(sheet, words)
  for (const [at, row] of rows.slice(0, ROWS).entries())
    drawRow(sheet, words, { row, top: TOP + at * HEIGHT })
  return sheet.raster
}

function drawHeads({ write }: Sheet, { score }: BoardWords): void {
  const heads = { score, cap: 'Market cap', change: '24 h' }
  for (const column of figureColumns)
    write(heads[column], styles.head, { at: [columns[column], TOP - 20], isRight: true })
}

/** A row by its upper edge. */
function drawRow(
  sheet: Sheet,
  words: BoardWords,
  { row, top }: { readonly row: BoardRow; readonly top: number },
) {
  const { write } = sheet
  const [name, under, baseline] = [words.nameOf(row), words.under(row), top + 50]
  const hasUnder = isReadable(under)
  const rank = { ...styles.figure, colour: colours.quiet }
  write(String(row.rank), rank, { at: [columns.rank, baseline], isRight: true })
  drawAvatar(sheet, row.creator_address ?? row.token_address, { at: [MARGIN + 52, top + 15], size: AVATAR })
  write(isReadable(name) ? name : shortAddress(row.token_address as `0x${string}`), styles.name, {
    at: [NAME, hasUnder ? baseline - 12 : baseline],
    most: NAME_MOST,
  })
  if (hasUnder) write(under, styles.under, { at: [NAME, baseline + 16], most: NAME_MOST })
  const figures = { score: words.scoreOf(row), cap: row.market_cap_formatted, change: row.change_24h ?? '–' }
  for (const column of figureColumns) {
    const colour = column === 'change' ? changeColour(row.change_24h_percent) : colours.ink
    const style = fitted(figures[column], { ...styles.figure, colour }, FIGURE_MOST)
    write(figures[column], style, { at: [columns[column], baseline], isRight: true })
  }
}

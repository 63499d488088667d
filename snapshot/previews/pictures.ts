import type { BoardRow, Index, IndexHours } from '../../clients/typescript/index.ts'
import { documentName } from '../../schemas/api/documents.ts'
import { operations } from '../../schemas/api/operations.ts'
import type { DrawnPreview } from '../../schemas/pages/previews.ts'
import { type BoardWords, boardPicture } from './board.ts'
import type { Raster } from './canvas.ts'
import { indexPicture } from './index-picture.ts'

/** What a picture is drawn from: published documents by name; and how. */
export type Picture = {
  readonly documents: readonly string[]
  /** Draws the parsed documents, in their order; `asOf`: the time of the figures, ISO 8601. */
  readonly draw: (documents: readonly unknown[], asOf: string) => Raster
}

const counts = new Intl.NumberFormat('en-US')

const creators: BoardWords = {
  title: 'Z100 creators',
  line: 'The leading creator tokens by the value of their portfolio',
  score: 'Portfolio',
  scoreOf: (row) => row.portfolio_value,
  nameOf: (row) => row.symbol,
  under: (row) => (row.name.toLowerCase() === row.symbol.toLowerCase() ? '' : row.name),
}

const posts: BoardWords = {
  title: 'Z100 posts',
  line: 'The leading post tokens by the engagement of a day',
  score: 'Engagement',
  scoreOf: (row) => (row.engagement === null ? '–' : counts.format(row.engagement)),
  nameOf: (row) => row.name,
  under: (row) => (row.creator_handle === null ? '' : `by ${row.creator_handle}`),
}

const ofBoard = (operation: 'creators' | 'posts', words: BoardWords): Picture => ({
  documents: [documentName(operations[operation], ['24h'])],
  draw: ([rows], asOf) => boardPicture(words, rows as readonly BoardRow[], asOf),
})

/** Every picture that is drawn. Documents were checked against their schemas before they were published. */
export const pictures: Readonly<Record<DrawnPreview, Picture>> = {
  creators: ofBoard('creators', creators),
  posts: ofBoard('posts', posts),
  index: {
    documents: [documentName(operations.index, ['24h']), documentName(operations.indexHours, [])],
    draw: ([index, hours], asOf) => indexPicture(index as Index, hours as IndexHours, asOf),
  },
}

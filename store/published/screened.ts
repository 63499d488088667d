/**
 * The screened tokens of a snapshot as one object of columns: a line for each description, then one for each figure. The
 * publisher writes it without reading a description, and whoever answers from it reads those of the rows that it shows.
 */
import {
  type BoardTokens,
  type Screened,
  type ScreenedFigure,
  type ScreenedFigures,
  screenedFigureNames,
  screenedFigures,
} from '../../market/board/screener.ts'
import type { Hash, Minute, Token, TokenKind } from '../../market/segment.ts'
import { minuteOfSnapshotId, PINNED_MINUTES } from '../../schemas/api/service.ts'
import { type Bucket, openBucket } from '../aws/bucket.ts'
import { objectPrefixes, padded } from '../aws/tables.ts'
import { tokenLine } from '../bytes/codec.ts'
import { unversioned, versionedText } from '../bytes/format.ts'
import { orderOf, type SnapshotInfo, switchesOf } from './documents.ts'

/** The screened tokens of a snapshot, and the boards beside them. */
export type ScreenedMarket = Screened & { readonly boards: BoardTokens }

/** First line: how many lines follow of each sort of description, and the names of the figures. */
type Header = {
  readonly traded: number
  readonly tokens: number
  readonly creatorTokens: number
  readonly boards: Readonly<Record<TokenKind, number>>
  readonly figures: readonly ScreenedFigure[]
}

/** The object's bytes; the same market gives the same. */
export function writeScreened(market: ScreenedMarket): Uint8Array {
  const { traded, kinds, descriptions, figures, boards } = market
  const creatorTokens = new Map<string, number>()
  const creators = market.creatorTokens.map((creatorToken): number | null => {
    const description = creatorToken?.description ?? null
    if (description === null) return null
    const known = creatorTokens.get(description)
    if (known !== undefined) return known
    creatorTokens.set(description, creatorTokens.size)
    return creatorTokens.size - 1
  })
  const header: Header = {
    traded,
    tokens: descriptions.length,
    creatorTokens: creatorTokens.size,
    boards: { creator: boards.creator.length, post: boards.post.length },
    figures: screenedFigureNames,
  }
  const lines = [
    JSON.stringify(header),
    ...descriptions,
    ...creatorTokens.keys(),
    ...[...boards.creator, ...boards.post].map(tokenLine.write),
    kinds.join(),
    creators.join(),
    ...screenedFigureNames.map((name) => figures[name].join()),
  ]
  return versionedText(lines.join('\n'))
}

/** Screened tokens as they are read: whole columns for filters and orders, single rows for answers. */
export type ScreenedColumns = {
  /** Tokens traded in the last 24 hours, listed or not. */
  readonly traded: number
  readonly count: number
  readonly boards: ScreenedMarket['boards']
  readonly kindOf: (at: number) => TokenKind
  /** A figure of all tokens as doubles; NaN: unknown. */
  readonly column: (figure: ScreenedFigure) => Float64Array
  readonly figuresOf: (at: number) => ScreenedFigures
  readonly tokenAt: (at: number) => Pick<ScreenedRow, 'token' | 'creatorToken'>
}
type ScreenedRow = { readonly token: Token; readonly creatorToken: Token | null }

/** Reads such an object. Throws UnknownFormatError. */
export function readScreened(bytes: Uint8Array): ScreenedColumns {
  const lines = unversioned(bytes).toString().split('\n')
  const header = JSON.parse(lines[0] ?? '') as Header
  const { tokens: count, creatorTokens, boards, traded } = header
  const creatorsFrom = 1 + count
  const boardsFrom = creatorsFrom + creatorTokens
  const columnsFrom = boardsFrom + boards.creator + boards.post
  const columns = new Map<number, readonly string[]>()
  const cellsOf = (line: number): readonly string[] => {
    const known = columns.get(line) ?? (count === 0 ? [] : (lines[line] ?? '').split(','))
    columns.set(line, known)
    return known
  }
  const tokensIn = (from: number, length: number) => lines.slice(from, from + length).map(tokenLine.read)
  const lineOf = (figure: ScreenedFigure) => columnsFrom + 2 + header.figures.indexOf(figure)
  const doubles = new Map<ScreenedFigure, Float64Array>()
  return {
    traded,
    count,
    boards: {
      creator: tokensIn(boardsFrom, boards.creator),
      post: tokensIn(boardsFrom + boards.creator, boards.post),
    },
    kindOf: (at) => cellsOf(columnsFrom)[at] as TokenKind,
    column(figure) {
      const known =
        doubles.get(figure) ??
        Float64Array.from(cellsOf(lineOf(figure)), (cell) => (cell === '' ? Number.NaN : Number(cell)))
      doubles.set(figure, known)
      return known
    },
    figuresOf: (at) =>
      Object.fromEntries(
        screenedFigureNames.map((name) => {
          const cell = cellsOf(lineOf(name))[at] ?? ''
          return [name, cell === '' ? null : screenedFigures[name](cell)]
        }),
      ) as ScreenedFigures,
    tokenAt(at) {
      const creator = cellsOf(columnsFrom + 1)[at] ?? ''
      return {
        token: tokenLine.read(lines[1 + at] as string),
        creatorToken: creator === '' ? null : tokenLine.read(lines[creatorsFrom + Number(creator)] as string),
      }
    },
  }
}

/** The stored screened tokens of one snapshot. */
export type StoredScreened = { readonly snapshot: SnapshotInfo; readonly bytes: Uint8Array }

/** Screened tokens in the bucket of published documents, of the snapshots of the last PINNED_MINUTES. */
export type ScreenedStore = {
  /** Puts those of a snapshot, in the slot of sixteen minutes before. */
  put(snapshot: SnapshotInfo, bytes: Uint8Array): Promise<void>
  /** Those of a minute's snapshot; undefined: they are not stored. */
  read(minute: Minute): Promise<StoredScreened | undefined>
}

/** Slots that the objects rotate through, so that nothing has to be removed. */
const SLOTS = PINNED_MINUTES + 1
const keyOf = (kind: string, minute: Minute): string =>
  `${objectPrefixes.screened}${kind}${padded(minute % SLOTS, 2)}`

/** Puts are not conditional: two publishers write the same bytes of a minute, and a reader looks at the snapshot's id. */
export const openScreened = (bucket: Pick<Bucket, 'read' | 'put'>, kind = ''): ScreenedStore => ({
  async put({ id, blockNumber, blockHash, ...snapshot }, bytes) {
    const metadata = {
      snapshot: id,
      position: String(orderOf(snapshot)),
      block: String(blockNumber),
      'block-hash': blockHash,
    }
    await bucket.put(keyOf(kind, snapshot.minute), bytes, {
      contentType: 'application/octet-stream',
      metadata,
    })
  },
  async read(minute) {
    const object = await bucket.read(keyOf(kind, minute))
    if (!object) return undefined
    const { snapshot: id = '', position, block, 'block-hash': blockHash } = object.metadata
    if (minuteOfSnapshotId(id) !== minute) return undefined
    const order = Number(position)
    const switches = switchesOf(order)
    const n = order - orderOf({ switches, n: 0 })
    const snapshot = { id, n, switches, minute, blockNumber: Number(block), blockHash: blockHash as Hash }
    return { snapshot, bytes: object.bytes }
  },
})

/** The same in the bucket of this name. */
export const openPublishedScreened = (bucket: string, kind = ''): ScreenedStore =>
  openScreened(openBucket(bucket), kind)

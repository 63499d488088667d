import { cellsIn, type RowPool } from '../../schemas/row-pool.ts'
import { ofOneSnapshot, type StoredLists } from '../stored-lists.ts'
import type { Provenance } from './endpoint.ts'

/** A row of a stored board: JSON text by key. */
export type Cells = Readonly<Record<string, string>>

/** Both boards of one snapshot, creators first, each by rank; of the period whose price change is change_7d. */
export function readBoards(lists: StoredLists): Promise<{ at: Provenance; rows: readonly Cells[] }> {
  return ofOneSnapshot(lists, { names: [CREATORS, POSTS], asked: undefined }, async (id) => {
    const creators = await lists.list(CREATORS, id)
    const posts = await lists.list(POSTS, creators.at.snapshotId)
    return { at: creators.at, rows: [...rowsByRank(creators.value), ...rowsByRank(posts.value)] }
  })
}

const CREATORS = 'v1/z100/creators/7d'
const POSTS = 'v1/z100/posts/7d'

const rowsByRank = ({ keys, rows, orders }: RowPool): readonly Cells[] =>
  (orders['rank']?.rows ?? []).map((row) =>
    Object.fromEntries(cellsIn(rows[row] ?? '').map((cell, at) => [keys[at] ?? '', cell])),
  )

/** The text in a cell. */
export const textIn = (cells: Cells, key: string): string => String(JSON.parse(cells[key] ?? '""'))

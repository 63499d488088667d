import type { Cells } from '../../schemas/list-text.ts'
import { ofOneSnapshot, type StoredLists } from '../stored-lists.ts'
import type { Provenance } from './endpoint.ts'

/** Both boards of one snapshot, creators first, each by rank; of the period whose price change is change_7d. */
export function readBoards(lists: StoredLists): Promise<{ at: Provenance; rows: readonly Cells[] }> {
  return ofOneSnapshot(lists, { names: [CREATORS, POSTS], asked: undefined }, async (id) => {
    const creators = await lists.list(CREATORS, id)
    const posts = await lists.list(POSTS, creators.at.snapshotId)
    return { at: creators.at, rows: [...creators.value, ...posts.value] }
  })
}

const CREATORS = 'v1/z100/creators/7d'
const POSTS = 'v1/z100/posts/7d'

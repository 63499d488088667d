import type { Json } from '../../schemas/field.ts'
import type { DocumentName } from '../../schemas/operations.ts'
import type { ReadStores, StoredDocument } from './endpoint.ts'

/** A row of a document, parsed. */
export type WireRow = { readonly [key: string]: Json }

/** The rows of a document that is a list. */
export const rowsIn = ({ text }: StoredDocument): readonly WireRow[] => JSON.parse(text) as readonly WireRow[]

/** The two boards in the period whose change is that of change_7d. */
export const boards = ['v1/z100/creators/7d', 'v1/z100/posts/7d'] as const satisfies DocumentName[]

/** Rank of every token on its board, by lower-case address; empty before the first snapshot. */
export async function readBoardRanks({
  documents,
}: Pick<ReadStores, 'documents'>): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(boards.map((name) => documents.read(name)))
  return new Map(
    found
      .flatMap((document) => (document ? rowsIn(document) : []))
      .map((row) => [String(row['contract_address']).toLowerCase(), Number(row['rank'])]),
  )
}

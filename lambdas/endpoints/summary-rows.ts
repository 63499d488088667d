/** Rows of tokens as summaries, as many as an answer may cost. */
import type { NameFlags } from '../../market/board/lookalikes.ts'
import type { TokenPage } from '../../market/board/token-page.ts'
import type { Address, Token } from '../../market/segment.ts'
import { summaryFields } from '../../schemas/records/discover-row.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { addressIn, type Cells, recordPrinter } from '../../schemas/values/list-text.ts'
import { isSameHistory, type PastMinute, type ReadableMinute } from '../../store/log/applied-read.ts'
import type { SnapshotInfo } from '../../store/published/documents.ts'
import { type ReadStores, snapshotAt } from '../api/endpoint.ts'
import { readBudget } from '../api/read-budget.ts'
import { readBoards, summaryOfRow } from '../api/stored-lists.ts'
import { readPage, type TokenReader } from './token.ts'

/** Tokens read in parallel. */
const PARALLEL_TOKENS = 2

/** The snapshot of an answer. `boards`: the row of every token on a board, by address. */
export type BoardSnapshot = PastMinute & {
  readonly at: SnapshotInfo
  readonly boards: ReadonlyMap<Address, Cells>
}

const write = rowWriter(summaryFields)
const print = recordPrinter(summaryFields)

/** The rows of tokens as summaries, and as many as an answer may cost. */
type Rows = { readonly rows: readonly Address[]; readonly offset: number }
type Reading = {
  readonly reader: TokenReader
  readonly snapshot: BoardSnapshot
  readonly flagsOf: (token: Token) => NameFlags
  readonly units: () => number
}

/** A token's figures as of the snapshot, with its rank on the board. */
export async function readSummary(
  { reader, snapshot, flagsOf }: Omit<Reading, 'units'>,
  token: Token,
): Promise<TokenPage> {
  const page = await readPage(reader, token, snapshot, flagsOf(token))
  const rank = snapshot.boards.get(token.address)?.['rank']
  return { ...page, boardRank: rank === undefined ? null : Number(rank) }
}

/** Rows as text. `shown`: how many tokens were looked at; `missing`: those of them that are no tokens. */
type ReadRows = {
  readonly texts: readonly string[]
  readonly shown: number
  readonly missing: readonly Address[]
}

/** The rows of a page, some at a time, as long as the next ones cannot cost too much. */
export async function summaryRows({ rows, offset }: Rows, reading: Reading): Promise<ReadRows> {
  const { boards } = reading.snapshot
  let read: ReadRows = { texts: [], shown: 0, missing: [] }
  while (read.shown < rows.length) {
    const isListed = (address: Address) => boards.has(address)
    const left = rows.slice(read.shown)
    // A row of a token on a board is already in memory.
    const listed = left.findIndex((address) => !isListed(address))
    const some =
      listed === 0 ? left.slice(0, PARALLEL_TOKENS) : left.slice(0, listed < 0 ? left.length : listed)
    const cost = some.filter((address) => !isListed(address)).length * readBudget.eachToken
    if (read.shown > 0 && reading.units() + cost > readBudget.units) break
    const { texts, missing } = await textsOf({ rows: some, offset: offset + read.texts.length }, reading)
    read = {
      texts: [...read.texts, ...texts],
      shown: read.shown + some.length,
      missing: [...read.missing, ...missing],
    }
  }
  return read
}

async function textsOf({ rows, offset }: Rows, reading: Reading): Promise<Omit<ReadRows, 'shown'>> {
  const { reader, snapshot } = reading
  const { boards } = snapshot
  const known = await reader.history.current(rows.filter((address) => !boards.has(address)))
  // Prefetches their quotes in one request; readPage then finds them cached.
  await reader.history.current(
    [...known.values()].map(({ quote }) => quote).filter((quote) => !reader.references.has(quote)),
  )
  const isThere = (address: Address): boolean => {
    const launched = known.get(address)?.launchedAt.blockNumber ?? Number.POSITIVE_INFINITY
    return boards.has(address) || launched <= snapshot.last.number
  }
  const texts = await Promise.all(
    rows.filter(isThere).map(async (address, at) => {
      const rank = offset + at + 1
      const [row, token] = [boards.get(address), known.get(address)]
      if (row || !token) return print(summaryOfRow(row ?? {}, rank))
      return write({ ...(await readSummary(reading, token)), rank, position: rank })
    }),
  )
  return { texts, missing: rows.filter((address) => !isThere(address)) }
}

/** The newest snapshot with both boards; if minutes up to it have been rolled back, the applied minute without boards. */
export async function readBoardSnapshot(
  { lists }: ReadStores,
  applied: ReadableMinute,
): Promise<BoardSnapshot> {
  const { at, rows } = await readBoards(lists)
  if (!isSameHistory(at, applied)) return { ...applied, at: snapshotAt(applied), boards: new Map() }
  const boards = rows.map((row) => [addressIn(row, 'contract_address'), row] as const)
  return { at, minute: at.minute, last: { number: at.blockNumber }, boards: new Map(boards) }
}

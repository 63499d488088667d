import { nameFlagsBeside } from '../../market/lookalikes.ts'
import type { Address } from '../../market/segment.ts'
import { foldText } from '../../market/text.ts'
import { summaryFields } from '../../schemas/discover-row.ts'
import { InvalidParameterError } from '../../schemas/errors.ts'
import { rowWriter } from '../../schemas/field.ts'
import { type Cells, recordPrinter, textIn } from '../../schemas/list-text.ts'
import { isBrokenId, readAddress, readSymbols, readTokenId, type TokenId } from '../../schemas/token-id.ts'
import { isSameHistory, type PastMinute, type ReadableMinute, readApplied } from '../../store/applied-read.ts'
import type { SnapshotFacts } from '../../store/documents.ts'
import { mapParallel } from '../../store/parallel.ts'
import { lookupPartitions } from '../../store/tables.ts'
import { LOOKUP_MAX, type TokenHistory } from '../../store/token-history.ts'
import { addressIn, namedIn, readBoards, summaryOfRow } from '../stored-lists.ts'
import { type ApiEndpoint, type ReadStores, rowsOfPage, rowsText, snapshotAt } from './endpoint.ts'
import { addressOfId, readPage, snapshotReaderOf, type TokenReader } from './token.ts'

const PARALLEL_TOKENS = 8
/**
 * Maximum creators of one handle whose tokens are searched, and maximum tokens of that symbol to find them in: anyone
 * can take a handle.
 */
const HANDLE_CREATORS = 10
const HANDLE_TOKENS = 200

/** The snapshot of an answer. `boards`: the row of every token on a board, by address. */
type Snapshot = PastMinute & { readonly at: SnapshotFacts; readonly boards: ReadonlyMap<Address, Cells> }

type Asked = { readonly history: TokenHistory; readonly value: string; readonly snapshot: Snapshot }
type Finder = (asked: Asked) => Promise<readonly Address[]>

/** Look-ups by field: tokens on a board first, then the oldest, so that namesakes cannot hide a board's token. */
const finders: Readonly<Record<string, Finder>> = {
  symbol: (asked) => named(asked, 'symbol'),
  name: (asked) => named(asked, 'name'),
  address: async ({ history, value, snapshot }) => {
    const address = await addressOfId(history, idFrom(value))
    const found = await history.tokens(address ? [address] : [])
    return [...found.values()]
      .filter(({ launchedAt }) => launchedAt.blockNumber <= snapshot.last.number)
      .map(({ address }) => address)
  },
  creator: async (asked) => {
    const { history, value, snapshot } = asked
    if (isBrokenId(value)) idFrom(value)
    const creator = readAddress(value)
    const creators = creator ? [creator] : await creatorsOf(asked)
    const isTheirs = (row: Cells) => creators.includes(addressIn(row, 'creator_address'))
    const found = onBoards(snapshot, isTheirs)
    for (const creator of creators) {
      const left = LOOKUP_MAX - found.length
      if (left <= 0) break
      found.push(...(await lookUp(history, lookupPartitions.creator(creator), snapshot, left)))
    }
    return [...new Set(found)].slice(0, LOOKUP_MAX)
  },
}

/** Tokens whose normalised symbol or name equals the value. */
async function named({ history, value, snapshot }: Asked, key: 'symbol' | 'name'): Promise<Address[]> {
  const wanted = key === 'symbol' ? readSymbols(value) : [foldText(value)]
  const found = onBoards(snapshot, (row) => wanted.includes(foldText(textIn(row, key))))
  const others: Address[] = []
  for (const text of wanted) {
    others.push(...(await lookUp(history, lookupPartitions[key](text), snapshot, LOOKUP_MAX - others.length)))
    if (others.length >= LOOKUP_MAX) break
  }
  return [...new Set([...found, ...others])].slice(0, LOOKUP_MAX)
}

const onBoards = ({ boards }: Snapshot, isWanted: (row: Cells) => boolean): Address[] =>
  [...boards].filter(([, row]) => isWanted(row)).map(([address]) => address)

async function lookUp(
  history: TokenHistory,
  partition: string,
  { last }: Snapshot,
  limit = LOOKUP_MAX,
): Promise<Address[]> {
  return (await history.lookup(partition, last.number, limit)).map(({ token }) => token)
}

/** Throws InvalidParameterError. */
function idFrom(value: string): TokenId {
  const id = readTokenId(value)
  if (id) return id
  throw new InvalidParameterError({
    parameter: 'value',
    provided: value.slice(0, 128),
    allowed: 'an address (0x and 40 hex digits) or a pool id (0x and 64)',
  })
}

/** Creators of creator tokens with this symbol, those on the board first. */
async function creatorsOf({ history, value, snapshot }: Asked): Promise<readonly Address[]> {
  const symbols = readSymbols(value)
  const isNamed = (row: Cells) =>
    textIn(row, 'type') === 'creator' && symbols.includes(foldText(textIn(row, 'symbol')))
  const listed = [...snapshot.boards.values()].filter(isNamed).map((row) => addressIn(row, 'creator_address'))
  const found = (
    await Promise.all(
      symbols.map((symbol) =>
        history.lookup(lookupPartitions.symbol(symbol), snapshot.last.number, HANDLE_TOKENS),
      ),
    )
  ).flat()
  const creatorTokens = found.filter(({ kind }) => kind === 'creator').slice(0, HANDLE_CREATORS)
  const tokens = await history.tokens(creatorTokens.map(({ token }) => token))
  const creators = creatorTokens.flatMap(({ token }) => tokens.get(token)?.creator ?? [])
  return [...new Set([...listed, ...creators])].slice(0, HANDLE_CREATORS)
}

/** GET /v1/tokens: figures and ranks of the newest snapshot. */
export const tokens: ApiEndpoint = async (asked, stores) => {
  const { field = '', value: text = '' } = asked.query
  const { value } = await readApplied(stores.log, async (applied) => {
    const reader = snapshotReaderOf(stores)
    const snapshot = await readSnapshot(stores, applied)
    const { history } = reader
    const found = (await finders[field]?.({ history, value: text.trim(), snapshot })) ?? []
    const page = rowsOfPage(found, asked)
    const list = rowsText(await rowsOf(page, reader, snapshot))
    return { at: snapshot.at, page: { ...page, isCapped: found.length >= LOOKUP_MAX, list } }
  })
  return value
}

const write = rowWriter(summaryFields)
const print = recordPrinter(summaryFields)

/** The row of a token on a board is already in memory. */
async function rowsOf(
  { rows, offset }: { readonly rows: readonly Address[]; readonly offset: number },
  reader: TokenReader,
  snapshot: Snapshot,
): Promise<readonly string[]> {
  const { boards } = snapshot
  const known = await reader.history.current(rows.filter((address) => !boards.has(address)))
  // Prefetches their quotes in one request; readPage then finds them cached.
  await reader.history.current(
    [...known.values()].map(({ quote }) => quote).filter((quote) => !reader.references.has(quote)),
  )
  const there = rows.filter((address) => boards.has(address) || known.has(address))
  const flagsOf = nameFlagsBeside([...boards.values()].map(namedIn))
  return mapParallel([...there.entries()], PARALLEL_TOKENS, async ([at, address]) => {
    const rank = offset + at + 1
    const [row, token] = [boards.get(address), known.get(address)]
    if (row || !token) return print(summaryOfRow(row ?? {}, rank))
    return write({
      ...(await readPage(reader, token, snapshot, flagsOf(token))),
      rank,
      position: rank,
    })
  })
}

/** The newest snapshot with both boards; if minutes up to it have been rolled back, the applied minute without boards. */
async function readSnapshot({ lists }: ReadStores, applied: ReadableMinute): Promise<Snapshot> {
  const { at, rows } = await readBoards(lists)
  if (!isSameHistory(at, applied)) return { ...applied, at: snapshotAt(applied), boards: new Map() }
  const boards = rows.map((row) => [addressIn(row, 'contract_address'), row] as const)
  return { at, minute: at.minute, last: { number: at.blockNumber }, boards: new Map(boards) }
}

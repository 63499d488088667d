import type { Address } from '../../market/segment.ts'
import type { TokenPage } from '../../market/token-page.ts'
import { summaryFields } from '../../schemas/discover-row.ts'
import { InvalidParameterError, ServiceUnavailableError } from '../../schemas/errors.ts'
import { rowWriter } from '../../schemas/field.ts'
import { textIn } from '../../schemas/list-text.ts'
import { isSameHistory, type PastMinute, type ReadableMinute, readApplied } from '../../store/applied-read.ts'
import { mapParallel } from '../../store/parallel.ts'
import { lookupPartitions } from '../../store/tables.ts'
import { LOOKUP_MAX, type TokenHistory } from '../../store/token-history.ts'
import { readBoards } from '../stored-lists.ts'
import {
  type Asked,
  type Endpoint,
  listOf,
  type Provenance,
  pageOf,
  provenanceOf,
  type ReadStores,
} from './endpoint.ts'
import { readerOf, readPage } from './token.ts'

const PARALLEL_TOKENS = 8
/** Creators of one handle whose tokens are looked for: a handle is anyone's to take. */
const HANDLE_CREATORS = 100
const ADDRESS = /^0x[0-9a-f]{40}$/

const write = rowWriter(summaryFields)

type Finder = (history: TokenHistory, value: string, at: PastMinute) => Promise<readonly Address[]>

/** How tokens are found, by field: oldest first. */
const finders: Readonly<Record<string, Finder>> = {
  symbol: async (history, value, at) =>
    addressesOf(await history.lookup(lookupPartitions.symbol(value), at.last.number)),
  name: async (history, value, at) =>
    addressesOf(await history.lookup(lookupPartitions.name(value), at.last.number)),
  address: async (history, value, at) => {
    const found = await history.tokens([addressFrom(value)])
    return [...found.values()]
      .filter(({ launchedAt }) => launchedAt.blockNumber <= at.last.number)
      .map(({ address }) => address)
  },
  creator: async (history, value, at) => {
    const creators = ADDRESS.test(value.toLowerCase())
      ? [addressFrom(value)]
      : await creatorsOf(history, value, at)
    const found: Address[] = []
    for (const creator of creators) {
      found.push(...addressesOf(await history.lookup(lookupPartitions.creator(creator), at.last.number)))
      if (found.length >= LOOKUP_MAX) break
    }
    return found.slice(0, LOOKUP_MAX)
  },
}

const addressesOf = (found: readonly { readonly token: Address }[]): readonly Address[] =>
  found.map(({ token }) => token)

/** Throws InvalidParameterError. */
function addressFrom(value: string): Address {
  const address = value.toLowerCase()
  if (ADDRESS.test(address)) return address as Address
  throw new InvalidParameterError({
    parameter: 'value',
    provided: value.slice(0, 128),
    allowed: '0x and 40 hex digits',
  })
}

/** Who launched a creator token of this symbol. */
async function creatorsOf(
  history: TokenHistory,
  handle: string,
  at: PastMinute,
): Promise<readonly Address[]> {
  const found = await history.lookup(lookupPartitions.symbol(handle.replace(/^@/, '')), at.last.number)
  const creatorTokens = found.filter(({ kind }) => kind === 'creator').slice(0, HANDLE_CREATORS)
  const tokens = await history.tokens(addressesOf(creatorTokens))
  return [...new Set(creatorTokens.flatMap(({ token }) => tokens.get(token)?.creator ?? []))]
}

/** GET /v1/tokens: of the newest snapshot, its figures and its ranks. */
export const tokens: Endpoint = async (asked, stores) => {
  const { field = '', value: text = '' } = asked.query
  const { value } = await readApplied(stores.log, async (applied) => {
    const reader = readerOf(stores)
    const snapshot = await readSnapshot(stores, applied)
    const found = (await finders[field]?.(reader.history, text.trim(), snapshot)) ?? []
    const page = pageOf(found, asked)
    const known = await reader.history.standing(page.rows)
    const pages = await mapParallel(
      page.rows.flatMap((address) => known.get(address) ?? []),
      PARALLEL_TOKENS,
      (token) => readPage(reader, token, snapshot),
    )
    const { ranks } = snapshot
    const list = listOf(pages.map((each, index) => write(placed(each, { asked, index, ranks }))))
    return { at: snapshot.at, page: { ...page, isCapped: found.length >= LOOKUP_MAX, list } }
  })
  return value
}

function placed(
  page: TokenPage,
  {
    asked,
    index,
    ranks,
  }: { readonly asked: Asked; readonly index: number; readonly ranks: ReadonlyMap<string, number> },
): TokenPage {
  const rank = Number(asked.query['offset']) + index + 1
  return { ...page, rank, position: rank, boardRank: ranks.get(page.token.address) ?? null }
}

/** What an answer is about. `ranks`: of every token on its board, by lower-case address. */
type Snapshot = PastMinute & { readonly at: Provenance; readonly ranks: ReadonlyMap<string, number> }

/** The newest snapshot with both boards. Before the first one, and while minutes up to it have been taken back, the applied minute, without ranks. */
async function readSnapshot({ lists }: ReadStores, applied: ReadableMinute): Promise<Snapshot> {
  const boards = await readBoards(lists).catch((error: unknown) => {
    if (error instanceof ServiceUnavailableError) return null
    throw error
  })
  const minute = boards && minuteBefore(boards.at.asOf)
  if (!boards || minute === null || !isSameHistory({ n: boards.at.n, minute }, applied)) {
    return { ...applied, at: provenanceOf(applied), ranks: new Map() }
  }
  const ranks = boards.rows.map(
    (row) => [textIn(row, 'contract_address').toLowerCase(), Number(row['rank'])] as const,
  )
  return { at: boards.at, minute, last: { number: boards.at.blockNumber }, ranks: new Map(ranks) }
}

/** The minute that ends at a time (Unix seconds). */
const minuteBefore = (asOf: number): number => asOf / 60 - 1

import { verifiedCreator } from '../../market/authorship.ts'
import { type NameFlags, nameFlagsBeside } from '../../market/board/lookalikes.ts'
import { type PathState, type TokenPage, type TokenPath, tokenPageOf } from '../../market/board/token-page.ts'
import { DAY_MINUTES } from '../../market/calendar.ts'
import { QUOTE_POOLS_MAX } from '../../market/rules.ts'
import type { Address, Minute, Token } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { ServiceUnavailableError, TokenNotFoundError } from '../../schemas/api/errors.ts'
import type { SwapCurrency } from '../../schemas/records/swap.ts'
import { detailFields, metricFields, metricsFields } from '../../schemas/records/token-page.ts'
import { type FieldTable, rowWriter } from '../../schemas/values/field.ts'
import type { Cells } from '../../schemas/values/list-text.ts'
import { readTokenId, type TokenId } from '../../schemas/values/token-id.ts'
import { openTokenHistory, type TokenHistory } from '../../store/items/token-history.ts'
import { type PastMinute, readApplied } from '../../store/log/applied-read.ts'
import { type ApiEndpoint, answerAt, type ReadStores } from '../api/endpoint.ts'
import { namedIn, readBoards } from '../api/stored-lists.ts'

/** Compares names with the rows of both boards. */
export function flagsBeside(rows: Iterable<Cells>, { references }: ReadStores): (token: Token) => NameFlags {
  return nameFlagsBeside({ listed: [...rows].map(namedIn), currencies: references.values() })
}

const writeDetail = rowWriter(detailFields)

/** GET /v1/tokens/{id} without parts. */
export const tokenDetail: ApiEndpoint = async ({ id }, stores) => {
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)
    const [token, boards] = await Promise.all([readToken(reader, id, now), newestBoards(stores)])
    const page = await readPage(reader, token, now, flagsBeside(boards?.rows ?? [], stores)(token))
    return { ...page, namesAsOf: boards && asOf(boards.at.minute) }
  })
  return answerAt(at, { text: writeDetail(value) })
}

/** The figures among a token's metrics. */
export const tokenFigures: ApiEndpoint = pageEndpoint(metricFields)

/** GET /v1/tokens/{id}/metrics. */
export const tokenMetrics: ApiEndpoint = pageEndpoint(metricsFields)

/** Both boards; null before the first snapshot. */
const newestBoards = ({ lists }: ReadStores) =>
  readBoards(lists).catch((error: unknown) => {
    if (error instanceof ServiceUnavailableError) return null
    throw error
  })

function pageEndpoint(fields: FieldTable<TokenPage>): ApiEndpoint {
  const write = rowWriter(fields)
  return async ({ id }, stores) => {
    const { at, value } = await readApplied(stores.log, async (now) => {
      const reader = readerOf(stores)
      return readPage(reader, await readToken(reader, id, now), now)
    })
    return answerAt(at, { text: write(value) })
  }
}

/** Opened for each attempt of a read, so that nothing of a failed attempt is reused. */
export const readerOf = ({ table, past, references }: ReadStores): TokenReader => ({
  history: openTokenHistory(table, past),
  references,
})

/** The same with eventual reads only, at half the cost: for rows of a snapshot, which is some seconds old. */
export const snapshotReaderOf = ({ past, references }: ReadStores): TokenReader => ({
  history: openTokenHistory(past),
  references,
})

/** Stores for reads of tokens: their histories, and the reference currencies. */
export type TokenReader = {
  readonly history: TokenHistory
  readonly references: ReadonlyMap<Address, SwapCurrency>
}

/** The token of an id, launched by then; ids are never symbols. Throws TokenNotFoundError. */
export async function readToken({ history }: TokenReader, id: string, at: PastMinute): Promise<Token> {
  const address = await addressOfId(history, readTokenId(id))
  const token = address ? (await history.current([address])).get(address) : undefined
  if (!token || token.launchedAt.blockNumber > at.last.number) throw new TokenNotFoundError(id)
  return token
}

/** The address of a token's id, read where it names a pool; null: there is none. */
export async function addressOfId(
  history: Pick<TokenHistory, 'tokenOfPool'>,
  id: TokenId | null,
): Promise<Address | null> {
  return id?.pool ? history.tokenOfPool(id.pool) : (id?.address ?? null)
}

/** The tokens on a token's quote path, itself first: at most QUOTE_POOLS_MAX. */
export async function readPath({ history, references }: TokenReader, token: Token): Promise<TokenPath> {
  const path: [Token, ...Token[]] = [token]
  for (let last = token; path.length < QUOTE_POOLS_MAX && !references.has(last.quote); ) {
    const next = (await history.current([last.quote])).get(last.quote)
    if (!next) break
    path.push(next)
    last = next
  }
  return path
}

/** The states of a path after a minute, and the rate at its end. */
async function readPathState(reader: TokenReader, path: TokenPath, minute: Minute): Promise<PathState> {
  const [states, rate] = await Promise.all([
    Promise.all(path.map(({ address }) => reader.history.stateAt(address, minute))),
    readRate(reader, path, minute),
  ])
  return { states, rate }
}

async function readRate(
  { history, references }: TokenReader,
  path: TokenPath,
  minute: Minute,
): Promise<PathState['rate']> {
  const currency = references.get((path.at(-1) ?? path[0]).quote)
  const usdE36 = currency ? await history.rateAt(currency.address, minute) : null
  return currency && usdE36 !== null ? { usdE36, decimals: currency.decimals } : null
}

/** For answers that do not print them. */
const noFlags: NameFlags = { isMixedScript: false, lookalikeOf: null }

/** Figures of a token's page as of the applied minute. */
export async function readPage(
  reader: TokenReader,
  token: Token,
  at: PastMinute,
  nameFlags = noFlags,
): Promise<TokenPage> {
  const path = await readPath(reader, token)
  const [now, day, week, creatorToken] = await Promise.all([
    readPathState(reader, path, at.minute),
    readPathState(reader, path, at.minute - DAY_MINUTES),
    readPathState(reader, path, at.minute - 7 * DAY_MINUTES),
    readCreatorToken(reader, path, at),
  ])
  return tokenPageOf({ path, creatorToken, nameFlags, minute: at.minute, now, day, week })
}

/** The creator token that a token belongs to: itself, its quote, else the oldest of the same verified creator. */
export async function readCreatorToken(
  { history }: TokenReader,
  path: TokenPath,
  at: PastMinute,
): Promise<Token | null> {
  const [token, quote] = path
  if (token.kind === 'creator') return token
  if (quote?.kind === 'creator') return quote
  const creator = verifiedCreator(token)
  const address = creator && (await history.oldestCreatorToken(creator))
  const oldest = address ? (await history.tokens([address])).get(address) : undefined
  return oldest && oldest.launchedAt.blockNumber <= at.last.number ? oldest : null
}

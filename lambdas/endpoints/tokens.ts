import { verifiedCreator } from '../../market/authorship.ts'
import type { Address } from '../../market/segment.ts'
import { foldText } from '../../market/text.ts'
import { printedAddress } from '../../schemas/values/address.ts'
import { ADDRESSES_MAX } from '../../schemas/values/addresses-max.ts'
import { addressIn, type Cells, textIn } from '../../schemas/values/list-text.ts'
import { tokenField } from '../../schemas/values/parameters.ts'
import { readTokenCursor, tokenCursorOf } from '../../schemas/values/token-cursor.ts'
import {
  isBrokenId,
  readAddress,
  readSymbols,
  readTokenId,
  type TokenId,
} from '../../schemas/values/token-id.ts'
import { launchKey, launchPlace } from '../../store/aws/launch-key.ts'
import { lookupPartitions } from '../../store/aws/tables.ts'
import type { FoundToken } from '../../store/items/lookups.ts'
import { LOOKUP_MAX } from '../../store/items/token-history.ts'
import { readApplied } from '../../store/log/applied-read.ts'
import {
  type ApiEndpoint,
  type EndpointRequest,
  numberOf,
  type Page,
  refuse,
  rowsOfPage,
  rowsText,
} from '../api/endpoint.ts'
import { withCountedReads } from '../api/read-budget.ts'
import { creatorOfHandle } from './find-creator.ts'
import { type BoardSnapshot, readBoardSnapshot, summaryRows } from './summary-rows.ts'
import { addressOfId, flagsBeside, snapshotReaderOf, type TokenReader } from './token.ts'

type Asked = { readonly reader: TokenReader; readonly value: string; readonly snapshot: BoardSnapshot }
type Finder = (asked: Asked) => Promise<readonly Address[]>

/** Look-ups by field: tokens on a board first, then the oldest, so that namesakes cannot hide a board's token. */
const finders: Readonly<Record<string, Finder>> = {
  symbol: (asked) => {
    if (readTokenId(asked.value)) refuse('value', asked.value, 'a symbol; an address with field=address')
    return named(asked, 'symbol')
  },
  name: (asked) => named(asked, 'name'),
  address: async ({ reader: { history }, value, snapshot }) => {
    const address = await addressOfId(history, idFrom(value))
    const found = await history.tokens(address ? [address] : [])
    return [...found.values()]
      .filter(({ launchedAt }) => launchedAt.blockNumber <= snapshot.last.number)
      .map(({ address }) => address)
  },
  creator: async (asked) => {
    if (isBrokenId(asked.value)) idFrom(asked.value)
    const creator = readAddress(asked.value)
    return creator ? ofCreator(asked, creator) : ofHandle(asked)
  },
}

/** Tokens whose normalised symbol or name equals the value. */
async function named(
  { reader: { history }, value, snapshot }: Asked,
  key: 'symbol' | 'name',
): Promise<readonly Address[]> {
  const wanted = key === 'symbol' ? readSymbols(value) : [foldText(value)]
  const found = onBoards(snapshot, (row) => wanted.includes(foldText(textIn(row, key))))
  const others = await history.lookup(wanted.map(lookupPartitions[key]), snapshot.last.number)
  return together(found, others)
}

/** Tokens that name an address as their creator; `isOwn`: only those that it launched itself. */
async function ofCreator(
  { reader: { history }, snapshot }: Omit<Asked, 'value'>,
  creator: Address,
  isOwn = false,
): Promise<readonly Address[]> {
  const named = onBoards(
    snapshot,
    (row) => addressIn(row, 'creator_address') === creator && (!isOwn || row['creator_verified'] === 'true'),
  )
  const found = await history.lookup([lookupPartitions.creator(creator)], snapshot.last.number)
  return together(
    named,
    found.filter(({ isTheirs }) => !isOwn || isTheirs),
  )
}

/** The creator token that a handle means, and all that its creator launched themselves. */
async function ofHandle({ reader, value, snapshot }: Asked): Promise<readonly Address[]> {
  const { token } = await creatorOfHandle(reader, value, snapshot)
  if (!token) return []
  const creator = verifiedCreator(token)
  const own = creator ? await ofCreator({ reader, snapshot }, creator, true) : []
  return own.includes(token.address) ? own : [token.address, ...own]
}

/** Those on a board, then the others. */
const together = (listed: readonly Address[], others: readonly FoundToken[]): readonly Address[] =>
  [...new Set([...listed, ...others.map(({ token }) => token)])].slice(0, LOOKUP_MAX)

const onBoards = ({ boards }: BoardSnapshot, isWanted: (row: Cells) => boolean): Address[] =>
  [...boards].filter(([, row]) => isWanted(row)).map(([address]) => address)

/** Throws InvalidParameterError. */
const idFrom = (value: string): TokenId =>
  readTokenId(value) ?? refuse('value', value, 'an address (0x and 40 hex digits) or a pool id (0x and 64)')

/** Which tokens are asked for, and how their page goes on. */
type Listed = {
  readonly rows: readonly Address[]
  readonly page: Pick<Page, 'total' | 'offset' | 'limit' | 'isCapped'>
  /** The link to what follows so many of the rows; null: nothing does. Absent: links are by offset. */
  readonly onward?: (shown: number) => Exclude<Page['onward'], undefined>
}

type Lister = (asked: EndpointRequest, found: Omit<Asked, 'value'>) => Promise<Listed>

/** Tokens of a look-up. */
const byField: Lister = async (asked, { reader, snapshot }) => {
  const { field = '', value } = asked.query
  if (value === undefined) refuse('value', null, 'the text to look up')
  const found = (await finders[field]?.({ reader, value: value.trim(), snapshot })) ?? []
  const { rows, ...page } = rowsOfPage(found, asked)
  return { rows, page: { ...page, isCapped: found.length >= LOOKUP_MAX } }
}

/** Tokens by address, in the order of the request. */
const byAddress: Lister = async ({ query }) => {
  const limit = Number(query['limit'])
  const texts = (query['addresses'] ?? '').split(',').map((text) => text.trim())
  const rows = [...new Set(texts.map((text) => readAddress(text) ?? refuse('addresses', text, ADDRESSES)))]
  if (rows.length > ADDRESSES_MAX) refuse('addresses', `${rows.length} addresses`, ADDRESSES)
  const onward = (shown: number) => (shown < rows.length ? { addresses: rows.slice(shown).join(',') } : null)
  return { rows: rows.slice(0, limit), page: { total: rows.length, offset: 0, limit }, onward }
}

const ADDRESSES = `at most ${ADDRESSES_MAX} addresses (0x and 40 hex digits), separated by commas`

/** Every token, by launch. */
const all: Lister = async (asked, { reader: { history }, snapshot }) => {
  const limit = numberOf(asked, 'limit')
  const { cursor, sort_order: order } = asked.query
  const place = cursor === undefined ? null : readTokenCursor(cursor)
  const found = await history.launches({
    lastBlock: snapshot.last.number,
    after: place && launchKey(place),
    isDescending: order === 'desc',
    limit: limit + 1,
  })
  const rows = found.slice(0, limit).map(({ token }) => token)
  const before = place?.row ?? 0
  return {
    rows,
    page: { total: before + found.length, offset: before, limit, isCapped: found.length > limit },
    onward: (shown) => {
      const last = found[shown - 1]
      if (!last || shown >= found.length) return null
      return { cursor: tokenCursorOf({ ...launchPlace(last.launch), row: before + shown }) }
    },
  }
}

/** Each way to list tokens, and the parameters that only others take. */
const ways = {
  addresses: { list: byAddress, refused: ['field', 'value', 'cursor', 'offset', 'sort_order'] },
  field: { list: byField, refused: ['cursor', 'sort_order'] },
  all: { list: all, refused: ['value', 'offset'] },
} as const

/** Throws InvalidParameterError for a parameter that would be dropped. */
function listerOf({ query }: EndpointRequest): Lister {
  if (query['value'] !== undefined && query['field'] === undefined && query['addresses'] === undefined)
    refuse('field', null, (tokenField.values ?? []).join(', '))
  const way = query['addresses'] !== undefined ? 'addresses' : query['field'] !== undefined ? 'field' : 'all'
  for (const name of ways[way].refused) {
    const value = query[name]
    if (value !== undefined && value !== (NEUTRAL[name] ?? '')) refuse(name, value, onlyWith[name])
  }
  return ways[way].list
}

/** Defaults, which change nothing. */
const NEUTRAL: Readonly<Record<string, string>> = { offset: '0', sort_order: 'desc' }

/** When a parameter is taken. */
const onlyWith = {
  field: 'a field without `addresses`',
  value: 'a value with `field`',
  cursor: 'the place in the list of all tokens, without `field` and `addresses`',
  offset: 'rows to skip with `field`; all tokens go on by the link to the next page',
  sort_order: 'an order of all tokens, without `field` and `addresses`',
} as const

/** GET /v1/tokens: figures and ranks of the newest snapshot. */
export const tokens: ApiEndpoint = async (asked, allStores) => {
  const list = listerOf(asked)
  const { value } = await readApplied(allStores.log, async (applied) => {
    const { stores, units } = withCountedReads(allStores)
    const reader = snapshotReaderOf(stores)
    const snapshot = await readBoardSnapshot(stores, applied)
    const { rows, page, onward } = await list(asked, { reader, snapshot })
    const flagsOf = flagsBeside(snapshot.boards.values(), stores)
    const read = await summaryRows({ rows, offset: page.offset }, { reader, snapshot, flagsOf, units })
    const shown = Math.max(1, read.shown)
    return {
      at: snapshot.at,
      headers: read.missing.length > 0 ? { 'X-Unknown-Addresses': unknownText(read.missing) } : {},
      page: { ...page, list: rowsText(read.texts), shown, ...(onward && { onward: onward(read.shown) }) },
    }
  })
  return value
}

const unknownText = (missing: readonly Address[]): string => missing.map(printedAddress).join(', ')

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../schemas/api/operation.ts'
import { type OperationName, operationEntries } from '../../schemas/api/operations.ts'
import { type Parameter, strict } from '../../schemas/values/parameters.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { knownOf } from '../openapi/examples.ts'
import type { ApiStack } from '../support/aws/api-stack.ts'
import { startDevnetApi } from '../support/aws/devnet-api.ts'
import { casesOf } from '../support/rounds.ts'

// Every operation in each of its modes (the ways in which it finds its rows), with every parameter that it lists: a value
// has an effect or is refused, links keep what was asked, and totals are those of the list.

type Query = Readonly<Record<string, string>>

/** Noon of a Monday, with a snapshot kept at the end of each day before. */
const NOW = Date.UTC(2026, 1, 2, 12, 0, 30) / 1_000
const DAY = '2026-02-01'
const NOON = `${DAY}T12:00:00Z`
let api: ApiStack
let known: Awaited<ReturnType<typeof knownOf>> & { readonly creator: string; readonly tokens: string }

beforeAll(async () => {
  const history = { blocks: 60, days: 3, trades: 160, creators: 8, posts: 10 }
  api = await startDevnetApi({ seed: 3, now: NOW, history })
  const found = await knownOf(api)
  const rows = (await api.ask('/v1/z100/creators?limit=5')).body as { contract_address: string }[]
  const addresses = rows.map((row) => row.contract_address)
  known = { ...found, creator: String(addresses[0]), tokens: addresses.join(',') }
})
afterAll(() => api.stop())

/** Ways in which an operation finds its rows, besides the one without parameters. */
const modes: Partial<Record<OperationName, () => readonly Query[]>> = {
  creators: () => [{ snapshot: known.snapshot }, { as_of: DAY }],
  posts: () => [{ snapshot: known.snapshot }, { as_of: DAY }],
  all: () => [{ snapshot: known.snapshot }, { as_of: DAY }],
  trending: () => [{ sort: 'change', order: 'asc' }, { snapshot: known.snapshot }, { as_of: DAY }],
  launches: () => [{ min_trades: '1' }, { cursor: NOON }, { kind: 'post', cursor: DAY }],
  screener: () => [{ kind: 'post' }, { sort: 'age', order: 'asc' }, { snapshot: known.snapshot }],
  tokens: () => [
    ...['symbol', 'name'].map((field) => ({ field, value: known.symbol })),
    { field: 'address', value: known.token },
    { field: 'creator', value: known.creator },
    { addresses: known.tokens },
    { order: 'asc' },
  ],
  candles: () => [{ fill: 'none' }, { before: NOON }, { from: DAY, to: NOON }],
  historical: () => [{ interval: 'hourly' }, { limit: '3' }, { from: DAY, to: NOON, interval: '1h' }],
  recentSwaps: () => [{ order: 'asc' }, { before: NOON }, { type: 'buy' }],
  tokenSwaps: () => [{ order: 'asc' }, { before: NOON }, { type: 'buy' }],
  walletSwaps: () => [{ before: NOON }, { type: 'buy' }],
  snapshots: () => [{ to: NOON }],
  traders: () => [{ period: '7d' }],
}

/** Values that a list of this market differs by; those of other parameters are their words. */
const values: Readonly<Record<string, () => readonly string[]>> = {
  limit: () => ['1'],
  offset: () => ['1'],
  // Taken by nobody, so whoever answers has dropped it.
  snapshot: () => ['20260101T0000Z-abcdef01-1'],
  as_of: () => [DAY],
  from: () => [DAY],
  to: () => [DAY, '2026-01-31'],
  before: () => [DAY],
  week: () => ['2026-W04'],
  days: () => ['1', '2'],
  field: () => ['symbol'],
  value: () => [known.symbol],
  addresses: () => [known.tokens],
  cursor: () => [DAY, `1.2.${'0'.repeat(40)}`],
  token: () => ['nobody'],
  include: () => ['metrics'],
  q: () => ['0x1'],
}
const valuesOf = ({ names: [name], values: words, fallback, same = [] }: Parameter): readonly string[] =>
  values[name]?.() ??
  words?.filter((word) => word !== fallback && !same.includes(word)) ?? ['0', '1', '1000', '1e12']

type Row = Readonly<Record<string, unknown>>

async function answerTo(address: string) {
  const { status, text, body, headers } = await api.ask(address)
  const { data: list = body, meta } = Object(body) as Readonly<Record<string, unknown>>
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)]
  return {
    status,
    text,
    headers,
    rows: Array.isArray(list) ? (list as readonly Row[]) : null,
    // Of the list, or of the one in an object.
    count: [list, ...Object.values(Object(list))].find(Array.isArray)?.length ?? Number.POSITIVE_INFINITY,
    meta: meta as Row | undefined,
    total: Number(headers.get('x-total-count')),
    isCapped: headers.get('x-total-capped') === 'true',
    links: new Map(links.map(([, to = '', rel = '']) => [rel, to])),
  }
}

const parametersOf = ({ documentParameters, rest }: Operation): readonly Parameter[] =>
  [...(documentParameters ?? []), ...rest].filter((each) => each !== strict)

const operations = operationEntries.filter(([, operation]) => parametersOf(operation).length > 0)

function addressOf({ path }: Operation, query: Query): string {
  const place = path.split('/')[2]
  const ids: Query = { creators: known.creator, wallets: known.wallet, snapshots: known.snapshot }
  const needed = path === '/v1/search' ? { q: '0x' } : {}
  return `${path.replace('{id}', ids[String(place)] ?? known.token)}?${new URLSearchParams({ ...needed, ...query })}`
}

/** The queries of an operation's modes. */
const modesOf = (name: OperationName): readonly Query[] => casesOf([{}, ...(modes[name]?.() ?? [])], 2)

/** Parameters that may be set in a mode: not those that make it. */
const freeIn = (operation: Operation, mode: Query): readonly Parameter[] =>
  parametersOf(operation).filter(({ names }) => !names.some((name) => name in mode))

/** What an answer says: its rows and what they are of. */
const saying = ({ status, text, headers }: Awaited<ReturnType<typeof answerTo>>): string =>
  [status, headers.get('x-snapshot-id'), headers.get('x-applied-period'), text].join(' ')

describe('a parameter', () => {
  it.each(operations)('of %s has an effect or is refused, in every mode', async (name, operation) => {
    const dropped: string[] = []
    for (const mode of modesOf(name)) {
      const without = await answerTo(addressOf(operation, mode))
      expect([addressOf(operation, mode), without.status]).toEqual([addressOf(operation, mode), 200])
      await mapParallel(freeIn(operation, mode), 4, async (parameter) => {
        const [own] = parameter.names
        const answers = await Promise.all(
          valuesOf(parameter).map((value) => answerTo(addressOf(operation, { ...mode, [own]: value }))),
        )
        for (const { status } of answers) expect(status).toBeLessThan(500)
        const isHeard = answers.some((answer) => saying(answer) !== saying(without))
        // Few rows can be alike in every order, and behind every filter.
        const isMoot = without.count < 5 && own !== 'snapshot'
        if (!isHeard && !isMoot) dropped.push(`${own} of ${addressOf(operation, mode)}`)
      })
    }
    expect(dropped).toEqual([])
  })
})

/** Parameters that say where in a list a page is, or of which snapshot. */
const placing = ['offset', 'cursor', 'before', 'addresses', 'snapshot']
const MOST_PAGES = 60

/** All pages of a list along its links, each with what is wrong with it. */
async function walked(first: string) {
  const pages = [{ address: first, ...(await answerTo(first)) }]
  for (let last = pages[0]; last?.links.has('next') && pages.length < MOST_PAGES; last = pages.at(-1)) {
    const address = String(last.links.get('next'))
    pages.push({ address, ...(await answerTo(address)) })
  }
  return pages
}

const queryIn = (address: string): Query => Object.fromEntries(new URLSearchParams(address.split('?')[1]))
/** The same by first names, without what says where a page is. */
function askedIn(operation: Operation, address: string): Query {
  const named = Object.entries(queryIn(address)).map(([sent, value]) => {
    const [own = sent] = parametersOf(operation).find(({ names }) => names.includes(sent))?.names ?? []
    return [own, value] as const
  })
  return Object.fromEntries(named.filter(([own]) => !placing.includes(own)))
}
const offsetIn = (address: string): number => Number(queryIn(address)['offset'] ?? 0)
/** A row without its place, which begins again behind a cursor. */
const facts = ({ rank: _, position: _position, ...row }: Row): string => JSON.stringify(row)

const lists = operations.filter(([, { body }]) => body['type'] === 'array')

describe('a list', () => {
  it.each(lists)('%s keeps along its links what was asked, and counts its rows', async (name, operation) => {
    const takes = new Set(parametersOf(operation).map(({ names: [own] }) => own))
    for (const mode of modesOf(name)) {
      const whole = await answerTo(addressOf(operation, mode))
      const isLimited = takes.has('limit') && mode['limit'] === undefined
      const limit = String(Math.max(2, Math.ceil((whole.rows?.length ?? 0) / 5)))
      const query = { ...mode, strict: 'true', envelope: 'true', ...(isLimited ? { limit } : {}) }
      const first = addressOf(operation, query)
      const pages = await walked(first)
      // Intervals are listed oldest first, and their pages lead backwards.
      const inOrder = 'open' in (whole.rows?.[0] ?? {}) ? pages.toReversed() : pages
      const rows = inOrder.flatMap((page) => page.rows ?? [])
      expect(rows.slice(0, whole.rows?.length).map(facts)).toEqual(
        whole.rows?.slice(0, rows.length).map(facts),
      )
      let seen = 0
      for (const { address, status, rows: shown, total, isCapped, links, meta } of pages) {
        const said = { total, capped: isCapped, next: links.get('next') ?? null }
        expect([address, status, meta]).toMatchObject([address, 200, said])
        // Skipped and left to walk; a cursor may know how many rows come before it.
        const counts = [offsetIn(address) + rows.length - seen, rows.length]
        if (isCapped)
          expect([address, links.has('next'), total <= rows.length]).toEqual([address, true, true])
        else expect([address, counts]).toEqual([address, expect.arrayContaining([total])])
        for (const [rel, link] of links) {
          expect([link, askedIn(operation, link)]).toEqual([link, askedIn(operation, first)])
          if (rel !== 'next') expect([link, (await answerTo(link)).rows?.length]).not.toContain(0)
        }
        seen += shown?.length ?? 0
      }
    }
  })
})

/** A token has the same figures wherever it is printed, and a list is in the order of what it prints: on every path, while a snapshot moves and after reorgs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writtenSets } from '../../../archive/sets.ts'
import { callTool } from '../../../clients/mcp/server.ts'
import { tools } from '../../../clients/mcp/tools.ts'
import { createClient } from '../../../clients/typescript/index.ts'
import { chains } from '../../../ingest/client/chains.ts'
import { openTokens } from '../../../store/items/tokens.ts'
import { openFeed } from '../../../store/log/feed.ts'
import { knownOf } from '../../openapi/examples.ts'
import { type ApiStack, startApiStack } from '../../support/aws/api-stack.ts'
import { segmentsOf, startWriter, untilIdle } from '../../support/aws/ingest-stores.ts'
import { type DevnetMarket, startDevnetMarket } from '../../support/chain/devnet-market.ts'
import { type Described, type DescribedOperation, readDescribed } from '../../support/described/described.ts'
import { requestsOf } from '../../support/described/described-requests.ts'
import { casesOf, isLong, isWhole } from '../../support/rounds.ts'

type Row = Readonly<Record<string, unknown>>
type Answer = { readonly path: string; readonly snapshot: string | null; readonly body: unknown }

/** Keys that belong to the list and its period, not to the token. */
const LISTED =
  /^(rank|position|change_24h|volume|change|rank_volume|trade_count|is_new|previous_rank|rank_change)$|period|historical|_is_up$|^(price|market_cap|volume|holders)_change_/
/** Keys of a swap that mean something else there. */
const SWAPPED = new Set(['type', 'pool_id'])
/** Answers about an earlier time, and figures as display text. */
const isOfThePast = (path: string) => /as_of|recap|history\/|\/historical|values=display/.test(path)

const small = { blocks: 16, days: 1.2, trades: 60, creators: 7, posts: 12 }
const history = isLong ? { blocks: 60, days: 4, trades: 300, creators: 30, posts: 40 } : small

describe.each(casesOf(['odd 3', 'calm 4', 'odd 5'], isWhole ? 3 : 1))('%s', (name) => {
  const [habit = 'odd', seed] = name.split(' ') as ['odd' | 'calm', string]
  let market: DevnetMarket
  let api: ApiStack
  let described: Described
  beforeAll(async () => {
    const now = () => Date.now() - 3_600_000
    market = await startDevnetMarket(Number(seed), { ...history, habits: habit }, now)
    api = await startApiStack()
    const { poolManager, references } = chains.devnet
    Object.assign(api.stores, { poolManager })
    for (const currency of references) api.stores.references.set(currency.address, currency)
    described = readDescribed((await api.ask('/v1/openapi.json')).body as Record<string, unknown>)
  })
  afterAll(async () => {
    await api?.stop()
    await market?.stop()
  })

  /** Seals everything up to the chain's head. */
  async function ingest(): Promise<void> {
    const { log, table } = api.stores
    const stores = { log: api.log, tokens: openTokens(table), feed: openFeed(table, () => 0) }
    await untilIdle(startWriter(stores, market.rpcUrl))
    api.state.now = ((await log.applied())?.minute ?? 0) * 60 + 90
  }

  async function ask(path: string): Promise<Answer & { readonly next: string | null }> {
    const { status, body, text, headers } = await api.ask(path)
    expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, ''])
    const [, next = null] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    return { path, snapshot: headers.get('x-snapshot-id'), body, next }
  }

  /** All rows of a list, page by page. */
  async function rowsOf(path: string): Promise<readonly Row[]> {
    const { body, next } = await ask(path)
    return [...(body as readonly Row[]), ...(next === null ? [] : await rowsOf(next))]
  }

  /** The rows of all tokens, as boards and the list of tokens print them, and their snapshot. */
  async function tokenRows(): Promise<{ readonly snapshot: string | null; readonly rows: Map<string, Row> }> {
    const rows = new Map((await rowsOf('/v1/tokens?limit=100')).map((row) => [addressIn(row) ?? '', row]))
    const { snapshot } = await ask('/v1/tokens?limit=1')
    for (const board of [await ask('/v1/z100/creators'), await ask('/v1/z100/posts')]) {
      // After a reorg the boards are of the snapshot before, until the next one.
      if (board.snapshot !== snapshot) continue
      for (const row of board.body as Row[]) {
        const known = rows.get(addressIn(row) ?? '') ?? expect.fail(`${row['symbol']} is no token`)
        const { change_24h: _text, ...figures } = row
        rows.set(addressIn(row) ?? '', { ...figures, ...known })
        expect(differences('board', row, known)).toEqual([])
        expect([known['z100_rank'], known['change_24h']]).toEqual([row['rank'], row['change_24h_percent']])
      }
    }
    return { snapshot, rows }
  }

  /** Everything that may print a token, asked with every parameter, of every token where it has an id. */
  async function answers(rows: ReadonlyMap<string, Row>): Promise<readonly Answer[]> {
    const facts = { ...(await knownOf(api)), day: new Date(api.state.now * 1_000).toISOString().slice(0, 10) }
    const valid = requestsOf(described.operations, { ...facts, week: null }).filter(
      ({ isValid, operation }) => isValid && printsTokens(operation),
    )
    const some = isLong ? valid : valid.filter((_, at) => at % (isWhole ? 3 : 9) === 0)
    const ids = casesOf([...rows.values()], 5).flatMap((row) => {
      const [id, symbol, creator] = ['contract_address', 'symbol', 'creator_address'].map((key) => row[key])
      const byField = (field: string, value: unknown) =>
        `/v1/tokens?field=${field}&value=${encodeURIComponent(String(value))}`
      return [
        ...['', '/metrics', '/holders', '/swaps', '/price-history', '?include=metrics,swaps,holders'].map(
          (part) => `/v1/tokens/${id}${part}`,
        ),
        ...[`/v1/creators/${id}`, `/v1/tokens?addresses=${id}`, byField('address', id)],
        ...[
          `/v1/creators/${creator}`,
          byField('creator', creator),
          byField('creator', row['creator_handle']),
        ],
        ...[byField('symbol', symbol), byField('name', row['name']), byField('name', row['creator_name'])],
      ]
    })
    const lists = ['?kind=post', '?kind=creator', '?min_trades=1', '?min_volume=0.01'].map(
      (query) => `/v1/discover/new-launches${query}&limit=50`,
    )
    const paths = [...new Set([...some.map(({ path }) => path), ...ids, ...lists])]
    const found: Answer[] = []
    for (const path of paths.filter((each) => !isOfThePast(each) && !each.includes('undefined')))
      if (!/=(null)?$|null$/.test(path)) found.push(await ask(path))
    return found
  }

  async function toolAnswers(): Promise<readonly Answer[]> {
    const client = createClient({ baseUrl: api.url, apiKey: api.key })
    const { token: id, symbol: q } = await knownOf(api)
    return Promise.all(
      Object.entries(tools).map(async ([tool, { parameters, ...each }]) => {
        const given = Object.fromEntries(
          Object.entries({ id, q }).filter(([key]) => parameters.includes(key)),
        )
        const { data, snapshot_id } = await callTool(client, { parameters, ...each }, given as never)
        return { path: `tool ${tool}`, snapshot: snapshot_id as string | null, body: data }
      }),
    )
  }

  /** Compares everything with the rows, and returns how many records were compared. */
  async function compareAll(): Promise<number> {
    const { snapshot, rows } = await tokenRows()
    let compared = 0
    const wrong: string[] = []
    for (const { path, body, ...answer } of [...(await answers(rows)), ...(await toolAnswers())]) {
      if (answer.snapshot !== snapshot) continue
      for (const record of recordsIn(body)) {
        const row = rows.get(addressIn(record) ?? '')
        if (!row) continue
        compared += 1
        wrong.push(...differences(path, record, row))
      }
      if (path.startsWith('/v1/creators/')) wrong.push(...creatorDifferences(path, body as Row, rows))
    }
    expect(wrong.slice(0, 20)).toEqual([])
    return compared
  }

  /** Its boards are compared in archive/equals-api.test.ts. */
  async function compareArchive(): Promise<void> {
    const { rows } = await tokenRows()
    const segments = await segmentsOf(api)
    const launches = writtenSets.find((each) => each.name === 'launches')
    const renamed = new Set(
      segments.flatMap(({ tokens }) => tokens.flatMap(({ before }) => (before ? [before.address] : []))),
    )
    const launched = segments
      .flatMap((segment) => launches?.ofMinute({ segment, ratesBefore: new Map() }) ?? [])
      // That at the launch.
      .map(({ total_supply: _supply, ...row }) => row)
    expect(launched.length).toBe(rows.size)
    const wrong = launched.flatMap((row) =>
      renamed.has(addressIn(row) as `0x${string}`)
        ? []
        : differences('launches', row, rows.get(addressIn(row) ?? '') ?? {}),
    )
    expect(wrong).toEqual([])
  }

  it('is the same token on every path, and every list is in the order of what it prints', async () => {
    await ingest()
    await api.publish('devnet')
    expect(await compareAll()).toBeGreaterThan(100)
    await compareArchive()
    await expectOrders()
    // Ahead of the snapshot.
    for (let minute = 0; minute < 2; minute++) await market.mineMinute()
    await ingest()
    await compareAll()
    await expectOrders()
    await api.publish('devnet')
    expect(await compareAll()).toBeGreaterThan(100)
    // Another history.
    await market.rollback(3)
    for (let minute = 0; minute < 3; minute++) await market.mineMinute(13)
    await ingest()
    await compareAll()
    await api.publish('devnet')
    expect(await compareAll()).toBeGreaterThan(100)
    await compareArchive()
    await expectOrders()
  })

  /** Every list of tokens that can be sorted, in every order: what was sorted is what is printed. */
  async function expectOrders(): Promise<void> {
    const lists = described.operations.filter(({ path }) => !path.includes('{id}'))
    const sorted = lists.flatMap(({ path, parameters }) => {
      const words = (name: string) => {
        const found = parameters.find((each) => each.name === name)?.schema['enum']
        return Array.isArray(found) ? (found as string[]) : null
      }
      const sorts = words('sort_by')
      // In trending lists, rank is the volume's.
      const others = path.endsWith('trending') ? ['', 'rank'] : ['']
      return (sorts ?? [])
        .filter((sort) => !others.includes(sort))
        .flatMap((sort) =>
          (words('timeframe')?.filter((each) => each !== '') ?? [null]).map((timeframe) => ({
            path,
            sort,
            timeframe,
          })),
        )
    })
    expect(sorted.length).toBeGreaterThan(100)
    const wrong: string[] = []
    for (const { path, sort, timeframe } of sorted.filter((_, at) => at % (isWhole ? 1 : 6) === 0)) {
      const period = timeframe === null ? '' : `&timeframe=${timeframe}`
      const list = async (query: string) => await rowsOf(`${path}?limit=100${period}${query}`)
      const own = await list(path.endsWith('trending') ? `&sort_by=${sort}` : '')
      for (const order of ['desc', 'asc'] as const) {
        const rows = await list(`&sort_by=${sort}&sort_order=${order}`)
        wrong.push(
          ...orderFaults(rows, own, { sort, order }).map(
            (fault) => `${path} ${period} ${sort} ${order}: ${fault}`,
          ),
        )
      }
    }
    expect(wrong.slice(0, 20)).toEqual([])
  }
})

const printsTokens = ({ path }: DescribedOperation): boolean =>
  !/status|snapshots|openapi|usage|sitemap|token-pages|llms|recap|historical|history|volume$/.test(path)

/** The address of the token that a record is of. */
function addressIn(record: Row): string | null {
  const { contract_address, token_address, address, symbol } = record
  const found = contract_address ?? token_address ?? (typeof symbol === 'string' ? address : null)
  return typeof found === 'string' ? found.toLowerCase() : null
}

/** Every object of an answer. */
function recordsIn(value: unknown): readonly Row[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn)
  if (value === null || typeof value !== 'object') return []
  return [value as Row, ...Object.values(value).flatMap(recordsIn)]
}

/** Keys of a record whose values differ from the row's. */
function differences(path: string, record: Row, row: Row): readonly string[] {
  const isSwap = record['type'] === 'buy' || record['type'] === 'sell'
  return Object.keys(record)
    .filter((key) => key in row && !LISTED.test(key) && !(isSwap && SWAPPED.has(key)))
    .filter((key) => JSON.stringify(record[key]) !== JSON.stringify(row[key]))
    .map(
      (key) =>
        `${path}: ${row['symbol']} ${key} ${JSON.stringify(record[key])} ≠ ${JSON.stringify(row[key])}`,
    )
}

/** A creator's page beside the row of the board; the page of a token's creator has the name that the token has. */
function creatorDifferences(
  path: string,
  { token, portfolio, earnings, handle }: Row,
  rows: ReadonlyMap<string, Row>,
): readonly string[] {
  const asked = rows.get(path.split('/').at(-1)?.toLowerCase() ?? '')
  const isNamed = asked && !(asked['type'] === 'post' && asked['creator_verified'] === false)
  const named = isNamed ? differences(path, { handle }, { handle: asked['creator_handle'] }) : []
  const row = token ? rows.get(addressIn(token as Row) ?? '') : undefined
  if (!row) return named
  const record = { ...(row['portfolio'] ? { portfolio } : {}), ...(earnings as Row), handle }
  return [...named, ...differences(path, record, { handle: row['creator_handle'], ...row })]
}

/** The keys that sorts sort by, where they have other names. */
const keyOf: Readonly<Record<string, string>> = {
  ...{ rank: 'rank', value: 'rank', engagement: 'rank', price: 'price_usd', holders: 'holders_count' },
  ...{ change: 'price_change_percent', price_change: 'price_change_percent', volume: 'volume_period' },
  ...{ market_cap_change: 'market_cap_change_percent', volume_change: 'volume_change_percent' },
  ...{ holders_change: 'holders_change_percent', earnings: 'creator_earnings_24h', age: 'age_seconds' },
  ...{ liquidity: 'liquidity_usd', rank_volume_24h: 'rank' },
}

/** What is wrong with the order of a list, given its own order. */
function orderFaults(
  rows: readonly Row[],
  own: readonly Row[],
  { sort, order }: { readonly sort: string; readonly order: 'asc' | 'desc' },
): readonly string[] {
  const [first = {}] = rows
  const names = [keyOf[sort] ?? sort, sort]
  const key = names.find((each) => each in first) ?? 'rank'
  const places = new Map(own.map((row, at) => [addressIn(row), at]))
  const isRank = key === 'rank'
  // Rank 1 is the best.
  const sign = (order === 'desc') === isRank ? 1 : -1
  return rows.slice(1).flatMap((row, at) => {
    const before = rows[at] ?? {}
    const [left, right] = [before[key], row[key]] as (number | null)[]
    const what = `${key} ${left} before ${right} at ${at}`
    if (left === null) return right === null ? [] : [what]
    if (right === null || left === undefined || right === undefined) return []
    if (left !== right) return left < right === sign > 0 ? [] : [what]
    const [a, b] = [places.get(addressIn(before)), places.get(addressIn(row))]
    return a === undefined || b === undefined || a < b ? [] : [`${what}: equal ones in another order`]
  })
}

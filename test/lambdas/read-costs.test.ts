// Whole form only.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address, Candle, Hash, MinuteRow, Swap, Token, TokenState } from '../../market/segment.ts'
import { printedAddress } from '../../schemas/values/address.ts'
import type { Item } from '../../store/aws/table.ts'
import { marketKeys, priceGrains } from '../../store/aws/tables.ts'
import { itemsOfSpan, marksOfSpans, rollupOf, type SpanName, spanAt } from '../../store/items/price-grains.ts'
import { itemsOfRow } from '../../store/items/rows.ts'
import { expectWithinCosts } from '../support/aws/answer-costs.ts'
import { schemaFaults, startApiStack } from '../support/aws/api-stack.ts'
import { fillTable } from '../support/aws/fill-table.ts'
import { hash, nthAddress, segmentOf, stateWith, swapWith, tokenAt } from '../support/market/facts.ts'

// The dearest answers that others' transactions can bring about. A thousand tokens of one symbol; the oldest of them are posts,
// each priced in a creator token of its own, and all of those changed eight days, three days and some hours ago. None has a
// swap, so none is on a board. The token that the board knows by the symbol came last of all.
const DAY = 1_440
const START = 29_000_160
/** The fifth minute of an hour: the items of the hour before are not settled yet. */
const LAST = START + 8 * DAY + 64
const CROWD = 1_000
const DEAR = 12

const quotes = Array.from({ length: DEAR }, (_, at) => tokenAt(5_000 + at, START, { symbol: `Q${at}` }))
const crowd = Array.from({ length: CROWD }, (_, at) => {
  const quote = quotes[at]
  const words = quote ? { kind: 'post' as const, quote: quote.address } : {}
  return tokenAt(at + 1, START, { symbol: 'ANN', creator: nthAddress(10_000 + at), ...words })
})
const known = tokenAt(CROWD + 1, LAST - 1, { symbol: 'ann', name: 'The one', creator: nthAddress(20_000) })
const post = tokenAt(CROWD + 2, LAST, {
  kind: 'post',
  symbol: 'WALK',
  quote: known.address,
  creator: known.creator,
})
const busy = crowd[0] as Token

const state = (holders: number, trades = 0): TokenState =>
  stateWith({
    sqrtPriceX96: 2n ** 96n,
    supply: 10n ** 21n,
    reserveQuote: BigInt(trades) * 10n ** 20n,
    holders,
    cumTrades: trades,
    cumVolumeMicroUsd: BigInt(trades) * 10n ** 9n,
  })

const api = await startApiStack()
afterAll(() => api.stop())
const seal = (
  minute: number,
  rows: readonly (readonly [Address, TokenState])[],
  born: readonly Token[] = [],
) => api.seal(segmentOf(minute, { born, rows }))
const all = [...crowd, ...quotes]
const dear = [...crowd.slice(0, DEAR), ...quotes]
const changed = (tokens: readonly Token[], holders: number) =>
  tokens.map(({ address }) => [address, state(holders)] as const)
await seal(START, changed(all, 2), all)
await seal(LAST - 3 * DAY, changed(dear, 3))
await seal(LAST - 60, changed(dear, 4))
await seal(LAST - 1, [[known.address, state(2, 1)]], [known])
await seal(LAST, [[post.address, state(2, 1)]], [post])
api.state.now = (LAST + 1) * 60
await api.publish()

/** An answer and the read units that it cost, by a function that is warm; no more than an answer may cost. */
async function asked(operation: string, path: string) {
  const { body, headers, ...costs } = await api.askWarm(path)
  expect(schemaFaults(operation, body)).toBe('')
  expectWithinCosts(operation, costs)
  return { rows: body as Record<string, unknown>[], headers, units: costs.units }
}
const found = (query: string) => asked('tokens', `/v1/tokens?${query}`)

const put = (items: readonly Item[], pos = 1) => fillTable('market', items, pos)

describe('a thousand tokens of one symbol', () => {
  it('come after the token on the board, however new it is', async () => {
    const { rows, headers } = await found('field=symbol&value=ann&limit=3')
    expect(rows.map((row) => row['contract_address'])).toEqual(
      [known, ...crowd.slice(0, 2)].map(({ address }) => printedAddress(address)),
    )
    const first = { rank: 1, z100_board: 'creators', z100_rank: 1, symbol: 'ann', name: 'The one' }
    expect(rows[0]).toMatchObject(first)
    expect(rows[1]).toMatchObject({ rank: 2, z100_board: null, z100_rank: null, holders_count: 4 })
    expect([headers.get('x-total-count'), headers.get('x-total-capped')]).toEqual([String(CROWD), 'true'])
  })

  it('come after its posts, too, in a search by its handle', async () => {
    const { rows } = await found('field=creator&value=@ann&limit=2')
    expect(rows.map((row) => row['symbol'])).toEqual(['ann', 'WALK'])
  })

  it('are read by the page, each as long as its cost allows, and the next begins where it ended', async () => {
    const names: unknown[] = []
    const pages: number[] = []
    for (let offset = 0; names.length < 60; ) {
      const { rows, headers } = await found(`field=symbol&value=ann&offset=${offset}`)
      expect(rows.map((row) => row['rank'])).toEqual(rows.map((_, at) => offset + at + 1))
      names.push(...rows.map((row) => row['contract_address']))
      pages.push(rows.length)
      expect(headers.get('x-total-count')).toBe(String(CROWD))
      const next = /<[^>]*offset=(\d+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      expect(Number(next)).toBe(offset + rows.length)
      offset = Number(next)
    }
    expect(names).toEqual(
      [known, ...crowd].slice(0, names.length).map(({ address }) => printedAddress(address)),
    )
    // The dear ones come first; many of the others fit a page.
    expect(pages[0]).toBeGreaterThanOrEqual(8)
    expect(Math.max(...pages)).toBeGreaterThan(25)
  })

  it.each(['asc', 'desc'])('are all listed, each once, %s by launch', async (order) => {
    const all = [
      ...[...crowd, ...quotes].toSorted((a, b) => a.launchedAt.logIndex - b.launchedAt.logIndex),
      known,
      post,
    ]
    const launched = (order === 'asc' ? all : all.toReversed()).map(({ address }) => printedAddress(address))
    const found: unknown[] = []
    for (let query = `order=${order}`; found.length < 60; ) {
      const { rows, headers } = await asked('tokens', `/v1/tokens?${query}`)
      expect(rows.length).toBeGreaterThan(0)
      // Numbered on from page to page.
      expect(rows.map((row) => row['position'])).toEqual(rows.map((_, at) => found.length + at + 1))
      found.push(...rows.map((row) => row['contract_address']))
      const next = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
      query = `order=${order}&cursor=${next}`
    }
    expect(found).toEqual(launched.slice(0, found.length))
  })

  it('are found by their addresses in the order of the request, those of no token named', async () => {
    const wanted = [crowd[3], known, quotes[2], crowd[3]].map((token) => (token as Token).address)
    const unknown = nthAddress(99_999)
    const { rows, headers } = await asked('tokens', `/v1/tokens?addresses=${[unknown, ...wanted].join(',')}`)
    expect(rows.map((row) => row['contract_address'])).toEqual(wanted.slice(0, 3).map(printedAddress))
    expect(headers.get('x-unknown-addresses')).toBe(printedAddress(unknown))
    expect(headers.get('link')).toBeNull()
    // What a page may cost bounds it, and its link has the rest.
    const many = crowd.slice(0, 100).map(({ address }) => address)
    const first = await asked('tokens', `/v1/tokens?addresses=${many.join(',')}`)
    const rest = decodeURIComponent(/addresses=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1] ?? '')
    expect(rest.split(',')).toEqual(many.slice(first.rows.length))
  })

  it('cost no more than a page where a handle is theirs', async () => {
    const { rows, headers } = await found('field=creator&value=@ann&limit=100')
    // The creator on the board, without namesakes.
    expect(rows).toHaveLength(2)
    expect(headers.get('x-total-count')).toBe('2')
  })

  it('of one creator are one page', async () => {
    const { rows, headers } = await found(`field=creator&value=${known.creator}`)
    expect(rows).toHaveLength(2)
    expect(headers.get('link')).toBeNull()
  })

  it.each(['', '/metrics'])('cost no more each: GET token%s', async (part) => {
    await asked(part ? 'metrics' : 'token', `/v1/tokens/${busy.address}${part}`)
  })
})

/** Bytes that deflate to no less, as hashes and addresses of a chain do. */
const noise = (seed: string): string => createHash('sha256').update(seed).digest('hex')
const anyHash = (seed: string): Hash => `0x${noise(seed)}`
const anyAddress = (seed: string): Address => `0x${noise(seed).slice(0, 40)}`

const swapAt = (token: Address, minute: number, logIndex: number): Swap =>
  swapWith({
    blockNumber: minute * 30,
    blockHash: anyHash(`b${minute}`),
    timestamp: minute * 60 + 1,
    logIndex,
    token,
    transactionHash: anyHash(`t${minute} ${logIndex}`),
    poolId: hash(7),
    amountToken: BigInt(anyHash(`x${minute}`)) >> 176n,
    amountQuote: BigInt(anyHash(`y${logIndex}`)) >> 186n,
    trader: anyAddress(`a${minute}`),
    from: anyAddress(`f${minute} ${logIndex}`),
    to: anyAddress(`g${minute}`),
  })

/** A state, ranges and prices of as many digits as real ones have. */
const full = (minute: number): TokenState =>
  stateWith({
    ...state(minute % 50_000, minute % 1_000),
    sqrtPriceX96: BigInt(anyHash(`p${minute}`)) >> 110n,
    athUsdE36: BigInt(anyHash(`h${minute}`)) >> 140n,
    reserveQuote: BigInt(anyHash(`q${minute}`)) >> 170n,
    reserveToken: BigInt(anyHash(`r${minute}`)) >> 170n,
  })
const ranges = Array.from({ length: 12 }, (_, at) => ({
  tickLower: -200_000 + at * 2_000,
  tickUpper: -190_000 + at * 2_000,
  liquidity: BigInt(anyHash(`l${at}`)) >> 180n,
}))
const close = BigInt(anyHash('c')) >> 140n
const pool = { firstSqrt: 0n, highSqrt: full(1).sqrtPriceX96, lowSqrt: full(2).sqrtPriceX96 }
const candle = { open: close, high: close, low: close, close, ...pool }

/** A token's rows of minutes before LAST, each with so many swaps. */
const traded = (token: Address, minutes: number, swaps: number) =>
  put(
    Array.from({ length: minutes }, (_, at) => LAST - 100 - at).flatMap((minute) => {
      const row = {
        token,
        before: full(minute),
        after: full(minute + 1),
        rangesBefore: ranges,
        ranges,
        candle,
      }
      const in_ = Array.from({ length: swaps }, (_, at) => swapAt(token, minute, at))
      return itemsOfRow(row, minute, in_)
    }),
  )

it.each([
  [crowd[100] as Token, 410, 1],
  [crowd[101] as Token, 90, 6],
  [crowd[102] as Token, 3, 700],
  [crowd[103] as Token, 410, 0],
] as const)(
  'swaps of a token are 500 of 400 minutes, the newest first, and no more is read: %#',
  async (token, minutes, each) => {
    await traded(token.address, minutes, each)
    const path = `/v1/tokens/${token.address}/swaps?limit=100`
    const { rows, headers } = await asked('tokenSwaps', path)
    expect(headers.get('x-total-count')).toBe(String(Math.min(400 * each, 500)))
    expect(headers.get('x-total-capped')).toBe('true')
    if (each === 0) return
    const places = rows.map((row) => Number(row['block_number']) * 1_000 + Number(row['log_index']))
    expect(places).toEqual(places.toSorted((a, b) => b - a))
    const last = await asked('tokenSwaps', `${path}&offset=400`)
    const oldest = Math.ceil(500 / each) - 1
    const block = (LAST - 100 - Math.min(oldest, 399)) * 30
    if (each > 1) expect(last.rows.at(-1)).toMatchObject({ block_number: block })
    const before = new Date((LAST - 101) * 60_000 + 1_500).toISOString().slice(0, 19)
    const { rows: earlier } = await asked('tokenSwaps', `${path}&before=${before}Z`)
    const isBefore = (row: Record<string, unknown>) => Number(row['block_number']) <= (LAST - 102) * 30
    expect(earlier.length).toBe(100)
    expect(earlier.every(isBefore)).toBe(true)
  },
)

it('holders of a token are read up to 1,500 balances, emptied ones included', async () => {
  const token = (crowd[200] as Token).address
  const places = (from: number, to: number, own: object) =>
    put(
      Array.from({ length: to - from }, (_, at) => ({
        ...marketKeys.balance(token, nthAddress(30_000 + from + at)),
        ...own,
      })),
    )
  await places(0, 400, { balance: 10n ** 18n })
  await places(400, 1_500, { tomb: true })
  // Who is a contract is put when an address first comes among the largest 100, and then kept by the function.
  await put(
    Array.from({ length: 400 }, (_, at) => ({
      ...marketKeys.code(nthAddress(30_000 + at)),
      isContract: false,
    })),
  )
  const path = `/v1/tokens/${token}/holders`
  await asked('holders', path)
  await places(1_500, 1_501, { tomb: true })
  api.read.units = 0
  expect((await api.ask(path)).status).toBe(503)
  expect(api.read.units).toBeLessThanOrEqual(60)
})

/** As many swaps as a row holds itself. */
const swapsAt = (token: Address, minute: number) =>
  [1, 2, 3, 4, 5].map((logIndex) => swapAt(token, minute, logIndex))

/** Puts the roll-ups of spans as if these rows had been sealed in them, and marks them. */
async function putSpans(
  name: SpanName,
  [from, to]: readonly [number, number],
  rowsAt: (minute: number) => readonly MinuteRow[] | null,
) {
  for (let at = spanAt(name, from); at < spanAt(name, to); at += 1) {
    const { minutes } = name === 'hour' ? priceGrains.hour : priceGrains.days
    const inside = Array.from({ length: minutes }, (_, minute) => at * minutes + minute).flatMap((minute) => {
      const rows = rowsAt(minute)
      if (!rows) return []
      const swaps = rows.flatMap(({ token }) => swapsAt(token, minute))
      return { ...segmentOf(minute, {}), rows, swaps }
    })
    await put(itemsOfSpan(name, at, rollupOf(inside)))
  }
  await put(marksOfSpans(name, from, to), 0)
}

describe('prices of a post that trades in every minute, as the token does that it is priced in', () => {
  const path = (period: string) => `/v1/tokens/${busy.address}/price-history?period=${period}`
  const pair = [busy.address, busy.quote]
  const grown = (minute: number) => ({
    ...full(minute),
    cumTrades: minute,
    cumVolumeMicroUsd: BigInt(minute) * 10n ** 9n,
    // Anybody can push an empty pool to the end of its range.
    sqrtPriceX96: BigInt(anyHash(`p${minute}`)) >> 96n,
  })
  const pricesOf = (minute: number): Candle => {
    const [low = 0n, up = 0n, down = 0n] = ['l', 'u', 'd'].map(
      (each) => BigInt(anyHash(each + minute)) >> 140n,
    )
    const lowSqrt = BigInt(anyHash(`s${minute}`)) >> 97n
    return {
      ...{ open: low + up, high: low + up + down, low, close: low + down },
      ...{ firstSqrt: 0n, highSqrt: lowSqrt + (BigInt(anyHash(`t${minute}`)) >> 97n), lowSqrt },
    }
  }
  const rowOf = (token: Address, minute: number) => ({
    token,
    before: grown(lastBefore(minute) + 1),
    after: grown(minute + 1),
    rangesBefore: ranges,
    ranges,
    candle: pricesOf(minute),
  })
  /** From here on minutes are read. */
  const open = LAST - 64
  const [day, week] = [open - DAY, open - 7 * DAY]
  /** Fewer on the day before, so that it can be read by minutes as well. */
  const isTraded = (minute: number) => minute < day || minute > LAST - 300 || minute % 3 === 0
  const tradedFrom = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => from + at).filter(isTraded)
  const lastBefore = (minute: number): number => (isTraded(minute - 1) ? minute - 1 : lastBefore(minute - 1))
  const read = async (period: string) => {
    api.read.units = 0
    const { body } = await api.ask(path(period))
    return { rows: body, units: api.read.units }
  }

  beforeAll(async () => {
    // The largest rows. Also over the minutes that were sealed.
    const items = tradedFrom(day, LAST + 1).flatMap((minute) =>
      pair.flatMap((token) => itemsOfRow(rowOf(token, minute), minute, swapsAt(token, minute))),
    )
    await put(items, 9)
  })

  it('read a row a minute of 1h', async () => {
    const { units } = await asked('priceHistory', path('1h'))
    expect(units).toBeGreaterThan(20)
  })

  it('read an item an hour of 4h, 24h and 7d, and say the same', async () => {
    const byMinutes = { '4h': await read('4h'), '24h': await read('24h') }
    expect(byMinutes['4h'].units).toBeGreaterThan(60)
    expect(byMinutes['24h'].units).toBeGreaterThan(100)
    const inItems = new Set(tradedFrom(week, open))
    const rowsAt = (minute: number) =>
      inItems.has(minute) ? pair.map((token) => rowOf(token, minute)) : null
    await putSpans('hour', [week, open], rowsAt)
    await putSpans('day', [week - DAY, open], rowsAt)
    for (const period of ['4h', '24h'] as const) {
      const byHours = await asked('priceHistory', path(period))
      expect(byHours.rows).toEqual(byMinutes[period].rows)
    }
    const { rows } = await asked('priceHistory', path('7d'))
    expect(rows).toHaveLength(7 * 24)
    expect(rows.filter((step) => step['filled'])).toEqual([])
    for (const interval of ['1m', '5m', '15m', '1h', '4h', '1d', '1w']) {
      const query = `interval=${interval}&limit=1000`
      const candles = await asked('candles', `/v1/tokens/${busy.address}/candles?${query}`)
      expect(candles.rows.length).toBeGreaterThan(0)
      const link = candles.headers.get('link')
      expect(link?.includes(`before=${candles.rows[0]?.['timestamp']}`) ?? true).toBe(true)
      if (interval === '1m') expect(candles.rows.length).toBeGreaterThan(100)
    }
    // Where an hour's mark is missing, minutes are read from there back.
    await put([{ ...marketKeys.rolledUp('hour', open / 60 - 3), tomb: true }])
    expect(await read('24h')).toMatchObject({ rows: byMinutes['24h'].rows })
    await put(marksOfSpans('hour', week, open), 0)
  })

  it('and all that a page about it shows, in one answer', async () => {
    const parts = 'metrics,swaps,holders,price_history'
    const { body, units } = await api.askWarm(`/v1/tokens/${busy.address}?include=${parts}`)
    expect(units).toBeGreaterThan(40)
    expect(units).toBeLessThanOrEqual(120)
    // That each part is what its own address answers is held by token-answers.test.ts.
    const { body: swaps } = await api.ask(`/v1/tokens/${busy.address}/swaps?limit=50`)
    expect(swaps).toHaveLength(50)
    expect((body as Record<string, unknown>)['swaps']).toEqual(swaps)
  })
})

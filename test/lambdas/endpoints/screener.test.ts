import { afterAll, describe, expect, it } from 'vitest'
import { screenedAt } from '../../../market/board/screener.ts'
import type { Token, TokenState } from '../../../market/segment.ts'
import { screenedMarketOf, snapshotOf } from '../../../snapshot/publish/documents.ts'
import { addressOfLine } from '../../../store/bytes/codec.ts'
import { readScreened, writeScreened } from '../../../store/published/screened.ts'
import { schemaFaults, startApiStack } from '../../support/aws/api-stack.ts'
import { memoryLog } from '../../support/aws/memory-stores.ts'
import { nthAddress, segmentOf, stateWith, tokenAt } from '../../support/market/facts.ts'
import { engineOf, seal } from '../../support/market/market-history.ts'

// 130 tokens, launched two days and half a day ago; four of five traded in the last hour.
const DAY = 1_440
const NOW = 29_000_160 + 3 * DAY
const COUNT = 130
type Row = Readonly<Record<string, number | string | boolean | null>>

const tokens = Array.from({ length: COUNT }, (_, at): Token => {
  const number = at + 1
  const minute = NOW - (at < 90 ? 2 * DAY : DAY / 2)
  if (number % 3 !== 0) return tokenAt(number, minute)
  // Of every second post the money is in a creator token, of one in a token that nobody knows.
  const quote = number === 3 ? { quote: nthAddress(9_999) } : number % 2 === 0 ? { quote: nthAddress(1) } : {}
  return tokenAt(number, minute, { kind: 'post', creator: nthAddress(501), ...quote })
})
const traded = tokens.filter((_, at) => at % 5 !== 4)

const stateOf = ({ launchedAt: { logIndex: number } }: Token, trades: number): TokenState =>
  stateWith({
    sqrtPriceX96: 2n ** 96n + BigInt(trades * number) * 2n ** 90n,
    supply: 10n ** 21n * BigInt(number),
    reserveQuote: 10n ** 18n * BigInt(number % 7),
    reserveToken: 10n ** 18n,
    holders: number % 11,
    cumTrades: trades,
    // Beyond 2^53 micro-dollars for one, and the same for several.
    cumVolumeMicroUsd: number === 7 ? 10n ** 17n + BigInt(trades) : BigInt(trades * (number % 40)) * 333_333n,
    cumRankVolumeMicroUsd: BigInt(trades * (number % 30)) * 10n ** 6n,
    cumEarnedMicroUsd: BigInt(trades * number) * 10_001n,
    lastSwapMinute: NOW,
  })

const api = await startApiStack()
afterAll(() => api.stop())
for (const minute of [NOW - 2 * DAY, NOW - DAY / 2]) {
  const born = tokens.filter(({ launchedAt }) => launchedAt.timestamp === minute * 60)
  await api.seal(segmentOf(minute, { born, rows: born.map((token) => [token.address, stateOf(token, 1)]) }))
}
await api.seal(segmentOf(NOW, { rows: traded.map((token) => [token.address, stateOf(token, 3)]) }))
api.state.now = (NOW + 1) * 60
await api.publish()

async function screened(query = '') {
  const { status, body, text, headers } = await api.ask(`/v1/tokens/screener?${query}`)
  expect([status, schemaFaults('screener', body)], text.slice(0, 300)).toEqual([200, ''])
  return { rows: body as readonly Row[], text, headers }
}

async function everything(): Promise<readonly Row[]> {
  const pages = await Promise.all([screened('limit=100'), screened('limit=100&offset=100')])
  return pages.flatMap(({ rows }) => rows)
}
const addresses = (rows: readonly Row[]) => rows.map((row) => row['contract_address'])

describe('the screener', () => {
  it('has every token traded in 24 hours, by rank volume, and is published with its first hundred', async () => {
    const rows = await everything()
    // The younger ones have traded since their launch, which was half a day ago.
    expect(rows).toHaveLength(tokens.filter((token, at) => at >= 90 || traded.includes(token)).length)
    expect(rows.map((row) => row['rank'])).toEqual(rows.map((_, at) => at + 1))
    const volumes = rows.map((row) => Number(row['rank_volume_24h']))
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a))
    const { text, headers } = await screened()
    const object = api.published.objects.get('v1/tokens/screener')!
    expect(text).toBe(Buffer.from(object.bytes).toString())
    expect(object.metadata).toMatchObject({ total: String(rows.length), limit: '100', 'left-out': '0' })
    expect([headers.get('x-total-count'), headers.get('x-left-out')]).toEqual([String(rows.length), '0'])
  })

  it('says of each token what the list of tokens says', async () => {
    const rows = await everything()
    for (const some of [rows.slice(0, 12), rows.slice(60, 72), rows.slice(-12)]) {
      const { body } = await api.ask(`/v1/tokens?addresses=${addresses(some).join()}`)
      for (const [at, row] of (body as Row[]).entries()) {
        const { rank, position, ...figures } = row
        expect(some[at]).toMatchObject(figures)
      }
    }
  })

  it('filters and orders as a brute force over all rows does', async () => {
    const rows = await everything()
    const keys = {
      market_cap: 'market_cap',
      liquidity: 'liquidity_usd',
      volume_24h: 'volume_24h',
      trades_24h: 'trades_24h',
      holders: 'holders_count',
      age: 'age_seconds',
      change_24h: 'change_24h',
    }
    for (const [name, key] of Object.entries(keys)) {
      const known = rows.filter((row) => row[key] !== null).map((row) => Number(row[key]))
      const middle = [...known].sort((a, b) => a - b)[Math.floor(known.length / 2)]!
      const { rows: least } = await screened(`min_${name}=${middle}&limit=100`)
      const { rows: most } = await screened(`max_${name}=${middle}&limit=100`)
      const expected = (isKept: (value: number) => boolean) =>
        addresses(rows.filter((row) => row[key] !== null && isKept(Number(row[key]))).slice(0, 100))
      expect(addresses(least), name).toEqual(expected((value) => value >= middle))
      expect(addresses(most), name).toEqual(expected((value) => value <= middle))
      // Equal ones by rank, in both directions; unknown ones last.
      for (const [order, sign] of [['desc', -1] as const, ['asc', 1] as const]) {
        const { rows: sorted } = await screened(`sort=${name}&order=${order}&limit=100`)
        const wanted = rows.toSorted(
          (a, b) =>
            Number(a[key] === null) - Number(b[key] === null) || sign * (Number(a[key]) - Number(b[key])),
        )
        expect(addresses(sorted), `${name} ${order}`).toEqual(addresses(wanted.slice(0, 100)))
      }
    }
    for (const [query, isKept] of [
      ['kind=post', (row: Row) => row['type'] === 'post'],
      ['kind=creator&thin_liquidity=true', (row: Row) => row['type'] === 'creator' && row['thin_liquidity']],
      ['thin_liquidity=false', (row: Row) => row['thin_liquidity'] === false],
    ] as const)
      expect(addresses((await screened(`${query}&limit=100`)).rows), query).toEqual(
        addresses(rows.filter(isKept)).slice(0, 100),
      )
  })

  it('refuses a bound that is no number, and takes one below zero', async () => {
    expect((await api.ask('/v1/tokens/screener?min_market_cap=much')).status).toBe(400)
    expect((await api.ask('/v1/tokens/screener?min_change_24h=--1')).status).toBe(400)
    expect((await screened('min_change_24h=-5.5&max_change_24h=-0')).headers.get('x-total-count')).toMatch(
      /^\d+$/,
    )
  })

  it('pages of one snapshot stay what they were while another is published', async () => {
    const first = await screened('sort=volume_24h&limit=40')
    const link = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1]
    const before = await screened('sort=volume_24h&limit=40&offset=40')
    await api.seal(segmentOf(NOW + 1, { rows: [[tokens[4]!.address, stateOf(tokens[4]!, 900)]] }))
    await api.publish()
    const second = await api.ask(link!)
    expect(second.text).toBe(before.text)
    const now = await screened('sort=volume_24h&limit=40&offset=40')
    expect(now.text).not.toBe(before.text)
    expect((await api.ask('/v1/tokens/screener?snapshot=1-0-0-00000000')).status).toBe(400)
  })
})

it('the screener keeps the tokens with the largest rank volume, and says how many it left out', async () => {
  const log = memoryLog()
  await seal(
    log,
    segmentOf(NOW, { born: tokens, rows: tokens.map((token) => [token.address, stateOf(token, 2)]) }),
  )
  const snapshot = snapshotOf(await engineOf(log), { chain: null, codeVersion: null })
  const { screened } = snapshot
  expect(screened.descriptions).toHaveLength(COUNT)
  const descriptions = screened.descriptions.slice(0, 20)
  const columns = readScreened(writeScreened({ ...screenedMarketOf(snapshot), descriptions }))
  expect([columns.count, columns.traded]).toEqual([20, COUNT])
  for (const [at, creatorToken] of screened.creatorTokens.slice(0, 20).entries()) {
    expect(columns.figuresOf(at)).toEqual(screenedAt(screened, at))
    expect(columns.kindOf(at)).toBe(screened.kinds[at])
    expect(columns.tokenAt(at).creatorToken?.address).toBe(
      creatorToken?.description ? addressOfLine(creatorToken.description) : undefined,
    )
  }
})

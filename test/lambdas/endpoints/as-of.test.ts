import { afterAll, describe, expect, it } from 'vitest'
import { type BoardRow, createClient, type WeekRecap } from '../../../clients/typescript/index.ts'
import { intervalAt } from '../../../market/index/index-history.ts'
import type { Minute } from '../../../market/segment.ts'
import { documents } from '../../../schemas/api/documents.ts'
import { LASTING_CACHE, type Operation } from '../../../schemas/api/operation.ts'
import { operations } from '../../../schemas/api/operations.ts'
import { isoTime } from '../../../schemas/values/kinds.ts'
import { asOfTime } from '../../../schemas/values/parameters.ts'
import { weekText } from '../../../schemas/values/week-syntax.ts'
import { bearer } from '../../support/aws/access.ts'
import { expectWithinCosts } from '../../support/aws/answer-costs.ts'
import { startApiEdge } from '../../support/aws/api-edge.ts'
import { schemaFaults, startApiStack } from '../../support/aws/api-stack.ts'
import { segmentOf, stateWith, tokenAt, WHOLE } from '../../support/market/facts.ts'
import { casesOf } from '../../support/rounds.ts'

const DAY = 1_440
/** Thirty-two days before a Tuesday. */
const FIRST = 20_777 * DAY
const DAYS = 32
const TODAY = FIRST + DAYS * DAY
const dateOf = (day: number) => isoTime((FIRST + day * DAY) * 60).slice(0, 10)
const timeOf = (minute: Minute) => isoTime(minute * 60)

const tokens = [1, 2, 3].map((number) => tokenAt(number, FIRST + DAY - 1))
/** Launched on the last day before today. */
const late = tokenAt(4, TODAY - 1)

let trades = 0
/** Which of the tokens is the dearest changes with the minute. */
function minuteAt(minute: Minute) {
  trades += 1
  const day = Math.floor((minute - FIRST) / DAY)
  const born = minute === FIRST + DAY - 1 ? tokens : minute === TODAY - 1 ? [late] : []
  const traded = minute >= TODAY - 1 ? [...tokens, late] : tokens
  return segmentOf(minute, {
    born,
    rows: traded.map((token, at) => {
      const dollars = BigInt(1 + ((at + day) % traded.length)) + BigInt(trades) * 1_000n
      const close = dollars * 10n ** 33n
      return [
        token.address,
        stateWith({
          // 2^96 over the root of the price.
          sqrtPriceX96: 2n ** 96n / (1n + BigInt((at + day) % traded.length)),
          supply: 1_000n * WHOLE,
          reserveQuote: 1_000n * WHOLE,
          holders: 2,
          cumTrades: trades,
          cumVolumeMicroUsd: BigInt(trades) * 1_000_000n,
          athUsdE36: close,
          athMinute: minute,
        }),
      ]
    }),
  })
}

const api = await startApiStack()
afterAll(() => api.stop())
for (let day = 1; day <= DAYS; day++) await api.seal(minuteAt(FIRST + day * DAY - 1))
async function publishAt(minute: Minute): Promise<void> {
  api.state.now = (minute + 1) * 60
  await api.seal(minuteAt(minute))
  await api.publish()
}
await publishAt(TODAY + 1)
await publishAt(TODAY + 30)
/** Documents by name as they were published at half past midnight, the last time in the hour. */
const then = new Map<string, string>()
for (const { name } of documents)
  then.set(name, Buffer.from((await api.published.read(name))!.bytes).toString())
await publishAt(TODAY + 65)
const { key: basic } = await api.access.keyOf('basic')
const { key: professional } = await api.access.keyOf('professional')

const past = Object.entries<Operation>(operations).filter(([, { rest }]) => rest.includes(asOfTime))
const HALF_PAST_ONE = timeOf(TODAY + 60)

describe('as_of', () => {
  it('is taken by boards, index, constituents, both at once, trending lists and statistics', () => {
    const names = ['creators', 'posts', 'index', 'constituents', 'all', 'trending', 'stats']
    expect(past.map(([name]) => name).sort()).toEqual(names.sort())
  })

  it.each(past)('%s: gives every document byte for byte as it was published', async (name, operation) => {
    const own = documents.filter((document) => document.operation === name)
    for (const { name: document, parameterValues } of own) {
      const sent = operation.documentParameters!.map(({ names }, at) => [names[0], parameterValues[at]!])
      const query = new URLSearchParams({ ...Object.fromEntries(sent), as_of: HALF_PAST_ONE })
      const { text, headers } = await api.ask(`${operation.path}?${query}`)
      expect([document, text]).toEqual([document, then.get(document)])
      expect([headers.get('x-data-time'), headers.get('x-data-stale'), headers.get('cache-control')]).toEqual(
        [timeOf(TODAY + 31), null, LASTING_CACHE],
      )
    }
  })

  it('sorts, cuts and pages a past list as one of now', async () => {
    const { body, headers } = await api.ask(
      `/v1/z100/creators?as_of=${HALF_PAST_ONE}&sort=price&order=asc&limit=1&offset=1&include_changes=false`,
    )
    const ascending = JSON.parse(then.get('v1/z100/creators/24h')!)
      .map((row: { price_usd: number }) => row.price_usd)
      .sort((a: number, b: number) => a - b)
    expect(body).toMatchObject([{ price_usd: ascending[1], position: 2 }])
    expect((body as object[])[0]).not.toHaveProperty('historical_price')
    const link = headers.get('link')!
    expect(link).toContain(`as_of=${encodeURIComponent(HALF_PAST_ONE)}`)
    expect(link).not.toContain('snapshot=')
    // A list that is in the tables alone.
    const falls = await api.ask(`/v1/market/trending?as_of=${HALF_PAST_ONE}&sort=change&order=asc`)
    expect([falls.status, schemaFaults('trending', falls.body)]).toEqual([200, ''])
  })

  const dataTime = async (asOf: string) => {
    const { status, headers } = await api.ask(`/v1/market/stats?as_of=${asOf}`)
    return [status, headers.get('x-data-time'), headers.get('cache-control')]
  }

  it('means the newest kept snapshot that is not later, and of a date its end', async () => {
    const [lasting, passing] = [LASTING_CACHE, 'no-store']
    expect(await dataTime(timeOf(TODAY + 60))).toEqual([200, timeOf(TODAY + 31), lasting])
    expect(await dataTime(timeOf(TODAY + 119))).toEqual([200, timeOf(TODAY + 31), lasting])
    expect(await dataTime(timeOf(TODAY + 59))).toEqual([200, timeOf(TODAY), lasting])
    expect(await dataTime(dateOf(DAYS - 1))).toEqual([200, timeOf(TODAY), lasting])
    expect(await dataTime(dateOf(3))).toEqual([200, timeOf(FIRST + 4 * DAY), lasting])
    expect(await dataTime(timeOf(FIRST + 4 * DAY + 100))).toEqual([200, timeOf(FIRST + 4 * DAY), lasting])
    // An hour that is not over may still be kept.
    expect(await dataTime(dateOf(DAYS))).toEqual([200, timeOf(TODAY + 31), passing])
    expect(await dataTime(timeOf(TODAY + DAY))).toEqual([200, timeOf(TODAY + 31), passing])
  })

  it('is refused in the future, before the first kept snapshot, beside a snapshot, and where nothing of the kind is kept', async () => {
    const early = [timeOf(FIRST), '1969-12-31T23:00:00Z', '1960-01-01', '0100-01-01']
    for (const time of [...early, dateOf(DAYS + 2), '2199-01-01', '9999-12-31T23:59:59Z']) {
      const { status, body } = await api.ask(`/v1/market/stats?as_of=${time}`, {
        headers: bearer(professional),
      })
      expect([time, status, body]).toMatchObject([time, 400, { error: { details: { parameter: 'as_of' } } }])
    }
    const pinned = await api.ask(`/v1/z100/creators?as_of=${HALF_PAST_ONE}&snapshot=x`)
    expect([pinned.status, pinned.body]).toMatchObject([
      400,
      { error: { details: { parameter: 'snapshot' } } },
    ])
    const ignored = await api.ask(`/v1/discover/rising?as_of=${HALF_PAST_ONE}`)
    expect(ignored.headers.get('x-ignored-parameters')).toBe('as_of')
  })

  it.each([
    ['basic', [dateOf(DAYS - 1), timeOf(TODAY - DAY), dateOf(DAYS - 2)], 200],
    ['basic', [timeOf(TODAY - DAY - 1), dateOf(DAYS - 3), dateOf(1)], 403],
    ['professional', [dateOf(DAYS - 1), timeOf(TODAY - DAY - 1), dateOf(1)], 200],
  ])('is open to the tier %s at %s: %i', async (tier, times, status) => {
    const headers = bearer(tier === 'basic' ? basic : professional)
    for (const time of times) {
      const { status: given, body } = await api.ask(`/v1/z100/index?as_of=${time}`, { headers })
      expect([time, given]).toEqual([time, status])
      if (status === 403)
        expect(body).toMatchObject({
          error: {
            code: 'INSUFFICIENT_TIER',
            details: { required_tier: 'professional', current_tier: 'basic' },
          },
        })
    }
  })
})

it('a client pages the boards of thirty days', async () => {
  const { boards } = createClient({ baseUrl: api.url, apiKey: professional })
  const days = casesOf(
    Array.from({ length: 30 }, (_, at) => DAYS - 1 - at),
    6,
  )
  for (const day of days) {
    const pages: string[] = []
    for await (const { symbol } of boards.creators({ as_of: dateOf(day), limit: 1 })) pages.push(symbol)
    const whole = await boards.creators({ as_of: dateOf(day) })
    expect(pages).toEqual(whole.body.map(({ symbol }) => symbol))
    // Tokens take turns at the top.
    const listed = day === DAYS - 1 ? [...tokens, late] : tokens
    expect(pages[0]).toBe(listed.find((_, at) => (at + day) % listed.length === listed.length - 1)!.symbol)
  }
})

it('as_of costs what README says', async () => {
  const board = `/v1/z100/creators?as_of=${HALF_PAST_ONE}&limit=5`
  const history = `/v1/z100/history/${tokens[0]!.address}?days=366`
  for (const [name, path] of Object.entries({
    creators: board,
    recap: '/v1/z100/recap',
    boardHistory: history,
  }))
    expectWithinCosts(name, await api.askWarm(path))
})

describe('the recap of a week', () => {
  const ask = async (query = '') => {
    const { status, body, headers } = await api.ask(`/v1/z100/recap${query}`)
    return { status, body: body as WeekRecap, kept: headers.get('cache-control') }
  }
  const weekOf = (day: number) => weekText(intervalAt('week', FIRST + day * DAY))

  it('is that of the last one which is over, or of one that is named and can be kept by a cache', async () => {
    const last = await ask()
    expect([last.status, schemaFaults('recap', last.body), last.kept]).toEqual([200, '', 'no-store'])
    const { week, from, to, partial } = last.body
    const monday = timeOf(FIRST + (DAYS - 1) * DAY)
    expect([week, from, to, partial]).toEqual([weekOf(DAYS - 2), timeOf(TODAY - 8 * DAY), monday, false])
    const named = await ask(`?week=${week}`)
    expect([named.body, named.kept]).toEqual([last.body, LASTING_CACHE])
  })

  it('compares the boards at its ends, and says who reached a new highest price since the end before', async () => {
    const { body } = await ask()
    const ranks = async (time: string) => {
      const board = (await api.ask(`/v1/z100/creators?as_of=${time}`)).body as BoardRow[]
      return new Map(board.map(({ symbol, rank }) => [symbol, rank]))
    }
    const [before, after] = [await ranks(body.from), await ranks(body.to)]
    const { rose, fell, entered, left } = body.creators_board
    expect([entered, left, body.launches]).toEqual([[], [], []])
    expect(rose.length + fell.length).toBeGreaterThan(1)
    for (const { symbol, rank, previous_rank, rank_change } of [...rose, ...fell])
      expect([previous_rank, rank, rank_change]).toEqual([
        before.get(symbol),
        after.get(symbol),
        before.get(symbol)! - after.get(symbol)!,
      ])
    expect(body.new_highs?.map(({ symbol }) => symbol).sort()).toEqual(['T1', 'T2', 'T3'])
    for (const { all_time_high, previous_all_time_high } of body.new_highs!)
      expect(all_time_high).toBeGreaterThan(previous_all_time_high)
  })

  it('of the week in which the history began is partial; its first highest prices are not known any more', async () => {
    const { body } = await ask(`?week=${weekOf(0)}`)
    expect(body).toMatchObject({ partial: true, from: timeOf(FIRST + DAY), new_highs: null })
  })

  it.each([
    ['is not over', () => weekOf(DAYS), 404],
    ['was before all history', () => weekOf(-7), 404],
    ['does not exist', () => '2026-W60', 400],
  ])('of a week that %s there is none', async (_what, week, status) => {
    expect((await ask(`?week=${week()}`)).status).toBe(status)
  })
})

it('through the edge, a past document at a whole hour is shared by all who may have it, counted once each, and read once', async () => {
  const lines: string[] = []
  const edge = await startApiEdge(api, {
    now: () => api.state.now * 1_000,
    onLog: (line) => lines.push(line),
  })
  try {
    const path = `/v1/z100/creators?as_of=${HALF_PAST_ONE}`
    const ask = async (key: string, to = path) => {
      const response = await fetch(edge.url + to, { headers: bearer(key) })
      return { status: response.status, text: await response.text(), headers: response.headers }
    }
    const other = await api.access.keyOf('enterprise')
    const first = await ask(professional)
    const second = await ask(other.key, `${path}&limit=100`)
    expect([first.text, second.text]).toEqual([then.get('v1/z100/creators/24h'), first.text])
    expect([first, second].map(({ headers }) => headers.get('x-cache'))).toEqual([
      expect.stringMatching(/^Miss/),
      expect.stringMatching(/^Hit/),
    ])
    for (const name of ['x-ratelimit-remaining', 'server-timing']) expect(first.headers.get(name)).toBeNull()
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'))
    expect(lines).toHaveLength(2)
    expect(
      await api.stores.usage.used({ account: other.account, hour: Math.floor(Date.now() / 3.6e6) }),
    ).toBe(0)
    // Others are answered by the API, which counts and decides.
    const byBasic = await ask(basic)
    expect([byBasic.text, byBasic.headers.get('x-ratelimit-limit')]).toEqual([first.text, '100'])
    expect((await ask(basic, `/v1/z100/creators?as_of=${dateOf(1)}T00:00Z`)).status).toBe(403)
    expect(
      (await ask(professional, `/v1/z100/creators/24h/as-of/${HALF_PAST_ONE.slice(0, 13)}`)).status,
    ).toBe(404)
  } finally {
    await edge.stop()
  }
})

describe('the history of a token', () => {
  const historyOf = async (query = '') =>
    (await api.ask(`/v1/z100/history/${tokens[0]!.address}${query}`)).body as Record<string, unknown>[]

  it('is its row of the board at the end of every day, and of now', async () => {
    const rows = await historyOf()
    expect(schemaFaults('boardHistory', rows)).toBe('')
    expect(rows).toHaveLength(DAYS + 1)
    for (const { date, partial, ...row } of rows) {
      const { body } = await api.ask(`/v1/z100/creators${partial ? '' : `?as_of=${date}`}`)
      const own = (body as Record<string, unknown>[]).find(({ symbol }) => symbol === 'T1')!
      const { rank, score, price_usd, market_cap } = own
      expect(row).toMatchObject({ board: 'creators', rank, score, price_usd, market_cap })
    }
    expect(rows.map(({ partial }) => partial)).toEqual([...Array(DAYS).fill(false), true])
    expect(new Set(rows.map(({ rank }) => rank))).toEqual(new Set([1, 2, 3, 4]))
    expect(rows.at(-2)).toMatchObject({ date: dateOf(DAYS - 1), timestamp: TODAY * 60 })
  })

  it('is of the days asked for; of a token that is new it is short, of an unknown one there is none', async () => {
    expect((await historyOf('?days=3')).map(({ date }) => date)).toEqual(
      [DAYS - 2, DAYS - 1, DAYS].map(dateOf),
    )
    const { body } = await api.ask(`/v1/z100/history/${late.poolId}`)
    expect(body).toMatchObject([{ date: dateOf(DAYS - 1) }, { date: dateOf(DAYS), partial: true }])
    expect((await api.ask(`/v1/z100/history/0x${'9'.repeat(40)}`)).status).toBe(404)
    expect((await api.ask(`/v1/z100/history/${late.address}?days=367`)).status).toBe(400)
  })
})

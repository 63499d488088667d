import { describe, expect, it } from 'vitest'
import type { WeekRecap } from '../../clients/typescript/index.ts'
import { firstMinuteOf } from '../../market/index/index-history.ts'
import { weekFrom, weekText } from '../../schemas/values/week-syntax.ts'
import { recapText, type SnapshotTexts } from '../../snapshot/publish/recap.ts'
import { nthAddress } from '../support/market/facts.ts'

const WEEK = weekFrom('2026-W47')!
const START = firstMinuteOf('week', WEEK)
const CREATORS = 'v1/z100/creators/7d'

const token = (number: number) => ({
  contract_address: nthAddress(number),
  type: 'creator',
  symbol: `T${number}`,
  name: `Token "${number}", all [of] it`,
  creator_handle: null,
  creator_address: null,
})

/** Tokens by rank; their other figures differ by token alone. */
const board = (...numbers: number[]) =>
  numbers.map((number, at) => ({
    ...token(number),
    rank: at + 1,
    score: number / 4,
    price_usd: number,
    market_cap: number * 100,
    price_change_percent: number * 2,
  }))

/** Documents of a minute; numbers of an index are written as they are printed. */
const snapshot = (
  minute: number,
  documents: Readonly<Record<string, unknown>>,
  index: string,
): SnapshotTexts => ({
  id: `at-${minute}`,
  minute,
  texts: new Map([
    ...Object.entries(documents).map(([name, content]) => [name, JSON.stringify(content)] as const),
    ['v1/z100/index/7d', `{"period":"7d","index_value":${index}}`],
  ]),
})

const made = (start: SnapshotTexts, end: SnapshotTexts) =>
  JSON.parse(recapText({ week: WEEK, start, end, highs: null })) as WeekRecap

const numbersIn = (rows: readonly { symbol: string }[]) => rows.map(({ symbol }) => Number(symbol.slice(1)))

describe('a recap', () => {
  it('says who entered a board, left it, rose and fell', () => {
    const many = Array.from({ length: 30 }, (_, at) => at + 10)
    const { creators_board: creators } = made(
      snapshot(START - 1, { [CREATORS]: board(1, 2, 3, 4, ...many) }, '1000'),
      snapshot(START + 10_079, { [CREATORS]: board(3, 5, 2, 1, ...many.toReversed()) }, '1000'),
    )
    expect(creators.entered).toMatchObject([
      { symbol: 'T5', rank: 2, previous_rank: null, rank_change: null, score: 1.25, change_7d: 10 },
    ])
    expect(creators.left).toMatchObject([
      { symbol: 'T4', rank: null, previous_rank: 4, rank_change: null, price_usd: 4, change_7d: null },
    ])
    expect(creators.rose).toHaveLength(10)
    expect(creators.rose[0]).toMatchObject({ symbol: 'T39', rank: 5, previous_rank: 34, rank_change: 29 })
    // 29, 27, 25 … places; T3 gained two and is too far behind.
    expect(numbersIn(creators.rose)).toEqual([39, 38, 37, 36, 35, 34, 33, 32, 31, 30])
    expect(numbersIn(creators.fell)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    expect(creators.fell[0]).toMatchObject({ rank: 34, previous_rank: 5, rank_change: -29 })
  })

  it('has the index of the week, its extremes from the hours within it', () => {
    const hour = (hours: number, low: string, high: string) =>
      `{"timestamp":${START * 60 + hours * 3_600},"low":${low},"high":${high}}`
    const end = snapshot(START + 10_079, {}, '1100.5')
    const hours = [hour(0, '1', '9999'), hour(1, '990.1', '1000'), hour(168, '1001', '1200.25')]
    const texts = new Map([...end.texts, ['v1/z100/index/hours', `{"hours":[${hours.join(',')}]}`] as const])
    const { index, partial, from, to, week } = made(snapshot(START - 1, {}, '1000'), { ...end, texts })
    expect(index).toEqual({ open: 1000, high: 1200.25, low: 990.1, close: 1100.5, change_percent: 10.05 })
    expect([week, partial, from, to]).toEqual([
      '2026-W47',
      false,
      '2026-11-16T00:00:00Z',
      '2026-11-23T00:00:00Z',
    ])
  })

  it('of the first week begins with the first kept snapshot, and says so', () => {
    const { index, partial, from } = made(
      snapshot(START + 1_439, {}, '1000'),
      snapshot(START + 10_079, {}, '999'),
    )
    expect([index, partial, from]).toMatchObject([
      { high: 1000, low: 999, change_percent: -0.1 },
      true,
      '2026-11-17T00:00:00Z',
    ])
  })

  it('has the most traded tokens that were launched in the week', () => {
    const row = (number: number, created_at: string | null) => ({
      ...token(number),
      created_at,
      volume: 50 - number,
      price_usd: 1,
      market_cap: 2,
      change_7d: 3,
    })
    const traded = [
      row(1, '2026-11-15T23:59:58Z'),
      row(2, '2026-11-16T00:00:00Z'),
      row(3, null),
      ...Array.from({ length: 12 }, (_, at) => row(4 + at, '2026-11-20T12:00:00Z')),
    ]
    const { launches } = made(
      snapshot(START - 1, {}, '1000'),
      snapshot(START + 10_079, { 'v1/market/trending/7d/volume': traded }, '1000'),
    )
    expect(numbersIn(launches)).toEqual([2, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(launches[0]).toMatchObject({ volume: 48, created_at: '2026-11-16T00:00:00Z', change_7d: 3 })
  })
})

describe('weeks', () => {
  it.each([
    ['1970-01-05', '1970-W02'],
    ['2020-12-31', '2020-W53'],
    ['2021-01-03', '2020-W53'],
    ['2021-01-04', '2021-W01'],
    ['2024-12-30', '2025-W01'],
    ['2026-11-26', '2026-W48'],
  ])('%s is in %s', (day, week) => {
    const number = weekFrom(week)!
    const days = Array.from({ length: 7 }, (_, at) =>
      new Date((firstMinuteOf('week', number) + at * 1_440) * 60_000).toISOString().slice(0, 10),
    )
    expect([days.includes(day), weekText(number)]).toEqual([true, week])
  })

  it.each(['2026-W00', '2026-W54', '2025-W53', '2026-W1', '2026W47', '2026-47', 'x'])(
    '%s is none',
    (text) => {
      expect(weekFrom(text)).toBeNull()
    },
  )
})

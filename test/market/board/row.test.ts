import { describe, expect, it } from 'vitest'
import { boardRows, trendingRows } from '../../../market/board/row.ts'
import type { Token, TokenState } from '../../../market/segment.ts'
import { ONE_X96, segmentOf, stateWith, tokenAt, WHOLE } from '../../support/market/facts.ts'
import { marketAfter } from '../../support/market/market-history.ts'

const DOLLAR = 1_000_000n
const MINUTE = 100_000

/** At $1 per ZORA, a token of price s = 2^96 is worth $1, of 2 · 2^96 $4. */
const state = (numbers: Partial<TokenState>): TokenState =>
  stateWith({ sqrtPriceX96: ONE_X96, supply: 1_000n * WHOLE, ...numbers })

const creator = (number: number, minute: number, words: Partial<Token> = {}) =>
  tokenAt(number, minute, { isCurrency0: true, ...words })

const old = creator(0, MINUTE - 20_000)
const firstRow = [old.address, state({ cumTrades: 1, cumVolumeMicroUsd: 5n * DOLLAR, holders: 2 })] as const
const first = segmentOf(MINUTE - 20_000, { born: [old], rows: [firstRow] })
/** 30 h ago: within the 24 h before the 24h period's start. */
const beforeStart = segmentOf(MINUTE - 1_800, {
  rows: [
    [
      old.address,
      state({ cumTrades: 2, cumVolumeMicroUsd: 25n * DOLLAR, cumEarnedMicroUsd: 2n * DOLLAR, holders: 4 }),
    ],
  ],
})
const now = segmentOf(MINUTE, {
  rows: [
    [
      old.address,
      state({
        sqrtPriceX96: 2n * ONE_X96,
        cumTrades: 5,
        cumVolumeMicroUsd: 65n * DOLLAR,
        cumEarnedMicroUsd: 6n * DOLLAR,
        holders: 5,
      }),
    ],
  ],
})

describe('a board row', () => {
  it('compares a token with its state, and its rolling day, at the start of the period', async () => {
    const [row] = boardRows(await marketAfter([first, beforeStart, now]), 'creator', '24h')
    expect(row).toMatchObject({
      rank: 1,
      volume24h: 40n * DOLLAR,
      volume: 40n * DOLLAR,
      trades: 3,
      totalVolume: 65n * DOLLAR,
      creatorEarnings24h: 4n * DOLLAR,
      creatorEarnings: 6n * DOLLAR,
      change24hE2: 30_000n,
      baseline: {
        is: 'period',
        priceUsdE36: 10n ** 36n,
        marketCap: 1_000n * DOLLAR,
        holders: 4,
        volume24h: 20n * DOLLAR,
      },
      changes: {
        marketCap: { percentE2: 30_000n, value: 3_000n * DOLLAR, isUp: true },
        volume: { percentE2: 10_000n, value: 20n * DOLLAR, isUp: true },
        holders: { percentE2: 2_500n, value: 1n, isUp: true },
      },
      isNew: false,
      previousRank: 1,
    })
  })

  it('compares a token younger than the period with its launch', async () => {
    const young = creator(1, MINUTE - 100, { launch: { priceUsdE36: 2n * 10n ** 36n, supply: 900n * WHOLE } })
    const launch = segmentOf(MINUTE - 100, {
      born: [young],
      rows: [[young.address, state({ cumTrades: 1, cumVolumeMicroUsd: DOLLAR, holders: 1 })]],
    })
    const market = await marketAfter([first, launch, now])
    const row = boardRows(market, 'creator', '4h').find(({ token }) => token.address === young.address)
    expect(row).toMatchObject({
      baseline: {
        is: 'launch',
        priceUsdE36: 2n * 10n ** 36n,
        marketCap: 1_800n * DOLLAR,
        holders: 0,
        volume24h: 0n,
      },
      changes: {
        price: { percentE2: -5_000n, isUp: false },
        volume: { percentE2: null, isUp: true },
        holders: { percentE2: null, value: 1n, isUp: true },
      },
      isNew: true,
      previousRank: null,
    })
    expect(
      boardRows(market, 'creator', '1h').find(({ token }) => token.address === young.address)?.baseline?.is,
    ).toBe('period')
  })

  it('is the launch state for a token created exactly at the start, the period for one created a second before', async () => {
    const start = (MINUTE + 1) * 60 - 3_600
    const at = (timestamp: number) =>
      creator(1, MINUTE - 60, { launchedAt: { ...old.launchedAt, timestamp } })
    const baselineOf = async (token: Token, minute: number) => {
      const launch = segmentOf(minute, { born: [token], rows: [[token.address, state({ cumTrades: 1 })]] })
      const rows = boardRows(await marketAfter([first, launch, now]), 'creator', '1h')
      return rows.find((row) => row.token.address === token.address)?.baseline?.is
    }
    expect(await baselineOf(at(start), MINUTE - 59)).toBe('launch')
    expect(await baselineOf(at(start - 1), MINUTE - 60)).toBe('period')
  })

  it('is new when the board of the start lacks it, and never when there was no board that old', async () => {
    const late = creator(1, MINUTE - 20_000)
    const traded = (cumTrades: number) => [late.address, state({ cumTrades, reserveQuote: WHOLE })] as const
    const market = await marketAfter([
      segmentOf(MINUTE - 20_000, { born: [old, late], rows: [firstRow, traded(0)] }),
      segmentOf(MINUTE - 120, { rows: [traded(1)] }),
      now,
    ])
    const rowsOf = (period: '1h' | '4h' | '7d') =>
      boardRows(market, 'creator', period).map(({ rank, isNew, previousRank }) => ({
        rank,
        isNew,
        previousRank,
      }))
    expect(rowsOf('1h')[0]).toEqual({ rank: 1, isNew: false, previousRank: 1 })
    expect(rowsOf('4h')).toEqual([
      { rank: 1, isNew: true, previousRank: null },
      { rank: 2, isNew: false, previousRank: 1 },
    ])
    const youngLog = await marketAfter([{ ...first, minute: MINUTE - 30 }, now])
    expect(boardRows(youngLog, 'creator', '1h')[0]).toMatchObject({ isNew: false, previousRank: null })
  })

  it('has nothing to compare with when the token is older than the log', async () => {
    const market = await marketAfter([{ ...first, minute: MINUTE - 30 }, now])
    expect(boardRows(market, 'creator', '24h')[0]).toMatchObject({
      baseline: { is: 'period', priceUsdE36: null, marketCap: null, holders: 0, volume24h: 0n },
      change24hE2: null,
      changes: { price: { percentE2: null, value: null, isUp: null } },
    })
  })

  it('shows no volume for a token that has not traded for a day', async () => {
    const figures = [1_439, 1_440].map(async (after) => {
      const market = await marketAfter([first, beforeStart, now, segmentOf(MINUTE + after)])
      const { volume24h, trades24h, totalVolume } = boardRows(market, 'creator', '24h')[0]!
      return [volume24h, trades24h, totalVolume]
    })
    expect(await Promise.all(figures)).toEqual([
      [40n * DOLLAR, 3, 65n * DOLLAR],
      [0n, 0, 65n * DOLLAR],
    ])
  })
})

it('a trending row has the timeframe’s figures in addition to the day’s', async () => {
  const [row] = trendingRows(await marketAfter([first, beforeStart, now]), '30d', 'volume')
  expect(row).toMatchObject({
    rank: 1,
    volume: 65n * DOLLAR,
    trades: 5,
    volume24h: 40n * DOLLAR,
    trades24h: 3,
  })
})

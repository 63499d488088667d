import { expect, it } from 'vitest'
import { createdSince, launchRows, risingScore } from '../../../market/board/discovery.ts'
import { importedAt } from '../../../market/coverage.ts'
import { divideHalfAway } from '../../../market/display.ts'
import { startOf } from '../../../market/window.ts'
import { nthAddress, segmentOf, stateWith, tokenAt } from '../../support/market/facts.ts'
import { marketAfter } from '../../support/market/market-history.ts'

it.each([
  [0, 0, '1.000000'],
  [1_000, 25_000, '1.000000'],
  [1_000, 1_000, '21.000000'],
  [5_000, 5_200, '86.571429'],
])('the rising score of $%i in the last hour and $%i in the last 25 is %s', (hour, day, text) => {
  const { over, under } = risingScore({
    rankVolume1h: BigInt(hour) * 1_000_000n,
    rankVolume25h: BigInt(day) * 1_000_000n,
  })
  const scoreE6 = String(divideHalfAway(over * 1_000_000n, under))
  expect(`${scoreE6.slice(0, -6)}.${scoreE6.slice(-6)}`).toBe(text)
})

it('tokens launched since a time count as created, those older than the log do not', async () => {
  const MINUTE = 29_000_000
  const older = importedAt({ number: 1, hash: `0x${'0'.repeat(64)}`, timestamp: MINUTE * 60 }, 0)
  const tokens = [tokenAt(1, MINUTE - 1_430), tokenAt(2, MINUTE), tokenAt(3, MINUTE, { launchedAt: older })]
  const rowsOf = (some: typeof tokens) =>
    some.map(({ address }) => [address, stateWith({ cumTrades: 1 })] as const)
  const [first, others] = [tokens.slice(0, 1), tokens.slice(1)]
  const launches = [
    segmentOf(MINUTE - 1_430, { born: first, rows: rowsOf(first) }),
    segmentOf(MINUTE, { born: others, rows: rowsOf(others) }),
  ]
  for (const [minute, created] of [
    [MINUTE, [2, 1]],
    [MINUTE + 10, [2]],
  ] as const) {
    const market = await marketAfter([...launches, ...(minute === MINUTE ? [] : [segmentOf(minute)])])
    expect(createdSince(market.at.now, startOf(minute, '24h'))).toHaveLength(created.length)
    expect(launchRows(market).map(({ token }) => token.address)).toEqual([2, 1].map(nthAddress))
  }
})

// Whole form only.
/** The market of `npm start` looks like one; that of the tests does not have to. */
import { expect, it } from 'vitest'
import type { BoardRow, TrendingRow } from '../../clients/typescript/index.ts'
import type { DevnetOptions } from '../../dev/devnet/chain.ts'
import type { HistoryPlan } from '../../dev/devnet/market-history.ts'
import { documentsOf, memoryStores, startWriter, untilIdle } from '../support/aws/ingest-stores.ts'
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'
import { isLong } from '../support/rounds.ts'

const NOW = Date.UTC(2026, 10, 26, 12)
/** A third of the tokens of a run, and as many trades for each. */
const small: Omit<HistoryPlan, 'hasOddities'> & { days: number } = {
  ...{ blocks: 90, days: 8, trades: 280 },
  ...{ creators: 40, posts: 45 },
}

/** What both boards and the trending lists say of a market: percents of price changes, and shares of rows. */
async function figuresOf(habits: NonNullable<DevnetOptions['habits']>, seed: number) {
  const history = isLong ? {} : { history: small }
  const devnet = await startQuietDevnet({ seed, now: () => NOW, habits, ...history })
  const stores = memoryStores()
  await untilIdle(startWriter(stores, devnet.rpcUrl)).finally(devnet.stop)
  const documents = await documentsOf(stores)
  const rowsOf = <Row>(name: string) => JSON.parse(documents[name] ?? '[]') as Row[]
  const boards = ['creators', 'posts'].flatMap((board) => rowsOf<BoardRow>(`v1/z100/${board}/24h`))
  const changes = boards.map((row) => Math.abs(row.change_24h_percent ?? 0)).sort((a, b) => a - b)
  const trending = rowsOf<TrendingRow>('v1/market/trending/24h/change')
  return {
    rows: boards.length,
    median: changes[changes.length >> 1] ?? 0,
    fallen: boards.filter((row) => (row.change_24h_percent ?? 0) < 0).length / boards.length,
    largest: Math.max(...changes, ...trending.map(({ change }) => change ?? 0)),
    thin: boards.filter((row) => row.thin_liquidity).length / boards.length,
    isOdd: boards.some(({ symbol }) => symbol === 'WHALE'),
  }
}

it.each(isLong ? [1, 2, 3] : [1])(
  'the development market of seed %i moves as much as a day brings, and few tokens are thin',
  async (seed) => {
    const figures = await figuresOf('calm', seed)
    if (process.env['SAY_FIGURES']) process.stdout.write(`${JSON.stringify(figures)}\n`)
    expect(figures.rows).toBeGreaterThan(30)
    expect(figures.median).toBeGreaterThan(1)
    expect(figures.median).toBeLessThanOrEqual(30)
    expect(figures.largest).toBeLessThan(10_000)
    expect(figures.fallen).toBeGreaterThan(0.1)
    expect(figures.thin).toBeGreaterThan(0)
    expect(figures.thin).toBeLessThan(0.35)
    expect(figures.isOdd).toBe(false)
  },
)

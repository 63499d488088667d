/** The same lists by DuckDB: one table of columns that are worked out beforehand, one query a list, one thread. */
import { boardsAt, boardTokens } from '../market/board/board.ts'
import { amountSince } from '../market/board/market-at.ts'
import { countedOf } from '../market/board/portfolio.ts'
import type { Market } from '../market/board/rankings.ts'
import { isLiquid, listBaseAt, trendingAt, trendingOrders } from '../market/board/trending.ts'
import { type BoardTime, boardTimes, type Timeframe, timeframes } from '../market/window.ts'
import { lastSwapOf } from '../test/snapshot/exact-lists.ts'
import { isInstalled } from './measuring.ts'

/** Lists of token numbers by name. */
export type DuckdbLists = Readonly<Record<string, readonly number[]>>

export type DuckdbPeer = {
  /** All lists, in DuckDB. */
  rank(): Promise<DuckdbLists>
  close(): void
}

const PACKAGE: string = '@duckdb/node-api'

/** Of DuckDB's client what is used here: the package need not be there when types are checked. */
type Client = {
  readonly DuckDBInstance: {
    create(
      path: string,
      options: Readonly<Record<string, string>>,
    ): Promise<{ connect(): Promise<Connection> }>
  }
}
type Connection = {
  run(text: string): Promise<unknown>
  createAppender(
    table: string,
  ): Promise<{ appendDouble(value: number): void; endRow(): void; closeSync(): void }>
  prepare(text: string): Promise<Statement>
  closeSync(): void
}
type Statement = { runAndReadAll(): Promise<{ getColumns(): readonly (readonly number[])[] }> }

/** The lists that the engine ranked, named as the peer names them. */
export function duckdbLists({ boards, trending }: Pick<Market, 'boards' | 'trending'>): DuckdbLists {
  const numbers = (places: readonly { readonly number: number }[]) => places.map(({ number }) => number)
  return Object.fromEntries([
    ...boardTimes.flatMap((name) => [
      [`creators at ${name}`, numbers(boards[name].creator)],
      [`posts at ${name}`, numbers(boards[name].post)],
    ]),
    ...timeframes.flatMap((name) =>
      trendingOrders.map((order) => [`${order} in ${name}`, numbers(trending[name][order])]),
    ),
  ])
}

/** A function that ranks all lists of a valued market: what the peer does. */
export function prepareRanking(market: Market): () => DuckdbLists {
  const { valuations, since, minute } = market
  return () => {
    const numbers = boardTokens(valuations.now, minute)
    return duckdbLists({
      boards: Object.fromEntries(
        boardTimes.map((name) => [name, boardsAt(valuations[name], numbers)]),
      ) as Market['boards'],
      trending: Object.fromEntries(
        timeframes.map((name) => [name, trendingAt(valuations.now, since[name])]),
      ) as Market['trending'],
    })
  }
}

/** The columns of a market's lists, exact where doubles are; null: DuckDB is not installed. */
export async function startPeer(market: Market): Promise<DuckdbPeer | null> {
  if (!isInstalled(PACKAGE)) return null
  const { DuckDBInstance }: Client = await import(PACKAGE)
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  const columns = columnsOf(market)
  const names = Object.keys(columns)
  await connection.run(`create table tokens (${names.map((name) => `${name} double`).join(', ')})`)
  const appender = await connection.createAppender('tokens')
  for (let number = 0; number < market.at.now.count; number++) {
    for (const name of names) appender.appendDouble(columns[name]?.[number] ?? 0)
    appender.endRow()
  }
  appender.closeSync()
  const prepared: (readonly [name: string, statement: Statement])[] = []
  for (const [name, query] of Object.entries(queries()))
    prepared.push([name, await connection.prepare(query)])
  return {
    async rank() {
      const lists: Record<string, readonly number[]> = {}
      for (const [name, statement] of prepared) {
        const result = await statement.runAndReadAll()
        lists[name] = result.getColumns()[0] ?? []
      }
      return lists
    },
    close: () => connection.closeSync(),
  }
}

function queries(): Readonly<Record<string, string>> {
  const list = (where: string, score: string, moment: string) =>
    `select number from tokens where ${where}
     order by ${score} desc, volume_day_${moment} desc, cap_${moment} desc, launch limit 100`
  return Object.fromEntries([
    ...boardTimes.flatMap((name) => {
      const where = `price_${name} > 0 and is_active = 1 and last_${name} > 0 and is_creator =`
      return [
        [`creators at ${name}`, list(`${where} 1`, `portfolio_${name}`, name)],
        [`posts at ${name}`, list(`${where} 0`, `engagement_day_${name}`, name)],
      ]
    }),
    ...timeframes.flatMap((name) =>
      trendingOrders.map((order) => {
        const score = {
          volume: `volume_${name}`,
          rank_volume: `rank_volume_${name}`,
          market_cap: 'cap_now',
          change: `change_${name}`,
          change_asc: `fall_${name}`,
          holders: 'holders',
        }
        const money = ['volume', 'rank_volume', 'holders'].includes(order) ? '' : 'and is_liquid = 1'
        const where = `trades_now > trades_${name} and price_now > 0 ${money}`
        return [`${order} in ${name}`, list(where, score[order], 'now')]
      }),
    ),
  ])
}

type Columns = Record<string, Float64Array>

/** Every score worked out, so that DuckDB has only to filter and to order. */
function columnsOf(market: Market): Columns {
  const { now } = market.at
  const numbers = boardTokens(market.valuations.now, market.minute)
  const active = new Set([...numbers.creator, ...numbers.post])
  const columns: Columns = {
    number: column(market, (number) => number),
    launch: column(market, (number) => {
      const { launchedAt } = now.tokenOf(number)
      return launchedAt.blockNumber * 2 ** 20 + launchedAt.logIndex
    }),
    is_creator: column(market, (number) => Number(now.tokenOf(number).kind === 'creator')),
    is_active: column(market, (number) => Number(active.has(number))),
    is_liquid: column(market, (number) => Number(isLiquid(market.valuations.now, number))),
    holders: column(market, (number) => now.read('holders', number)),
    trades_30d: column(market, (number) => market.at['30d'].read('cumTrades', number)),
  }
  for (const name of boardTimes) Object.assign(columns, momentColumns(market, name))
  for (const name of timeframes) Object.assign(columns, windowColumns(market, name))
  return columns
}

const column = ({ at }: Market, value: (number: number) => number): Float64Array =>
  new Float64Array(at.now.count).map((_, number) => value(number))

function momentColumns(market: Market, name: BoardTime): Columns {
  const view = market.at[name]
  const { worthOf, portfolioOf, volume24h, engagement24h } = market.valuations[name]
  return {
    [`trades_${name}`]: column(market, (number) => view.read('cumTrades', number)),
    [`last_${name}`]: column(market, (number) => lastSwapOf(view, number)),
    [`price_${name}`]: column(market, (number) => Number(worthOf(number).priceUsdE36)),
    [`cap_${name}`]: column(market, (number) => Number(worthOf(number).marketCap)),
    [`portfolio_${name}`]: column(market, (number) => {
      const portfolio = portfolioOf(number)
      return portfolio ? Number(countedOf(portfolio)) : 0
    }),
    [`volume_day_${name}`]: column(market, (number) => Number(volume24h.exactly(number))),
    [`engagement_day_${name}`]: column(market, engagement24h.exactly),
  }
}

function windowColumns(market: Market, name: Timeframe): Columns {
  const { now, [name]: then } = market.at
  const changeOf = (number: number): number => {
    const base = listBaseAt(now, market.since[name], number)
    const price = market.valuations.now.worthOf(number).priceUsdE36
    return base && price ? Number(price) / Number(base) : 0
  }
  return {
    [`volume_${name}`]: column(market, (number) =>
      Number(now.read('cumVolumeMicroUsd', number) - then.read('cumVolumeMicroUsd', number)),
    ),
    [`rank_volume_${name}`]: column(market, (number) =>
      Number(amountSince('cumRankVolumeMicroUsd', now, then)(number)),
    ),
    [`change_${name}`]: column(market, changeOf),
    [`fall_${name}`]: column(market, (number) => {
      const change = changeOf(number)
      return change === 0 ? 0 : 1 / change
    }),
  }
}

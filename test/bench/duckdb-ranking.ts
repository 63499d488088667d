/** The same lists by DuckDB: one table of columns that are worked out beforehand, one query a list, one thread. */
import { existsSync } from 'node:fs'
import { portfoliosAt } from '../../market/appraisal.ts'
import { boardsAt } from '../../market/board.ts'
import { momentOf, numbersByKind, type Rankings, windowOf } from '../../market/rankings.ts'
import type { Market } from '../../market/row.ts'
import type { Token } from '../../market/segment.ts'
import { basePriceAt, trendingAt, trendingSorts } from '../../market/trending.ts'
import { type Moment, moments, startOf, type Timeframe, timeframes } from '../../market/window.ts'
import { priceAt, worthAt } from '../../market/worth.ts'

/** Lists of token numbers by name. */
export type Lists = Readonly<Record<string, readonly number[]>>

export type Peer = {
  /** All lists, in DuckDB. */
  rank(): Promise<Lists>
  close(): void
}

const folder = new URL('node_modules/@duckdb/node-api/', import.meta.url)

/** The lists that the engine ranked, named as the peer names them. */
export function listsOf({ boards, trending }: Rankings): Lists {
  const numbers = (places: readonly { readonly number: number }[]) => places.map(({ number }) => number)
  return Object.fromEntries([
    ...moments.flatMap((name) => [
      [`creators at ${name}`, numbers(boards[name].creator)],
      [`posts at ${name}`, numbers(boards[name].post)],
    ]),
    ...timeframes.flatMap((name) =>
      trendingSorts.map((sort) => [`${sort} in ${name}`, numbers(trending[name][sort])]),
    ),
  ])
}

/** A function that ranks all lists of an appraised market, what is counted of each creator worked out as well: what the peer does. */
export function prepareRanking(market: Market): () => Lists {
  const { space } = market
  const portfolios = moments.map((name) => {
    const portfolio = new Float64Array(space.capacity)
    portfoliosAt(market.appraisals[name], portfolio)
    return [name, portfolio] as const
  })
  return () => {
    const numbers = numbersByKind(market.edges.now)
    const boards = portfolios.map(
      ([name, portfolio]) => [name, boardsAt(momentOf(market, name), numbers, portfolio)] as const,
    )
    const now = momentOf(market, 'now')
    const trending = timeframes.map(
      (name) => [name, trendingAt(now, windowOf(market, name, space), space)] as const,
    )
    return listsOf({
      boards: Object.fromEntries(boards) as Rankings['boards'],
      trending: Object.fromEntries(trending) as Rankings['trending'],
    })
  }
}

/** The columns of a market's lists, exact where doubles are; null: DuckDB is not installed. */
export async function startPeer(market: Market): Promise<Peer | null> {
  if (!existsSync(folder)) return null
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  const columns = columnsOf(market)
  const names = Object.keys(columns)
  await connection.run(`create table tokens (${names.map((name) => `${name} double`).join(', ')})`)
  const appender = await connection.createAppender('tokens')
  for (let number = 0; number < market.edges.now.tokens.length; number++) {
    for (const name of names) appender.appendDouble(columns[name]?.[number] ?? 0)
    appender.endRow()
  }
  appender.closeSync()
  const prepared = []
  for (const [name, query] of Object.entries(queries()))
    prepared.push([name, await connection.prepare(query)] as const)
  return {
    async rank() {
      const lists: Record<string, readonly number[]> = {}
      for (const [name, statement] of prepared) {
        const result = await statement.runAndReadAll()
        lists[name] = (result.getColumns()[0] ?? []) as number[]
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
    ...moments.flatMap((name) => {
      const where = `price_${name} > 0 and trades_${name} > 0 and is_creator =`
      return [
        [`creators at ${name}`, list(`${where} 1`, `portfolio_${name}`, name)],
        [`posts at ${name}`, list(`${where} 0`, `engagement_day_${name}`, name)],
      ]
    }),
    ...timeframes.flatMap((name) =>
      trendingSorts.map((sort) => {
        const score = {
          volume: `volume_${name}`,
          market_cap: 'cap_now',
          change: `change_${name}`,
          holders: 'holders',
        }
        return [`${sort} in ${name}`, list(`trades_now <> trades_${name}`, score[sort], 'now')]
      }),
    ),
  ])
}

type Columns = Record<string, Float64Array>

/** Every score worked out, so that DuckDB has only to filter and to order. */
function columnsOf(market: Market): Columns {
  const { now } = market.edges
  const columns: Columns = {
    number: column(market, (number) => number),
    launch: column(market, (number) => {
      const launchedAt = now.tokens[number]?.launchedAt
      return launchedAt ? launchedAt.blockNumber * 2 ** 20 + launchedAt.logIndex : 0
    }),
    is_creator: column(market, (number) => now.lineage.isCreator[number] ?? 0),
    holders: column(market, (number) => now.read('holders', number)),
    trades_30d: column(market, (number) => market.edges['30d'].read('cumTrades', number)),
  }
  for (const name of moments) Object.assign(columns, momentColumns(market, name))
  for (const name of timeframes) Object.assign(columns, windowColumns(market, name))
  return columns
}

const column = ({ edges: { now } }: Market, value: (number: number) => number): Float64Array =>
  Float64Array.from(now.tokens, (_, number) => value(number))

function momentColumns(market: Market, name: Moment): Columns {
  const view = market.edges[name]
  const { creatorTokenOf, volume24hOf, engagement24hOf } = market.valuations[name]
  const [price, cap, portfolio] = [0, 0, 0].map(() => column(market, () => 0)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (let number = 0; number < view.tokens.length; number++) {
    const worth = worthAt(view, number)
    price[number] = Number(worth.priceUsdE36)
    cap[number] = Number(worth.marketCap)
    const behind = view.tokens[number]?.kind === 'creator' ? number : creatorTokenOf(number)
    if (behind !== null) portfolio[behind] = (portfolio[behind] ?? 0) + Number(worth.effectiveCap)
  }
  return {
    [`trades_${name}`]: column(market, (number) => view.read('cumTrades', number)),
    [`price_${name}`]: price,
    [`cap_${name}`]: cap,
    [`portfolio_${name}`]: portfolio,
    [`volume_day_${name}`]: column(market, (number) => Number(volume24hOf(number))),
    [`engagement_day_${name}`]: column(market, engagement24hOf),
  }
}

function windowColumns(market: Market, name: Timeframe): Columns {
  const { now, [name]: then } = market.edges
  const since = { edge: then, start: startOf(market.minute, name) }
  const total = (edge: typeof then, number: number) => edge.read('cumVolumeMicroUsd', number)
  return {
    [`volume_${name}`]: column(market, (number) => Number(total(now, number) - total(then, number))),
    [`change_${name}`]: column(market, (number) => {
      const base = basePriceAt(since, number, now.tokens[number] as Token)
      return base ? Number(priceAt(now, number)) / Number(base) : 0
    }),
  }
}

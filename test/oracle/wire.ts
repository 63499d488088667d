/** The oracle's figures as the contract prints them, and their comparison with the answers of a service. */
import { getAddress } from 'viem'
import type { Ready } from '../../dev/local/service.ts'
import { changeE2, decimalText, significantText } from '../../market/display.ts'
import { bearer } from '../support/aws/access.ts'
import { type Boards, oraclePeriods, oracleShortAddress, type Row } from './boards.ts'
import type { OracleTotals } from './totals.ts'
import type { Index } from './z100-index.ts'

export type Wire = Readonly<Record<string, unknown>>

/** The oracle's figures at a time. */
export type OracleFigures = { boards: Boards; totals: OracleTotals; index: Index; asOf: number }
/** A document that is compared: the key of its rows (absent: it is one row, or a list of them), and the expected rows. */
export type Wanted = { path: string; at?: string; expected: (known: OracleFigures) => Wire[] }

/** An answer of a service, and the block and time that its headers name. */
export type ServedAnswer = { status: number; text: string; dataBlock: number; dataHash: string; asOf: number }

/** Reads a path with the key of the highest tier. */
export async function readAnswer({ base_url, keys }: Ready, path: string): Promise<ServedAnswer> {
  const response = await fetch(base_url + path, { headers: bearer(keys.enterprise) })
  const header = (name: string) => response.headers.get(name) ?? ''
  return {
    status: response.status,
    text: await response.text(),
    dataBlock: Number(header('x-data-block')),
    dataHash: header('x-data-block-hash'),
    asOf: Date.parse(header('x-data-time')) / 1000,
  }
}

export const rowsIn = (body: unknown, at: string | undefined): Wire[] =>
  [at === undefined ? body : (body as Wire)[at]].flat() as Wire[]

/** Keys that identify a row, where it has them. */
const identifying = ['contract_address', 'address', 'date', 'timestamp', 'block_number', 'log_index']

/** What differs in the order of the rows, and in every field that the oracle knows. */
export function rowDifferences(served: readonly Wire[], expected: readonly Wire[]): string[] {
  const keys = identifying.filter((key) => expected[0] && key in expected[0])
  const nameOf = (row: Wire) => keys.map((key) => row[key]).join('.')
  const order = (rows: readonly Wire[]) => rows.map(nameOf).join(' ')
  const isOrdered = served.length === expected.length && order(served) === order(expected)
  const differences = isOrdered
    ? []
    : [`${served.length} rows, expected ${expected.length}, or in another order`]
  for (const row of expected) {
    const name = `#${row['rank']} ${row['symbol']} ${nameOf(row)}`
    const found = served.find((each) => nameOf(each) === nameOf(row))
    if (!found) differences.push(`${name} is missing`)
    else
      for (const [key, value] of Object.entries(row))
        if (JSON.stringify(found[key]) !== JSON.stringify(value))
          differences.push(
            `${name} ${key}: served ${JSON.stringify(found[key])}, expected ${JSON.stringify(value)}`,
          )
  }
  return differences
}

export const PERIODS = Object.keys(oraclePeriods)

export const wireUsd = (microUsd: bigint): number => Number(decimalText(microUsd, 6, 2))
export const usdOrNull = (microUsd: bigint, isKnown: boolean): number | null =>
  isKnown ? wireUsd(microUsd) : null
export const wirePrice = (priceE36: bigint): number | null =>
  priceE36 > 0n ? Number(significantText(priceE36)) : null
export function wirePercent(base: bigint, now: bigint): number | null {
  const change = changeE2(base, now)
  return change === null ? null : Number(decimalText(change, 2, 2))
}
/** Whole tokens, floored to 6 decimals. */
const wireTokens = (amount: bigint): number => Number(decimalText(amount / 10n ** 12n, 6, 6))
export const wireTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** A post in somebody else's name has nobody's. */
const isNameless = ({ kind, creator, launcher }: Row['coin']): boolean =>
  kind === 'post' && creator !== launcher

/** The creator token's symbol, else the creator's short address. */
export const handleWire = ({ coin, creatorToken }: Pick<Row, 'coin' | 'creatorToken'>): string =>
  isNameless(coin)
    ? oracleShortAddress(coin.launcher)
    : creatorToken?.symbol || oracleShortAddress(coin.creator)

/** What every row says, on boards and lists. */
export function tokenWire(row: Row): Wire {
  const { rank, coin, name, poolId, creatorToken, quotedIn, now } = row
  const creator = getAddress(coin.creator)
  const isPriced = now.price > 0n
  return {
    rank,
    position: rank,
    type: coin.kind,
    symbol: name.symbol,
    name: name.name,
    pool_id: poolId,
    contract_address: getAddress(coin.address),
    creator_address: creator,
    creator_verified: coin.launcher === coin.creator,
    launched_by: getAddress(coin.launcher),
    symbol_since: wireTime(name.symbolSince),
    creator_handle: handleWire(row),
    creator_name: isNameless(coin) ? null : (creatorToken?.name ?? null),
    quoted_in: quotedIn && { address: getAddress(quotedIn.address), symbol: quotedIn.symbol },
    created_at: wireTime(coin.launchSeconds),
    trades_24h: now.trades24h,
    price_usd: wirePrice(now.price),
    market_cap: usdOrNull(now.cap, isPriced),
    volume_24h: wireUsd(now.volume24h),
    total_volume: wireUsd(now.totalVolume),
    creator_earnings_24h: wireUsd(now.earned24h),
    creator_earnings_total: wireUsd(now.earned),
    holders_count: now.holders,
    unique_holders: now.holders,
    liquidity_usd: usdOrNull(now.liquidity, isPriced),
  }
}

export const supplyWire = ({ now }: Row): Wire => ({
  total_supply: wireTokens(now.supply),
  circulating_supply: wireTokens(now.circulating),
  circulating_market_cap: usdOrNull(now.circulatingCap, now.price > 0n),
})

export const trendingWire = (row: Row): Wire => ({
  ...tokenWire(row),
  volume: wireUsd(row.period.volume),
  trade_count: row.period.trades,
  rank_volume: wireUsd(row.period.rankVolume),
  change: wirePercent(row.base.price, row.now.price),
  change_24h: wirePercent(row.day.price, row.now.price),
  change_7d: wirePercent(row.week.price, row.now.price),
})

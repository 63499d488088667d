/** What the oracle knows, as the contract prints it. */
import { getAddress } from 'viem'
import { changeE2, decimalText, significantText } from '../../market/display.ts'
import { type Row, shortAddress } from '../oracle.ts'

export type Wire = Readonly<Record<string, unknown>>

export const usd = (microUsd: bigint): number => Number(decimalText(microUsd, 6, 2))
export const usdOrNull = (microUsd: bigint, isKnown: boolean): number | null =>
  isKnown ? usd(microUsd) : null
export const price = (priceE36: bigint): number | null =>
  priceE36 > 0n ? Number(significantText(priceE36)) : null
export const percent = (base: bigint, now: bigint): number | null => {
  const change = changeE2(base, now)
  return change === null ? null : Number(decimalText(change, 2, 2))
}
/** Whole tokens, floored to 6 decimals. */
export const tokens = (amount: bigint): number => Number(decimalText(amount / 10n ** 12n, 6, 6))
export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** The creator token's symbol, else the creator's short address. */
export const handleWire = ({ coin, creatorToken }: Pick<Row, 'coin' | 'creatorToken'>): string =>
  creatorToken?.symbol || shortAddress(coin.creator)

/** What every row says, on boards and lists. */
export function tokenWire(row: Row): Wire {
  const { rank, coin, name, poolId, creatorToken, now } = row
  const creator = getAddress(coin.creator)
  const isPriced = now.price > 0n
  return {
    ...{ rank, position: rank, type: coin.kind, symbol: name.symbol, name: name.name, pool_id: poolId },
    ...{ contract_address: getAddress(coin.address), creator_address: creator },
    ...{ creator_handle: handleWire(row), creator_name: creatorToken?.name ?? null },
    ...{ created_at: isoTime(coin.launchSeconds), trades_24h: now.trades24h },
    ...{ price_usd: price(now.price), market_cap: usdOrNull(now.cap, isPriced) },
    ...{ volume_24h: usd(now.volume24h), total_volume: usd(now.totalVolume) },
    ...{
      holders_count: now.holders,
      unique_holders: now.holders,
      liquidity_usd: usdOrNull(now.liquidity, isPriced),
    },
  }
}

export const trendingWire = (row: Row): Wire => ({
  ...tokenWire(row),
  ...{ volume: usd(row.period.volume), trade_count: row.period.trades },
  rank_volume: usd(row.period.rankVolume),
  ...{ change: percent(row.base.price, row.now.price), change_24h: percent(row.day.price, row.now.price) },
  change_7d: percent(row.week.price, row.now.price),
})

import type { WalletHour } from '../prior.ts'
import { ENGAGEMENT_MIN_MICRO_USD } from '../rules.ts'
import type { MicroUsd } from '../segment.ts'

/** A wallet without trades of the token in this UTC hour. */
const idle: WalletHour = { net: 0n, peak: 0n, hasCounted: false }

/**
 * Adds a swap to a wallet's UTC hour. `counts`: the (wallet, hour) pair counts towards engagement from this swap on;
 * each pair counts once. `rankMicroUsd`: growth of the largest |net position|, so that trading back and forth adds
 * nothing.
 */
export function stepWallet(
  before: WalletHour | undefined,
  swap: { readonly isBuy: boolean; readonly volumeMicroUsd: MicroUsd },
): { readonly wallet: WalletHour; readonly counts: boolean; readonly rankMicroUsd: MicroUsd } {
  const { net: netBefore, peak: peakBefore, hasCounted } = before ?? idle
  const net = swap.isBuy ? netBefore + swap.volumeMicroUsd : netBefore - swap.volumeMicroUsd
  const size = net < 0n ? -net : net
  const peak = size > peakBefore ? size : peakBefore
  const counts = !hasCounted && swap.volumeMicroUsd >= ENGAGEMENT_MIN_MICRO_USD
  return { wallet: { net, peak, hasCounted: hasCounted || counts }, counts, rankMicroUsd: peak - peakBefore }
}

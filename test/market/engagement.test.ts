import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stepWallet } from '../../market/engagement.ts'
import type { WalletHour } from '../../market/segment.ts'

type Trade = { readonly isBuy: boolean; readonly volumeMicroUsd: bigint }

function walk(trades: readonly Trade[]) {
  let wallet: WalletHour | undefined
  let [counted, rank] = [0, 0n]
  for (const trade of trades) {
    const step = stepWallet(wallet, trade)
    wallet = step.wallet
    if (step.counts) counted += 1
    rank += step.rankMicroUsd
  }
  return { counted, rank }
}

const dollars = (isBuy: boolean, usd: number): Trade => ({
  isBuy,
  volumeMicroUsd: BigInt(Math.round(usd * 1e6)),
})

describe('stepWallet', () => {
  it('a bot that trades $50 back and forth 20 times in an hour is one pair and $50 of rank volume', () => {
    const trades = Array.from({ length: 20 }, (_, i) => dollars(i % 2 === 0, 50))
    expect(walk(trades)).toEqual({ counted: 1, rank: 50_000_000n })
  })
  it('swaps below ten cents never count', () => {
    expect(walk([dollars(true, 0.0999), dollars(true, 0.09)]).counted).toBe(0)
  })
  it('rank volume is the largest |net position|, in any order of growth', () => {
    const trade = fc.record({ isBuy: fc.boolean(), volumeMicroUsd: fc.bigInt(0n, 10n ** 12n) })
    fc.assert(
      fc.property(fc.array(trade), (trades) => {
        let [net, peak] = [0n, 0n]
        for (const { isBuy, volumeMicroUsd } of trades) {
          net += isBuy ? volumeMicroUsd : -volumeMicroUsd
          const size = net < 0n ? -net : net
          if (size > peak) peak = size
        }
        expect(walk(trades).rank).toBe(peak)
      }),
    )
  })
})

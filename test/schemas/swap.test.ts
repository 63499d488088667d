import { expect, it } from 'vitest'
import type { Swap } from '../../market/segment.ts'
import { type SwapCurrency, swapFields } from '../../schemas/records/swap.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { openCurrencies } from '../../stream/events.ts'
import { address, hash, swapWith } from '../support/market/facts.ts'

const token = { address: address(0xa), symbol: 'STAR', name: 'Star', decimals: 18 }
const swap = swapWith({
  token: token.address,
  quote: address(0xc),
  trader: address(0x51),
  from: null,
  to: null,
  amountQuote: 5n,
  volumeMicroUsd: 0n,
  paidUsdE36: 0n,
})
const written = (given: Partial<Swap>, quote: SwapCurrency): Record<string, unknown> =>
  JSON.parse(rowWriter(swapFields)({ swap: { ...swap, ...given }, token, quote, isConfirmed: false }))

async function unknown() {
  const currencies = openCurrencies({ tokens: async () => new Map() }, [])
  const named = await currencies.read([
    { seq: 1, is: 'block', block: { number: 1, hash: hash(4), timestamp: 60 }, swaps: [swap] },
  ])
  return named(swap.quote)
}

it('a swap has null for an unknown quote and for a missing transfer', async () => {
  const row = written({}, await unknown())
  expect(row).toMatchObject({ from_address: null, to_address: null, trader: expect.stringMatching(/51$/) })
  expect(row['token_in']).toMatchObject({ symbol: null, name: null })
  expect(row).toMatchObject({ token_symbol: 'STAR', token_out: { symbol: 'STAR', name: 'Star' } })
})

it('a buy that received nothing paid the quote in, at no price', async () => {
  const row = written({ amountToken: 0n }, { ...token, address: swap.quote, symbol: 'ZORA', name: 'Zora' })
  expect(row).toMatchObject({ type: 'buy', amount_out: 0, price_per_token: null })
  expect(row['token_in']).toMatchObject({ symbol: 'ZORA', amount_raw: '5' })
  expect(row['token_out']).toMatchObject({ symbol: 'STAR', amount_raw: '0' })
})

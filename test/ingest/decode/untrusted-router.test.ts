import { numberToHex } from 'viem'
import { afterAll, expect, it } from 'vitest'
import { launchPost, pretend, trade, transfer } from '../../../dev/devnet/actions.ts'
import { pretendingRouterAddress, zoraAddress } from '../../../dev/devnet/contracts.ts'
import type { Address } from '../../../market/segment.ts'
import { feedOf, memoryStores, startWriter, untilIdle } from '../../support/aws/ingest-stores.ts'
import { startEmptyDevnet } from '../empty-devnet.ts'

/** What an attack once did: one account, and a router that says it swaps for 80 wallets and pays the tokens to them. */

const names = Array.from({ length: 80 }, (_, n) => numberToHex(0xa11ce_0000 + n, { size: 20 }))
const stores = memoryStores()
const amountIn = 10n ** 20n

const devnet = await startEmptyDevnet(60)
afterAll(devnet.stop)
const { book, mine } = devnet
const [, attacker, honest] = devnet.wallets as [Address, Address, Address]
await mine(
  launchPost(attacker, { name: 'Post', symbol: 'post', quote: zoraAddress }),
  transfer(zoraAddress, { from: attacker, to: pretendingRouterAddress, amount: 80n * amountIn }),
)
const { key, address } = book.tokens('post')[0]!
await mine(trade({ wallet: honest, path: [key], currencyIn: zoraAddress, amountIn }))
await mine(pretend(attacker, { key, currencyIn: zoraAddress, amountIn, names }))
// Too little to receive a token of: the fee takes it.
await mine(trade({ wallet: honest, path: [key], currencyIn: zoraAddress, amountIn: 1n }))
await mine()
await mine()
await untilIdle(startWriter(stores, devnet.rpcUrl))
const swaps = (await feedOf(stores)).flatMap((entry) => (entry.is === 'block' ? entry.swaps : []))

it('an untrusted router names no trader: its swaps belong to the account that sent them', () => {
  expect(swaps).toHaveLength(82)
  expect(swaps.map(({ trader }) => trader)).toEqual([honest, ...names.map(() => attacker), honest])
  expect(new Set(swaps.slice(1, -1).map(({ to }) => to))).toEqual(new Set([names.at(-1)]))
})

it('an untrusted router adds one wallet to the engagement of the post, not 80', async () => {
  const known = await stores.tokens.known([address], Math.floor(devnet.head().timestamp / 60) + 1)
  expect(known.get(address)?.state).toMatchObject({ cumEngagement: 2, cumTrades: 82, cumBuys: 82 })
})

it('a buy too small to receive anything is still a buy', () => {
  expect(swaps.at(-1)).toMatchObject({ isBuy: true, amountToken: 0n, amountQuote: 1n, paidUsdE36: 0n })
  expect(swaps.at(-1)).toMatchObject({ from: null, to: null })
})

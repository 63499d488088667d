import { afterAll, describe, expect, it } from 'vitest'
import { launchPost, trade } from '../../../dev/devnet/actions.ts'
import { zoraAddress } from '../../../dev/devnet/contracts.ts'
import { moveRate } from '../../../dev/devnet/genesis.ts'
import { chains } from '../../../ingest/client/chains.ts'
import { readHeader } from '../../../ingest/client/headers.ts'
import { openRpc, type Rpc } from '../../../ingest/client/rpc.ts'
import { startingRates } from '../../../ingest/proof/starting-rates.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import { depsOver, memoryStores, segmentsOf, untilIdle } from '../../support/aws/ingest-stores.ts'
import { withoutState } from '../../support/chain/json-rpc.ts'
import { openMockChain } from '../../support/chain/mock-chain.ts'
import { startEmptyDevnet } from '../empty-devnet.ts'

const chain = chains.devnet

/** The log of minutes that begins after `start`, as ingest makes it. */
async function logAfterStart(asked: Rpc) {
  const stores = memoryStores()
  await untilIdle(followChain(depsOver(stores, { rpc: asked, chain, start })))
  return segmentsOf(stores)
}

const { book, mine, rpcUrl, wallets, stop } = await startEmptyDevnet(60)
afterAll(stop)
const alice = wallets[1]!
const rpc = openRpc([rpcUrl])
await mine(...moveRate(alice, { isUp: true, usd: 500_000 }))
await mine()
const start = (await readHeader(rpc, 'latest'))!
// Nothing trades in the reference pool from here on.
await mine(launchPost(alice, { name: 'Post', symbol: 'post', quote: zoraAddress }))
const [post] = book.tokens('post')
await mine(trade({ wallet: alice, path: [post!.key], currencyIn: zoraAddress, amountIn: 10n ** 21n }))
await mine()
await mine()

describe('before a reference pool trades, its own price counts', () => {
  it('so that the first trades have a volume', async () => {
    const segments = await logAfterStart(rpc)
    const [swap] = segments.flatMap(({ swaps }) => swaps)
    const rate = segments[0]?.references.get(zoraAddress)?.heldUsdE36 ?? 0n
    expect(Number(rate) / 1e36).toBeGreaterThan(0.0205)
    expect(swap?.volumeMicroUsd).toBe((10n ** 21n * rate) / 10n ** 48n)
  })

  it('and the log is the same without the state of that block, from the last swap before it', async () => {
    expect(await logAfterStart(withoutState(rpc))).toEqual(await logAfterStart(rpc))
  })

  it('is that of slot0 in V3, for every currency of the pool; of several pools the first that exists by then counts', async () => {
    const mock = openMockChain(100)
    const zoraInEther = '0xa0ca5bebc42cdbf3623b1c09206ae4e3975b0fc7'
    // As many ether for a ZORA as dollars for an ether, in base units: 3 · 10^-9. 3,000 dollars of 6 decimals for one of 18: sqrt(3000 · 10^-12) · 2^96.
    const word = 4_339_505_179_874_779_489_431_521n.toString(16).padStart(64, '0')
    mock.distort = ({ method, params }, answer) => {
      if (method !== 'eth_call') return answer
      const [{ to }] = params as [{ to: string }]
      return to === '0xd0b53d9277642d899df5c87a3966a349a798f224' || to === zoraInEther
        ? `0x${word}${'0'.repeat(6 * 64)}`
        : '0x'
    }
    const rates = await startingRates(mock.rpc, chains.base, mock.block(50))
    const priced = chains.base.references.map(({ symbol, address }) => [
      symbol,
      Math.round(Number(rates.get(address)?.heldUsdE36) / 1e24) / 1e12,
    ])
    expect(priced).toEqual([
      ['ZORA', 9e-6],
      ['ETH', 3_000],
      ['WETH', 3_000],
      ['USDC', 1],
    ])
    const calls = mock.asked.filter(({ method }) => method === 'eth_call')
    expect(calls.every(({ params }) => params[1] === '0x32')).toBe(true)
  })

  it('is required: reading fails if neither the state nor a swap is available', async () => {
    const mock = openMockChain(100_000)
    await expect(startingRates(withoutState(mock.rpc), chains.base, mock.block(90_000))).rejects.toThrow(
      'missing trie node',
    )
    expect(mock.asked.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThan(200)
  })
})

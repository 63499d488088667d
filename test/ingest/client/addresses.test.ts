/** The addresses of real chains are those that the protocol publishes. Needs no network: a new version of the package is what brings new ones. */
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { chains } from '../../../ingest/client/chains.ts'

type ByChain = Readonly<Record<number, string>>
const published = createRequire(import.meta.url)('@zoralabs/protocol-deployments') as Readonly<
  Record<
    'coinFactoryAddress' | 'uniswapV4PoolManagerAddress' | 'zoraLimitOrderBookAddress' | 'wethAddress',
    ByChain
  >
>

const real = Object.values(chains).filter(({ name }) => name !== 'devnet')

test.each(real)('$name has the addresses that the protocol publishes', (chain) => {
  const { id, factory, poolManager, internalSenders, references } = chain
  const at = (addresses: ByChain) => addresses[id]?.toLowerCase()
  expect({ factory, poolManager }).toEqual({
    factory: at(published.coinFactoryAddress),
    poolManager: at(published.uniswapV4PoolManagerAddress),
  })
  expect(references.find(({ symbol }) => symbol === 'WETH')?.address).toBe(at(published.wethAddress))
  const orderBook = at(published.zoraLimitOrderBookAddress)
  expect(internalSenders).toEqual(expect.arrayContaining(orderBook ? [orderBook] : []))
})

test('there is a chain for each factory that is published', () => {
  const ids = Object.keys(published.coinFactoryAddress).map(Number)
  expect(real.map(({ id }) => id).sort()).toEqual(ids.sort())
})

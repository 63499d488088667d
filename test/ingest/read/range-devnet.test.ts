import { encodeAbiParameters, keccak256 } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import {
  burn,
  forge,
  launchCreator,
  launchPost,
  launchTrend,
  migrate,
  renameToken,
  trade,
  transfer,
} from '../../../dev/devnet/actions.ts'
import type { BookToken } from '../../../dev/devnet/book.ts'
import { hookAddresses, zoraAddress } from '../../../dev/devnet/contracts.ts'
import { chains } from '../../../ingest/client/chains.ts'
import { readHeader } from '../../../ingest/client/headers.ts'
import { openRpc } from '../../../ingest/client/rpc.ts'
import { topicOf } from '../../../ingest/decode/events.ts'
import { noOldTokens } from '../../../ingest/decode/old-tokens.ts'
import { poolIdOf } from '../../../ingest/decode/pool-state.ts'
import { ratePoolsOf } from '../../../ingest/decode/queries.ts'
import { openRegistry } from '../../../ingest/decode/registry.ts'
import { openRanges } from '../../../ingest/read/range.ts'
import type { Fact } from '../../../market/fold/fact.ts'
import type { Address, Hash } from '../../../market/segment.ts'
import { type Limits, startProxies } from '../../support/chain/strict-endpoint.ts'
import { startEmptyDevnet } from '../empty-devnet.ts'
import { factsOfRange, readAll, storeOf, wholeRange } from '../mock-reading.ts'

/** The devnet's contracts on the real PoolManager: what is read from logs is what the chain holds. */

const chain = chains.devnet
const devnet = await startEmptyDevnet(20)
afterAll(devnet.stop)
const { wallets } = devnet
const rpc = openRpc([devnet.rpcUrl])

function tokenOf(kind: BookToken['kind']): BookToken {
  const [token] = devnet.book.tokens(kind)
  if (!token) throw new Error(`no ${kind} token`)
  return token
}
async function launchAll([alice, bob, carol]: readonly Address[]): Promise<void> {
  const { mine } = devnet
  await mine(launchCreator(alice!, { name: 'Alice\u202E', symbol: 'alice' }), launchTrend(carol!, 'trend'))
  const creator = tokenOf('creator')
  await mine(launchPost(alice!, { name: 'Post', symbol: 'post', quote: creator.address }))
  const route = { path: [creator.key, tokenOf('post').key], currencyIn: zoraAddress, amountIn: 10n ** 21n }
  const trend = { path: [tokenOf('trend').key], currencyIn: zoraAddress, amountIn: 10n ** 20n }
  await mine(
    trade({ wallet: bob!, ...route }),
    trade({ wallet: carol!, ...route, path: [creator.key], isAnonymous: true }),
    trade({ wallet: bob!, ...trend }),
  )
  await mine(
    transfer(creator.address, { from: carol!, to: bob!, amount: 5n }),
    burn(creator.address, carol!, 7n),
    renameToken(creator, 'Alice the second', 'alice2'),
    forge(bob!, {
      topics: [topicOf.swapped, padded(bob!), padded(bob!), poolIdOf(creator.key)],
      data: `0x${'01'.repeat(16 * 32)}`,
    }),
  )
  const other = hookAddresses().find((hook) => hook !== creator.key.hooks)
  await mine(migrate(creator, other!))
  await mine(
    trade({ wallet: bob!, path: [tokenOf('creator').key], currencyIn: zoraAddress, amountIn: 10n ** 20n }),
  )
}
const padded = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`

await launchAll(wallets.slice(1))
const head = await readHeader(rpc, 'latest')
const ranges = openRanges({ rpc, chain, registry: openRegistry(storeOf(), chain, noOldTokens) })
const facts = factsOfRange(wholeRange(await ranges.read(null, head!.number)))

const only = <Kind extends Fact['is']>(kind: Kind) =>
  facts.filter((fact): fact is Extract<Fact, { is: Kind }> => fact.is === kind)
const call = async (to: Address, data: string): Promise<bigint> =>
  BigInt((await rpc.request('eth_call', [{ to, data }, 'latest'])) as string)

describe('facts of the devnet', () => {
  it('name its tokens but no trend', async () => {
    expect(only('launched').map(({ coin }) => [coin.kind, coin.address, coin.name])).toEqual([
      ['creator', tokenOf('creator').address, 'Alice'],
      ['post', tokenOf('post').address, 'Post'],
    ])
    const known = new Set(only('launched').map(({ coin }) => coin.address))
    expect(facts.every((fact) => !('token' in fact) || known.has(fact.token))).toBe(true)
  })

  it.each<Limits>([{ span: 1 }, { span: 2, saysSpan: true }, { span: 3, wantsAddresses: true }])(
    'are the same from an endpoint that limits what is asked, without the forged log: %j',
    async (limits) => {
      const { rpc: limited, stop } = await startProxies([devnet.rpcUrl], { limits: [limits], backoffMs: 1 })
      try {
        const own = openRanges({ rpc: limited, chain, registry: openRegistry(storeOf(), chain, noOldTokens) })
        const read = await readAll(own, null, head!.number)
        expect(read.length).toBeGreaterThan(1)
        expect(read.flatMap(factsOfRange)).toEqual(facts)
      } finally {
        await stop()
      }
    },
  )

  it('count trades, not swaps of the pool manager', () => {
    // Bob's route is two trades, Carol's one, and Bob's after the migration one.
    expect(only('swapped')).toHaveLength(4)
    expect(only('moved').length).toBeGreaterThan(0)
    // A named router tells the trader; the anonymous one leaves it to the transfer.
    expect(only('swapped').map(({ swapSender }) => swapSender)).toEqual([
      wallets[2],
      wallets[2],
      null,
      wallets[2],
    ])
  })

  it('end at the balances that the tokens hold', async () => {
    const balances = new Map<string, { token: Address; holder: Address; amount: bigint }>()
    for (const { token, from, to, fromBalance, toBalance } of only('transferred')) {
      balances.set(token + from, { token, holder: from, amount: fromBalance })
      balances.set(token + to, { token, holder: to, amount: toBalance })
    }
    expect(balances.size).toBeGreaterThan(8)
    for (const { token, holder, amount } of balances.values()) {
      expect(amount, holder).toBe(await call(token, `0x70a08231${padded(holder).slice(2)}`))
    }
  })

  it('end at the prices that the pools hold', async () => {
    const prices = new Map<Hash, bigint>()
    for (const fact of facts)
      if ('sqrtPriceX96' in fact) prices.set(fact.is === 'rated' ? fact.pool : fact.poolId, fact.sqrtPriceX96)
    // The post's pool, both of the creator's (the old one stands as it was left), and the sources of ZORA's rate.
    expect(prices.size).toBe(6)
    for (const [poolId, price] of prices) {
      // v4-core, StateLibrary: pools are at slot 6, slot0 is the first word, the price its low 160 bits.
      const slot = keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [poolId, 6n]))
      const slot0 = await call(chain.poolManager, `0x1e2eaeaf${slot.slice(2)}`)
      expect(BigInt.asUintN(160, slot0), poolId).toBe(price)
    }
  })

  it('follow a migration: the old pool is empty, the new one has its hook', () => {
    const [migrated] = only('migrated')
    const oldPool = only('launched')[0]?.coin.poolId
    const left = only('provided').filter(({ poolId }) => poolId === oldPool)
    expect(left.reduce((sum, { liquidityDelta }) => sum + liquidityDelta, 0n)).toBe(0n)
    expect(migrated).toMatchObject({ hook: tokenOf('creator').key.hooks, quote: zoraAddress })
    expect(only('swapped').at(-1)?.poolId).toBe(migrated?.poolId)
    expect(only('provided').some(({ poolId }) => poolId === migrated?.poolId)).toBe(true)
  })

  it('rate the reference currency, and nothing else', () => {
    const rates = only('rated')
    expect(new Set(rates.map(({ pool }) => pool))).toEqual(new Set(ratePoolsOf(chain).v4))
    for (const { sqrtPriceX96 } of rates)
      expect((Number(sqrtPriceX96) / 2 ** 96) ** 2 * 1e12).toBeCloseTo(0.02, 3)
  })
})

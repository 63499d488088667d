import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeAbiParameters, type Hex, keccak256, padHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { anvilBinary } from '../../dev/devnet/anvil.ts'
import type { Devnet } from '../../dev/devnet/chain.ts'
import {
  foreignAddress,
  hookAddresses,
  managerAddress,
  oldHooks,
  orderBookAddress,
  pretendingRouterAddress,
  routerAddress,
  silentRouterAddress,
  zoraAddress,
} from '../../dev/devnet/contracts.ts'
import { hostileNamings } from '../../dev/devnet/names.ts'
import { chains } from '../../ingest/client/chains.ts'
import { poolIdOf } from '../../ingest/decode/pool-state.ts'
import type { Address, Hash } from '../../market/segment.ts'
import { decodedWith, logsOf, type PlacedLog, published } from '../support/chain/devnet-logs.ts'
import { rpc } from '../support/chain/json-rpc.ts'
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'
import { tempDir } from '../support/temp-dir.ts'

// A small history that includes every oddity.
let devnet: Devnet

beforeAll(async () => {
  const history = { blocks: 40, days: 2, trades: 60, creators: 5, posts: 6 }
  devnet = await startQuietDevnet({ seed: 5, history })
})
afterAll(() => devnet?.stop())

const swapTopic = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f'
const positionTopic = '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'
const topicAddress = (topic: string | undefined) => `0x${topic!.slice(26)}`
const word = (data: string, n: number) => BigInt(`0x${data.slice(2 + n * 64, 66 + n * 64)}`)
const [firstHook, secondHook] = hookAddresses() as [Address, Address]

type Receipt = { readonly logs: readonly PlacedLog[] }

const call = <Result>(method: string, parameters: readonly unknown[]) =>
  rpc<Result>(devnet.rpcUrl, method, parameters)
const logs = (names: readonly string[], address?: Address) => logsOf(devnet.rpcUrl, names, address)
const receiptOf = (hash: Hash) => call<Receipt>('eth_getTransactionReceipt', [hash])

async function lastTransaction(): Promise<Hash> {
  type Block = { readonly transactions: readonly Hash[] }
  const { transactions } = await call<Block>('eth_getBlockByNumber', ['latest', false])
  return transactions.at(-1)!
}

async function poolPrice(poolId: Hash): Promise<bigint> {
  const slot = keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [poolId, 6n]))
  return BigInt(await call<Hex>('eth_getStorageAt', [managerAddress, slot, 'latest'])) & (2n ** 160n - 1n)
}

/** The pool's swaps in a transaction: sender, fee, and the price after each. */
function swapsIn(receipt: Receipt, poolId: Hash) {
  return receipt.logs
    .filter((log) => log.topics[0] === swapTopic && log.topics[1] === poolId)
    .map((log) => ({
      sender: topicAddress(log.topics[2]),
      sqrtPriceX96: word(log.data, 2),
      fee: word(log.data, 5),
    }))
}

describe('launches', () => {
  test('are the last log of their transaction, and decode with the published ABI of the factory', async () => {
    const launched = await logs(
      ['CreatorCoinCreated', 'CoinCreatedV4', 'TrendCoinCreated'],
      chains.devnet.factory,
    )
    expect(launched.length).toBe(devnet.tokens().length)
    for (const log of launched) {
      const { eventName, args } = decodedWith(published.coinFactoryABI, log)
      expect([eventName, args]).toEqual([log.eventName, log.args])
      expect(args.poolKeyHash).toBe(poolIdOf(args.poolKey))
      const { logs: all } = await receiptOf(log.transactionHash)
      expect(all.at(-1)!.logIndex).toBe(log.logIndex)
    }
  })

  test('have hostile names unchanged', () => {
    const symbols = devnet.tokens().map(({ symbol }) => symbol)
    for (const { symbol } of hostileNamings) expect(symbols).toContain(symbol)
    expect(devnet.tokens().some(({ name }) => name.length === 4_096)).toBe(true)
  })

  test('are currency 0 or currency 1 of their pool', () => {
    const sides = new Set(devnet.tokens().map(({ key, address }) => key.currency0 === address))
    expect(sides).toEqual(new Set([true, false]))
  })

  test('are accompanied by forged ones of another contract', async () => {
    const forged = await logs(['CreatorCoinCreated', 'Swapped', 'CoinTransfer'], foreignAddress)
    expect(forged.map(({ eventName }) => eventName).sort()).toEqual([
      'CoinTransfer',
      'CreatorCoinCreated',
      'Swapped',
    ])
    const real = new Set(devnet.tokens().map(({ key }) => poolIdOf(key)))
    expect(real).toContain(forged.find(({ eventName }) => eventName === 'Swapped')!.args.poolKeyHash)
  })
})

describe('trades', () => {
  test('include swaps of the hook’s fees, and Swapped follows with the final price', async () => {
    const post = devnet.tokens('post').find(({ symbol }) => symbol !== 'ZPOST')!
    const poolId = poolIdOf(post.key)
    const wallet = devnet.wallets[8]!
    await devnet.buy({ token: post.address, wallet, usd: 50 })
    const block = await devnet.sell({ token: post.address, wallet })
    expect(block.failed).toEqual([])
    const trade = (await logs(['Swapped'])).find(
      (log) => Number(log.blockNumber) === block.number && log.args.poolKeyHash === poolId,
    )!
    const swaps = swapsIn(await receiptOf(trade.transactionHash), poolId)
    expect(swaps.map(({ fee }) => fee)).toEqual([10_000n, 0n])
    expect(swaps[1]!.sender).toBe(firstHook)
    expect(trade.args.sqrtPriceX96).toBe(swaps[1]!.sqrtPriceX96)
    expect(trade.args.sqrtPriceX96).toBe(await poolPrice(poolId))
    expect(await devnet.balanceOf(post.address, wallet)).toBe(0n)
  })

  test('pay the launch fee in the first seconds after a launch', async () => {
    const creator = await devnet.launchCreator({ name: 'Fresh', symbol: 'fresh' })
    const launched = devnet.head().timestamp
    const feeAt = async (timestamp: number) => {
      await devnet.mineBlock(timestamp - 1)
      const before = devnet.head().timestamp
      const block = await devnet.buy({ token: creator.address, wallet: devnet.wallets[2]!, usd: 20 })
      const hash = await lastTransaction()
      expect(block.timestamp).toBe(before + 1)
      return swapsIn(await receiptOf(hash), poolIdOf(creator.key))[0]!.fee
    }
    expect(await feeAt(launched + 5)).toBe(500_000n)
    expect(await feeAt(launched + 10)).toBe(10_000n)
  })
})

describe('balances', () => {
  test('change by burns, vesting claims, self-transfers and a holder who sells everything', async () => {
    const transfers = await logs(['CoinTransfer'])
    const nobody = '0x0000000000000000000000000000000000000000'
    expect(transfers.some(({ args }) => args.recipient === nobody && args.amount > 0n)).toBe(true)
    expect(transfers.some(({ args }) => args.sender === args.recipient)).toBe(true)
    const claims = await logs(['CreatorVestingClaimed'])
    expect(claims.length).toBe(2)
    const [oldest] = devnet.tokens('creator')
    const total = claims.reduce((sum, { args }) => sum + args.claimAmount, 0n)
    expect(await devnet.balanceOf(oldest!.address, oldest!.address)).toBe(5n * 10n ** 26n - total)
    const leaver = transfers.filter(({ args }) => args.sender.toLowerCase() === devnet.wallets.at(-1))
    expect(leaver.some(({ args }) => args.senderBalance === 0n)).toBe(true)
  })

  test('a token is renamed, and one has migrated', async () => {
    const renames = await logs(['NameAndSymbolUpdated'])
    expect(renames.some(({ args }) => args.newName.endsWith('(new)'))).toBe(true)
    const [migration, ...others] = await logs(['LiquidityMigrated'])
    expect(others).toEqual([])
    const token = devnet.tokens().find(({ address }) => address === migration!.address)
    expect([migration!.args.toPoolKey.hooks.toLowerCase(), token!.key.hooks]).toEqual([
      secondHook,
      secondHook,
    ])
  })
})

test('the migration sends the fees of posts through the new pool, which is no trade there', async () => {
  const creator = devnet.tokens('creator').find(({ key }) => key.hooks === secondHook)!
  const post = await devnet.launchPost({ name: 'After', symbol: 'AFTER', quote: creator.address })
  await devnet.mineBlock(devnet.head().timestamp + 20)
  await devnet.buy({ token: post.address, wallet: devnet.wallets[4]!, usd: 30 })
  const hash = await lastTransaction()
  const receipt = await receiptOf(hash)
  expect(swapsIn(receipt, poolIdOf(creator.key)).map(({ sender, fee }) => [sender, fee])).toEqual([
    [expect.any(String), 10_000n],
    [firstHook, 0n],
  ])
  const trades = (await logs(['Swapped'])).filter((log) => log.transactionHash === hash)
  expect(trades.map(({ args }) => args.poolKeyHash)).toEqual([poolIdOf(creator.key), poolIdOf(post.key)])
})

describe('old hooks', () => {
  const [oldCreators, oldPosts] = oldHooks()
  const tokenOf = (symbol: string) => devnet.tokens().find((token) => token.symbol === symbol)!

  test('are those of the tokens that were launched with them', () => {
    const hooksOf = ['OLDC', 'OLDP', 'NEWP'].map((symbol) => tokenOf(symbol).key.hooks)
    expect(hooksOf).toEqual([oldCreators, oldPosts, firstHook])
  })

  test('report fees that another hook sells, and filled orders, as swaps', async () => {
    const swapped = await logs(['Swapped'], oldCreators)
    const senders = new Set(swapped.map(({ args }) => args.sender.toLowerCase()))
    expect(senders).toEqual(new Set([routerAddress, orderBookAddress, oldPosts, firstHook]))
    const ofPosts = await logs(['Swapped'], oldPosts)
    expect(ofPosts.some(({ args }) => args.sender.toLowerCase() === orderBookAddress)).toBe(true)
  })

  test('differ in that from the present ones, whose pools these swaps move without a Swapped', async () => {
    for (const hook of [firstHook, secondHook]) {
      const swapped = await logs(['Swapped'], hook)
      const senders = swapped.map(({ args }) => args.sender.toLowerCase())
      expect(
        senders.filter((sender) => [orderBookAddress, oldPosts, firstHook].includes(sender as Address)),
      ).toEqual([])
    }
    const moves = await call<PlacedLog[]>('eth_getLogs', [
      {
        fromBlock: '0x0',
        toBlock: 'latest',
        address: managerAddress,
        topics: [swapTopic, null, padHex(orderBookAddress)],
      },
    ])
    const pools = ['OLDC', 'OLDP'].map(tokenOf).concat(devnet.tokens('creator')[0]!)
    expect(moves.map(({ topics }) => topics[1])).toEqual(
      expect.arrayContaining(pools.map(({ key }) => poolIdOf(key))),
    )
  })
})

test('strangers’ routers are trusted by no hook: one names the recipients as traders, the other names none', async () => {
  const swapped = await logs(['Swapped'])
  const swapsBy = (router: Address) => swapped.filter(({ args }) => args.sender.toLowerCase() === router)
  const names = (router: Address) => new Set(swapsBy(router).map(({ args }) => args.swapSender))
  expect(names(pretendingRouterAddress).size).toBe(80)
  expect(swapsBy(silentRouterAddress)).toHaveLength(80)
  expect(names(silentRouterAddress)).toEqual(new Set([zeroAddress]))
  for (const router of [pretendingRouterAddress, silentRouterAddress])
    expect(swapsBy(router).some(({ args }) => args.isTrustedSwapSenderAddress)).toBe(false)
})

describe('odd tokens', () => {
  test('include a post quoted in ZORA, one with an absurd price, and a trend token, all traded', async () => {
    const traded = new Set((await logs(['Swapped'])).map(({ args }) => args.poolKeyHash))
    const found = ['ZPOST', 'WHALE', 'TREND'].map(
      (symbol) => devnet.tokens().find((token) => token.symbol === symbol)!,
    )
    expect(found.map(({ kind }) => kind)).toEqual(['post', 'post', 'trend'])
    expect(found[0]!.quote).toBe(zoraAddress)
    for (const token of found) expect(traded).toContain(poolIdOf(token.key))
  })

  test('have at least three ranges of the hook, including those of its fees', async () => {
    const ranges = new Map<string, Set<string>>()
    for (const log of await call<PlacedLog[]>('eth_getLogs', [
      { fromBlock: '0x0', toBlock: 'latest', address: managerAddress, topics: [positionTopic] },
    ])) {
      const [pool, range] = [log.topics[1]!, log.data.slice(0, 130)]
      ranges.set(pool, (ranges.get(pool) ?? new Set()).add(range))
    }
    expect(Math.max(...[...ranges.values()].map(({ size }) => size))).toBeGreaterThanOrEqual(3)
  })

  test('nothing has reverted, and unknown blocks and transactions are answered with null', async () => {
    expect(devnet.failures()).toBe(0)
    expect(await call('eth_getBlockByNumber', ['0xfffff', false])).toBe(null)
    expect(await call('eth_getTransactionReceipt', [`0x${'ab'.repeat(32)}`])).toBe(null)
    expect(await call<PlacedLog[]>('eth_getLogs', [{ fromBlock: '0xfffff', toBlock: '0xfffff' }])).toEqual([])
  })
})

test('the live market mines at regular times, without a failed transaction', async () => {
  // A clock that runs ahead whenever it is asked, so that the beats come soon.
  const start = Date.now()
  let asked = 0
  const live = await startQuietDevnet({
    seed: 9,
    live: true,
    now: () => start + asked++ * 1_500,
    history: { blocks: 5, days: 1, trades: 20, creators: 3, posts: 3 },
  })
  const { number } = live.head()
  await expect.poll(() => live.head().number).toBeGreaterThan(number)
  expect(live.failures()).toBe(0)
  await live.stop()
})

test('anvil is the one on the PATH where its package is not installed', () => {
  const folder = tempDir()
  vi.stubEnv('PATH', folder)
  expect(() => anvilBinary('@foundry-rs/anvil-none')).toThrow(/anvil-none nor an anvil on the PATH/)
  writeFileSync(join(folder, 'anvil'), '')
  expect(anvilBinary('@foundry-rs/anvil-none')).toBe(join(folder, 'anvil'))
  vi.unstubAllEnvs()
  expect(anvilBinary()).toMatch(/node_modules.*bin\/anvil$/)
})

// Whole form only.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../dev/devnet/chain.ts'
import { factoryAddress, routerAddress, zoraAddress } from '../../dev/devnet/contracts.ts'
import { readJournal } from '../../dev/devnet/journal.ts'
import { publicMethodsOf } from '../../dev/devnet/public-methods.ts'
import { type Random, randomFrom } from '../../dev/devnet/random.ts'
import { startPublicRpc } from '../../dev/devnet/rpc-servers.ts'
import type { Emulator } from '../../dev/emulators/listening.ts'
import { rpc } from '../support/chain/json-rpc.ts'
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'
import { rounds } from '../support/rounds.ts'
import { tempDir } from '../support/temp-dir.ts'

/** A busy market at Base's pace, with the public address of its chain. */
const history = { blocks: 6, days: 0.5, trades: 30, creators: 3, posts: 3 }
const dataDir = tempDir()
const ends: Error[] = []
let devnet: Devnet
let front: Emulator

const start = (live: boolean) =>
  startQuietDevnet({
    dataDir,
    seed: 4,
    history,
    live,
    blockMs: 200,
    tradesPerSecond: 10,
    onExit: (error) => ends.push(error),
  })

beforeAll(async () => {
  devnet = await start(true)
  front = await startPublicRpc(devnet, publicMethodsOf(devnet))
})
afterAll(async () => {
  await front.stop()
  await devnet.stop()
})

/** The text of an answer to any body. */
async function post(body: string) {
  const response = await fetch(front.url, { method: 'POST', body })
  return { status: response.status, text: await response.text() }
}
const ask = (method: string, params: unknown) =>
  post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))

/** Waits until the market has mined so many blocks more, however far others have moved its head. */
async function untilMarketMines(blocks = 3): Promise<void> {
  for (let seen = 0; seen < blocks; seen += 1) {
    const { hash } = devnet.head()
    await expect.poll(() => devnet.head().hash, { timeout: 60_000, interval: 10 }).not.toBe(hash)
  }
}

describe('no call through the public address ends or stalls the run', () => {
  test('reorgs while the market reads and trades', async () => {
    await ask('anvil_mine', [20])
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([
        ask('anvil_reorg', [1 + round * 2, []]),
        ask('anvil_rollback', ['0x2']),
        ask('eth_blockNumber', []),
      ])
      expect(answers.map(({ text }) => JSON.parse(text).error)).toEqual([undefined, undefined, undefined])
      await untilMarketMines(1)
    }
    expect(ends).toEqual([])
  })

  test('a block a day ahead of the clock, behind which the market goes on; one further ahead is refused', async () => {
    const now = Math.floor(Date.now() / 1_000)
    expect((await ask('evm_mine', [now + 10 * 86_400])).text).toContain('is no integer from 1 to')
    const { text } = await ask('evm_mine', [{ timestamp: now + 80_000 }])
    expect(JSON.parse(text).result).toBe('0x0')
    const ahead = devnet.head().timestamp
    expect(ahead).toBeGreaterThanOrEqual(now + 80_000)
    await untilMarketMines(12)
    expect(devnet.head().timestamp).toBeGreaterThan(ahead)
    expect(ends).toEqual([])
  })

  test('transactions with any nonce, gas and sender', async () => {
    const [from] = devnet.wallets
    const transaction = { from, to: from, value: '0x0', gas: '0x5208', gasPrice: '0xffff' }
    for (const wallet of devnet.wallets)
      for (const nonce of [0, 1, 2, 50, 51, 2 ** 40])
        await ask('eth_sendTransaction', [{ ...transaction, from: wallet, nonce: `0x${nonce.toString(16)}` }])
    await untilMarketMines()
    expect(ends).toEqual([])
  })

  test('a call that would end anvil', async () => {
    const { text } = await ask('eth_feeHistory', [`0x${'ff'.repeat(32)}`, 'latest'])
    expect(JSON.parse(text).error.code).toBe(-32_601)
    await untilMarketMines()
  })

  test('bodies that are no calls are answered as JSON-RPC has it', async () => {
    const bodies = [
      '',
      '{',
      'null',
      '1',
      '"x"',
      '[]',
      '[null]',
      '[1,[]]',
      '{}',
      '{"method":1}',
      '[{"method":"eth_chainId","params":1}]',
    ]
    for (const body of bodies) {
      const { status } = await post(body)
      expect([body, [200, 400]]).toEqual([body, expect.arrayContaining([status])])
    }
    expect(JSON.parse((await post('[null]')).text)[0].error.code).toBe(-32_600)
  })

  test('random calls of every allowed kind; the chain of its journal is still the one that readers see', async () => {
    const random = randomFrom(7)
    for (let round = 0; round < rounds(20, 3_000); round += 1) {
      const [method, params] = randomCall(random, devnet)
      const { status } = await ask(method, params)
      expect([method, params, status]).toEqual([method, params, 200])
    }
    await untilMarketMines()
    expect(ends).toEqual([])
    await devnet.stop()
    const kept = readJournal(join(dataDir, 'chain.jsonl'))
    const before = devnet.head()
    devnet = await start(false)
    expect(kept?.blocks).toHaveLength(before.number)
    expect(devnet.head()).toEqual(before)
    expect(await rpc(devnet.rpcUrl, 'eth_blockNumber', [])).toBe(`0x${before.number.toString(16)}`)
  })
})

/** Values that a parameter of JSON-RPC may be given. */
const oddValues = (random: Random, { wallets, head }: Devnet): readonly unknown[] => [
  ...[
    null,
    true,
    -1,
    0,
    1,
    3,
    1e21,
    'latest',
    'pending',
    'finalized',
    '0x',
    '0x0',
    '0x1',
    '0xzz',
    '',
    {},
    [],
  ],
  ...[random.pick(wallets), head().hash, `0x${head().number.toString(16)}`, `0x${'ff'.repeat(32)}`],
  { fromBlock: '0x0', toBlock: 'latest' },
  { fromBlock: '0x5', toBlock: '0x1', topics: [null, ['0x12']] },
  { to: random.pick([factoryAddress, routerAddress, zoraAddress]), data: '0x70a08231' },
]

const reads = [
  ...[
    'eth_getBlockByNumber',
    'eth_getBlockByHash',
    'eth_getLogs',
    'eth_call',
    'eth_getCode',
    'eth_getBalance',
  ],
  ...['eth_getTransactionReceipt', 'eth_getStorageAt', 'eth_estimateGas', 'eth_feeHistory', 'eth_getProof'],
  ...[
    'eth_sendRawTransaction',
    'eth_newFilter',
    'eth_subscribe',
    'eth_sign',
    'eth_createAccessList',
    'eth_mining',
  ],
  ...[
    'eth_submitWork',
    'eth_syncing',
    'eth_simulateV1',
    'eth_fillTransaction',
    'eth_unknown',
    'net_version',
    'web3_sha3',
  ],
]
const writes = ['evm_mine', 'anvil_mine', 'anvil_reorg', 'anvil_rollback']

function randomCall(random: Random, chain: Devnet): [method: string, params: readonly unknown[]] {
  const some = () => Array.from({ length: random.below(4) }, () => random.pick(oddValues(random, chain)))
  const kind = random.next()
  if (kind < 0.6) return [random.pick(reads), some()]
  if (kind < 0.7) return [random.pick(writes), [1 + random.below(5), []]]
  if (kind < 0.75) return [random.pick(writes), some()]
  const any = <Value>(...values: readonly Value[]) => values[random.below(values.length)]
  const transaction = {
    from: random.pick(chain.wallets),
    to: any(undefined, random.pick(chain.wallets), factoryAddress, routerAddress, zoraAddress),
    nonce: any(undefined, undefined, '0x0', '0x5', '0xffffffffff'),
    gas: any(undefined, '0x5208', '0x0', '0x3b9aca00', '0xffffffffffffffff'),
    gasPrice: any(undefined, '0x0', '0x1', '0xffffffffffffffffffffffff'),
    maxFeePerGas: any(undefined, undefined, '0x1'),
    value: any(undefined, '0x0', '0x1', `0x${'ff'.repeat(32)}`),
    data: any(undefined, '0x', '0x60', '0x70a08231', `0x${'5b'.repeat(300)}`),
    type: any(undefined, undefined, '0x1', '0x2', '0x3', '0x4', '0x7e'),
    blobVersionedHashes: any(undefined, undefined, [`0x01${'00'.repeat(31)}`]),
  }
  return [random.pick(['eth_sendTransaction', 'eth_signTransaction', 'eth_call']), [transaction]]
}

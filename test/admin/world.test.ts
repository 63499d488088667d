/** The comparison of the code with a chain and with the protocol's package, which a new release of either brings to a failure. */
import { createRequire } from 'node:module'
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionResult,
  getCreate2Address,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import { chainDifferences, type Published, packageDifferences } from '../../admin/proof/world.ts'
import { type Chain, chains } from '../../ingest/client/chains.ts'
import { openRpc, type Rpc } from '../../ingest/client/rpc.ts'
import { startDevnetMarket } from '../support/chain/devnet-market.ts'

const published = createRequire(import.meta.url)('@zoralabs/protocol-deployments') as Published
const stranger = '0x00000000000000000000000000000000000000aa'

describe('the package of the protocol', () => {
  it('has the addresses and the events of the code, in the release that is installed', () => {
    expect(packageDifferences(published)).toEqual([])
  })

  it.each<[string, Partial<Published>, RegExp]>([
    [
      'a chain',
      { coinFactoryAddress: { ...published.coinFactoryAddress, 10: stranger } },
      /^chain 10 has a factory/,
    ],
    [
      'a factory',
      { coinFactoryAddress: { ...published.coinFactoryAddress, 8453: stranger } },
      /^base: the factory is 0x0+aa in the package, and 0x7/,
    ],
    [
      'an order book',
      { zoraLimitOrderBookAddress: { 8453: stranger } },
      /^base: the order book of the package, 0x0+aa, is not among/,
    ],
    [
      'WETH',
      { wethAddress: { ...published.wethAddress, 84532: stranger } },
      /^base-sepolia: the WETH is 0x0+aa/,
    ],
    [
      'an event',
      { coinABI: parseAbi(['event CoinTransfer(address indexed sender, uint256 amount)']) },
      /^the event CoinTransfer has another shape/,
    ],
  ])('that has another %s is one difference', (_what, change, line) => {
    expect(packageDifferences({ ...published, ...change })).toEqual([expect.stringMatching(line)])
  })
})

describe('a chain', async () => {
  const market = await startDevnetMarket(4, { blocks: 2, trades: 2, creators: 1, posts: 1 })
  afterAll(() => market.stop())
  const rpc = openRpc([market.rpcUrl])
  const { devnet } = chains
  const differences = (change: Partial<Chain>) => chainDifferences(rpc, { ...devnet, ...change })
  const [zora, usdc] = devnet.references

  it('that is as the code has it has no difference', async () => {
    expect(await differences({})).toEqual([])
  })

  it.each<[string, Partial<Chain>, RegExp]>([
    [
      'block times',
      { schedule: [{ fromBlock: 0, atMs: 0, everyMs: 1_000 }] },
      /^devnet: block \d+ is of \d+, and of \d+ by the schedule/,
    ],
    ['a contract', { internalSenders: [stranger] }, /^devnet: the internal sender 0x0+aa .*has no code$/],
    [
      'decimals',
      { references: [zora!, { ...usdc!, decimals: 18 }] },
      /^devnet: 0xcf7e\w+ is USDC of 6 decimals, and USDC of 18/,
    ],
    [
      'a pool',
      {
        references: [
          { ...zora!, sources: [{ pool: `0x${'1'.repeat(64)}`, quote: usdc!.address, isCurrency0: true }] },
          usdc!,
        ],
      },
      /^devnet: the reference pool 0x1+ has no price/,
    ],
    [
      'a V3 pool',
      {
        references: [
          { ...zora!, sources: [{ pool: usdc!.address, quote: usdc!.address, isCurrency0: true }] },
          usdc!,
        ],
      },
      /^devnet: the reference pool 0xcf7e\w+ pairs undefined and undefined/,
    ],
  ])('with other %s has a line for it', async (_what, change, line) => {
    const found = await differences(change)
    expect(found.length).toBeGreaterThan(0)
    for (const one of found) expect(one).toMatch(line)
  })

  it('whose hook of new coins has an unknown order book, or no code, has a line for it', async () => {
    const { publicEndpoints } = chains.base
    // Codes of the chain's other contracts are requested in a batch.
    const withHook = (code: string): Rpc => ({
      ...rpc,
      request: async (method, params) => (method === 'eth_getCode' ? code : rpc.request(method, params)),
    })
    const found = (code: string) => chainDifferences(withHook(code), { ...devnet, publicEndpoints })
    expect(await found(`0x60${devnet.internalSenders[0]?.slice(2)}`)).toEqual([])
    expect(await found('0x6001')).toEqual([
      expect.stringMatching(/^devnet: the hook of new coins, 0x\w+, names no order book of internalSenders/),
    ])
    expect(await found('0x')).toEqual([
      expect.stringMatching(/^devnet: the hook of new coins, 0x\w+, has no code$/),
    ])
  })

  it('whose router has an unknown order book has a line for it', async () => {
    const answering: Rpc = {
      ...rpc,
      request: async (method, params) =>
        JSON.stringify(params).includes(ROUTER.slice(2)) ? withResult(BOOK) : rpc.request(method, params),
    }
    expect(await chainDifferences(answering, devnet, ROUTER)).toEqual([
      `devnet: the order book of the router, ${stranger}, is not among internalSenders in ingest/client/chains.ts`,
    ])
  })
})

const ROUTER = '0x00000000000000000000000000000000000000bb'
const BOOK = encodeFunctionResult({
  abi: parseAbi(['function zoraLimitOrderBook() view returns (address)']),
  functionName: 'zoraLimitOrderBook',
  result: stranger,
})

/** The answer of a batch of one view function that returns this. */
const withResult = (returnData: `0x${string}`) =>
  encodeFunctionResult({
    abi: parseAbi([
      'struct Result { bool success; bytes returnData; }',
      'function aggregate3() returns (Result[] returnData)',
    ]),
    functionName: 'aggregate3',
    result: [{ success: true, returnData }],
  })

/** Uniswap V3 on Base: its factory, and the digest of a pool's code. */
const uniswapV3 = {
  from: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
  bytecodeHash: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
} as const
/** Aerodrome Slipstream: its factory, and a pool's code, which passes calls on to the implementation. */
const slipstream = {
  from: '0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a',
  bytecodeHash: keccak256(
    concatHex([
      '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
      '0xec8e5342b19977b4ef8892e02d8daecfa1315831',
      '0x5af43d82803e903d91602b57fd5bf3',
    ]),
  ),
} as const

it("Base's sources of rates are the pools that their factories make of these currencies", () => {
  const made = [
    ['ZORA', { ...uniswapV3, by: 3_000 }],
    ['ZORA', { ...uniswapV3, by: 3_000 }],
    ['ZORA', { ...slipstream, by: 100 }],
    ['WETH', { ...uniswapV3, by: 500 }],
    ['WETH', { ...uniswapV3, by: 3_000 }],
  ] as const
  const sources = chains.base.references.flatMap(({ symbol, address, sources }) =>
    symbol === 'ETH' ? [] : sources.map(({ pool, quote }) => ({ symbol, address, pool, quote })),
  )
  expect(sources.map(({ symbol }) => symbol)).toEqual(made.map(([symbol]) => symbol))
  for (const [at, { address, quote, pool }] of sources.entries()) {
    const { from, bytecodeHash, by } = made[at]![1]
    const key = encodeAbiParameters(parseAbiParameters('address, address, uint24'), [address, quote, by])
    expect(getCreate2Address({ from, bytecodeHash, salt: keccak256(key) }).toLowerCase()).toBe(pool)
  }
})

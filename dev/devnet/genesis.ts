/** The first block: every contract, the wallets' money, and the reference pools with their first trades. */
import { concatHex, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { OperatorFault } from '../../admin/base/terminal.ts'
import { chains } from '../../ingest/client/chains.ts'
import { type PoolKey, poolIdOf } from '../../ingest/decode/pool-state.ts'
import { sqrtPriceAtTick } from '../../market/pool.ts'
import type { Address } from '../../market/segment.ts'
import {
  anonymousRouterAddress,
  calldata,
  create2Deployer,
  creationCode,
  deployer,
  factoryAddress,
  hookAddresses,
  hooks,
  managerAddress,
  orderBookAddress,
  passThroughAddress,
  poolManagerCreationCode,
  routerAddress,
  usdcAddress,
  zoraAddress,
} from './contracts.ts'
import type { TransactionDraft } from './miner.ts'

/** ingest/client/chains.ts describes another devnet than this code makes. */
const devnetMismatch = (what: string) =>
  new OperatorFault('DevnetMismatch', `ingest/client/chains.ts and devnet differ in the devnet's ${what}`)

/** Approximate USD of one ZORA at genesis, used by traders. */
export const ZORA_USD = 0.02

// ln(0.02 · 10^6 / 10^18) / ln(1.0001)
const RATE_TICK = -315_420
/** On the spacing of each pool. */
const RATE_RANGE = [-375_600, -255_600] as const
const MINTED_ZORA = 10n ** 29n
const MINTED_USDC = 10n ** 17n

/** A ZORA/USDC pool without a hook. A liquidity of 150e18 is about $20M on either side, and the depth is 1 % of that. */
const ratePool = (fee: number, tickSpacing: number, liquidity: bigint) => ({
  key: {
    currency0: zoraAddress,
    currency1: usdcAddress,
    fee,
    tickSpacing,
    hooks: '0x0000000000000000000000000000000000000000',
  } satisfies PoolKey,
  liquidity,
})

/** The sources of ZORA's rate: the main one, a smaller one, and a small one that oddities drain. */
export const ratePools = [
  ratePool(3_000, 60, 150n * 10n ** 18n),
  ratePool(500, 10, 60n * 10n ** 18n),
  ratePool(10_000, 200, 15n * 10n ** 17n),
] as const

/** The transactions of the first block, in order, since the deployer's nonces determine the contracts' addresses. */
export function genesisDrafts(wallets: readonly Address[]): readonly TransactionDraft[] {
  checkChain()
  const created = (data: Hex): TransactionDraft => ({ from: deployer, data })
  const sent = (to: Address, data: Hex): TransactionDraft => ({ from: deployer, to, data })
  return [
    created(poolManagerCreationCode(deployer)),
    created(creationCode('DevFactory', [managerAddress])),
    created(creationCode('DevErc20', [factoryAddress, 'Zora', 'ZORA', 18])),
    created(creationCode('DevErc20', [factoryAddress, 'USD Coin', 'USDC', 6])),
    created(creationCode('DevRouter', [managerAddress, true])),
    created(creationCode('DevRouter', [managerAddress, false])),
    created(creationCode('ForeignEmitter', [])),
    created(creationCode('PretendingRouter', [managerAddress])),
    created(creationCode('DevRouter', [managerAddress, true])),
    created(creationCode('SilentRouter', [managerAddress])),
    created(creationCode('PassThrough', [])),
    created(creationCode('PassThrough', [])),
    ...hooks().map(({ salt, code }) => sent(create2Deployer, concatHex([salt, code]))),
    sent(
      factoryAddress,
      calldata('DevFactory', 'admit', [
        hookAddresses(),
        [routerAddress, anonymousRouterAddress],
        [orderBookAddress],
      ]),
    ),
    sent(zoraAddress, calldata('DevErc20', 'mint', [wallets, MINTED_ZORA])),
    sent(usdcAddress, calldata('DevErc20', 'mint', [wallets, MINTED_USDC])),
    ...openedPools(sent),
  ]
}

type Sent = (to: Address, data: Hex) => TransactionDraft

const openedPools = (sent: Sent): readonly TransactionDraft[] => [
  ...ratePools.flatMap(({ key, liquidity }) => [
    sent(managerAddress, encodeFunctionData({ abi: initializeAbi, args: [key, sqrtPriceAtTick(RATE_TICK)] })),
    sent(routerAddress, calldata('DevRouter', 'provide', [key, ...RATE_RANGE, liquidity])),
  ]),
  // Their first trades give ZORA a price before any launch.
  ...moveRate(deployer, { isUp: true, usd: 100 }),
]

const initializeAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function initialize(PoolKey key, uint160 sqrtPriceX96) returns (int24)',
])

/** A move of ZORA's price, in dollars of the main pool. */
export type RateMove = { readonly isUp: boolean; readonly usd: number }

/** Buys or sells ZORA in each of the pools, as much as its liquidity, so that their prices stay together. */
export const moveRate = (from: Address, { isUp, usd }: RateMove): readonly TransactionDraft[] =>
  ratePools.map((pool) =>
    moveOnePool(from, pool, { isUp, usd: (usd * Number(pool.liquidity)) / Number(ratePools[0].liquidity) }),
  )

/** Buys or sells ZORA in one pool only. */
export function moveOnePool(
  from: Address,
  { key }: Pick<(typeof ratePools)[number], 'key'>,
  { isUp, usd }: RateMove,
): TransactionDraft {
  const amount = isUp ? BigInt(Math.ceil(usd * 1e6)) : BigInt(Math.ceil((usd / ZORA_USD) * 1e6)) * 10n ** 12n
  const hops = [{ key, zeroForOne: !isUp }]
  return { from, to: routerAddress, data: calldata('DevRouter', 'swap', [hops, amount, 0n, from]) }
}

/** Takes this share (percent) of a pool's liquidity away; a negative share puts it back. */
export function drainPool(
  from: Address,
  { key, liquidity }: (typeof ratePools)[number],
  percent: bigint,
): TransactionDraft {
  const args = [key, ...RATE_RANGE, (-liquidity * percent) / 100n]
  return { from, to: routerAddress, data: calldata('DevRouter', 'provide', args) }
}

function checkChain(): void {
  const { factory, poolManager, references, internalSenders, passThroughs } = chains.devnet
  const zora = references.find(({ symbol }) => symbol === 'ZORA')
  const pools = ratePools.map(({ key }) => poolIdOf(key))
  if (factory !== factoryAddress) throw devnetMismatch('factory')
  if (poolManager !== managerAddress) throw devnetMismatch('PoolManager')
  if (internalSenders.join() !== orderBookAddress) throw devnetMismatch('order book')
  if (zora?.address !== zoraAddress || zora.sources.map(({ pool }) => pool).join() !== pools.join())
    throw devnetMismatch('reference pools')
  if (passThroughs.join() !== passThroughAddress) throw devnetMismatch('pass-through contract')
}

/** The first block: every contract, the wallets' money, and the reference pool with its first trade. */
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

/** The ZORA/USDC pool: no hook, 0.3 %. */
export const referenceKey: PoolKey = {
  currency0: zoraAddress,
  currency1: usdcAddress,
  fee: 3_000,
  tickSpacing: 60,
  hooks: '0x0000000000000000000000000000000000000000',
}

/** Approximate USD of one ZORA at genesis, used by traders. */
export const ZORA_USD = 0.02

// ln(0.02 · 10^6 / 10^18) / ln(1.0001), on the pool's spacing.
const REFERENCE_TICK = -315_420
const REFERENCE_WIDTH = 60_000
const REFERENCE_LIQUIDITY = 150_000_000_000_000_000_000n // about $20M on either side
const MINTED_ZORA = 10n ** 29n
const MINTED_USDC = 10n ** 17n

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
    ...referencePool(sent),
  ]
}

function referencePool(sent: (to: Address, data: Hex) => TransactionDraft): TransactionDraft[] {
  const initialize = encodeFunctionData({
    abi: parseAbi([
      'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
      'function initialize(PoolKey key, uint160 sqrtPriceX96) returns (int24)',
    ]),
    args: [referenceKey, sqrtPriceAtTick(REFERENCE_TICK)],
  })
  const [lower, upper] = [REFERENCE_TICK - REFERENCE_WIDTH, REFERENCE_TICK + REFERENCE_WIDTH]
  return [
    sent(managerAddress, initialize),
    sent(routerAddress, calldata('DevRouter', 'provide', [referenceKey, lower, upper, REFERENCE_LIQUIDITY])),
    // Its first trade gives ZORA a price before any launch.
    { ...moveReference(deployer, { isUp: true, usd: 100 }) },
  ]
}

/** A trade in the reference pool: buys or sells ZORA worth this many dollars. */
export function moveReference(from: Address, move: { isUp: boolean; usd: number }): TransactionDraft {
  const amount = move.isUp
    ? BigInt(Math.round(move.usd * 1e6))
    : BigInt(Math.round((move.usd / ZORA_USD) * 1e6)) * 10n ** 12n
  const hops = [{ key: referenceKey, zeroForOne: !move.isUp }]
  return { from, to: routerAddress, data: calldata('DevRouter', 'swap', [hops, amount, 0n, from]) }
}

function checkChain(): void {
  const { factory, poolManager, references, internalSenders, passThroughs } = chains.devnet
  const zora = references.find(({ symbol }) => symbol === 'ZORA')
  const isZora = zora?.address === zoraAddress && zora.source.is === 'v4Pool'
  if (factory !== factoryAddress) throw devnetMismatch('factory')
  if (poolManager !== managerAddress) throw devnetMismatch('PoolManager')
  if (internalSenders.join() !== orderBookAddress) throw devnetMismatch('order book')
  if (passThroughs.join() !== passThroughAddress) throw devnetMismatch('pass-through contract')
  if (!isZora || zora.source.poolId !== poolIdOf(referenceKey)) throw devnetMismatch('reference pool')
}

/** The supported chains. One deployment serves one chain. */
import type { RatePool } from '../../market/rate-source.ts'
import type { Address, PoolName, UsdE36 } from '../../market/segment.ts'
import { currencies } from '../../schemas/records/currencies.ts'
import type { SwapCurrency } from '../../schemas/records/swap.ts'
import { kindOf } from './faults.ts'
import type { Era } from './schedule.ts'

/**
 * A currency with a price of its own, at the end of every path to USD: the median of its sources, pools of it and
 * another reference currency, the main one first.
 */
export type ReferenceCurrency = SwapCurrency & {
  readonly sources: readonly RatePool[]
  /** Instead of sources. */
  readonly fixedUsdE36?: UsdE36
}

export type Chain = {
  readonly name: keyof typeof currencies
  readonly id: number
  readonly factory: Address
  readonly poolManager: Address
  /**
   * Senders other than hooks whose PoolManager swaps move prices but are not trades. The list only grows: each hook has
   * the order book of its time for ever, so that orders in its pools are filled through that one.
   */
  readonly internalSenders: readonly Address[]
  /** The platform's contracts that call the factory for the account that sends them a transaction. */
  readonly passThroughs: readonly Address[]
  readonly references: readonly ReferenceCurrency[]
  /** First block that can hold a creation. */
  readonly creationsFrom: number
  /** Seconds by which a minute's last block must be older than the newest block before the minute is sealed. */
  readonly sealingSeconds: number
  /** Rate and price of public endpoints; null: the chain runs on this machine. */
  readonly publicEndpoints: { readonly callsASecond: number; readonly microUsdACall: number } | null
  /** Guessed block times, ascending; []: nothing is known. A wrong guess costs calls, nothing else. */
  readonly schedule: readonly Era[]
}

const dollar = { sources: [], fixedUsdE36: 10n ** 36n } as const
/** A pool in which the currency comes before `quote`. */
const pairOf = (pool: PoolName, quote: SwapCurrency): RatePool => ({
  pool,
  quote: quote.address,
  isCurrency0: true,
})

const { zora, eth, weth, usdc } = currencies.base
/** Uniswap V3, WETH/USDC of 0.05 % and of 0.3 %. */
const etherPools = [
  pairOf('0xd0b53d9277642d899df5c87a3966a349a798f224', usdc),
  pairOf('0x6c561b446416e1a00e8e93e221854d6ea4171372', usdc),
]

/** mainnet.base.org allows 10 to 25 calls per second. Alchemy's price in 2026: 60 compute units for eth_getLogs, the most expensive call used, at $0.45 per million. */
const publicEndpoints = { callsASecond: 25, microUsdACall: 27 }

// Addresses: ourzora/zora-protocol packages/*/addresses/8453.json. The pools' follow from their factories, and a test computes them.
const base: Chain = {
  name: 'base',
  id: 8453,
  factory: '0x777777751622c0d3258f214f9df38e35bf45baf3',
  poolManager: '0x498581ff718922c3f8e6a244956af099b2652b2b',
  internalSenders: [
    // Zora's limit-order books, oldest first: the history of packages/coins-deployments/addresses/8453.json
    '0xed29e55a73b3d907eb57f0c7b89019b37dd1a1c8',
    '0x77777774d70b1e9d6f705f99da7c02e4e768df09',
    '0x7777777a5906659b67ce61511489ae76da63920f',
    '0x7777777c783bad88dacaf9a19e04238341e4497b',
  ],
  // None is known: by the ABIs of @zoralabs/protocol-deployments 0.7.6 no contract of the platform launches coins but the
  // factory, and docs.zora.co/coins/sdk/create-coin sends the transaction, or a smart wallet's call, to the factory.
  passThroughs: [],
  references: [
    {
      ...zora,
      sources: [
        pairOf('0xedc625b74537ee3a10874f53d170e9c17a906b9c', usdc), // Uniswap V3, 0.3 %
        pairOf('0xa0ca5bebc42cdbf3623b1c09206ae4e3975b0fc7', weth), // Uniswap V3, 0.3 %
        pairOf('0x3f53f1fd5b7723ddf38d93a584d280b9b94c3111', usdc), // Aerodrome Slipstream, tick spacing 100: its swaps are those of V3
      ],
    },
    { ...eth, sources: etherPools },
    { ...weth, sources: etherPools },
    { ...usdc, ...dollar },
  ],
  creationsFrom: 31_058_549,
  sealingSeconds: 6,
  publicEndpoints,
  // The upgrade Denim, announced for 2026-11-05 18:00 UTC, ends blocks of two seconds.
  schedule: [
    { fromBlock: 0, atMs: 1_686_789_347_000, everyMs: 2_000 },
    { fromBlock: 53_556_127, atMs: 1_793_901_601_000, everyMs: 200 },
  ],
}

// Addresses: @zoralabs/protocol-deployments; USDC: Circle's list. Test money has no market, so a whole coin counts as a dollar.
const baseSepolia: Chain = {
  name: 'base-sepolia',
  id: 84_532,
  factory: '0xaf88840cb637f2684a9e460316b1678ad6245e4a',
  poolManager: '0x05e73354cfdd6745c338b50bcfdfa3aa6fa03408',
  internalSenders: [],
  passThroughs: [],
  references: Object.values(currencies['base-sepolia']).map((currency) => ({ ...currency, ...dollar })),
  // The platform's first block here is not published: tokens are imported, or the whole chain is read.
  creationsFrom: 0,
  sealingSeconds: 6,
  publicEndpoints,
  // Denim came here on 2026-10-21 18:00 UTC.
  schedule: [
    { fromBlock: 0, atMs: 1_695_768_288_000, everyMs: 2_000 },
    { fromBlock: 48_418_656, atMs: 1_792_605_600_000, everyMs: 200 },
  ],
}

// Deployed by anvil's first account at fixed nonces; dev/devnet/ refuses to start where they differ.
const devnet: Chain = {
  name: 'devnet',
  id: 31_337,
  factory: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  poolManager: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  internalSenders: [
    '0x2279b7a0a67db372996a5fab50d91eaa73d2ebe6', // the development chain's order book
  ],
  passThroughs: ['0x610178da211fef7d417bc0e6fed39f05609ad788'],
  references: [
    {
      ...currencies.devnet.zora,
      sources: (
        [
          '0x0dca2477afff6fe899ee14b08f5f2397e75f6f23e2e4c2e49db93fc1ee207d45',
          '0x9f5806bc7bac42b0a99baa9605237cd510059162707caf0b1ab522edce2608c4',
          '0xb7abd7f57f4a31cab1edcf25354cc0773bdd8db58adf110018cda9a684427d2f',
        ] as const
      ).map((pool) => pairOf(pool, currencies.devnet.usdc)),
    },
    { ...currencies.devnet.usdc, ...dollar },
  ],
  creationsFrom: 0,
  sealingSeconds: 0,
  publicEndpoints: null,
  schedule: [],
}

export const chains = { base, baseSepolia, devnet }

/** CHAIN, or an endpoint, names a chain that is not supported. */
export const UnknownChainError = kindOf(
  'UnknownChainError',
  (named: string) => {
    const known = Object.values(chains).map(({ name, id }) => `${name} (${id})`)
    return `unknown chain ${JSON.stringify(named)}; known: ${known.join(', ')}`
  },
  false,
)

/** The chain of a name. */
export function chainNamed(name: string): Chain {
  const chain = Object.values(chains).find((known) => known.name === name)
  if (!chain) throw new UnknownChainError(name)
  return chain
}

/** The chain of a chain id. */
export function chainOfId(id: number): Chain {
  const chain = Object.values(chains).find((known) => known.id === id)
  if (!chain) throw new UnknownChainError(String(id))
  return chain
}

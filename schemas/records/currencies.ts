import type { SwapCurrency } from './swap.ts'

const zora = { symbol: 'ZORA', name: 'Zora', decimals: 18 } as const
const usdc = { symbol: 'USDC', name: 'USD Coin', decimals: 6 } as const
/** Where the OP stack has them, on Base and on Base Sepolia. */
const ether = {
  eth: { address: '0x0000000000000000000000000000000000000000', symbol: 'ETH', name: 'Ether', decimals: 18 },
  weth: {
    address: '0x4200000000000000000000000000000000000006',
    symbol: 'WETH',
    name: 'Wrapped Ether',
    decimals: 18,
  },
} as const

/** The currencies of each chain where every path to USD ends, as swaps name them. Where their price comes from: ingest/client/chains.ts. */
export const currencies = {
  base: {
    zora: { address: '0x1111111111166b7fe7bd91427724b487980afc69', ...zora },
    ...ether,
    usdc: { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', ...usdc },
  },
  'base-sepolia': {
    zora: { address: '0x1111111111166b7fe7bd91427724b487980afc69', ...zora },
    ...ether,
    usdc: { address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e', ...usdc },
  },
  devnet: {
    zora: { address: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0', ...zora },
    usdc: { address: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9', ...usdc },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SwapCurrency>>>>

/** The currencies of a chain by its name; none of a chain that is not known. */
export const currenciesOf = (chain: string): readonly SwapCurrency[] =>
  Object.entries(currencies).flatMap(([name, known]) => (name === chain ? Object.values(known) : []))

/** Actions on the devnet, each as one transaction, for the traders and the tests. */
import { type Hex, zeroAddress } from 'viem'
import type { PoolKey } from '../../ingest/decode/pool-state.ts'
import type { Address, Hash } from '../../market/segment.ts'
import type { BookToken } from './book.ts'
import {
  anonymousRouterAddress,
  calldata,
  factoryAddress,
  foreignAddress,
  orderBookAddress,
  pretendingRouterAddress,
  routerAddress,
  silentRouterAddress,
  zoraAddress,
} from './contracts.ts'
import type { TransactionDraft } from './miner.ts'

/** Attributes of a launch. `payoutRecipient` defaults to the launcher. */
export type LaunchTerms = {
  readonly name: string
  readonly symbol: string
  readonly payoutRecipient?: Address
  /** The platform that has a share of its fees; the zero address: none. @default platformAddress */
  readonly platformReferrer?: Address
  readonly uri?: string
  readonly curve?: Curve
  /** Of an earlier version, such as those of oldHooks. @default the present one */
  readonly hook?: Address
}

/**
 * A launch price and the ranges of its single-sided liquidity. Ticks of the token's price in its quote, multiples of
 * 200; amounts are base units.
 */
export type Curve = {
  readonly startTick: number
  readonly ranges: readonly (readonly [number, number])[]
  readonly amounts: readonly bigint[]
}

/** A trade along a path of tokens, each the quote or the token of its neighbour. */
export type Trade = {
  readonly wallet: Address
  /** Pools in swap order, with the currency that is paid first. */
  readonly path: readonly PoolKey[]
  readonly currencyIn: Address
  readonly amountIn: bigint
  /** Defaults to the wallet. */
  readonly recipient?: Address
  /** Uses the router that does not name the trader. */
  readonly isAnonymous?: boolean
  /** Fills an order: through the order book, which is no trade. */
  readonly isFill?: boolean
}

/** The platform that tokens are launched at: it has a share of their fees. */
export const platformAddress: Address = '0x00000000000000000000000000000000000f00d0'

const ONE = 10n ** 18n
const MILLION = 1_000_000n * ONE
const HIGHEST_TICK = 887_200

/** The platform's own launch price: one millionth of a ZORA. The last range never sells out. */
export const creatorCurve: Curve = {
  startTick: -138_000,
  ranges: [
    [-138_000, -81_000],
    [-100_000, HIGHEST_TICK],
  ],
  amounts: [300n * MILLION, 200n * MILLION],
}

/** A thousandth of a creator token. */
export const postCurve: Curve = {
  startTick: -69_000,
  ranges: [
    [-69_000, -20_000],
    [-40_000, HIGHEST_TICK],
  ],
  amounts: [400n * MILLION, 590n * MILLION],
}

/** A post quoted in ZORA has the launch price of creator tokens. */
export const zoraPostCurve: Curve = {
  startTick: -138_000,
  ranges: [
    [-138_000, -81_000],
    [-90_000, HIGHEST_TICK],
  ],
  amounts: [500n * MILLION, 490n * MILLION],
}

/** Launches a creator token, quoted in ZORA. */
export function launchCreator(wallet: Address, terms: LaunchTerms): TransactionDraft {
  return launch('launchCreator', wallet, { ...terms, quote: zoraAddress, curve: terms.curve ?? creatorCurve })
}

/** Launches a post token, quoted in a creator token or in ZORA. */
export function launchPost(
  wallet: Address,
  terms: LaunchTerms & { readonly quote: Address },
): TransactionDraft {
  const usual = terms.quote === zoraAddress ? zoraPostCurve : postCurve
  return launch('launchPost', wallet, { ...terms, curve: terms.curve ?? usual })
}

/** Launches a trend token: neither creator nor post. */
export function launchTrend(wallet: Address, symbol: string): TransactionDraft {
  return launch('launchTrend', wallet, { name: symbol, symbol, quote: zoraAddress, curve: zoraPostCurve })
}

function launch(
  functionName: string,
  wallet: Address,
  terms: LaunchTerms & { readonly quote: Address; readonly curve: Curve },
): TransactionDraft {
  const { quote: currency, curve, name, symbol, payoutRecipient = wallet, uri = 'ipfs://devnet' } = terms
  const { platformReferrer = platformAddress, hook = zeroAddress } = terms
  const description = { payoutRecipient, platformReferrer, currency, uri, name, symbol, hook }
  return {
    from: wallet,
    to: factoryAddress,
    data: calldata('DevFactory', functionName, [description, curve]),
  }
}

/** Swaps along a path, exact in. */
export function trade({
  wallet,
  path,
  currencyIn,
  amountIn,
  recipient,
  isAnonymous,
  isFill,
}: Trade): TransactionDraft {
  let currency = currencyIn
  const hops = path.map((key) => {
    const zeroForOne = key.currency0 === currency
    currency = zeroForOne ? key.currency1 : key.currency0
    return { key, zeroForOne }
  })
  return {
    from: wallet,
    to: isFill ? orderBookAddress : isAnonymous ? anonymousRouterAddress : routerAddress,
    data: calldata('DevRouter', 'swap', [hops, amountIn, 0n, recipient ?? wallet]),
  }
}

/** An ERC-20 transfer. */
export function transfer(
  token: Address,
  move: { from: Address; to: Address; amount: bigint },
): TransactionDraft {
  return { from: move.from, to: token, data: calldata('DevErc20', 'transfer', [move.to, move.amount]) }
}

/** Burns part of a wallet's balance. */
export function burn(token: Address, wallet: Address, amount: bigint): TransactionDraft {
  return { from: wallet, to: token, data: calldata('DevToken', 'burn', [amount]) }
}

/** Pays out vested tokens to the payout recipient; anyone may call it. */
export function claimVesting(token: Address, wallet: Address): TransactionDraft {
  return { from: wallet, to: token, data: calldata('DevToken', 'claimVesting', []) }
}

/** Renames the token, as its owner. */
export function renameToken(token: BookToken, name: string, symbol: string): TransactionDraft {
  return {
    from: token.owner,
    to: token.address,
    data: calldata('DevToken', 'setNameAndSymbol', [name, symbol]),
  }
}

/** Migrates the token's liquidity to a pool of another hook, as its owner. */
export function migrate(token: BookToken, hook: Address): TransactionDraft {
  return { from: token.owner, to: token.address, data: calldata('DevToken', 'migrateLiquidity', [hook]) }
}

/** An order to a stranger's router, which has its own money: one swap for each address, which receives the tokens. */
type StrangersOrder = {
  readonly key: PoolKey
  readonly currencyIn: Address
  readonly amountIn: bigint
  readonly names: readonly Address[]
}

/** Buys with the money of an untrusted router, which names each recipient as the trader. */
export const pretend = (wallet: Address, order: StrangersOrder) =>
  strangersSwap('PretendingRouter', pretendingRouterAddress, { wallet, ...order })

/** Buys with the money of an untrusted router, which names no trader. */
export const swapSilently = (wallet: Address, order: StrangersOrder) =>
  strangersSwap('SilentRouter', silentRouterAddress, { wallet, ...order })

function strangersSwap(
  name: 'PretendingRouter' | 'SilentRouter',
  to: Address,
  order: StrangersOrder & { readonly wallet: Address },
): TransactionDraft {
  const { key, amountIn, names, wallet: from } = order
  const hop = { key, zeroForOne: key.currency0 === order.currencyIn }
  const data = calldata(name, 'swapAs', [hop, amountIn, names])
  return { from, to, data, gas: 1_000_000 * names.length }
}

/** Emits an arbitrary log from an untrusted contract. */
export function forge(wallet: Address, log: { topics: readonly Hash[]; data: Hex }): TransactionDraft {
  return {
    from: wallet,
    to: foreignAddress,
    data: calldata('ForeignEmitter', 'emitLog', [log.topics, log.data]),
  }
}

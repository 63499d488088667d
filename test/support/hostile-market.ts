/** The worst that genuine contracts can say: hostile names, prices and amounts at the ends of their types, pools without anything. */
import type { Chain } from '../../ingest/chains.ts'
import type { Address } from '../../market/segment.ts'
import { address, hash } from './facts.ts'
import { type Emitted, type MockChain, mockChain, openMockChain, POOL_MANAGER } from './mock-chain.ts'
import { created, initialized, type Sketch, sketchPoolKey, zora } from './mock-market.ts'

export const usdc = address(0xdc)
/** Above every token, so that a token quoted in it is currency0. */
export const highQuote = address(0xffff)
const hook = address(0x40)
const [whale, minnow] = [address(0x77), address(0x78)]

const currency = (at: Address, decimals: number, milliDollars: bigint): Chain['references'][number] => ({
  ...{ address: at, symbol: 'X', name: 'X', decimals },
  source: { is: 'fixed', usdE36: milliDollars * 10n ** 33n },
})
/** Two years ago, in minutes that begin with a block. */
const seconds = (blockNumber: number): number => 1_700_000_040 + 2 * blockNumber
export const hostileChain: Chain = {
  ...mockChain,
  timestampOf: seconds,
  references: [currency(zora, 18, 50n), currency(usdc, 6, 1_000n), currency(highQuote, 18, 3_000_000n)],
}

/** Bytes that are no UTF-8 take the place of this in a log's data. */
const INVALID = 'QQQQQQQQ'
const invalidBytes = 'ff80c0afeda080fe'

/** Names as they stand on the chain. */
export const hostileNames: Readonly<Record<string, string>> = {
  '4 KB': 'n'.repeat(4_096),
  '4 KB of four bytes each': '𝔘'.repeat(1_024),
  '4 KB of controls': '\u0001'.repeat(4_096),
  nothing: '',
  controls: 'a\u0000b\u0007\u001b[31mred\r\n\tc\u007f\u0085',
  'a right-to-left override': '\u202Egpj.exe\u2066\u2069\u200F',
  'half a surrogate pair': '\uD83D broken \uDE00',
  'no UTF-8': `bad ${INVALID} bytes`,
  prototype: '__proto__',
  constructor: 'constructor',
  'a method': 'toString',
  hidden: 'a\u200B\u200C\uFEFFb\u{e0062}',
  unseen: '\u3164\u200B\u2060',
  quoted: '"\\</script><img src=x onerror=alert(1)>\u2028\u2029',
  'a formula': '=HYPERLINK("http://x","y")',
  'no number': 'NaN',
  'a key of ours': 'X#s#foo#bar',
  turkish: 'İstanbul ıI',
  sharp: 'ẞ ß ss ﬀ',
  combining: `Z${'\u0351\u0343'.repeat(500)}`,
}

const MIN_SQRT = 4_295_128_739n
const MAX_SQRT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n - 1n
const MAX_INT128 = 2n ** 127n - 1n
const MIN_INT128 = -(2n ** 127n)
const ONE = 2n ** 96n

let next = 0x10_00
/** A token to be; tokens are currency0 where their quote stands above them. */
const sketch = (name: string, quote: Address): Sketch => {
  next += 1
  return { coin: address(next), quote, poolId: hash(next), hook, name }
}

const moved = (coin: Address, from: Address, to: Address, numbers: readonly bigint[]): Emitted => ({
  from: coin,
  event: 'coinTransfer',
  args: {
    sender: from,
    recipient: to,
    amount: numbers[0],
    senderBalance: numbers[1],
    recipientBalance: numbers[2],
  },
})
const nobody = address(0)

export const SUPPLY = 10n ** 27n
const minted = (coin: Address, supply = SUPPLY) => moved(coin, nobody, whale, [supply, 0n, supply])

let transactions = 0xfeed
const launched = (
  token: Sketch,
  price: bigint,
  kind: 'creator' | 'post',
  mint = [minted(token.coin)],
): Emitted[] => {
  transactions += 1
  const transaction = hash(transactions)
  return [...mint, initialized(token, price), created(token, kind)].map((emitted) => ({
    ...emitted,
    transaction,
  }))
}

const traded = (token: Sketch, [amount0, amount1]: readonly [bigint, bigint], price: bigint): Emitted => ({
  from: hook,
  event: 'swapped',
  args: {
    ...{ sender: whale, swapSender: whale, isTrustedSwapSenderAddress: true },
    ...{ key: sketchPoolKey(token), poolKeyHash: token.poolId, hookData: '0x', sqrtPriceX96: price },
    params: { zeroForOne: true, amountSpecified: -(2n ** 255n), sqrtPriceLimitX96: 2n ** 160n - 1n },
    ...{ amount0, amount1, isCoinBuy: token.coin < token.quote ? amount0 > 0n : amount1 > 0n },
  },
})

const provided = (token: Sketch, liquidityDelta: bigint, ticks: readonly [number, number]): Emitted => ({
  from: POOL_MANAGER,
  event: 'modifyLiquidity',
  args: {
    id: token.poolId,
    sender: hook,
    tickLower: ticks[0],
    tickUpper: ticks[1],
    liquidityDelta,
    salt: hash(0),
  },
})

const wholeRange = [-887_272, 887_272] as const
/** A swap as people make them: 100 tokens for 1 of the quote. */
const fair = (token: Sketch): Emitted =>
  traded(token, token.coin < token.quote ? [10n ** 20n, -(10n ** 18n)] : [-(10n ** 18n), 10n ** 20n], ONE)

export type Hostile = { readonly chain: MockChain; readonly tokens: Readonly<Record<string, Address>> }

/** A chain of twelve minutes on which all of it happens, twice or more where that can make a difference. */
export function hostileMarket(): Hostile {
  const chain = openMockChain(360, seconds)
  const tokens: Record<string, Address> = {}
  let block = 3
  const tell = (name: string, token: Sketch, ...told: readonly (readonly Emitted[])[]) => {
    tokens[name] = token.coin
    for (const [at, emitted] of told.entries()) chain.emit(block + at * 45, emitted)
    block += 1
  }
  tellNames(tell)
  tellPrices(tell)
  tellAmounts(tell)
  tellEmptiness(tell)
  chain.distort = (call, answer) =>
    call.method === 'eth_getLogs'
      ? JSON.parse(JSON.stringify(answer).replaceAll(Buffer.from(INVALID).toString('hex'), invalidBytes))
      : answer
  return { chain, tokens }
}

type Tell = (name: string, token: Sketch, ...told: readonly (readonly Emitted[])[]) => void

function tellNames(tell: Tell): void {
  for (const [name, text] of Object.entries(hostileNames)) {
    const creator = sketch(text, zora)
    tell(
      `creator: ${name}`,
      creator,
      [...launched(creator, ONE, 'creator'), provided(creator, 10n ** 24n, wholeRange)],
      [fair(creator)],
    )
    const post = sketch(text, creator.coin)
    tell(
      `post: ${name}`,
      post,
      [...launched(post, ONE, 'post'), provided(post, 10n ** 24n, wholeRange)],
      [fair(post)],
    )
    const renamed: Emitted = {
      from: post.coin,
      event: 'nameAndSymbolUpdated',
      args: { caller: whale, newName: `${text}${text}`, newSymbol: text },
    }
    tell(`post: ${name}`, post, [], [], [renamed])
  }
}

/** Prices at both ends of the tick range, of tokens on either side, three pools deep; every one is traded. */
function tellPrices(tell: Tell): void {
  for (const [end, price] of Object.entries({ lowest: MIN_SQRT, highest: MAX_SQRT })) {
    for (const quote of [zora, usdc, highQuote]) {
      const first = sketch(end, quote)
      tell(
        `${end} in ${quote}`,
        first,
        [...launched(first, price, 'creator'), provided(first, MAX_INT128, wholeRange)],
        [traded(first, [-(10n ** 18n), 10n ** 18n], price)],
      )
      for (const [other, then] of Object.entries({ lowest: MIN_SQRT, highest: MAX_SQRT })) {
        const second = sketch(other, first.coin)
        const amounts = [10n ** 24n, -(10n ** 24n)] as const
        tell(
          `${other} in ${end} in ${quote}`,
          second,
          [...launched(second, then, 'post')],
          [traded(second, amounts, then), traded(second, amounts, then)],
          [traded(second, amounts, ONE)],
        )
        const third = sketch(other, second.coin)
        tell(`third ${other} in ${end} in ${quote}`, third, launched(third, then, 'post'), [
          traded(third, amounts, then),
        ])
      }
    }
  }
}

/** Amounts at the ends of int128, on both sides and in both directions. */
function tellAmounts(tell: Tell): void {
  const ends = [MIN_INT128, MAX_INT128, 0n]
  for (const quote of [zora, usdc, highQuote]) {
    for (const amount0 of ends) {
      for (const amount1 of ends) {
        const token = sketch('amounts', quote)
        const swap = traded(token, [amount0, amount1], ONE)
        tell(
          `amounts ${amount0} ${amount1} in ${quote}`,
          token,
          [...launched(token, ONE, 'creator'), provided(token, MAX_INT128, [-200, 200])],
          [swap, swap],
          [swap],
        )
      }
    }
  }
}

/** No supply, no pool price, no liquidity any more, less liquidity than none, no trade, a quote that nobody knows. */
function tellEmptiness(tell: Tell): void {
  const burned = sketch('burned', zora)
  const burn = moved(burned.coin, whale, nobody, [SUPPLY, 0n, 0n])
  tell(
    'burned',
    burned,
    [...launched(burned, ONE, 'creator'), provided(burned, 10n ** 24n, wholeRange)],
    [fair(burned), burn],
    [fair(burned)],
  )
  const never = sketch('never minted', zora)
  tell('never minted', never, launched(never, ONE, 'creator', []), [fair(never)])
  const emptied = sketch('emptied', zora)
  tell(
    'emptied',
    emptied,
    [...launched(emptied, ONE, 'creator'), provided(emptied, 10n ** 24n, wholeRange)],
    [fair(emptied)],
    [provided(emptied, -(10n ** 24n), wholeRange), traded(emptied, [1n, -1n], MIN_SQRT)],
  )
  const overdrawn = sketch('overdrawn', zora)
  tell(
    'overdrawn',
    overdrawn,
    [...launched(overdrawn, ONE, 'creator'), provided(overdrawn, MIN_INT128, wholeRange)],
    [fair(overdrawn), provided(overdrawn, 5n, [-887_272, -887_271])],
  )
  const priceless = sketch('priceless', zora)
  tell('priceless', priceless, launched(priceless, 0n, 'creator'), [traded(priceless, [5n, -5n], 0n)])
  const unrouted = sketch('unrouted', address(0xbad))
  tell('unrouted', unrouted, launched(unrouted, ONE, 'post'), [fair(unrouted)])
  const itself = sketch('its own quote', zora)
  const loop = { ...itself, quote: itself.coin }
  tell('its own quote', loop, launched(loop, ONE, 'post'), [fair(loop)])
  const heavy = sketch('all there can be', zora)
  const all = 2n ** 256n - 1n
  tell(
    'all there can be',
    heavy,
    [...launched(heavy, ONE, 'creator', [minted(heavy.coin, all)]), provided(heavy, MAX_INT128, wholeRange)],
    [fair(heavy), moved(heavy.coin, whale, minnow, [all, 0n, all])],
  )
}

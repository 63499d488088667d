/** The worst that genuine contracts can say: hostile names, prices and amounts at the ends of their types, pools without anything. */
import type { Chain } from '../../ingest/client/chains.ts'
import type { Address } from '../../market/segment.ts'
import { type MockChain, mockChain, openMockChain } from '../support/chain/mock-chain.ts'
import {
  createdLog,
  type Emitted,
  initializedLog,
  nobody,
  providedLog,
  renamedLog,
  type Sketch,
  swapLog,
  transferLog,
  trader as whale,
  zora,
} from '../support/chain/raw-logs.ts'
import { INVALID, INVALID_BYTES } from '../support/described/hostile-texts.ts'
import { address, hash, ONE_X96 } from '../support/market/facts.ts'

const usdc = address(0xdc)
/** Above every token, so that a token quoted in it is currency0. */
const highQuote = address(0xffff)
const hook = address(0x40)
const minnow = address(0x78)

const currency = (at: Address, decimals: number, milliDollars: bigint): Chain['references'][number] => ({
  address: at,
  symbol: 'X',
  name: 'X',
  decimals,
  sources: [],
  fixedUsdE36: milliDollars * 10n ** 33n,
})
/** Two years ago, in minutes that begin with a block. */
const seconds = (blockNumber: number): number => 1_700_000_040 + 2 * blockNumber
export const hostileChain: Chain = {
  ...mockChain,
  schedule: [{ fromBlock: 0, atMs: seconds(0) * 1_000, everyMs: 2_000 }],
  references: [currency(zora, 18, 50n), currency(usdc, 6, 1_000n), currency(highQuote, 18, 3_000_000n)],
}

/** Names as they stand on the chain. */
const hostileNames: Readonly<Record<string, string>> = {
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

let next = 0x10_00
/** A token to be; tokens are currency0 where their quote has a higher address. */
function sketch(name: string, quote: Address): Sketch {
  next += 1
  return { coin: address(next), quote, poolId: hash(next), hook, name }
}

const SUPPLY = 10n ** 27n
const minted = (coin: Address, supply = SUPPLY) => transferLog(coin, [nobody, whale], [supply, 0n, supply])

type Launch = {
  readonly kind: 'creator' | 'post'
  /** Of the pool's opening. @default 1 */
  readonly price: bigint
  /** Of the hook, in the whole range. @default none */
  readonly liquidity: bigint
  readonly mint: readonly Emitted[]
}
let transactions = 0xfeed
function launched(token: Sketch, given: Partial<Launch> = {}): Emitted[] {
  const { kind = 'creator', price = ONE_X96, liquidity, mint = [minted(token.coin)] } = given
  transactions += 1
  const transaction = hash(transactions)
  const launch = [...mint, initializedLog(token, price), createdLog(token, kind)]
  const own = launch.map((emitted) => ({ ...emitted, transaction }))
  return liquidity === undefined ? own : [...own, providedLog(token, liquidity, { ticks: wholeRange })]
}

const wholeRange = [-887_272, 887_272] as const
const traded = (token: Sketch, amounts: readonly [bigint, bigint], sqrtPriceX96: bigint): Emitted =>
  swapLog(token, { swapSender: whale, amounts, sqrtPriceX96 })
/** A swap as people make them: 100 tokens for 1 of the quote. */
const fair = (token: Sketch): Emitted => traded(token, [10n ** 20n, -(10n ** 18n)], ONE_X96)

type Hostile = { readonly chain: MockChain; readonly tokens: Readonly<Record<string, Address>> }

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
      ? JSON.parse(JSON.stringify(answer).replaceAll(Buffer.from(INVALID).toString('hex'), INVALID_BYTES))
      : answer
  return { chain, tokens }
}

type Tell = (name: string, token: Sketch, ...told: readonly (readonly Emitted[])[]) => void

function tellNames(tell: Tell): void {
  for (const [name, text] of Object.entries(hostileNames)) {
    const creator = sketch(text, zora)
    tell(`creator: ${name}`, creator, launched(creator, { liquidity: 10n ** 24n }), [fair(creator)])
    const post = sketch(text, creator.coin)
    tell(`post: ${name}`, post, launched(post, { kind: 'post', liquidity: 10n ** 24n }), [fair(post)])
    tell(`post: ${name}`, post, [], [], [renamedLog(post.coin, `${text}${text}`, text)])
  }
}

/** Prices at both ends of the tick range, of tokens on either side, three pools deep; every one is traded. */
function tellPrices(tell: Tell): void {
  const ends = Object.entries({ lowest: MIN_SQRT, highest: MAX_SQRT })
  for (const [end, price] of ends) {
    for (const quote of [zora, usdc, highQuote]) {
      const first = sketch(end, quote)
      const launch = launched(first, { price, liquidity: MAX_INT128 })
      tell(`${end} in ${quote}`, first, launch, [traded(first, [-(10n ** 18n), 10n ** 18n], price)])
      for (const [other, then] of ends) {
        const [amounts, post] = [[10n ** 24n, -(10n ** 24n)] as const, { kind: 'post', price: then } as const]
        const second = sketch(other, first.coin)
        const swap = traded(second, amounts, then)
        const last = traded(second, amounts, ONE_X96)
        tell(`${other} in ${end} in ${quote}`, second, launched(second, post), [swap, swap], [last])
        const third = sketch(other, second.coin)
        const name = `third ${other} in ${end} in ${quote}`
        tell(name, third, launched(third, post), [traded(third, amounts, then)])
      }
    }
  }
}

/** Amounts at the ends of int128, on both sides and in both directions. */
function tellAmounts(tell: Tell): void {
  const ends = [MIN_INT128, MAX_INT128, 0n]
  for (const quote of [zora, usdc, highQuote]) {
    for (const ofCoin of ends) {
      for (const ofQuote of ends) {
        const token = sketch('amounts', quote)
        const swap = traded(token, [ofCoin, ofQuote], ONE_X96)
        const launch = [...launched(token), providedLog(token, MAX_INT128, { ticks: [-200, 200] })]
        tell(`amounts ${ofCoin} ${ofQuote} in ${quote}`, token, launch, [swap, swap], [swap])
      }
    }
  }
}

/** No supply, no pool price, no liquidity any more, less liquidity than none, no trade, a quote that nobody knows. */
function tellEmptiness(tell: Tell): void {
  const usual = { liquidity: 10n ** 24n }
  const burned = sketch('burned', zora)
  const burn = transferLog(burned.coin, [whale, nobody], [SUPPLY, 0n, 0n])
  tell('burned', burned, launched(burned, usual), [fair(burned), burn], [fair(burned)])
  const never = sketch('never minted', zora)
  tell('never minted', never, launched(never, { mint: [] }), [fair(never)])
  const emptied = sketch('emptied', zora)
  const gone = providedLog(emptied, -usual.liquidity, { ticks: wholeRange })
  const fallen = traded(emptied, [1n, -1n], MIN_SQRT)
  tell('emptied', emptied, launched(emptied, usual), [fair(emptied)], [gone, fallen])
  const overdrawn = sketch('overdrawn', zora)
  const lowest = providedLog(overdrawn, 5n, { ticks: [-887_272, -887_271] })
  tell('overdrawn', overdrawn, launched(overdrawn, { liquidity: MIN_INT128 }), [fair(overdrawn), lowest])
  const priceless = sketch('priceless', zora)
  tell('priceless', priceless, launched(priceless, { price: 0n }), [traded(priceless, [5n, -5n], 0n)])
  const unrouted = sketch('unrouted', address(0xbad))
  tell('unrouted', unrouted, launched(unrouted, { kind: 'post' }), [fair(unrouted)])
  const itself = sketch('its own quote', zora)
  const loop = { ...itself, quote: itself.coin }
  tell('its own quote', loop, launched(loop, { kind: 'post' }), [fair(loop)])
  const heavy = sketch('all there can be', zora)
  const all = 2n ** 256n - 1n
  const launch = launched(heavy, { liquidity: MAX_INT128, mint: [minted(heavy.coin, all)] })
  tell('all there can be', heavy, launch, [
    fair(heavy),
    transferLog(heavy.coin, [whale, minnow], [all, 0n, all]),
  ])
}

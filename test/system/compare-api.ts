/** The API's answers about every token, validated against their schemas and compared with the oracle at each answer's own block. */
import { getAddress, type Hex } from 'viem'
import type { Ready } from '../../dev/local/service.ts'
import { chains } from '../../ingest/client/chains.ts'
import { decimalText } from '../../market/display.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { type OracleView, readMarket, rowOf, viewAt } from '../oracle/boards.ts'
import { LOGS } from '../oracle/logs.ts'
import { poolAt, type RawCoin, type RawMarket } from '../oracle/market.ts'
import { atLog, balancesOf, quoteOf, secondsOf, usdOf } from '../oracle/usd.ts'
import {
  readAnswer,
  rowDifferences,
  rowsIn,
  type ServedAnswer,
  supplyWire,
  tokenWire,
  type Wire,
  wirePercent,
  wirePrice,
  wireTime,
  wireUsd,
} from '../oracle/wire.ts'
import { schemaFaults } from '../support/aws/api-stack.ts'
import { rpc, rpcMany } from '../support/chain/json-rpc.ts'

type Oracle = { readonly market: RawMarket; readonly asOf: number; readonly coin: RawCoin }

const DAY = 86_400

/** So many tokens are asked for all views, and those that moved to another pool. */
const WHOLE = 6
/** Views asked of a token that is not asked for all of them. */
const SOME_VIEWS = 1

/**
 * What differs between the API's answers about every token and the oracle; empty: nothing. Some tokens are asked for all
 * views, each of the others for some, so that all views come in turn.
 */
export async function compareApi(ready: Ready): Promise<string[]> {
  const { rpc_url: rpcUrl } = ready
  const readAll = async () => {
    const head = await rpc<Hex>(rpcUrl, 'eth_blockNumber')
    return readMarket(rpcUrl, chains.devnet, Number(head))
  }
  const first = await readAll()
  const everyNth = Math.max(1, Math.floor(first.coins.length / WHOLE))
  const viewsOf = (at: number) => {
    const names = [...views.keys()]
    const isWhole = at % everyNth === 0 || first.coins[at]!.pools.length > 1
    const asked = isWhole ? names.length : SOME_VIEWS
    return Array.from({ length: asked }, (_, more) => names[(at * SOME_VIEWS + more) % names.length]!)
  }
  const known = viewAt(first, Date.now() / 1_000 - 120).before
  const asked = await mapParallel(
    [...first.coins.entries()].filter(([, { launchedAt }]) => launchedAt < known),
    6,
    async ([at, coin]) => {
      const token = getAddress(coin.address)
      const answers = await mapParallel(viewsOf(at), 2, async (name) => ({
        name,
        answer: await readAnswer(ready, views.get(name)!.path(token)),
      }))
      return { coin, answers }
    },
  )
  // Minutes may have been sealed meanwhile: the oracle reads again what the answers may have seen.
  const market = await readAll()
  const holders = asked.flatMap(({ answers }) => answers.filter(({ name }) => name === 'holders'))
  const types = await typeDifferences(
    rpcUrl,
    holders.map(({ answer }) => JSON.parse(answer.text) as HolderAnswer),
  )
  const figures = asked.flatMap(({ coin: { address }, answers }) => {
    const coin = market.coins.find((each) => each.address === address)!
    return answers.flatMap(({ name, answer }) => {
      const found = viewDifferences(views.get(name)!, answer, { market, coin, asOf: answer.asOf })
      return found.map((difference) => `${name} ${address} @${answer.asOf}: ${difference}`)
    })
  })
  return [...figures, ...types]
}

type HolderAnswer = {
  readonly token: { readonly address: string }
  readonly holders: readonly { readonly address: string }[]
  readonly holder_types: { readonly contract_holders: number | null; readonly eoa_holders: number | null }
}

/** Counts of contracts among holders, where they are served, that are not those of the chain. */
async function typeDifferences(url: string, answers: readonly HolderAnswer[]): Promise<string[]> {
  const addresses = [...new Set(answers.flatMap(({ holders }) => holders.map(({ address }) => address)))]
  const codes = await rpcMany<Hex>(
    url,
    addresses.map((address) => ['eth_getCode', address, 'latest']),
  )
  const isContract = new Map(addresses.map((address, at) => [address, codes[at] !== '0x']))
  return answers.flatMap(
    ({ token, holders, holder_types: { contract_holders: served, eoa_holders: others } }) => {
      const contracts = holders.filter(({ address }) => isContract.get(address)).length
      const isRight = served === null || (served === contracts && others === holders.length - contracts)
      return isRight
        ? []
        : [`${token.address} has ${contracts} contracts of ${holders.length}, not ${served}`]
    },
  )
}

type View = {
  /** The operation, whose schema the answer must meet. */
  readonly name: string
  readonly path: (token: string) => string
  /** The key of the rows in the answer; absent: it is one row, or a list of them. */
  readonly at?: string
  /** The expected rows; `first`: the first that was served. */
  readonly expected: (oracle: Oracle, first: Wire) => Wire[]
}

function viewDifferences(
  { name, at, expected }: View,
  { status, text }: ServedAnswer,
  oracle: Oracle,
): string[] {
  if (status !== 200) return [`${status} ${text}`]
  const body: unknown = JSON.parse(text)
  const faults = schemaFaults(name, body)
  const rows = rowsIn(body, at)
  return faults ? [faults] : rowDifferences(rows, expected(oracle, rows[0] ?? {}))
}

/** From a known price to a known one. */
const change = (base: bigint, now: bigint): number | null => (now > 0n ? wirePercent(base, now) : null)

/** All that is known of a token, by the names of its fields. */
function knownOf({ market, coin, asOf }: Oracle): Wire {
  const [now, day, week] = [0, DAY, 7 * DAY].map((ago) => viewAt(market, asOf - ago)) as [
    OracleView,
    OracleView,
    OracleView,
  ]
  const row = rowOf({ now, day, week }, coin, { start: day, rank: 0 })
  const { rank: _rank, position: _position, ...token } = tokenWire(row)
  return {
    ...token,
    ...supplyWire(row),
    uri: coin.uri,
    migrations: movesBefore(asOf, market, coin),
    change_24h: change(row.day.price, row.now.price),
    change_7d: change(row.week.price, row.now.price),
  }
}

/** The newest eight moves to another pool. */
const movesBefore = (asOf: number, market: RawMarket, { pools }: RawCoin): Wire[] =>
  pools
    .slice(1)
    .map(({ since, id }, at) => ({ time: secondsOf(market, since), since, from: pools[at]!.id, to: id }))
    .filter(({ time, from, to }) => time < asOf && from !== to)
    .slice(-8)
    .map(({ time, since, from, to }) => ({
      timestamp: time,
      datetime: wireTime(time),
      block_number: Math.floor(since / LOGS),
      from_pool_id: from,
      to_pool_id: to,
    }))

/** The logs that set a token's own price: those of its pool at the time, and its moves to another pool. */
const settingsOf = (market: RawMarket, coin: RawCoin): readonly number[] => [
  ...coin.pools.flatMap(({ id }) =>
    (market.prices.get(id) ?? []).map(({ at }) => at).filter((at) => poolAt(coin, at + 1).id === id),
  ),
  ...coin.pools.slice(1).map(({ since }) => since),
]

/** Highest and lowest close of a minute in which the token's own price was set, and the end of the first such minute. */
/** Of closes of minutes in which the own price was set, and of the price now. */
function extremesOf({ market, coin, asOf }: Oracle) {
  const { before } = viewAt(market, asOf)
  const minutes = new Set(
    settingsOf(market, coin)
      .filter((at) => at < before)
      .map((at) => Math.floor(secondsOf(market, at) / 60)),
  )
  const closes = [...[...minutes].sort((a, b) => a - b).map((minute) => (minute + 1) * 60), asOf]
    .map((end) => ({ end, usd: usdOf(viewAt(market, end), coin.address) }))
    .filter(({ usd }) => usd > 0n)
  const by = (sign: 1 | -1) => {
    const [first] = closes.toSorted((a, b) => (a.usd === b.usd ? 0 : a.usd > b.usd ? -sign : sign))
    return { price: wirePrice(first?.usd ?? 0n), at: first ? wireTime(first.end) : null }
  }
  return { high: by(1), low: by(-1) }
}

/** Slots of so many seconds: the newest `count` since the launch. */
type Slots = { readonly step: number; readonly count: number }

const slots = ({ step, count }: Slots, rowOf: (oracle: Oracle, start: number, end: number) => Wire) =>
  ((oracle) => {
    const { coin, asOf } = oracle
    const last = Math.floor((asOf - 60) / step) * step
    return Array.from({ length: count }, (_, at) => last - (count - 1 - at) * step)
      .filter((start) => start + step > Math.floor(coin.launchSeconds / 60) * 60)
      .map((start) => ({
        timestamp: start,
        partial: start + step > asOf,
        ...rowOf(oracle, start, Math.min(start + step, asOf)),
      }))
  }) satisfies View['expected']

/** What a slot of a price history says. */
function stepOf({ market, coin }: Oracle, start: number, end: number): Wire {
  const isInside = ({ at }: { readonly at: number }): boolean => {
    const second = secondsOf(market, at)
    return second >= start && second < end
  }
  const closeAt = (seconds: number): bigint => usdOf(viewAt(market, seconds), coin.address)
  const open = coin.launchSeconds >= start ? coin.launch.price : closeAt(start)
  const set = settingsOf(market, coin).filter((at) => isInside({ at }))
  const minutes = new Set(set.map((at) => Math.floor(secondsOf(market, at) / 60)))
  const prices = [
    open,
    ...set.map((at) => usdOf({ ...atLog(market, at), before: at + 1 }, coin.address)),
    ...[...minutes].map((minute) => closeAt((minute + 1) * 60)),
    closeAt(end),
  ].filter((price) => price > 0n)
  const trades = coin.trades.filter(isInside)
  return {
    open: wirePrice(open),
    high: wirePrice(prices.reduce(higher, 0n)),
    low: wirePrice(prices.reduce(lower, prices[0] ?? 0n)),
    close: wirePrice(closeAt(end)),
    volume_usd: wireUsd(sumOf(trades, ({ volume }) => volume)),
    trades: trades.length,
    filled: set.length === 0,
  }
}

/** What a candle says besides. */
function candleOf(oracle: Oracle, start: number, end: number): Wire {
  const { market, coin } = oracle
  const trades = coin.trades.filter(({ at }) => {
    const second = secondsOf(market, at)
    return second >= start && second < end
  })
  const buys = trades.filter(({ isBuy }) => isBuy)
  const { decimals } = quoteOf(viewAt(market, oracle.asOf), coin)
  const inQuote = sumOf(trades, ({ quoteAmount }) => quoteAmount)
  return {
    ...stepOf(oracle, start, end),
    buys: buys.length,
    buy_volume: wireUsd(sumOf(buys, ({ volume }) => volume)),
    volume_quote: Number(decimalText((inQuote * 10n ** 6n) / 10n ** BigInt(decimals), 6, 6)),
  }
}

const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const sumOf = <T>(items: readonly T[], amountOf: (item: T) => bigint): bigint =>
  items.reduce((sum, item) => sum + amountOf(item), 0n)

/** Every step of a price history. */
const history = (period: string, step: number, count: number): View => ({
  name: 'priceHistory',
  path: (token) => `/v1/tokens/${token}/price-history?period=${period}`,
  expected: slots({ step, count }, stepOf),
})

/** The newest candles of an interval. */
const candles = (interval: string, step: number, count: number): View => ({
  name: 'candles',
  path: (token) => `/v1/tokens/${token}/candles?interval=${interval}&limit=${count}`,
  expected: slots({ step, count }, candleOf),
})

const holdersOf = ({ market, coin, asOf }: Oracle): Wire[] =>
  balancesOf(market, coin, viewAt(market, asOf).before)
    .holders.sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
    .slice(0, 100)
    .map(([holder, amount]) => ({ address: getAddress(holder), balance_raw: String(amount) }))

function swapsOf({ market, coin, asOf }: Oracle): Wire[] {
  const { before } = viewAt(market, asOf)
  return coin.trades
    .filter(({ at }) => at < before && secondsOf(market, at) >= asOf - 8 * DAY - 60)
    .toReversed()
    .slice(0, 100)
    .map(({ at, isBuy, trader, volume }) => ({
      block_number: Math.floor(at / LOGS),
      log_index: at % LOGS,
      is_buy: isBuy,
      trader: getAddress(trader),
      volume_usd: Number(decimalText(volume, 6, 6)),
      confirmed: true,
    }))
}

function metricsOf(oracle: Oracle): Wire[] {
  const { high, low } = extremesOf(oracle)
  return [
    {
      all_time_high: high.price,
      ath_at: high.at,
      all_time_low: low.price,
      atl_at: low.at,
      volume_24h: knownOf(oracle)['volume_24h'],
    },
  ]
}

const views: ReadonlyMap<string, View> = new Map<string, View>([
  [
    'detail',
    {
      name: 'token',
      path: (token) => `/v1/tokens/${token.toLowerCase()}`,
      expected: (oracle, first) => [
        Object.fromEntries(Object.entries(knownOf(oracle)).filter(([key]) => key in first)),
      ],
    },
  ],
  [
    'metrics',
    {
      name: 'metrics',
      path: (token) => `/v1/tokens/base_${token}/metrics`,
      at: 'metrics',
      expected: metricsOf,
    },
  ],
  ['1h', history('1h', 60, 60)],
  ['4h', history('4h', 300, 48)],
  ['24h', history('24h', 900, 96)],
  ['7d', history('7d', 3_600, 168)],
  ['candles 1m', candles('1m', 60, 30)],
  ['candles 4h', candles('4h', 14_400, 40)],
  ['candles 1d', candles('1d', 86_400, 9)],
  [
    'holders',
    { name: 'holders', path: (token) => `/v1/tokens/${token}/holders`, at: 'holders', expected: holdersOf },
  ],
  [
    'swaps',
    { name: 'tokenSwaps', path: (token) => `/v1/tokens/${token}/swaps?limit=100`, expected: swapsOf },
  ],
])

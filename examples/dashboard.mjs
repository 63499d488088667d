// Draws the candles of a token in a terminal; each opens where the one before closed:
//   API=http://127.0.0.1:4100 KEY=… node examples/dashboard.mjs ADDRESS [interval] [candles]

const { API = 'http://127.0.0.1:4100', KEY = '' } = process.env
const [address, interval = '1h', wanted = '168'] = process.argv.slice(2)

async function ask(path) {
  const response = await fetch(API + path, { headers: { authorization: `Bearer ${KEY}` } })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return { body: await response.json(), link: response.headers.get('link') ?? '' }
}

/** The newest candles, oldest first, over as many pages as they take. */
async function readCandles(count) {
  let candles = []
  let path = `/v1/tokens/${address}/candles?interval=${interval}&limit=${Math.min(count, 1_000)}`
  while (path && candles.length < count) {
    const { body, link } = await ask(path)
    candles = [...body, ...candles]
    path = /<([^>]+)>; rel="next"/.exec(link)?.[1]
  }
  return candles.slice(-count)
}

const BARS = '▁▂▃▄▅▆▇█'

const { body: token } = await ask(`/v1/tokens/${address}?include=metrics,swaps`)
console.log(
  `${token.symbol} (${token.name}): $${token.price_usd}, ${token.metrics.trades_24h} trades in 24 hours`,
)

const candles = await readCandles(Number(wanted))
const gaps = candles.filter(({ open }, at) => at > 0 && open !== candles[at - 1].close)
const closes = candles.map(({ close }) => close ?? 0)
const [low, high] = [Math.min(...closes), Math.max(...closes)]
const bar = (close) => BARS[Math.round(((close - low) / (high - low || 1)) * (BARS.length - 1))]
console.log(closes.map(bar).join(''))

const sum = (key) => candles.reduce((total, candle) => total + (candle[key] ?? 0), 0)
console.log(`${candles.length} candles of ${interval}, ${gaps.length} that do not join`)
console.log(`trades ${sum('trades')}, of them buys ${sum('buys')}, volume $${sum('volume_usd').toFixed(2)}`)

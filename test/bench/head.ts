/** What a day at the head of a chain with blocks every two seconds costs in calls, verification and recounts included, and how late its blocks are read. The day passes on a clock of its own. */
import { startDevnetMarket } from '../support/devnet-market.ts'
import { runAtHead } from '../support/head-run.ts'
import { recordChain, relayChain } from '../support/recorded-chain.ts'
import { atMost, quantile, say, table } from './measuring.ts'

const GOALS = { callsADay: 60_000, p50: 500 }
const DAY_SECONDS = 86_400
const HOURS = Number(process.env['HOURS'] ?? 24)
/** At least so much of the past, so that the counts of the last day have something to count. */
const past = { days: 1, blocks: 300, trades: 900 }

const rows = [
  { name: 'one endpoint, logs in every block', endpoints: 1, isBusy: true },
  { name: 'two endpoints, logs in every block', endpoints: 2, isBusy: true },
  { name: 'one endpoint, few logs', endpoints: 1, isBusy: false },
]

/** Measures every row; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const market = await startDevnetMarket(71, past)
  const recorded = await recordChain(market.rpcUrl)
  await market.stop()
  const missed: string[] = []
  const lines: string[][] = [['', 'hours', 'minutes sealed', 'HTTP a day', 'calls a day', 'p50', 'p95']]
  const realNow = Date.now
  for (const { name, endpoints, isBusy } of rows) {
    const chain = relayChain(recorded, { isBusy })
    const blocks = Math.min(HOURS * 1_800, chain.last - chain.rules.creationsFrom - 1)
    let now = 0
    Date.now = () => now
    const setTime = (ms: number) => {
      now = ms
    }
    const ran = await runAtHead(chain, endpoints, { blocks, setTime }).finally(() => {
      Date.now = realNow
    })
    const aDay = (count: number) => Math.round((count * DAY_SECONDS) / ran.seconds)
    const calls = aDay([...ran.calls.values()].reduce((sum, count) => sum + count, 0))
    const [p50, p95] = [quantile(ran.lateMs, 0.5), quantile(ran.lateMs, 0.95)]
    const hours = (ran.seconds / 3_600).toFixed(1)
    const figures = [ran.minutes, aDay(ran.requests), calls, Math.round(p50), Math.round(p95)]
    lines.push([name, hours, ...figures.map(String)])
    say([...ran.calls].map(([method, count]) => `${method} ${aDay(count)}`).join(', '))
    missed.push(
      ...atMost(`${name}: calls a day`, calls, GOALS.callsADay),
      ...atMost(`${name}: p50`, p50, GOALS.p50, ' ms'),
      ...atMost(`${name}: gaps where there are none`, ran.gaps, 0),
    )
  }
  say(table(lines))
  return missed
}

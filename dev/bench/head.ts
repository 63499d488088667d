/** What a day at the head of a chain with five blocks a second costs in calls, verification and rechecks included, and how late its blocks are read. The day passes on a clock of its own. */

import { runAtHead } from '../../test/ingest/read/head-run.ts'
import { generateChain } from '../../test/support/chain/generated-chain.ts'
import { fiveASecond } from '../../test/support/chain/paces.ts'
import { atMost, quantile, say, table } from './measuring.ts'

const POLL_MS = 2_000
/** `p50` counts from a block's own time. */
const GOALS = { callsADay: 60_000, p50: POLL_MS / 2 + 500 }
const DAY_SECONDS = 86_400
const HOURS = Number(process.env['HOURS'] ?? 4)

const rows = [
  { name: 'one endpoint, 2 swaps/s', endpoints: 1, swapsAMinute: 120 },
  { name: 'two endpoints, 2 swaps/s', endpoints: 2, swapsAMinute: 120 },
  { name: 'one endpoint, a swap in 20 s', endpoints: 1, swapsAMinute: 3 },
  { name: 'one endpoint, no swaps', endpoints: 1, swapsAMinute: 0 },
] as const

/** Without a goal: what block times cost that are neither in the logs nor in the schedule. */
const timeless = {
  ...rows[0],
  name: 'the first row, times in neither logs nor schedule',
  schedule: [],
  hasTimes: false,
}

/** Measures every row; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const missed: string[] = []
  const lines: string[][] = [['', 'hours', 'minutes sealed', 'HTTP a day', 'calls a day', 'p50', 'p95']]
  const realNow = Date.now
  for (const { name, swapsAMinute, ...options } of [...rows, timeless]) {
    const minutes = Math.ceil(HOURS * 60)
    const chain = generateChain({
      seed: 71,
      minutes: minutes + 2,
      creations: 100,
      swapsAMinute,
      paces: fiveASecond,
    })
    let now = 0
    Date.now = () => now
    const setTime = (ms: number) => {
      now = ms
    }
    const asked = { ...options, pollMs: POLL_MS, seconds: minutes * 60, setTime }
    const ran = await runAtHead(chain, asked).finally(() => {
      Date.now = realNow
    })
    const aDay = (count: number) => Math.round((count * DAY_SECONDS) / ran.seconds)
    const calls = aDay([...ran.calls.values()].reduce((sum, count) => sum + count, 0))
    const [p50, p95] = [quantile(ran.lateMs, 0.5), quantile(ran.lateMs, 0.95)]
    const hours = (ran.seconds / 3_600).toFixed(1)
    const figures = [ran.minutes, aDay(ran.requests), calls, Math.round(p50), Math.round(p95)]
    lines.push([name, hours, ...figures.map(String)])
    say(`${name}: ${[...ran.calls].map(([method, count]) => `${method} ${aDay(count)}`).join(', ')}`)
    if (name === timeless.name) continue
    missed.push(
      ...atMost(`${name}: gaps where there are none`, ran.gaps, 0),
      ...atMost(`${name}: calls a day`, calls, GOALS.callsADay),
      ...atMost(`${name}: p50`, p50, GOALS.p50, ' ms'),
    )
  }
  say(table(lines))
  return missed
}

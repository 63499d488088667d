/** What history costs through each kind of endpoint, on a chain of 200 ms blocks: calls, and minutes until every minute is verified and sealed. Each answer takes 60 ms. */
import { openRpc } from '../../ingest/client/rpc.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import { endpointKinds } from '../../test/ingest/client/endpoint-table.ts'
import { startEndpoints } from '../../test/ingest/generated-endpoints.ts'
import { memoryStores, verifiedDeps } from '../../test/support/aws/ingest-stores.ts'
import { type ChainPlan, generateChain } from '../../test/support/chain/generated-chain.ts'
import { fiveASecond } from '../../test/support/chain/paces.ts'
import type { Count, Limits } from '../../test/support/chain/strict-endpoint.ts'
import { atMost, say, startTimer, table } from './measuring.ts'

const HOURS = Number(process.env['HOURS'] ?? 24)
const MINUTES_AN_HOUR = 60
const DAY_HOURS = 24
/** The chain is so much older than the log, so that there are tokens to import. */
const OLDER_MINUTES = 60
const LATENCY_MS = 60

type Row = {
  readonly name: string
  readonly endpoints: readonly Limits[]
  /** At most so many hours are read, where a day takes too long. */
  readonly hours?: number
  /** Goal for a day. */
  readonly minutesADay?: number
}

const batch = 10
const rows: readonly Row[] = [
  {
    name: '10,000 blocks, 20 calls/s',
    endpoints: [{ batch, span: 10_000, saysSpan: true, calls: 20 }],
    minutesADay: 5,
  },
  { name: '10,000 blocks, 50 calls/s', endpoints: [{ batch, span: 10_000, saysSpan: true, calls: 50 }] },
  { name: '1,000 blocks, 50 calls/s', endpoints: [{ batch, span: 1_000, saysSpan: true, calls: 50 }] },
  { name: '100 blocks, 50 calls/s', endpoints: [{ batch, span: 100, saysSpan: true, calls: 50 }], hours: 2 },
  { name: '10 blocks, 50 calls/s', endpoints: [{ batch, span: 10, saysSpan: true, calls: 50 }], hours: 0.5 },
  { name: '5 blocks, 50 calls/s', endpoints: [{ batch, span: 5, saysSpan: true, calls: 50 }], hours: 0.5 },
  {
    name: '10 blocks beside 10,000, 20 calls/s each',
    endpoints: [
      { batch, span: 10, saysSpan: true, calls: 20 },
      { batch, span: 10_000, saysSpan: true, calls: 20 },
    ],
  },
  ...Object.entries(endpointKinds).map(([name, endpoints]): Row => ({ name, endpoints, hours: 2 })),
]

/** Measures every row (ROWS=…: those whose names contain it; HOURS=…); the goals missed. */
export async function run(): Promise<readonly string[]> {
  const wanted = rows.filter(({ name }) => name.includes(process.env['ROWS'] ?? ''))
  const missed: string[] = []
  const lines: string[][] = [['', 'hours read', 'calls', 'HTTP', '429', 's', 'a day: calls', 'minutes']]
  for (const row of wanted) {
    const { hours, seconds, counts } = await readHistory(row)
    const sum = (name: keyof Count) => counts.reduce((total, count) => total + count[name], 0)
    const days = hours / DAY_HOURS
    const minutesADay = seconds / 60 / days
    lines.push([
      ...[row.name, String(hours), String(sum('calls')), String(sum('requests')), String(sum('refused'))],
      ...[seconds.toFixed(0), String(Math.round(sum('calls') / days)), minutesADay.toFixed(1)],
    ])
    say(lines.at(-1)?.join(' | ') ?? '')
    if (row.minutesADay) missed.push(...atMost(row.name, minutesADay, row.minutesADay, ' minutes'))
  }
  say(table(lines))
  return missed
}

async function readHistory({ endpoints, hours: most = HOURS }: Row) {
  const hours = Math.min(most, HOURS)
  const minutes = OLDER_MINUTES + hours * MINUTES_AN_HOUR
  const plan: ChainPlan = {
    seed: 3,
    minutes,
    paces: fiveASecond,
    swapsAMinute: 7,
    activeOneIn: 20,
    creations: 10 * Math.ceil(0.358 * minutes),
  }
  const limits = endpoints.map((one) => ({ ...one, latencyMs: LATENCY_MS }))
  const chain = generateChain({ ...plan, swapsAMinute: 0 })
  const child = await startEndpoints({ plan, endpoints: limits, quietMinutes: 1 })
  try {
    const rpc = openRpc(child.urls)
    const first = chain.first + OLDER_MINUTES * 300
    const deps = await verifiedDeps(memoryStores(), { rpc, chain: chain.rules }, first)
    const time = startTimer()
    for await (const progress of followChain(deps)) {
      if (progress.is === 'gap') throw new Error(`a gap where there is none: ${progress.gap.missing}`)
      if (progress.is === 'idle') break
    }
    return { hours, seconds: time().wallMs / 1_000, counts: await child.counts() }
  } finally {
    child.stop()
  }
}

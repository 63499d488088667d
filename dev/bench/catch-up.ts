/** How fast ingest catches up: chain minutes a second at 20 swaps a minute, behind an endpoint that takes 60 ms, into stores that take 5 ms: in blocks of 200 ms and 10,000 of them a call, and in blocks of two seconds and 1,000 a call. Every minute is verified. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openRpc } from '../../ingest/client/rpc.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import { rebuild } from '../../snapshot/rebuild.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { openMemoryBucket, openMemoryTable } from '../../store/aws/memory.ts'
import type { Table } from '../../store/aws/table.ts'
import { marketKeys } from '../../store/aws/tables.ts'
import { openTokens } from '../../store/items/tokens.ts'
import { openFeed } from '../../store/log/feed.ts'
import { openLog } from '../../store/log/log.ts'
import { startEndpoints } from '../../test/ingest/generated-endpoints.ts'
import { verifiedDeps } from '../../test/support/aws/ingest-stores.ts'
import { type ChainPlan, generateChain } from '../../test/support/chain/generated-chain.ts'
import { type BlockPace, firstBlockFrom, fiveASecond, twoSeconds } from '../../test/support/chain/paces.ts'
import type { Count, Limits } from '../../test/support/chain/strict-endpoint.ts'
import { atLeast, atMost, say, startTimer, type Time, table } from './measuring.ts'

const GOAL_MINUTES_A_SECOND = 60
const STORE_MS = 5
const MINUTES = Number(process.env['MINUTES'] ?? 3_000)
const DAY = 1_440
const ofBase: Limits = { span: 10_000, saysSpan: true, latencyMs: 60 }

/** mainnet.base.org: 10 to 25 calls a second were granted. */
const ofMainnet: Limits = { ...ofBase, batch: 10, calls: 20 }

type Row = {
  readonly name: string
  readonly endpoints: readonly Limits[]
  readonly paces: readonly BlockPace[]
  /** How long ago the minutes are. */
  readonly days: number
  /** The log begins in their middle. */
  readonly isImporting?: true
  /** A day at a tenth of the platform's busiest, up to the first boards. */
  readonly isDay?: true
}

const DAY_GOAL_SECONDS = 300

const rows: readonly Row[] = [
  { name: 'older than what is kept by the minute', endpoints: [ofBase], paces: fiveASecond, days: 10 },
  {
    name: 'the same, blocks of two seconds',
    endpoints: [{ ...ofBase, span: 1_000 }],
    paces: twoSeconds,
    days: 10,
  },
  {
    name: 'first boards of a day, with an archive',
    endpoints: [ofMainnet],
    paces: fiveASecond,
    days: 0,
    isDay: true,
    isImporting: true,
  },
]

/** Measures every row (ROWS=…: those whose names contain it; MINUTES=…); the goals missed. */
export async function run(): Promise<readonly string[]> {
  const wanted = rows.filter(({ name }) => name.includes(process.env['ROWS'] ?? ''))
  const missed: string[] = []
  const lines: string[][] = [['', 'minutes', 's', 'minutes/s', 'CPU s', 'HTTP', 'calls', '429', 'MB']]
  for (const row of wanted) {
    const ran = await catchUp(row)
    const rate = ran.minutes / ran.seconds
    const sum = (name: keyof Count) => String(ran.counts.reduce((total, count) => total + count[name], 0))
    lines.push([
      ...[row.name, String(ran.minutes), ran.seconds.toFixed(1), rate.toFixed(1), ran.cpuSeconds.toFixed(1)],
      ...[sum('requests'), sum('calls'), sum('refused'), String(Math.round(ran.mebibytes))],
    ])
    say(lines.at(-1)?.join(' | ') ?? '')
    missed.push(
      ...(row.isDay
        ? atMost(row.name, ran.seconds, DAY_GOAL_SECONDS, ' s')
        : atLeast(row.name, rate, GOAL_MINUTES_A_SECOND, ' minutes a second')),
    )
  }
  say(table(lines))
  return missed
}

async function catchUp({ endpoints, paces, days, isImporting, isDay }: Row) {
  const wanted = isDay ? Math.min(DAY, MINUTES) : MINUTES
  const minutes = isImporting ? 2 * wanted : wanted
  const plan: ChainPlan = {
    seed: 3,
    minutes,
    paces,
    swapsAMinute: isDay ? 7 : 20,
    activeOneIn: isDay ? 20 : 4,
    creations: 10 * Math.floor((isDay ? 3.58 : 1) * 0.1 * minutes),
  }
  const chain = generateChain({ ...plan, swapsAMinute: 0 })
  const child = await startEndpoints({ plan, endpoints, quietMinutes: days * DAY + 10 })
  try {
    const rpc = openRpc(child.urls)
    const stores = slowStores()
    const beginMs = (chain.timestampOf(chain.first) + (isImporting ? wanted * 60 : 0)) * 1_000
    const first = firstBlockFrom(chain.rules.schedule, beginMs)
    const deps = await verifiedDeps(stores, { rpc, chain: chain.rules }, first)
    const time = startTimer()
    // After these minutes nothing happens for days, which a single endpoint is believed slowly: that is not waited for.
    let done: Time | undefined
    const areApplied = new Promise<void>((resolve) => {
      stores.onApplied((n) => {
        if (n < wanted - 1 || isDay) return
        done ??= time()
        resolve()
      })
    })
    const followed = async () => {
      for await (const progress of followChain(deps)) {
        if (progress.is === 'gap' && !done)
          throw new Error(`a gap where there is none: ${progress.gap.missing}`)
        if (isDay ? progress.is === 'idle' : done) return
      }
    }
    await Promise.race([areApplied, followed()])
    if (isDay) await rebuild({ ...stores, published: openMemoryBucket() }, { clock: () => performance.now() })
    const { cpuMs, wallMs } = done ?? time()
    return {
      minutes: wanted - 1,
      seconds: wallMs / 1_000,
      cpuSeconds: cpuMs / 1_000,
      counts: await child.counts(),
      mebibytes: process.memoryUsage().rss / 2 ** 20,
    }
  } finally {
    child.stop()
  }
}

/** Stores in memory that take as long as those of a region. */
function slowStores() {
  const late = async <T>(answer: () => Promise<T>): Promise<T> => {
    await sleep(STORE_MS)
    return answer()
  }
  const fast = openMemoryTable()
  let notify: (n: number) => void = () => undefined
  const table: Table = {
    read: (key) => late(() => fast.read(key)),
    put: async (item, condition) => {
      const isPut = await late(() => fast.put(item, condition))
      if (item.sk === marketKeys.applied.sk) notify(Number(item['pos']))
      return isPut
    },
    readMany: (keys) => late(() => fast.readMany(keys)),
    async *query(span) {
      await sleep(STORE_MS)
      yield* fast.query(span)
    },
  }
  const objects = openMemoryBucket()
  const bucket: Bucket = {
    ...objects,
    read: (key) => late(() => objects.read(key)),
    put: (key, bytes, options) => late(() => objects.put(key, bytes, options)),
  }
  return {
    onApplied: (tell: (n: number) => void) => {
      notify = tell
    },
    table,
    segments: bucket,
    log: openLog(table, bucket),
    tokens: openTokens(table),
    feed: openFeed(table),
  }
}

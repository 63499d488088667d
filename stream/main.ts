import type { Address } from '../market/segment.ts'
import { type Env, readEnv } from '../schemas/deployment/env.ts'
import { currenciesOf } from '../schemas/records/currencies.ts'
import { CONNECTION_SECONDS, HEARTBEAT_SECONDS } from '../schemas/values/stream-times.ts'
import { openTable } from '../store/aws/table.ts'
import { openTokens } from '../store/items/tokens.ts'
import { openFeed } from '../store/log/feed.ts'
import { readAppliedOf } from '../store/log/log.ts'
import { inLog, keepLive, openLogs } from '../store/log/logs.ts'
import {
  type Caps,
  defaultCaps,
  ReplayAllowance,
  type ReplayLimits,
  replayLimits,
  StreamAdmission,
} from './admission.ts'
import { Channel } from './channel.ts'
import { openCurrencies } from './events.ts'
import { Metrics } from './metrics.ts'
import { drain } from './reader.ts'
import { Replay } from './replay.ts'
import { StreamServer } from './server.ts'
import { Tail, type TailDeps } from './tail.ts'

/** Options of a task. Times are in ms. */
export type StreamOptions = {
  readonly host?: string
  readonly pollMs?: number
  /** Least reconnection time of an EventSource, and by how much it may be longer. */
  readonly retryMs?: number
  readonly retrySpreadMs?: number
  readonly heartbeatMs?: number
  readonly connectionMs?: number
  /** Time for ending all readers. */
  readonly drainMs?: number
  readonly caps?: Caps
  readonly replayLimits?: ReplayLimits
  /** Called for lifecycle events with a name and facts, never a reader's address. */
  readonly report?: (event: string, facts: object) => void
  /** Called with a line of metrics each minute. */
  readonly onMetrics?: (line: string) => void
  /** Namespace of the metrics. */
  readonly metricsNamespace?: string | undefined
}

/** Exported for the test of a deployment, which counts on them. */
export const defaults = {
  host: '0.0.0.0',
  pollMs: 250,
  retryMs: 3_000,
  retrySpreadMs: 20_000,
  heartbeatMs: HEARTBEAT_SECONDS * 1_000,
  connectionMs: CONNECTION_SECONDS * 1_000,
  // Fargate kills after at most 120 s; this leaves some time.
  drainMs: 50_000,
  caps: defaultCaps,
  replayLimits,
  report: () => {},
  onMetrics: () => {},
  metricsNamespace: undefined,
} satisfies Required<StreamOptions>

/** A task that serves the stream. */
export type RunningStream = {
  readonly url: string
  /** Disconnects readers in batches and stops. May be called repeatedly. */
  stop(): Promise<void>
}

const METRICS_EVERY_MS = 60_000

/** Serves the stream of swaps from the feed of the Market table. Rejects if it cannot listen or read the table. */
export function runStream(env: Env<'stream'>, options: StreamOptions = {}): Promise<RunningStream> {
  const table = openTable(env.MARKET_TABLE)
  const live = keepLive(openLogs(table))
  const liveTable = async () => inLog(table, (await live()).log)
  const tokens = async (addresses: readonly Address[]) => openTokens(await liveTable()).tokens(addresses)
  const deps = {
    feed: openFeed(table),
    currencies: openCurrencies({ tokens }, currenciesOf(env.CHAIN)),
    applied: async () => readAppliedOf(await liveTable()),
  }
  const { PORT, TRUSTED_PROXIES, ORIGIN_SECRET: originSecret } = env
  return serveStream(deps, { port: Number(PORT), proxies: Number(TRUSTED_PROXIES), originSecret }, options)
}

/** The same for any source of the feed. Rejects if it cannot listen or read the feed. */
export async function serveStream(
  tailDeps: TailDeps,
  {
    port,
    proxies,
    originSecret,
  }: Readonly<{ port: number; proxies: number; originSecret?: string | undefined }>,
  options: StreamOptions = {},
): Promise<RunningStream> {
  const given = { ...defaults, ...options }
  const { host, pollMs, drainMs, caps, report, onMetrics } = given
  const onFault = (error: unknown) => report('stream.fault', { error: String(error) })
  const metrics = new Metrics(given.metricsNamespace)
  const channel = new Channel(({ events, readers, newest: { line } }) => {
    metrics.add('Sent', events * readers)
    if (line) metrics.lag(Date.now() - line.swap.timestamp * 1_000)
  })
  const admission = new StreamAdmission(caps)
  const tail = await Tail.open(tailDeps, {
    pollMs,
    onFault,
    isIdle: () => admission.size === 0,
    onEntries: (entries) => channel.publish(entries.flatMap(({ events }) => events)),
  })
  const allowance = new ReplayAllowance(given.replayLimits)
  const replay = new Replay({ tail, channel, allowance, metrics })
  const server = new StreamServer(
    { tail, channel, replay, admission, metrics },
    { ...given, proxies, originSecret, onFault },
  )
  const stopping = new AbortController()
  const isAt = await server.listen(port, host)
  const following = tail.follow(stopping.signal)
  const timer = setInterval(() => onMetrics(metrics.line(admission.size, Date.now())), METRICS_EVERY_MS)
  report('stream.listening', { port: isAt })
  const end = async () => {
    server.refuseNew()
    report('stream.draining', { readers: server.readers.size })
    await drain(server.readers, drainMs)
    stopping.abort()
    await following
    clearInterval(timer)
    onMetrics(metrics.line(admission.size, Date.now()))
    server.close()
    report('stream.ended', {})
  }
  let ended: Promise<void> | null = null
  return {
    url: `http://${host === defaults.host ? '127.0.0.1' : host}:${isAt}`,
    stop: () => {
      ended ??= end()
      return ended
    },
  }
}

if (process.argv[1] === import.meta.filename) {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const env = readEnv('stream', process.env)
  const running = await runStream(env, {
    metricsNamespace: env.METRICS_NAMESPACE,
    report: (event, facts) => print(JSON.stringify({ event, ...facts })),
    onMetrics: print,
  })
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => void running.stop())
}

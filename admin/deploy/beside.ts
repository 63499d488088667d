/** A release beside the live one: its writer of the log and its publisher in one process. The task of cdk/parts/beside.ts; `admin beside` runs the same from a terminal. */
import { setTimeout as sleep } from 'node:timers/promises'
import { orFault } from '../../ingest/client/faults.ts'
import { IngestHealth, serveHealth } from '../../ingest/health.ts'
import { endedLine, type IngestEvent, lineOf } from '../../ingest/report.ts'
import { runIngest } from '../../ingest/run.ts'
import { REBUILD_EVERY_SECONDS } from '../../schemas/api/service.ts'
import { type Env, readEnv } from '../../schemas/deployment/env.ts'
import { OWN_PUBLISHER } from '../../snapshot/publish/role.ts'
import { type RebuildRun, rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { openRebuildStores } from '../../snapshot/stores.ts'

/** Pause between two runs of the publisher until it is live. */
const CATCH_UP_EVERY_MS = 5_000

/** What happens beside the service. */
export type BesideEvents = {
  readonly signal: AbortSignal
  readonly onEvent: (event: IngestEvent) => void
  /** After each run of the publisher. */
  readonly onRun: (run: RebuildRun) => void
  /** Readers have gone over. */
  readonly onLive: () => void
}

/**
 * Runs this release's rules into a log of their own until the signal aborts: they catch up, then readers go over to them. The
 * first failure of either part ends both, and rejects.
 */
export async function runBeside(env: Env<'beside'>, events: BesideEvents): Promise<void> {
  const stopping = new AbortController()
  const signal = AbortSignal.any([events.signal, stopping.signal])
  const parts = [
    runIngest(env, { signal, onEvent: events.onEvent, isBeside: true }),
    publishUntil(env, { ...events, signal }),
  ]
  await Promise.all(parts.map((each) => each.finally(() => stopping.abort())))
}

async function publishUntil(
  env: Env<'beside'>,
  { signal, onRun, onLive }: Omit<BesideEvents, 'onEvent'>,
): Promise<void> {
  const { CHAIN: chain, CODE_VERSION: codeVersion } = env
  const everySeconds = Number(env.REBUILD_EVERY_SECONDS ?? REBUILD_EVERY_SECONDS)
  const warm: Warm = {}
  const options = { clock: () => performance.now(), warm, chain, everySeconds, report: onRun }
  let isLive = false
  while (!signal.aborted) {
    const stores = await openRebuildStores(env)
    const manifest = stores && (await rebuild(stores, { ...options, ...(codeVersion && { codeVersion }) }))
    if (manifest && !isLive) onLive()
    isLive ||= Boolean(manifest)
    const pauseMs = isLive ? everySeconds * 1_000 : CATCH_UP_EVERY_MS
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** The task: answers /health while ingest is alive, and writes a line of JSON for each event and each run of the publisher. */
async function runTask(env: Env<'beside'>, signal: AbortSignal): Promise<void> {
  const health = new IngestHealth(Date.now())
  const server = await serveHealth(Number(env.PORT), () => health.isAlive(Date.now()))
  const print = (line: string | undefined) => line !== undefined && process.stdout.write(`${line}\n`)
  const printEvent = (event: string, facts: object) =>
    print(JSON.stringify({ event: `beside.${event}`, publisher: OWN_PUBLISHER, ...facts }))
  try {
    await runBeside(env, {
      signal,
      onEvent(event) {
        health.record(event, Date.now())
        print(lineOf(event))
      },
      onRun: ({ n, applied, minute }) => printEvent('follows', { n, applied, minute }),
      onLive: () => printEvent('live', {}),
    })
  } finally {
    server.stop()
  }
}

if (process.argv[1] === import.meta.filename) {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort())
  try {
    await runTask(readEnv('beside', process.env), stop.signal)
  } catch (error) {
    process.stdout.write(`${endedLine(orFault(error))}\n`)
    process.exit(1)
  }
}

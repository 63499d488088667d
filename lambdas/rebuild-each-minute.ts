/** Rebuilds the snapshot again and again without a Scheduler: on this machine, and as a task where a function has too little memory. */
import { setTimeout as sleep } from 'node:timers/promises'
import { serveHealth } from '../ingest/health.ts'
import { REBUILD_EVERY_SECONDS } from '../schemas/api/service.ts'
import { handler } from './rebuild-snapshots.ts'

const EVERY_MS = Number(process.env['REBUILD_EVERY_SECONDS'] ?? REBUILD_EVERY_SECONDS) * 1_000
/** Delay after a full minute by which the minute before is sealed. */
const OFFSET_MS = 14_000
/** A task that has not ended a run for so long hangs. */
const SILENT_MS = EVERY_MS + 240_000

type Loop = {
  readonly signal: AbortSignal
  /** Called when a run has ended, with its error if it failed. */
  readonly onEnd: (error?: unknown) => void
  /** Waits, but not beyond the signal. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

const waiting = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {})

/** Rebuilds once a minute until the signal aborts. After a failed run the last good snapshot stays, and the next one tries again. */
export async function rebuildEachMinute(
  { signal, onEnd, wait = waiting }: Loop,
  rebuild: () => Promise<unknown> = handler,
): Promise<void> {
  while (!signal.aborted) {
    await wait(EVERY_MS - ((Date.now() - OFFSET_MS) % EVERY_MS), signal)
    if (signal.aborted) return
    await rebuild().then(() => onEnd(), onEnd)
  }
}

/** The log position of a run's snapshot, and what is applied. */
type Positions = { readonly n: number; readonly applied: number }

/** Rebuilds until the snapshot has all that is applied: a run ends when its time is over, and the next one goes on. Rejects when a run fails. */
export async function rebuildUntilCurrent(
  signal: AbortSignal,
  rebuild: () => Promise<Positions | undefined> = handler,
): Promise<void> {
  for (let run = await rebuild(); run && run.n < run.applied && !signal.aborted; ) run = await rebuild()
}

/** The task: answers /health on `port` while runs end, whether or not they fail. */
async function runTask(port: number, signal: AbortSignal): Promise<void> {
  let endedAt = Date.now()
  const server = await serveHealth(port, () => Date.now() - endedAt < SILENT_MS)
  const onEnd = (error?: unknown) => {
    endedAt = Date.now()
    if (error === undefined) return
    const line = { service: 'rebuild-snapshots', message: 'failed', error: String(error) }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
  await rebuildEachMinute({ signal, onEnd })
  server.stop()
}

if (process.argv[1] === import.meta.filename) {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort())
  await runTask(Number(process.env['PORT']), stop.signal)
}

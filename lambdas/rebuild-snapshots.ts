import { documents } from '../schemas/api/documents.ts'
import type { Manifest } from '../schemas/api/service.ts'
import { readEnv } from '../schemas/deployment/env.ts'
import { type MetricValues, metricsOf } from '../schemas/deployment/metrics.ts'
import { type RebuildRun, type RebuildStores, rebuild, type Warm } from '../snapshot/rebuild.ts'
import { openRebuildStores } from '../snapshot/stores.ts'

/** State of a warm function. */
const warm: Warm = {}
let stores: RebuildStores | undefined

/**
 * Invoked by the Scheduler each minute: publishes the newest snapshot and writes one line of JSON to the log. Returns what
 * the run did; undefined: there was nothing to follow. Rejects when a run fails; the last good snapshot stays.
 */
export async function handler(): Promise<RebuildRun | undefined> {
  const env = readEnv('rebuildSnapshots', process.env)
  stores ??= await openRebuildStores(env)
  const { CHAIN: chain, CODE_VERSION: codeVersion = 'dev', REBUILD_EVERY_SECONDS: every } = env
  const start = performance.now()
  let run: RebuildRun | undefined
  const options = {
    clock: () => performance.now(),
    warm,
    ...(chain === undefined ? {} : { chain }),
    codeVersion,
    ...(every === undefined ? {} : { everySeconds: Number(every) }),
    report: (done: RebuildRun) => {
      run = done
    },
  }
  // There are none until ingest has begun the log of these rules.
  const manifest = stores ? await rebuild(stores, options) : null
  const { failures = [], ...facts } = run ?? {}
  const milliseconds = Math.round(performance.now() - start)
  const values = { ...valuesOf(manifest, run), Duration: milliseconds }
  log({
    ...metricsOf('rebuild-snapshots', values, { now: Date.now(), namespace: env.METRICS_NAMESPACE }),
    message: manifest ? 'published' : 'nothing to publish',
    snapshot_id: manifest?.snapshot_id ?? null,
    ...facts,
    failures: failures.map(String),
    milliseconds,
  })
  return run
}

const boards = documents.filter(({ operation }) => operation === 'creators' || operation === 'posts')

/** Metrics of a run; before the first snapshot there is no age, which has an alarm, too. */
function valuesOf(manifest: Manifest | null, run: RebuildRun | undefined): MetricValues<'rebuild-snapshots'> {
  const ofRun = run
    ? {
        ActiveTokens: run.activeTokens,
        MemoryBytes: process.memoryUsage.rss(),
        HeldRates: run.heldRates,
        ShallowRates: run.shallowRates,
        LoneRates: run.loneRates,
        MuteSources: run.muteSources,
        Unpublished: run.failures.length,
      }
    : {}
  if (!manifest) return ofRun
  const rows = boards.map(({ name }) => manifest.documents[name]?.total ?? 0)
  const age = Math.round((Date.now() - Date.parse(manifest.as_of)) / 1_000)
  return { ...ofRun, SnapshotAge: age, BoardRows: Math.min(...rows) }
}

/** One line of JSON for CloudWatch Logs. */
const log = (line: Readonly<Record<string, unknown>>): boolean =>
  process.stdout.write(`${JSON.stringify({ service: 'rebuild-snapshots', ...line })}\n`)

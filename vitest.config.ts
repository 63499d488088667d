import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isLong, isWhole } from './test/support/rounds.ts'

/** The longest first, so that none of them is left to run alone at the end; a fresh clone has measured none. */
const LONGEST = [
  ...['long/restarts', 'long/day', 'system/end-to-end', 'long/written-code', 'long/large-history'],
  ...['long/kill', 'long/account', 'long/live-page', 'long/hostile-names', 'cdk/processes'],
  ...['lambdas/read-costs', 'lambdas/described-api', 'local/devnet-journal', 'system/lying-endpoints'],
  ...['system/new-rules', 'lambdas/links', 'system/spec-client', 'protocol/protocol', 'system/reorg'],
  ...['lambdas/limits', 'lambdas/as-of', 'ingest/eras', 'admin/verify', 'cdk/walks'],
]

/** The dearest tests. The heart of each has a test elsewhere, so `npm test` leaves them to the whole form; one that is named is run. */
const DEAR = [
  ...['accounts/interrupted', 'admin/archive', 'admin/backfill', 'admin/check-rows', 'admin/verify-as-of'],
  ...['admin/verify-late-log', 'archive/equals-api', 'cdk/archive', 'cdk/operators', 'cdk/processes'],
  ...['cdk/stacks', 'cdk/walks', 'ingest/endpoint-kinds', 'ingest/halts', 'ingest/imported-tokens'],
  ...['ingest/imported-tokens-endpoints', 'ingest/head-costs', 'ingest/read-ahead'],
  ...['lambdas/bundles', 'lambdas/candles', 'lambdas/links'],
  ...['lambdas/reach-costs', 'lambdas/read-costs', 'local/development-market', 'local/devnet-history'],
  ...['local/devnet-public-rpc', 'stream/replay-limits', 'system/bad-data', 'system/lying-endpoints'],
  ...['system/new-rules', 'system/past-gaps', 'system/spec-client'],
]
const isNamed = process.argv.slice(2).some((word) => word.includes('test/'))
const leftOut = isWhole || isNamed ? [] : DEAR.map((name) => `test/${name}.test.ts`)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

// A long run has what takes minutes by itself, too.
const TIMEOUT_MS = isLong ? 3_600_000 : 240_000

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut, ...(isLong ? [] : ['test/long/**'])],
    // Files share processes and their imports. Most of what tests make is young garbage: a larger nursery sweeps it less often.
    isolate: false,
    execArgv: ['--max-semi-space-size=64'],
    globalSetup: ['test/support/run-dir.ts'],
    setupFiles: ['test/support/leave-nothing.ts'],
    // They end what hangs, and say nothing of speed: a busy machine takes its time.
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: 60_000 } },
    // Tests that wait for a chain leave a core free: one file more at once than there are cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
  },
})

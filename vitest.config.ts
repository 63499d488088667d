import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first, so that none of them is left to run alone at the end; a fresh clone has measured none. */
const LONGEST = [
  ...['long/kill', 'long/day', 'long/restarts', 'long/large-history'],
  ...['system/end-to-end', 'cdk/processes', 'lambdas/read-costs', 'lambdas/described-api'],
  ...['local/devnet-journal', 'admin/verify', 'system/new-rules', 'protocol/protocol'],
  ...['cdk/walks', 'system/spec-client', 'lambdas/links', 'lambdas/reach-costs', 'system/reorg'],
  ...['system/lying-endpoints', 'system/rpc-faults', 'ingest/eras', 'ingest/limited-endpoints'],
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

/** `npm run test:long`: more rounds (test/support/rounds.ts), and what takes minutes by itself. */
const isLong = Boolean(process.env['LONG'])
const TIMEOUT_MS = isLong ? 3_600_000 : 240_000

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/bench/**', ...(isLong ? [] : ['test/long/**'])],
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

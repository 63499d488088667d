import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first, so that none of them is left to run alone at the end; a fresh clone has measured none. The two that start the whole service stand apart. */
const LONGEST = ['system/road', 'protocol/protocol', 'system/rpc-faults', 'site/pages', 'admin/verify']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

/** Files that leave nothing behind in their process: no variable of the environment, no mock. Of their time, a third would be imports. */
const TIDY = [
  'test/{market,schemas,protocol,snapshot}/**/*.test.ts',
  'test/ingest/{agreement,decode,events,holder-views,hot-events,provider-faults,range,range-width,registry,ties,writer}.test.ts',
  'test/store/{codec,manifests,overlay,projection,tables}.test.ts',
  'test/{oracle,rooms}.test.ts',
]
const ALL = 'test/**/*.test.ts'
/** `npm run test:long`: more rounds (test/support/rounds.ts), and what takes minutes by itself. */
const isLong = Boolean(process.env['LONG'])
const exclude = [...configDefaults.exclude, 'test/bench/**', ...(isLong ? [] : ['test/long/**'])]
const TIMEOUT_MS = isLong ? 3_600_000 : 120_000

export default defineConfig({
  test: {
    // They end what hangs, and say nothing of speed: a busy machine takes its time.
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: 60_000 } },
    // Tests that wait for a chain leave a core free: one file more at once than there are cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'apart', include: [ALL], exclude: [...exclude, ...TIDY] } },
      { extends: true, test: { name: 'together', include: TIDY, exclude, isolate: false } },
    ],
  },
})

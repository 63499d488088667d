import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isLong, isWhole } from './test/support/rounds.ts'

/** Three projects by folder, in the order they begin in: what takes longest first, so that none of it is left to run alone at the end. */
const folders = {
  /** Whole runs, the CDK, a browser, other people's tools. */
  system: ['system', 'long', 'cdk', 'site', 'tools'],
  /** An AWS or a chain on this machine. */
  wire: ['local', 'lambdas', 'admin', 'accounts', 'archive', 'store', 'stream'],
}
const wired = Object.values(folders).flat()

/** The dearest files begin with these words. The heart of each has a test elsewhere; one that is named is run in any form. */
const WHOLE_FORM_ONLY = '// Whole form only.\n'
const isNamed = process.argv.slice(2).some((word) => word.includes('test/'))
const leftOut = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter((file) => file.endsWith('.test.ts') && !isWhole && !isNamed)
  .filter((file) => readFileSync(file, 'utf8').startsWith(WHOLE_FORM_ONLY))

/** Globs of what a run leaves out besides, parted by spaces: vitest's own --exclude does not reach projects. */
const excluded = process.env['EXCLUDE']?.split(' ') ?? []

class SlowProjectsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = [...Object.keys(folders), 'unit']
    const place = ({ project }: TestSpecification) => order.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

const projectOf = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude: [...configDefaults.exclude, ...leftOut, ...excluded, ...exclude] },
})

// The only limit of a test. Long runs, many rounds and a deployment have what takes minutes by itself.
const TIMEOUT_MS = isLong || process.env['ROUNDS'] || process.env['CDK_DEPLOY'] ? 3_600_000 : 1_200_000

export default defineConfig({
  test: {
    projects: [
      ...Object.entries(folders).map(([name, own]) =>
        projectOf(name, [`test/{${own}}/**/*.test.ts`], isLong ? [] : ['test/long/**']),
      ),
      projectOf('unit', ['test/**/*.test.ts'], [`test/{${wired}}/**`]),
    ],
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
    sequence: { sequencer: SlowProjectsFirst },
  },
})

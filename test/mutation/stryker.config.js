// @ts-check
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mutate } from './rooms.js'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [...mutate],
  testRunner: 'vitest',
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  // There is none here: vitest needs no tsconfig.json, and Stryker would rewrite it with an API that TypeScript 7 lacks.
  tsconfigFile: 'test/mutation/tsconfig.json',
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 60_000,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false },
  tempDirName: join(tmpdir(), 'z100-stryker'),
  disableTypeChecks: false,
}

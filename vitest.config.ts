import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'node_modules/**'],
    // They end what hangs, and say nothing of speed: a busy machine takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Tests that wait for a chain leave a core free: two files at once even where there are two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})

import { defineConfig } from 'vitest/config'
import { tests } from './rooms.js'

process.env['WHOLE'] = '1'
export default defineConfig({
  test: {
    include: tests.map((name) => `test/${name}.test.ts`),
    globalSetup: ['test/support/run-dir.ts'],
    setupFiles: ['test/support/leave-nothing.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})

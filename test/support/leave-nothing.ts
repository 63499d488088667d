/** After each test file: the environment as it was before, the system's clock, no mock, and none of its folders. Files share processes (vitest.config.ts). */
import { afterAll, vi } from 'vitest'
import { removeTempDirs } from './temp-dir.ts'

const before = { ...process.env }

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
  vi.useRealTimers()
  vi.restoreAllMocks()
  removeTempDirs()
})

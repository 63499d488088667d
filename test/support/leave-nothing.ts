/** After each test file: the environment as it was before, the system's clock, and no mock. Files share processes (vitest.config.ts). */
import { afterAll, vi } from 'vitest'

const before = { ...process.env }

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
  vi.useRealTimers()
  vi.restoreAllMocks()
})

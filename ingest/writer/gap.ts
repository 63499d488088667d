/** The gap at which sealing stops: logs of a minute are missing that no endpoint delivers. It is stored for v1/status. */
import type { StatusGap } from '../../schemas/api/service.ts'
import type { Lack } from '../proof/verification.ts'
import type { Verification } from './verifying.ts'

/** Limit of the pauses (ms) before a gap is retried. */
const RETRY_LIMIT_MS = 60_000

export type Gap = {
  isOpen(): boolean
  /** It is too early to try again. */
  isPaused(): boolean
  /** It is open for so long that a single endpoint is believed that there are no logs. */
  isQuietBelieved(): boolean
  /** Stops at the minute that begins with this block, or pauses there for longer. Returns the stored gap. */
  stopAt(block: number, lack: Lack): Promise<StatusGap>
  /** The minute was verified. Returns whether there was a gap, here or left by a writer that has ended. */
  close(): Promise<boolean>
}

/** Opens the gap that is stored, if there is one; it may be tried at once. */
export async function openGap({ gaps, retryMs, quietMs }: Verification): Promise<Gap> {
  let gap = await gaps.read()
  // By a clock that nobody sets.
  let [pauseMs, retryAt] = [0, 0]
  return {
    isOpen: () => gap !== undefined,
    isPaused: () => gap !== undefined && performance.now() < retryAt,
    isQuietBelieved: () => gap !== undefined && Date.now() - gap.since * 1_000 >= quietMs,
    async stopAt(block, { missing, endpoints }) {
      const now = Date.now()
      const current = gap?.block === block ? gap : undefined
      pauseMs = Math.min(Math.max(current ? 2 * pauseMs : 0, retryMs), RETRY_LIMIT_MS)
      retryAt = performance.now() + pauseMs
      gap = { block, missing, endpoints, since: current?.since ?? Math.floor(now / 1_000) }
      await gaps.put(gap, now)
      return gap
    },
    async close() {
      const hadOne = gap ?? (await gaps.read())
      if (!hadOne) return false
      gap = undefined
      await gaps.put(null, Date.now())
      return true
    },
  }
}

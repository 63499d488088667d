import type { Progress } from './writer-state.ts'

/** How far a log has caught up, in blocks, and what that takes. */
export type CatchUp = {
  /** A request to an endpoint, with so many calls in it. */
  asked(calls: number): void
  /** A step of the writer; true where it brought the log further. */
  progressed(progress: Progress): boolean
  /** Blocks from the first one that was sealed up to the head (0 before that), and how many of them are sealed. */
  readonly total: number
  readonly done: number
  readonly minutes: number
  readonly calls: number
  /** Speed, time left, calls made, calls left: what is left only once it can be told. */
  note(): string
}

/** What one burst of minutes took says nothing of the rest: milliseconds and share of the blocks before an estimate. */
const LEAST = { ms: 3_000, share: 0.02 } as const

/** Counts from now on. `now` gives milliseconds of any origin. */
export function openCatchUp(now: () => number = () => performance.now()): CatchUp {
  let [done, total, minutes, calls] = [0, 0, 0, 0]
  let first: { readonly block: number; readonly at: number; readonly calls: number } | undefined

  const progressed = (progress: Progress): boolean => {
    if (progress.is !== 'sealed' || progress.entry.is !== 'sealed') return false
    const { firstBlock, last } = progress.entry
    // What was asked to find the beginning is not asked again.
    first ??= { block: firstBlock, at: now(), calls }
    minutes += 1
    done = last.number - first.block + 1
    total = Math.max(done, progress.head.number - first.block + 1)
    return true
  }
  const note = (): string => {
    const made = `${countText(calls)} calls`
    const ms = now() - (first?.at ?? now())
    if (!first || ms < LEAST.ms || done < LEAST.share * total) return `blocks; ${made}`
    const left = (total - done) / done
    const more = Math.round(Number((left * (calls - first.calls)).toPrecision(2)))
    const rate = (done / ms) * 1_000
    return `blocks, ${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${timeText((left * ms) / 1_000)} left; ${made}, about ${countText(more)} more`
  }
  return {
    ...{ progressed, note },
    asked(more) {
      calls += more
    },
    get done() {
      return done
    },
    get total() {
      return total
    },
    get minutes() {
      return minutes
    },
    get calls() {
      return calls
    },
  }
}

const countText = (count: number): string => count.toLocaleString('en-US')

function timeText(seconds: number): string {
  if (seconds < 90) return `about ${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `about ${Math.round(seconds / 60)} min` : `about ${(seconds / 3_600).toFixed(1)} h`
}

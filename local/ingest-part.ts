import type { MovedStart } from '../ingest/log-start.ts'
import { runIngest } from '../ingest/main.ts'
import type { Wait } from '../ingest/pacing.ts'
import type { Progress } from '../ingest/writer.ts'
import type { StatusGap } from '../schemas/service.ts'
import { names } from './aws-parts.ts'
import type { ChainPart } from './chain-part.ts'
import { failing, keep, type Parts } from './parts.ts'
import type { Terminal } from './terminal.ts'

/** Characters of what an endpoint said that are shown. */
const SHOWN = 140

/** Starts ingest, which goes on; resolves when it has nothing left to read, rejects when it ends before. */
export function ingestUntilCaughtUp({ env }: ChainPart, parts: Parts): Promise<void> {
  const { signal } = parts.stopping
  const view = openView(parts.terminal)
  return new Promise((resolve, reject) => {
    const onProgress = (progress: Progress) => {
      if (progress.is === 'idle') {
        view.caughtUp()
        resolve()
      } else view.progressed(progress)
    }
    const options = { signal, report: () => {}, onProgress, onWait: view.waited, onMoved: view.moved }
    const loop = runIngest({ ...names, ...env }, options)
    loop.then(() => reject(signal.reason), reject)
    keep(parts, loop.catch(failing(parts, 'ingest')))
  })
}

/** What is shown of ingest: minutes done of how many and how fast, what is waited for; once it has caught up, only what is waited for. */
function openView(terminal: Terminal) {
  const from = performance.now()
  let [done, total, sealed] = [0, 1, 0]
  let first = Number.POSITIVE_INFINITY
  let isCaughtUp = false
  let wait: Wait | undefined
  const show = (): void => {
    const rate = sealed / ((performance.now() - from) / 1_000)
    const left = textOfLeft((total - done) / rate)
    const notes = [`minutes, ${rate.toFixed(rate < 10 ? 1 : 0)}/s${left}`, wait && textOf(wait)]
    terminal.step('ingesting', done, total, notes.filter(Boolean).join('; '))
  }
  return {
    progressed(progress: Progress): void {
      if (progress.is === 'gap') terminal.say(`ingest ${textOfGap(progress.gap)}`)
      if (progress.is === 'gap closed') terminal.say('ingest goes on: what was missing is there')
      if (progress.is === 'rewound' && progress.entry.is === 'rewound' && progress.entry.cause === 'rules')
        terminal.say('ingest reads minutes again that an older release folded by other rules')
      if (progress.is !== 'sealed' || isCaughtUp) return
      const minute = progress.entry.minute ?? 0
      first = Math.min(first, minute)
      sealed += 1
      done = minute - first + 1
      total = Math.max(done, Math.floor(progress.head.timestamp / 60) - first)
      if (wait && wait.until < Date.now()) wait = undefined
      show()
    },
    moved({ wanted, block }: MovedStart): void {
      terminal.say(
        `ingest begins at block ${block}, not at ${wanted}: no endpoint has the state that older tokens had then. One with an archive has: give it with another --rpc-url, and --reset.`,
      )
    },
    waited(next: Wait): void {
      wait = next
      if (!isCaughtUp) show()
      // A pause now and then is how a rate is kept; what lasts is said ever more rarely.
      else if (next.times > 1 && Number.isInteger(Math.log2(next.times)))
        terminal.say(`ingest ${textOf(next)}`)
    },
    caughtUp(): void {
      isCaughtUp = true
    },
  }
}

/** Of so many seconds; nothing where no rate is known. */
const textOfLeft = (seconds: number): string => {
  if (!Number.isFinite(seconds)) return ''
  if (seconds < 90) return `, about ${Math.ceil(seconds)} s left`
  return seconds < 5_400
    ? `, about ${Math.round(seconds / 60)} min left`
    : `, about ${(seconds / 3_600).toFixed(1)} h left`
}

const textOf = ({ endpoint, cause, times, until }: Wait): string =>
  `waits for ${endpoint} until ${new Date(until).toISOString().slice(11, 19)} UTC, time ${times}: ${cause.slice(0, SHOWN)}`

const textOfGap = ({ block, missing, endpoints }: StatusGap): string =>
  `stands still at block ${block}: ${missing} missing at ${endpoints.join(', ')}; it asks again`

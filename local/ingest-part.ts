import { forecast, openCatchUp, type ToRead } from '../ingest/catch-up.ts'
import { type Chain, chainNamed } from '../ingest/chains.ts'
import type { MovedStart } from '../ingest/log-start.ts'
import { runIngest } from '../ingest/main.ts'
import type { Wait } from '../ingest/pacing.ts'
import type { Progress } from '../ingest/writer.ts'
import type { StatusGap } from '../schemas/service.ts'
import { names } from './aws-parts.ts'
import type { ChainPart } from './chain-part.ts'
import { failing, keep, type Parts, type Terminal } from './parts.ts'

/** Characters of what an endpoint said that are shown. */
const SHOWN = 140

/** Starts ingest, which goes on; resolves when it has nothing left to read, rejects when it ends before. */
export function ingestUntilCaughtUp({ env }: ChainPart, parts: Parts): Promise<void> {
  const { signal } = parts.stopping
  const view = openView(chainNamed(env.CHAIN), parts.terminal)
  return new Promise((resolve, reject) => {
    const onProgress = (progress: Progress) => {
      // Holders are looked at when nothing is left to read.
      if (progress.is === 'idle' || progress.is === 'viewed') {
        view.caughtUp()
        resolve()
      } else view.progressed(progress)
    }
    const rpc = { onRequest: view.asked }
    const told = { onProgress, onBegin: view.begins, onWait: view.waited, onMoved: view.moved }
    const options = { signal, report: () => {}, ...told, rpc }
    const loop = runIngest({ ...names, ...env }, options)
    loop.then(() => reject(signal.reason), reject)
    keep(parts, loop.catch(failing(parts, 'ingest')))
  })
}

/** What is shown of ingest: how far it is and what it waits for; once it has caught up, only what is waited for. */
function openView(chain: Chain, terminal: Terminal) {
  const from = performance.now()
  const catchUp = openCatchUp(chain)
  let isCaughtUp = false
  let wait: Wait | undefined
  const show = (): void => {
    if (wait && wait.until < Date.now()) wait = undefined
    const note = [catchUp.note(), wait && textOf(wait)].filter(Boolean).join('; ')
    terminal.step('ingesting', catchUp.done, catchUp.total, note)
  }
  return {
    asked: catchUp.asked,
    progressed(progress: Progress): void {
      if (progress.is === 'gap') terminal.say(`ingest ${textOfGap(progress.gap)}`)
      if (progress.is === 'gap closed') terminal.say('ingest goes on: what was missing is there')
      if (progress.is === 'rewound' && progress.entry.is === 'rewound' && progress.entry.cause === 'rules')
        terminal.say('ingest reads minutes again that an older release folded by other rules')
      if (!isCaughtUp && (catchUp.progressed(progress) || progress.is === 'read')) show()
    },
    begins(blocks: ToRead, blocksACall: number): void {
      terminal.say(`ingest reads ${forecast(chain, blocks, blocksACall)}`)
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
      if (isCaughtUp) return
      isCaughtUp = true
      const { minutes, calls } = catchUp
      const seconds = Math.round((performance.now() - from) / 1_000)
      terminal.say(`ingested ${minutes} minutes with ${calls} calls in ${seconds} s`)
    },
  }
}

const textOf = ({ endpoint, cause, times, until }: Wait): string =>
  `waits for ${endpoint} until ${new Date(until).toISOString().slice(11, 19)} UTC, time ${times}: ${cause.slice(0, SHOWN)}`

const textOfGap = ({ block, missing, endpoints }: StatusGap): string =>
  `stands still at block ${block}: ${missing} missing at ${endpoints.join(', ')}; it asks again`

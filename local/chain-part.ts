import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from '../admin/terminal.ts'
import { forecast, openCatchUp, type ToRead } from '../ingest/catch-up.ts'
import { type Chain, chainNamed, chains } from '../ingest/chains.ts'
import { IngestError } from '../ingest/faults.ts'
import type { MovedStart } from '../ingest/log-start.ts'
import { runIngest } from '../ingest/main.ts'
import type { Wait } from '../ingest/pacing.ts'
import { openRpc, servedChain } from '../ingest/rpc.ts'
import type { Progress } from '../ingest/writer.ts'
import type { StatusGap } from '../schemas/service.ts'
import { passThrough } from './aws/cloudfront-origin.ts'
import { listen } from './aws/listening.ts'
import { names } from './aws-parts.ts'
import { startDevnet } from './devnet/chain.ts'
import { failing, keep, type Parts, started } from './parts.ts'

/** The chain that is followed: where it answers, its id, and what ingest is told of it. */
export type ChainPart = {
  readonly rpcUrl: string
  readonly id: number
  readonly env: { CHAIN: string; RPC_URLS: string; START_BLOCK?: string }
}

/** Which chain a run follows; no endpoints: the development chain, kept in `dataDir`. */
export type ChainOptions = {
  readonly rpcUrl: readonly string[]
  readonly dataDir: string
  readonly seed: number
  /** Whether the development chain makes reorgs on purpose. */
  readonly reorgs: boolean
  /** Trades a second of the development market. @default 0.03 */
  readonly trades?: number
  /** Where the log begins (ingest/log-start.ts). @default a day ago, on the development chain with its first block */
  readonly since?: string
}

const REORG_SECONDS = 180

/** Pause before endpoints of which none answers are asked again. */
const ASK_AGAIN_MS = 2_000

/** The chain that is followed: the one that the endpoints serve, which are asked until one answers; with none the development chain. Throws UnknownChainError. */
export async function followedChain(
  rpcUrl: readonly string[],
  { terminal, stopping }: Parts,
): Promise<Chain> {
  if (rpcUrl.length === 0) return chains.devnet
  const rpc = openRpc(rpcUrl)
  for (;;) {
    try {
      return await servedChain(rpc)
    } catch (fault) {
      if (!(fault instanceof IngestError && fault.retryable)) throw fault
      terminal.step(`asking the endpoints which chain they serve: ${fault.message}`)
      await sleep(ASK_AGAIN_MS, undefined, { signal: stopping.signal })
    }
  }
}

/** Starts the development chain, or takes the one that endpoints were given for. */
export async function startChain(
  chain: Chain,
  { rpcUrl, dataDir, seed, reorgs, trades, since }: ChainOptions,
  parts: Parts,
): Promise<ChainPart> {
  const { terminal } = parts
  const [first] = rpcUrl
  if (first !== undefined) {
    const RPC_URLS = rpcUrl.join(',')
    return {
      rpcUrl: first,
      id: chain.id,
      env: { CHAIN: chain.name, RPC_URLS, START_BLOCK: since ?? '24h' },
    }
  }
  const report = (text: string, done?: number, total?: number) => terminal.step(text, done, total)
  const devnet = await started(
    parts,
    startDevnet({
      ...{ dataDir, seed, now: Date.now, report, onExit: failing(parts, 'chain') },
      ...(reorgs && { reorgSeconds: REORG_SECONDS }),
      ...(trades !== undefined && { tradesPerSecond: trades }),
      isArchive: since !== undefined,
    }),
  )
  // Others reach the chain through a port that checks Host and Origin, which anvil does not.
  const front = await started(
    parts,
    listen(
      'chain',
      createServer((request, response) => {
        const to = { url: `${devnet.rpcUrl}${request.url}` }
        passThrough({ request, response, added: {} }, to, () => response.destroy())
      }),
    ),
  )
  const env = { CHAIN: chain.name, RPC_URLS: devnet.rpcUrl, ...(since && { START_BLOCK: since }) }
  return { rpcUrl: front.url, id: devnet.chainId, env }
}

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

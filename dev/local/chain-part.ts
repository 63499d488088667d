import { setTimeout as sleep } from 'node:timers/promises'
import { openIngestView } from '../../admin/base/ingest-view.ts'
import { takeLogOver } from '../../admin/deploy/take-over.ts'
import { type Chain, chainNamed, chains } from '../../ingest/client/chains.ts'
import { endpointUrls } from '../../ingest/client/endpoint-urls.ts'
import { IngestError } from '../../ingest/client/faults.ts'
import { openRpc, servedChain } from '../../ingest/client/rpc.ts'
import type { IngestEvent } from '../../ingest/report.ts'
import { runIngest } from '../../ingest/run.ts'
import { startDevnet } from '../devnet/chain.ts'
import { publicMethodsOf } from '../devnet/public-methods.ts'
import { startPublicRpc } from '../devnet/rpc-servers.ts'
import { names } from './aws-parts.ts'
import { failing, keep, type Parts, started } from './parts.ts'

/** The followed chain: its address, its id, and the variables for ingest. */
export type ChainPart = {
  readonly rpcUrl: string
  readonly fromArchive: string | undefined
  readonly id: number
  readonly env: { CHAIN: string; RPC_URLS: string; START_BLOCK?: string; POLL_MS?: string }
  /** Absent: the chain has to be polled. */
  readonly onBlock?: (heard: () => void) => void
}

/** The chain that a run follows; without endpoints the development chain, stored in `dataDir`. */
export type ChainOptions = {
  readonly rpcUrl: readonly string[]
  readonly dataDir: string
  readonly seed: number
  /** Whether the development market is the one with oddities (dev/devnet/habits.ts). */
  readonly odd: boolean
  /** Whether the development chain makes reorgs. */
  readonly reorgs: boolean
  /** Trades a second of the development market. @default TRADES_PER_SECOND */
  readonly trades?: number
  /** Milliseconds between blocks of the development chain. @default 6,000 */
  readonly blockMs?: number
  /** Pause between two polls of the head, in ms. @default ingest's own; the development chain tells of its blocks instead */
  readonly pollMs?: number
  /** Where the log begins (ingest/read/log-start.ts). @default a day ago, on the development chain with its first block */
  readonly since?: string
  /** An archive from which the log is taken over before ingest begins. */
  readonly fromArchive?: string
}

const REORG_SECONDS = 180
/** Pause after what did not bring the newest block of the development chain. */
const DEVNET_POLL_MS = 200

/** Pause before retrying if no endpoint answers. */
const ASK_AGAIN_MS = 2_000

/**
 * The chain of the endpoints, which are asked until one answers; without endpoints the development chain. Throws
 * UnknownChainError.
 */
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

/** Starts the development chain, or uses the given endpoints. */
export async function startChain(
  chain: Chain,
  { rpcUrl, dataDir, seed, odd, reorgs, trades, blockMs, since, pollMs, fromArchive }: ChainOptions,
  parts: Parts,
): Promise<ChainPart> {
  const { terminal } = parts
  const [first] = endpointUrls(rpcUrl).http
  if (first !== undefined) {
    const RPC_URLS = rpcUrl.join(',')
    return {
      rpcUrl: first,
      fromArchive,
      id: chain.id,
      env: {
        CHAIN: chain.name,
        RPC_URLS,
        START_BLOCK: since ?? '24h',
        ...(pollMs !== undefined && { POLL_MS: String(pollMs) }),
      },
    }
  }
  const report = (text: string, done?: number, total?: number) => terminal.step(text, done, total)
  report('chain: starting')
  let heard = () => {}
  const devnet = await started(
    parts,
    startDevnet({
      dataDir,
      seed,
      habits: odd ? 'odd' : 'calm',
      now: Date.now,
      report,
      onExit: failing(parts, 'chain'),
      onBlock: () => heard(),
      ...(reorgs && { reorgSeconds: REORG_SECONDS }),
      ...(trades !== undefined && { tradesPerSecond: trades }),
      ...(blockMs !== undefined && { blockMs }),
      isArchive: since !== undefined,
    }),
  )
  const front = await started(parts, startPublicRpc(devnet, publicMethodsOf(devnet)))
  const env = {
    CHAIN: chain.name,
    RPC_URLS: front.url,
    POLL_MS: String(pollMs ?? DEVNET_POLL_MS),
    ...(since && { START_BLOCK: since }),
  }
  const onBlock = (listener: () => void) => {
    heard = listener
  }
  return { rpcUrl: front.url, id: chain.id, env, fromArchive, ...(pollMs === undefined && { onBlock }) }
}

/** Starts ingest in the background; resolves when it has caught up, rejects if it ends before. */
export async function ingestUntilCaughtUp(
  { env, fromArchive, onBlock }: ChainPart,
  parts: Parts,
): Promise<void> {
  const { signal } = parts.stopping
  if (fromArchive !== undefined) {
    const count = await takeLogOver({ env: { ...names, ...env }, url: fromArchive, terminal: parts.terminal })
    parts.terminal.say(`${count} minutes were taken over from ${fromArchive}`)
  }
  const view = openIngestView(chainNamed(env.CHAIN), parts.terminal)
  await new Promise<void>((resolve, reject) => {
    const onEvent = (event: IngestEvent) => {
      view.told(event)
      if (view.isCaughtUp()) resolve()
    }
    const told = onBlock && { onBlock }
    const loop = runIngest({ ...names, ...env }, { signal, onEvent, isBeside: true, ...told })
    loop.then(() => reject(signal.reason), reject)
    keep(parts, loop.catch(failing(parts, 'ingest')))
  })
  parts.terminal.say(view.summary())
}

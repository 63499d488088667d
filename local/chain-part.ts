import { createServer } from 'node:http'
import { chains } from '../ingest/chains.ts'
import { readHeader } from '../ingest/headers.ts'
import { openRpc } from '../ingest/rpc.ts'
import { passThrough } from './aws/cloudfront-origin.ts'
import { listen } from './aws/listening.ts'
import { startDevnet } from './devnet/chain.ts'
import { failing, PartFailedError, type Parts, started } from './parts.ts'

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
  readonly reorgs: boolean
}

const REORG_SECONDS = 180

/** Starts the development chain, or finds the one that endpoints were given for. */
export async function startChain(
  { rpcUrl, dataDir, seed, reorgs }: ChainOptions,
  parts: Parts,
): Promise<ChainPart> {
  const { terminal } = parts
  const [first] = rpcUrl
  if (first !== undefined) {
    const RPC_URLS = rpcUrl.join(',')
    return {
      rpcUrl: first,
      id: chains.base.id,
      env: { CHAIN: 'base', RPC_URLS, START_BLOCK: await dayAgo(RPC_URLS) },
    }
  }
  const report = (text: string, done?: number, total?: number) => terminal.step(text, done, total)
  const devnet = await started(
    parts,
    startDevnet({
      ...{ dataDir, seed, now: Date.now, report, onExit: failing(parts, 'chain') },
      ...(reorgs && { reorgSeconds: REORG_SECONDS }),
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
  return { rpcUrl: front.url, id: devnet.chainId, env: { CHAIN: 'devnet', RPC_URLS: devnet.rpcUrl } }
}

/** Base's block 24 hours ago: two seconds a block. */
async function dayAgo(rpcUrls: string): Promise<string> {
  const head = await readHeader(openRpc(rpcUrls.split(',')), 'latest')
  if (!head) throw new PartFailedError('chain', 'the endpoint has no head')
  return String(head.number - 43_200)
}

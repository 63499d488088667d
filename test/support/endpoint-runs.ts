/** A reader in front of endpoints with limits: how long it takes to read a chain, what it asks for, and whether its log is a faultless reader's. */

import { readHeader } from '../../ingest/headers.ts'
import type { Wait } from '../../ingest/pacing.ts'
import { openRanges } from '../../ingest/range.ts'
import { openRegistry, tokensOfLog } from '../../ingest/registry.ts'
import { openRpc, type Rpc } from '../../ingest/rpc.ts'
import { followChain } from '../../ingest/writer.ts'
import { randomFrom } from '../../local/devnet/random.ts'
import type { LogStore } from '../../store/log.ts'
import { collect } from './collect.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { type IngestStores, memoryStores, untilIdle } from './ingest-stores.ts'
import type { RelaidChain } from './relaid-chain.ts'
import { type Count, type Limits, limitRate } from './strict-endpoint.ts'

/** What a run came to. */
export type EndpointRun = {
  readonly seconds: number
  /** Of each endpoint. */
  readonly counts: readonly Count[]
  /** The minutes and digests of its log. */
  readonly sealed: readonly string[]
  readonly waits: readonly Wait[]
  /** Of what its first endpoint granted from its first 429 to the end. */
  readonly used: number | undefined
}

const sealedIn = async (log: LogStore): Promise<readonly string[]> =>
  (await collect(log.entriesAfter(0))).flatMap((entry) =>
    entry.is === 'sealed' ? [`${entry.minute} ${entry.segment.sha256}`] : [`rewound at ${entry.n}`],
  )

/** Reads the chain behind these endpoints, range by range, and keeps it in memory: what is measured is what reading costs. `used`: of what the first endpoint granted from its first 429 on. */
export async function readBehind(chain: RelaidChain, endpoints: readonly Limits[]): Promise<EndpointRun> {
  const random = randomFrom(5, 1)
  const proxies = await Promise.all(endpoints.map(() => startFaultyProxy(chain.answer)))
  const counts = proxies.map((proxy, at) =>
    limitRate(proxy, endpoints[at] ?? {}, (percent) => random.below(100) < percent),
  )
  const urls = proxies.map(({ url }) => `${url}/secret-key`)
  const waits: Wait[] = []
  const rpc = openRpc(urls, { onWait: (wait) => waits.push(wait) })
  const since = performance.now()
  const sealed = await readWhole(chain, rpc)
  const end = performance.now()
  await Promise.all(proxies.map((proxy) => proxy.stop()))
  return {
    ...{ seconds: (end - since) / 1_000, counts, sealed, waits },
    used: usedOf(counts[0], endpoints[0], end),
  }
}

async function readWhole(chain: RelaidChain, rpc: Rpc): Promise<readonly string[]> {
  const stores: IngestStores = memoryStores()
  const allTokens = () => tokensOfLog(stores.log)
  const registry = openRegistry({ ...stores.tokens, allTokens }, chain.rules)
  const ranges = openRanges({ rpc, chain: chain.rules, registry })
  const start = (await readHeader(rpc, chain.rules.creationsFrom - 1)) ?? null
  await untilIdle(followChain({ ...stores, rpc, chain: chain.rules, registry, ranges, start }))
  return sealedIn(stores.log)
}

function usedOf(count: Count | undefined, limits: Limits | undefined, end: number): number | undefined {
  const rate = limits?.calls ?? limits?.requests
  if (!count?.first429 || !rate) return undefined
  return count.granted / ((rate * (end - count.first429)) / 1_000)
}

/** The ingest process in front of endpoints with limits: how long it takes to read a chain, what it asks for, and whether its log is a faultless reader's. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runIngest } from '../../ingest/main.ts'
import { openRanges, readHeader } from '../../ingest/range.ts'
import { openRegistry } from '../../ingest/registry.ts'
import { openRpc } from '../../ingest/rpc.ts'
import { follow } from '../../ingest/writer.ts'
import { randomFrom } from '../../local/devnet/random.ts'
import type { LogStore } from '../../store/log.ts'
import { collect } from './collect.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { type IngestStores, memoryStores, startStores, untilIdle } from './ingest-stores.ts'
import type { RelaidChain } from './relaid-chain.ts'
import { type Count, type Limits, limit } from './strict-endpoint.ts'

/** What a run came to. */
export type EndpointRun = {
  readonly seconds: number
  /** Of each endpoint. */
  readonly counts: readonly Count[]
  /** The minutes and digests of its log. */
  readonly sealed: readonly string[]
  readonly reported: readonly string[]
  /** Of what its first endpoint granted from its first 429 to the end. */
  readonly used: number | undefined
}

const sealedIn = async (log: LogStore): Promise<readonly string[]> =>
  (await collect(log.entriesAfter(0))).flatMap((entry) =>
    entry.is === 'sealed' ? [`${entry.minute} ${entry.segment.sha256}`] : [`rewound at ${entry.n}`],
  )

/** What a reader seals whom nothing is refused. */
export async function cleanRun(chain: RelaidChain): Promise<readonly string[]> {
  const proxy = await startFaultyProxy(chain.answer)
  const stores: IngestStores = memoryStores()
  const rpc = openRpc([proxy.url])
  const registry = openRegistry(stores.tokens, chain.rules)
  const ranges = openRanges({ rpc, chain: chain.rules, registry })
  const start = (await readHeader(rpc, chain.rules.creationsFrom - 1)) ?? null
  await untilIdle(follow({ ...stores, rpc, chain: chain.rules, registry, ranges, start }))
  await proxy.stop()
  return sealedIn(stores.log)
}

/** Reads the chain through these endpoints until nothing is left to read, at most so many seconds. */
export async function runBehind(
  chain: RelaidChain,
  endpoints: readonly Limits[],
  secondsMax: number,
): Promise<EndpointRun> {
  const random = randomFrom(5, 1)
  const proxies = await Promise.all(endpoints.map(() => startFaultyProxy(chain.answer)))
  const counts = proxies.map((proxy, at) =>
    limit(proxy, endpoints[at] ?? {}, (percent) => random.below(100) < percent),
  )
  const stores = await startStores()
  const stopping = new AbortController()
  const reported: string[] = []
  const since = performance.now()
  let isDone = false
  const ended = runIngest(
    {
      MARKET_TABLE: 'market',
      SEGMENT_BUCKET: 'segments',
      CHAIN: 'devnet',
      RPC_URLS: proxies.map(({ url }) => url).join(','),
    },
    {
      signal: stopping.signal,
      chain: chain.rules,
      report: (event, facts) => reported.push(`${event} ${JSON.stringify(facts)}`),
      onProgress: (progress) => {
        isDone ||= progress.is === 'idle' && progress.head.number === chain.head
      },
    },
  )
  while (!isDone && performance.now() - since < secondsMax * 1_000) await Promise.race([ended, sleep(20)])
  const seconds = (performance.now() - since) / 1_000
  stopping.abort()
  await ended
  const sealed = await sealedIn(stores.log)
  await Promise.all(proxies.map((proxy) => proxy.stop()))
  await stores.stop()
  return { seconds, counts, sealed, reported, used: usedOf(counts[0], endpoints[0], since + seconds * 1_000) }
}

function usedOf(count: Count | undefined, limits: Limits | undefined, end: number): number | undefined {
  const rate = limits?.calls ?? limits?.requests
  if (!count?.first429 || !rate) return undefined
  return count.granted / ((rate * (end - count.first429)) / 1_000)
}

/** Logs of one chain that begin at different blocks, and all that readers are answered from each. */
import { chains } from '../../../ingest/client/chains.ts'
import type { ApiEndpoint, ReadStores } from '../../../lambdas/api/endpoint.ts'
import { openStoredLists } from '../../../lambdas/api/stored-lists.ts'
import { priceHistory } from '../../../lambdas/endpoints/candles.ts'
import { holders } from '../../../lambdas/endpoints/holders.ts'
import { tokenSwaps } from '../../../lambdas/endpoints/swaps.ts'
import { tokenMetrics } from '../../../lambdas/endpoints/token.ts'
import { token } from '../../../lambdas/endpoints/token-parts.ts'
import { tokens } from '../../../lambdas/endpoints/tokens.ts'
import type { Address, Block, Segment } from '../../../market/segment.ts'
import { periods } from '../../../market/window.ts'
import { openMemoryBucket } from '../../../store/aws/memory.ts'
import { openDocuments } from '../../../store/published/documents.ts'
import {
  documentsOf,
  type IngestStores,
  memoryStores,
  segmentsOf,
  startWriter,
  untilIdle,
} from '../../support/aws/ingest-stores.ts'
import { type Compared, compareAnswer, nothingCompared } from './equal-or-null.ts'

type Asked = readonly [name: string, endpoint: ApiEndpoint, query: Readonly<Record<string, string>>]

const page = { limit: '100', offset: '0' }
const asked: readonly Asked[] = [
  ['token', token, {}],
  ['metrics', tokenMetrics, {}],
  ['holders', holders, { limit: '100' }],
  ['swaps', tokenSwaps, { ...page }],
  ...periods.map((timeframe): Asked => [`prices ${timeframe}`, priceHistory, { timeframe, fill: 'true' }]),
]

/** JSON texts by name, `of` whose tokens. */
async function answersOf(
  stores: IngestStores,
  addresses: readonly Address[],
): Promise<ReadonlyMap<string, string>> {
  const documents = openDocuments(stores.table)
  const withDocuments = { ...stores, documents, published: openMemoryBucket() }
  const texts = new Map(Object.entries(await documentsOf(withDocuments)))
  const { poolManager, references } = chains.devnet
  const reads = {
    table: stores.table,
    past: stores.table,
    lists: openStoredLists(documents),
    poolManager,
    log: { ...stores.log, cached: async () => ({ applied: await stores.log.applied(), holds: () => true }) },
    codes: { known: async () => new Map() },
    references: new Map(references.map((one) => [one.address, one])),
  } as unknown as ReadStores
  const ask = async (endpoint: ApiEndpoint, query: Asked[2], id: string) => {
    const answer = await endpoint({ id, query }, reads, { caller: null, viewer: '', now: 0, site: '' })
    return 'text' in answer ? answer.text : answer.page.list
  }
  for (const address of addresses) {
    for (const [name, endpoint, query] of asked)
      texts.set(`${name} of ${address}`, await ask(endpoint, query, address))
    const query = { field: 'address', value: address, ...page }
    texts.set(`look-up of ${address}`, await ask(tokens, query, ''))
  }
  return texts
}

/** A log and its segments. */
export type ReadLog = { readonly stores: IngestStores; readonly segments: readonly Segment[] }

/** The log of the chain at `rpcUrl` after a block; null: of all of it. */
export async function logAfter(rpcUrl: string, start: Block | null): Promise<ReadLog> {
  const stores = memoryStores()
  await untilIdle(startWriter(stores, rpcUrl, start))
  return { stores, segments: await segmentsOf(stores) }
}

const tokensIn = ({ segments }: ReadLog): readonly Address[] => [
  ...new Set(segments.flatMap(({ rows }) => rows.map(({ token }) => token))),
]

/** Compares every document and every answer about a token of a log with those of the log of all history. */
export async function comparedWith(whole: ReadLog, own: ReadLog): Promise<Compared> {
  const tokens = tokensIn(own)
  const all = await answersOf(whole.stores, tokens)
  const compared = nothingCompared()
  for (const [name, text] of await answersOf(own.stores, tokens))
    compareAnswer(compared, name, JSON.parse(all.get(name)!), JSON.parse(text))
  return compared
}

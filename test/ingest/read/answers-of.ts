/** What readers of a log find: every document, and the answers about each of some tokens. */
import { chains } from '../../../ingest/client/chains.ts'
import type { ApiEndpoint, ReadStores } from '../../../lambdas/api/endpoint.ts'
import { openStoredLists } from '../../../lambdas/api/stored-lists.ts'
import { priceHistory } from '../../../lambdas/endpoints/candles.ts'
import { holders } from '../../../lambdas/endpoints/holders.ts'
import { tokenSwaps } from '../../../lambdas/endpoints/swaps.ts'
import { tokenMetrics } from '../../../lambdas/endpoints/token.ts'
import { token } from '../../../lambdas/endpoints/token-parts.ts'
import { tokens } from '../../../lambdas/endpoints/tokens.ts'
import type { Address } from '../../../market/segment.ts'
import { periods } from '../../../market/window.ts'
import { openMemoryBucket } from '../../../store/aws/memory.ts'
import { openDocuments } from '../../../store/published/documents.ts'
import { documentsOf, type IngestStores } from '../../support/aws/ingest-stores.ts'

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
export async function answersOf(
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

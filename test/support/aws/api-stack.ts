/** A small market behind the read API: DynamoDB on this machine, snapshots, the gateway over http. */

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { startGateway } from '../../../dev/emulators/gateway.ts'
import { openResources } from '../../../lambdas/api/routes.ts'
import { openStoredLists } from '../../../lambdas/api/stored-lists.ts'
import { openStoredPrices, openStoredScreener } from '../../../lambdas/api/stored-screener.ts'
import { openReadApi } from '../../../lambdas/endpoints/read-api.ts'
import { handler as mcp } from '../../../lambdas/mcp.ts'
import type { FeedEntry } from '../../../market/feed-entry.ts'
import type { Address, Segment } from '../../../market/segment.ts'
import { type EdgeUsage, KEYED_RESOURCE, UNKNOWN_RESOURCE } from '../../../schemas/api/access.ts'
import { gatewayResponses } from '../../../schemas/api/gateway-responses.ts'
import { MCP_PATH } from '../../../schemas/api/mcp.ts'
import { type OperationName, operations } from '../../../schemas/api/operations.ts'
import type { SwapCurrency } from '../../../schemas/records/swap.ts'
import { rebuild } from '../../../snapshot/rebuild.ts'
import { ensureTables, openTable } from '../../../store/aws/table.ts'
import { openCurrentNames } from '../../../store/items/current-names.ts'
import { openAddressCodes } from '../../../store/items/holders.ts'
import { itemsOf } from '../../../store/items/projection.ts'
import { openTokenHistory } from '../../../store/items/token-history.ts'
import { openTokens } from '../../../store/items/tokens.ts'
import { openFeed, openRecentSwaps } from '../../../store/log/feed.ts'
import { openLog } from '../../../store/log/log.ts'
import { type DaySpan, readBoardDays } from '../../../store/published/board-days.ts'
import { openDocuments } from '../../../store/published/documents.ts'
import { openKeptStore } from '../../../store/published/kept.ts'
import { openManifests } from '../../../store/published/manifests.ts'
import { PRICES } from '../../../store/published/prices.ts'
import { openScreened } from '../../../store/published/screened.ts'
import { openStoredStatus } from '../../../store/published/stored-status.ts'
import { nthAddress as wordOf, ZORA } from '../market/facts.ts'
import { emptyWorld, wholeSegment } from '../market/market-history.ts'
import { bearer, startAccess } from './access.ts'
import { countedClient } from './counted-client.ts'
import { startDynalite, startDynaliteThread } from './emulators.ts'
import { fillTable } from './fill-table.ts'
import type { IngestStores } from './ingest-stores.ts'
import { memoryBucket, sealSegment } from './memory-stores.ts'

/** Milliseconds that this thread had of the processor; where Linux does not tell, the whole process. */
function threadCpuMs(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

export const API_POOL_MANAGER: Address = wordOf(901)

/** Answers that the processor’s time is the mean of, where it is asked for. */
const CPU_ANSWERS = process.env['SAY_COSTS'] ? 5 : 0

const ajv = new Ajv2020({ allowUnionTypes: true })

/** Starts everything; `state.now` is Unix seconds of the API's clock, `clock` moves that of the authorizer and the operator. */
export async function startApiStack() {
  // A thread costs half a second to start: only where this one's time is counted.
  const dynalite = await (CPU_ANSWERS > 0 ? startDynaliteThread() : startDynalite())
  await ensureTables(['market'])
  const clock = { aheadSeconds: 0 }
  const access = await startAccess(() => Math.floor(Date.now() / 1_000) + clock.aheadSeconds)
  const { key } = await access.keyOf('enterprise')
  const read = { units: 0 }
  const client = countedClient((units, kind) => {
    if (kind === 'read') read.units += units
  })
  const counted = { clock: () => 0, client }
  const table = openTable('market', counted)
  const past = openTable('market', { ...counted, consistency: 'eventual' as const })
  const [segments, published] = [memoryBucket(), memoryBucket()]
  const log = openLog(table, segments)
  const feed = openFeed(table, () => 0)
  const state = { now: 0, defects: [] as unknown[], exhausted: [] as EdgeUsage[] }
  const documents = openDocuments(table)
  const status = openStoredStatus(table)
  const references = new Map<Address, SwapCurrency>([
    [ZORA, { address: ZORA, symbol: 'ZORA', name: 'Zora', decimals: 18 }],
  ])
  const stores = {
    // APPLIED is read anew for each answer: these stores change between two of them.
    log: { ...log, cached: async () => ({ applied: await log.applied(), holds: () => false }) },
    table,
    past,
    manifests: openManifests(published),
    status,
    poolManager: API_POOL_MANAGER,
    recentSwaps: openRecentSwaps(feed, () => state.now),
    names: openCurrentNames(openTokens(past), () => state.now * 1_000),
    usage: access.usage,
    codes: openAddressCodes(past),
    lists: openStoredLists(documents),
    kept: openKeptStore(segments),
    boardDays: (token: Address, span: DaySpan) => readBoardDays(past, token, span),
    prices: openStoredPrices(documents, openScreened(published, PRICES)),
    screened: openStoredScreener(documents, openScreened(published), {
      [Symbol.iterator]: () => references.values(),
    }),
    references,
  }
  const handler = openReadApi({
    stores: () => stores,
    renew: async () => {},
    clock: () => state.now * 1_000,
    onDefect: (_request, error) => state.defects.push(error),
    onExhausted: (usage) => state.exhausted.push(usage),
  })
  const gateway = await startGateway({
    routes: [
      ...openResources.map((resource) => ({ resource, handler, identity: [] })),
      { resource: MCP_PATH, handler: mcp, identity: [] },
      { resource: KEYED_RESOURCE, handler, identity: ['authorization'] },
      { resource: UNKNOWN_RESOURCE, handler, identity: ['authorization'] },
    ],
    responses: gatewayResponses,
    authorizer: access.authorizer,
    usagePlans: access.usagePlans,
  })

  /** Puts a minute and what it means; without `isApplied` readers may not see it yet. */
  let world = emptyWorld
  const seal = async (sketch: Segment, isApplied = true) => {
    const { segment, world: after } = wholeSegment(world, sketch)
    world = after
    const n = await sealSegment(log, segment, false)
    await fillTable('market', itemsOf(segment), n)
    const { minute, last } = segment
    if (isApplied) await log.putApplied({ n, minute, last, isLowered: false })
  }

  /** Asks with a key of the highest tier, unless the headers say otherwise. */
  const askWithKey = (path: string, init: RequestInit = {}) =>
    ask(gateway.url + path, { ...init, headers: { ...bearer(key), ...init.headers } })

  return {
    state,
    stores,
    read,
    log,
    segments,
    published,
    seal,
    access,
    clock,
    key,
    url: gateway.url,
    feed: async (entry: FeedEntry) => feed.append(entry),
    publish: (chain?: string) => publishFrom({ log, table, segments, published }, () => state.now, chain),
    ask: askWithKey,
    /** An answer by a function that is warm and what it costs: read units, and milliseconds of the processor with those of gateway and client. */
    async askWarm(path: string): Promise<Reply & { readonly units: number; readonly cpuMs: number }> {
      await askWithKey(path)
      read.units = 0
      const reply = await askWithKey(path)
      const { units } = read
      const before = threadCpuMs()
      for (let again = 0; again < CPU_ANSWERS; again++) await askWithKey(path)
      return { ...reply, units, cpuMs: (threadCpuMs() - before) / Math.max(1, CPU_ANSWERS) }
    },
    async stop() {
      await gateway.stop()
      await access.stop()
      await dynalite.stop()
    },
  }
}

/** Publishes the newest minute that a log has. */
export function publishFrom(
  { log, table, segments, published }: Pick<IngestStores, 'log' | 'table' | 'segments' | 'published'>,
  now: () => number,
  chain?: string,
) {
  const days = { kept: openKeptStore(segments), ledger: table, history: () => openTokenHistory(table) }
  const [documents, status] = [openDocuments(table), openStoredStatus(table)]
  return rebuild(
    { log, segments, published, documents, status, days },
    { clock: () => 0, now, ...(chain && { chain }) },
  )
}

export type ApiStack = Awaited<ReturnType<typeof startApiStack>>

async function ask(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init)
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? null : isJson(response) ? JSON.parse(text) : text,
  }
}

const isJson = ({ headers }: Response): boolean => (headers.get('content-type') ?? '').includes('json')

/** What the schema of an operation finds wrong with an answer; empty: nothing. */
export function schemaFaults(name: string, body: unknown): string {
  const isValid = ajv.compile(operations[name as OperationName].body)
  return isValid(body) ? '' : ajv.errorsText(isValid.errors)
}

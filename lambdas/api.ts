import type { APIGatewayProxyResult } from 'aws-lambda'
import { chainNamed } from '../ingest/client/chains.ts'
import { type EdgeUsage, exhaustedLine, exhaustedText } from '../schemas/api/access.ts'
import { type Env, readEnv } from '../schemas/deployment/env.ts'
import { openUsage } from '../store/accounts/usage.ts'
import { newClient, openTable, type Table } from '../store/aws/table.ts'
import { openCurrentNames } from '../store/items/current-names.ts'
import { openAddressCodes } from '../store/items/holders.ts'
import { openTokens } from '../store/items/tokens.ts'
import { keepApplied } from '../store/log/applied-read.ts'
import { openFeed, openRecentSwaps } from '../store/log/feed.ts'
import { readAppliedOf } from '../store/log/log.ts'
import { FIRST_LOG, inLog, keepLive, openLogs } from '../store/log/logs.ts'
import { readBoardDays } from '../store/published/board-days.ts'
import { openDocuments } from '../store/published/documents.ts'
import { PRICES } from '../store/published/prices.ts'
import type { ScreenedStore } from '../store/published/screened.ts'
import { openStoredStatus } from '../store/published/stored-status.ts'
import type { ApiEvent } from './api/admission.ts'
import type { ReadStores } from './api/endpoint.ts'
import type { ApiRequest } from './api/http.ts'
import { openStoredLists } from './api/stored-lists.ts'
import { openStoredPrices, openStoredScreener } from './api/stored-screener.ts'
import { openReadApi } from './endpoints/read-api.ts'

/** State of a warm function. */
let opened: ReturnType<typeof openTables> | undefined
let current: { readonly log: string; readonly stores: ReadStores } | undefined

function tablesOf(): ReturnType<typeof openTables> {
  opened ??= openTables()
  return opened
}

const answer = openReadApi({
  stores: () => {
    current ??= { log: FIRST_LOG, stores: tablesOf().of(FIRST_LOG) }
    return current.stores
  },
  async renew() {
    const { log } = await tablesOf().live()
    if (current?.log !== log) current = { log, stores: tablesOf().of(log) }
  },
  clock: Date.now,
  onDefect: log,
  onExhausted: reportOnce,
})

/**
 * Invoked by API Gateway for every request under /v1. Errors other than ApiError become a 500 without details, and a
 * line in the log.
 */
export const handler = (event: ApiEvent): Promise<APIGatewayProxyResult> => answer(event)

/** The live log, and the stores of any. */
function openTables() {
  const env = readEnv('api', process.env)
  const client = newClient()
  const whole = openTable(env.MARKET_TABLE, { client })
  return { live: keepLive(openLogs(whole)), of: (log: string) => openStores(env, { client, whole, log }) }
}

type Opened = { readonly client: ReturnType<typeof newClient>; readonly whole: Table; readonly log: string }

/** Strong reads, so that an answer includes everything known as of its block. */
function openStores(env: Env<'api'>, { client, whole, log }: Opened): ReadStores {
  const chain = chainNamed(env.CHAIN)
  const table = inLog(whole, log)
  // Eventual reads may miss the latest puts, at half the cost.
  const wholePast = openTable(env.MARKET_TABLE, { client, consistency: 'eventual' })
  const past = inLog(wholePast, log)
  const documents = openDocuments(table)
  return {
    table,
    past,
    log: keepApplied(() => readAppliedOf(table)),
    recentSwaps: openRecentSwaps(openFeed(whole)),
    names: openCurrentNames(openTokens(past)),
    lists: openStoredLists(documents),
    screened: openStoredScreener(documents, screenedIn(env.PUBLISHED_BUCKET), chain.references),
    prices: openStoredPrices(documents, screenedIn(env.PUBLISHED_BUCKET, PRICES)),
    manifests: manifestsIn(env.PUBLISHED_BUCKET),
    kept: keptIn(env.SEGMENT_BUCKET),
    boardDays: (token, span) => readBoardDays(wholePast, token, span),
    status: openStoredStatus(table),
    usage: openUsage(env.USAGE_TABLE, client),
    // An address kind is put once and never changes.
    codes: openAddressCodes(past),
    references: new Map(chain.references.map((currency) => [currency.address, currency])),
    poolManager: chain.poolManager,
  }
}

/** Loads something when it is first needed: hardly any request needs these, with their client and validator, and every cold start would wait. */
function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

function manifestsIn(bucket: string): ReadStores['manifests'] {
  const manifests = lazily(async () =>
    (await import('../store/published/manifests.ts')).openPublishedManifests(bucket),
  )
  return {
    newest: async () => (await manifests()).newest(),
    byId: async (snapshotId) => (await manifests()).byId(snapshotId),
    list: async (page) => (await manifests()).list(page),
    minutes: async (from, to) => (await manifests()).minutes(from, to),
  }
}

function keptIn(bucket: string): ReadStores['kept'] {
  const kept = lazily(async () => (await import('../store/published/kept.ts')).openKeptStoreIn(bucket))
  return {
    document: async (sha256) => (await kept()).document(sha256),
    recap: async (week) => (await kept()).recap(week),
    lastHour: async (last, first) => (await kept()).lastHour(last, first),
  }
}

function screenedIn(bucket: string, kind = ''): Pick<ScreenedStore, 'read'> {
  const screened = lazily(async () =>
    (await import('../store/published/screened.ts')).openPublishedScreened(bucket, kind),
  )
  return { read: async (minute) => (await screened()).read(minute) }
}

/** The last hour and limit reported for each account; the edge answers the rest of the hour, so one line suffices. */
const reported = new Map<string, string>()
/** Maximum accounts in memory. */
const REPORTED_MAX = 1_000

/** Notifies the edge through the log and count-edge-usage.ts. */
function reportOnce(usage: EdgeUsage, limit: number): void {
  const text = exhaustedText(usage.hour, limit)
  if (reported.get(usage.account) === text) return
  if (reported.size >= REPORTED_MAX) reported.clear()
  reported.set(usage.account, text)
  process.stdout.write(`${exhaustedLine(usage)}\n`)
}

const KEY_TEXT = /z100_(live|test|site)_\w+/g

/** One line of JSON for CloudWatch Logs, with the details that the reader does not get. */
function log(request: ApiRequest, error: unknown): void {
  const { name, message, stack, cause } = error instanceof Error ? error : new Error(String(error))
  const line = { service: 'api', request_id: request.id, path: request.path, query: request.query }
  const text = JSON.stringify({ ...line, error: name, message, stack, cause: cause && String(cause) })
  // A key sent in the query must not be logged.
  process.stdout.write(`${text.replace(KEY_TEXT, 'z100_$1_…')}\n`)
}

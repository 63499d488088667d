// Whole form only.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readManifest } from '../../archive/manifest.ts'
import { archiveSourceOf } from '../../archive/source.ts'
import { writeArchive } from '../../archive/write.ts'
import type { Devnet } from '../../dev/devnet/chain.ts'
import { chains } from '../../ingest/client/chains.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { openTokens } from '../../store/items/tokens.ts'
import { openFeed } from '../../store/log/feed.ts'
import { type ApiStack, startApiStack } from '../support/aws/api-stack.ts'
import { startWriter, untilIdle } from '../support/aws/ingest-stores.ts'
import { memoryBucket } from '../support/aws/memory-stores.ts'
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'
import { type DuckdbRow, folderOf, openDuckdb } from '../support/duckdb.ts'
import { isLong } from '../support/rounds.ts'

const NOW = Date.UTC(2026, 0, 31, 12, 0, 30) / 1_000
const bucket = memoryBucket()
let [devnet, duckdb]: [Devnet?, Awaited<ReturnType<typeof openDuckdb>>?] = []
const apis: ApiStack[] = []

beforeAll(async () => {
  const history = isLong
    ? { blocks: 90, days: 4, trades: 400, creators: 10, posts: 14 }
    : { blocks: 24, days: 2, trades: 60, creators: 3, posts: 4 }
  duckdb = await openDuckdb()
  devnet = await startQuietDevnet({ seed: 7, history, now: () => NOW * 1_000 })
})
afterAll(async () => {
  duckdb?.stop()
  for (const api of apis) await api.stop()
  await devnet?.stop()
})

async function startApi(): Promise<ApiStack> {
  const api = await startApiStack()
  apis.push(api)
  const { poolManager, references } = chains.devnet
  Object.assign(api.stores, { poolManager })
  for (const currency of references) api.stores.references.set(currency.address, currency)
  api.state.now = NOW
  return api
}

/** Ingests the chain up to its head, publishes it, and archives it as the log of this name, with an interruption. */
async function bring(
  { log, stores: { table }, segments, published, publish }: ApiStack,
  { name = '', kept = segments } = {},
): Promise<string> {
  const stores = { log, tokens: openTokens(table), feed: openFeed(table, () => 0) }
  await untilIdle(startWriter(stores, devnet?.rpcUrl ?? ''))
  await publish()
  const source = archiveSourceOf({ chain: 'devnet', name, log, table, segments, published, kept })
  await allOf(writeArchive(source, bucket, { isOver: () => true }))
  await allOf(writeArchive(source, bucket))
  return folderOf(bucket)
}

type Row = Readonly<Record<string, unknown>>

/** Everything of a set: days, and hours of the running day. */
async function archived(folder: string, set: string, order: string): Promise<readonly DuckdbRow[]> {
  const files = ['', 'live/'].map(
    (part) => `'${join(folder, `archive/v1/${part}${set}/*/part-000.parquet`)}'`,
  )
  return (
    duckdb?.rows(`SELECT * FROM read_parquet([${files}], hive_partitioning = false) ORDER BY ${order}`) ?? []
  )
}

/** The columns of the archive out of rows of the API. */
const asArchived = (rows: readonly Row[], like: DuckdbRow | undefined, more: (row: Row) => Row) =>
  rows.map((row) => {
    const whole = { ...row, ...more(row) }
    return Object.fromEntries(Object.keys(like ?? {}).map((key) => [key, whole[key]]))
  })

const ms = (row: Row): number => Number(row['timestamp']) * 1_000

async function compare(stack: ApiStack, folder: string): Promise<void> {
  const sealed = Date.parse((await readManifest(bucket))?.manifest.sealed_until ?? '')
  const isArchived = (row: Row) => ms(row) < sealed
  const ask = async (path: string) => {
    const { status, body } = await stack.ask(path)
    expect([path, status]).toEqual([path, 200])
    return body as readonly Row[]
  }
  const boards = await archived(folder, 'boards', 'timestamp, type, rank')
  for (const at of new Set(boards.map(({ timestamp }) => Number(timestamp)))) {
    const rows = boards.filter(({ timestamp }) => timestamp === at)
    // The snapshot is that of an hour, which ends later.
    const as_of = new Date(Math.ceil(at / 3_600_000) * 3_600_000).toISOString()
    const both: Row[] = []
    for (const board of ['creators', 'posts']) {
      const { body, headers } = await stack.ask(`/v1/z100/${board}?as_of=${as_of}`)
      expect(Date.parse(headers.get('x-data-time') ?? '')).toBe(at)
      both.push(...(body as Row[]))
    }
    expect(rows).toEqual(asArchived(both, rows[0], () => ({ timestamp: at })))
  }
  expect(boards.length).toBeGreaterThan(3)
  const launches = await archived(folder, 'launches', 'block_number, log_index')
  expect(launches.length).toBeGreaterThan(5)
  const tokens = launches.map((row) => String(row['token_address']))
  const paged = async (path: string): Promise<readonly Row[]> => {
    const { body, headers } = await stack.ask(path)
    const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    return [...(body as readonly Row[]), ...(next === undefined ? [] : await paged(next))]
  }
  const ofTokens = async (rowsOf: (token: string) => Promise<readonly Row[]>) => {
    const all: (Row & { readonly token: string })[] = []
    for (const token of tokens) for (const row of await rowsOf(token)) all.push({ ...row, token })
    return all
  }
  const known = await ask('/v1/tokens?cursor=')
  expect(launches.map(({ token_address: address }) => address).toSorted()).toEqual(
    known.map((row) => String(row['contract_address'])).toSorted(),
  )

  const swaps = await archived(folder, 'swaps', 'block_number, log_index')
  const ofApi = await ofTokens((token) => paged(`/v1/tokens/${token}/swaps?limit=100`))
  const inOrder = ofApi
    .filter(isArchived)
    .sort(
      (a, b) =>
        Number(a['block_number']) - Number(b['block_number']) ||
        Number(a['log_index']) - Number(b['log_index']),
    )
  expect(swaps.length).toBeGreaterThan(20)
  expect(swaps).toEqual(
    asArchived(inOrder, swaps[0], (row) => {
      const { token_in, token_out } = row as { readonly token_in: Row; readonly token_out: Row }
      const quote = row['is_buy'] ? token_in : token_out
      const timestamp = row['timestamp_ms'] ?? ms(row)
      return { timestamp, quote_address: quote['address'], quote_amount: quote['amount'] }
    }),
  )

  const candles = await archived(folder, 'candles', 'token_address, timestamp')
  const traded = await ofTokens((token) =>
    ask(`/v1/tokens/${token}/candles?interval=1m&fill=none&limit=1000`),
  )
  const slots = asArchived(traded.filter(isArchived), candles[0], (row) => ({
    timestamp: ms(row),
    token_address: row['token'],
  }))
  const place = (row: Row) => `${row['token_address']} ${String(row['timestamp']).padStart(16, '0')}`
  expect(candles).toEqual(slots.sort((a, b) => (place(a) < place(b) ? -1 : 1)))

  const holders = await archived(folder, 'holders', 'token_address, timestamp')
  const byDay = new Map(
    (await ofTokens((token) => ask(`/v1/tokens/${token}/holders/history?interval=1d`))).map((row) => [
      `${row.token} ${ms(row)}`,
      row['holders_count'],
    ]),
  )
  const days = holders.filter(({ timestamp }) => Number(timestamp) % 86_400_000 === 0 && byDay.size > 0)
  const wholeDays = days.filter((row) => Number(row['timestamp']) + 86_400_000 <= sealed)
  expect(wholeDays.length).toBeGreaterThan(3)
  for (const { token_address: token, timestamp, holders_count: count } of wholeDays)
    expect([token, timestamp, byDay.get(`${token} ${timestamp}`)]).toEqual([token, timestamp, count])

  const earnings = await duckdb?.rows(
    `SELECT * FROM read_parquet('${join(folder, 'archive/v1/earnings/*/part-000.parquet')}', hive_partitioning = false) ORDER BY token_address, timestamp`,
  )
  const creators = launches.filter(({ type }) => type === 'creator')
  const earned = await Promise.all(
    creators.map(async ({ token_address }) => {
      const { earnings: earned } = (await ask(`/v1/creators/${token_address}?days=10`)) as unknown as {
        readonly earnings: { readonly by_day: readonly Row[] }
      }
      return earned.by_day
        .filter((row) => row['creator_earnings'] !== 0 && !row['partial'])
        .map((row) => ({ ...row, token_address }))
    }),
  )
  const wanted = asArchived(earned.flat(), earnings?.[0], (row) => ({ timestamp: ms(row) }))
  const ofCreators = earnings?.filter((row) =>
    creators.some((one) => one['token_address'] === row['token_address']),
  )
  expect(ofCreators).toEqual(wanted.sort((a, b) => (place(a) < place(b) ? -1 : 1)))
}

describe('the archive, read by DuckDB', () => {
  it('equals the API row by row, after a reorg and after the log was folded again', async () => {
    const stack = await startApi()
    await compare(stack, await bring(stack))
    const { days = [] } = (await readManifest(bucket))?.manifest ?? {}
    expect(days.every(({ revision }) => revision === 1)).toBe(true)
    // Down into the last day that is archived as a whole.
    const last = days.at(-1)?.last_block ?? expect.fail('no day')
    const depth = (devnet?.head().number ?? 0) - last + 2
    await devnet?.rollback(depth)
    // A chain that is shorter than before may be an endpoint that lags.
    const from = devnet?.head().timestamp ?? NOW
    for (let at = 1; at <= depth + 2; at++)
      await devnet?.mineBlock(from + Math.floor(((NOW - 600 - from) * at) / (depth + 2)))
    const [token] = devnet?.tokens() ?? []
    for (const usd of [5, 7])
      await devnet?.buy({ token: token?.address ?? '0x', wallet: devnet.wallets[1]!, usd })
    await compare(stack, await bring(stack))
    expect((await readManifest(bucket))?.manifest.days.map(({ revision }) => revision)).toContain(2)
    // Another log of the same chain becomes the live one; what was published before stays what it was.
    const refolded = await startApi()
    Object.assign(refolded.stores, { kept: stack.stores.kept })
    await compare(refolded, await bring(refolded, { name: '@folded-again', kept: stack.segments }))
    expect((await readManifest(bucket))?.manifest.log).toBe('@folded-again')
  })
})

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccessService } from '../../accounts/service.ts'
import { keyDigest, usageHourOf } from '../../schemas/api/access.ts'
import { openBucket } from '../../store/aws/bucket.ts'
import { openTable } from '../../store/aws/table.ts'
import { openLog } from '../../store/log/log.ts'
import { compareService } from '../oracle/compare-service.ts'
import { describePages } from '../site/pages.ts'
import { admin } from '../support/admin.ts'
import { bearer } from '../support/aws/access.ts'
import { readRawHeaders } from '../support/chain/json-rpc.ts'
import { readDescribed } from '../support/described/described.ts'
import { fuzz, walk } from '../support/described/described-walk.ts'
import { isLong, rounds } from '../support/rounds.ts'
import { type Service, startServiceProcess, stillRunning } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { compareApi } from './compare-api.ts'

// One market through its life: born, read, stopped by Ctrl-C, begun again, killed, begun again. Tests run in this order.
const dataDir = tempDir()
let service: Service

/** Fewer tokens and trades than `npm start` makes; a long run has its own past. */
const shortPast = { blocks: 60, days: 8, trades: 260, creators: 40, posts: 32 }
/** What is to be seen at least: in the past that `npm start` makes, and in the short one. */
const least = (whole: number, short: number): number => (isLong ? whole : short)
async function start(history = isLong ? undefined : shortPast) {
  service = await startServiceProcess({ dataDir, seed: 7, ...(history && { history }) })
}
const rows = async (path: string) => (await (await ask(path)).json()) as Record<string, unknown>[]
const ask = (path: string) => fetch(service.ready.base_url + path, { headers: key() })
const key = () => bearer(service.ready.keys.enterprise)
const differences = () => compareService(service.ready)
const pids = () => service.processes().map(({ pid }) => pid)

beforeAll(() => start())
afterAll(async () => {
  await service.kill()
})

/** Hashes of all blocks up to the head, by number. */
const blockHashes = async (): Promise<string[]> =>
  (await readRawHeaders(service.ready.rpc_url)).map(({ hash }) => hash)

/** The last block that the log of minutes tells, as the table has it. */
async function logTail() {
  const { dynamodb, s3 } = service.ready.aws
  const local = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb, AWS_ENDPOINT_URL_S3: s3, AWS_REGION: 'us-east-1' }
  Object.assign(process.env, local, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local-secret' })
  return (await openLog(openTable('market'), openBucket('segments')).tail())?.last
}

/** What each account used in the last hours, by account and hour. */
async function usedHours(): Promise<Map<string, number>> {
  Object.assign(process.env, service.ready.env)
  const { access, usage, now } = openAccessService(process.env, 'test')
  const hour = usageHourOf(now())
  const all = new Map<string, number>()
  for await (const { id } of access.accounts()) {
    for (const each of await usage.hours(id, hour - 2, hour)) all.set(`${id} ${each.hour}`, each.used)
  }
  return all
}

/** An answer as it stands on the wire: nothing decompressed, nothing followed. */
function answer(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(service.ready.base_url + path, { headers: { ...key(), ...headers } }, (response) =>
      resolve(response.resume()),
    ).on('error', reject)
  })
}

describe('the first start', () => {
  test('fills both boards and the lists', async () => {
    const boards = await Promise.all(['creators', 'posts'].map((board) => rows(`/v1/z100/${board}`)))
    for (const board of boards) expect(board.length).toBeGreaterThanOrEqual(least(100, 20))
    expect((await rows('/v1/market/trending?timeframe=1h')).length).toBeGreaterThanOrEqual(least(20, 5))
  })

  test('has newcomers and changes to show', async () => {
    for (const period of ['24h', '7d']) {
      const board = await rows(`/v1/z100/posts?period=${period}`)
      expect(board.filter((row) => row['is_new']).length, period).toBeGreaterThan(0)
    }
    const week = await rows('/v1/z100/creators?period=7d')
    expect(week.filter((row) => row['price_change_percent'] !== null).length).toBeGreaterThan(0)
    expect(week.filter((row) => row['historical_baseline'] === 'period').length).toBeGreaterThan(0)
  })

  test('has an index that moved, with its history, and lists of what rises and what is new', async () => {
    const [index] = [await rows('/v1/z100/index')].flat()
    expect(index!['index_value']).not.toBe(1000)
    expect(index!['constituents_count']).toBeGreaterThanOrEqual(least(60, 10))
    const [hours, days] = await Promise.all(
      ['hourly', 'daily'].map((interval) => rows(`/v1/z100/historical?interval=${interval}`)),
    )
    // Of its days the index lacks the first: a seat takes 24 hourly closes.
    expect(hours!.length).toBeGreaterThan(least(5 * 24, 12))
    expect(days!.length).toBeGreaterThanOrEqual(least(5, 1))
    expect((await rows('/v1/discover/rising')).length).toBeGreaterThanOrEqual(least(5, 1))
    expect((await rows('/v1/discover/new-launches')).length).toBeGreaterThanOrEqual(least(20, 5))
  })

  test('has the pictures that its pages name', async () => {
    const { base_url: base } = service.ready
    for (const [page, picture] of [
      ['/boards', 'creators'],
      ['/z100-index', 'index'],
    ] as const) {
      const html = await (await fetch(base + page)).text()
      const [, address] = /og:image" content="([^"]+)"/.exec(html)!
      expect(address).toBe(`${base}/previews/${picture}.png`)
      const drawn = async () => (await fetch(address!)).headers.get('content-type')
      await expect.poll(drawn, { timeout: 120_000, interval: 1_000 }).toBe('image/png')
    }
  })

  test('is what a stranger expects, as the probe finds', async () => {
    const probed = async () => (await admin('probe', service.ready.base_url)).out
    await expect.poll(probed, { timeout: 330_000 }).toMatch(/^(ok {7}.*\n){6,}$/)
  })

  test('stays within 600 MB', () => {
    const kilobytes = service.processes().reduce((sum, { rssKb }) => sum + rssKb, 0)
    expect(kilobytes / 1024).toBeLessThan(600)
  })

  test('publishes what the oracle makes of the raw logs', async () => expect(await differences()).toEqual([]))

  test.runIf(isLong)('says of every token what the oracle makes of the raw logs', async () => {
    expect(await compareApi(service.ready)).toEqual([])
  })
})

test('the description that is served is true of what the edge and the API answer', async () => {
  const said = async (path: string) => {
    const response = await ask(path)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }
  const described = readDescribed((await said('/v1/openapi.json')).body)
  const { body, headers } = await said('/v1/z100/posts?sort_by=volume&limit=1')
  const facts = {
    token: body[0].contract_address,
    symbol: body[0].symbol,
    snapshot: headers.get('x-snapshot-id') ?? '',
    day: String(headers.get('x-data-time')).slice(0, 10),
    week: null,
  }
  const asked = async (path: string) => {
    const response = await ask(path)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  // The edge keeps what needs no key by its path alone, whatever else is asked of it.
  const isKeyless = (path: string) => /^\/v1\/(status|\w+\.json)/.test(path)
  const isLeftOut = ({ path, isValid }: { path: string; isValid: boolean }) => isKeyless(path) && !isValid
  expect(await walk({ described, facts, ask: asked, oneOf: isLong ? 7 : 25, isLeftOut })).toEqual([])
  const base = service.ready.base_url
  await fuzz({ described, facts, base, headers: key(), rounds: rounds(10, 100) })
})

test('an answer can be cached, revalidated, traced to its block, and is one document however it is asked for', async () => {
  const path = '/v1/z100/creators?period=4h'
  const first = await answer(path, { 'accept-encoding': 'br' })
  expect(first.statusCode).toBe(200)
  expect(first.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'content-encoding': 'br',
    vary: expect.stringMatching(/accept-encoding/i),
    'cache-control': 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400',
    'x-data-time': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/),
    'x-data-block-hash': expect.stringMatching(/^0x[0-9a-f]{64}$/),
    'x-snapshot-id': expect.stringMatching(/./),
    'x-total-count': String((await rows(path)).length),
    'access-control-allow-origin': '*',
  })
  const etag = first.headers['etag']!
  const again = await answer(path, { 'accept-encoding': 'br', 'if-none-match': etag })
  expect([again.statusCode, again.headers['etag']]).toEqual([304, etag])
  expect(again.headers['x-cache']).toMatch(/hit/i)
  const spellings = [
    '?period=24h',
    '',
    '?timeframe=24H',
    '?limit=100&offset=0&order=desc&include_changes=true',
  ]
  const posts = await Promise.all(spellings.map((query) => answer(`/v1/z100/posts${query}`)))
  expect(new Set(posts.map(({ headers }) => headers['etag'])).size).toBe(1)
})

test.each([
  ['//v1/z100/creators', 404, 'RESOURCE_NOT_FOUND', { path: '//v1/z100/creators' }],
  ['/V1/z100/creators', 404, 'RESOURCE_NOT_FOUND', { path: '/V1/z100/creators' }],
  ['/stream', 404, 'RESOURCE_NOT_FOUND', { path: '/stream' }],
  ['/v1', 404, 'RESOURCE_NOT_FOUND', { path: '/v1' }],
  ['/v1/z100/creators?period=2h', 400, 'INVALID_PARAMETER', { parameter: 'period', provided: '2h' }],
] as const)('an error of %s has the one shape', async (path, status, code, details) => {
  const response = await ask(path)
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  expect(response.status).toBe(status)
  expect(error).toMatchObject({ code, details, message: expect.any(String), request_id: expect.any(String) })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

describePages(() => service)

describe('after an end', () => {
  let before: string[] = []

  test.runIf(isLong)(
    'Ctrl-C leaves no process, and the next start finds the same chain and boards',
    async () => {
      before = await blockHashes()
      const all = pids()
      expect(all.length).toBeGreaterThan(1)
      expect(await service.interrupt('group'), service.output()).toBe(0)
      expect(stillRunning(all)).toEqual([])
      await start()
      expect((await blockHashes()).slice(0, before.length)).toEqual(before)
      expect(await differences()).toEqual([])
    },
  )

  test.runIf(isLong)('minutes that pass while it runs are on the boards', async () => {
    // A board without a trade keeps its bytes and its headers; the status follows every snapshot.
    const newest = async () =>
      ((await (await ask('/v1/status')).json()) as { block_number: number | null }).block_number ?? 0
    const first = await newest()
    while ((await newest()) <= first) await sleep(1_000)
    expect(await differences()).toEqual([])
  })

  test.runIf(isLong)('its snapshots can be made again from the chain, byte for byte', async () => {
    const { code, out, err } = await admin('verify', '--data-dir', dataDir)
    expect(code, out + err).toBe(0)
    expect(out.match(/^\d{8}T\d{4}Z-\w{8}: equal/gm)?.length).toBeGreaterThan(1)
    expect(await admin('purge', '/v1/*', '--data-dir', dataDir)).toMatchObject({ code: 0 })
  })

  test.runIf(isLong)('a kill of everything loses nothing that was read', async () => {
    const seen = await blockHashes()
    const [counted, { keys }] = [await usedHours(), service.ready]
    const all = pids()
    await service.kill()
    expect(stillRunning(all)).toEqual([])
    await start()
    // First: the log goes on, and would otherwise be ahead of the blocks that were read.
    const tail = await logTail()
    const now = await blockHashes()
    // The block being mined at the kill may be lost; every one below the old head stands.
    expect(now.slice(0, seen.length - 1)).toEqual(seen.slice(0, -1))
    expect(tail && now[tail.number]).toBe(tail?.hash)
    expect(await differences()).toEqual([])
    expect(service.ready.keys).toEqual(keys)
    const kept = await usedHours()
    for (const [hour, used] of counted) expect(kept.get(hour), hour).toBeGreaterThanOrEqual(used)
    expect(Math.max(...counted.values())).toBeGreaterThan(40)
  })

  test('a key is nowhere but in the two files of its owner; its digest is in table and edge', async () => {
    const { keys } = service.ready
    const own = ['ready.json', 'demo-keys.json'].map((name) => join(dataDir, name))
    const written = readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !own.includes(path))
    Object.assign(process.env, service.ready.env)
    const { access } = openAccessService(process.env, 'test')
    const holding = (text: string) => written.filter((path) => readFileSync(path).includes(text))
    for (const text of Object.values(keys)) {
      expect(holding(text.slice(14))).toEqual([])
      expect(await access.key(keyDigest(text))).toBeDefined()
      expect(holding(keyDigest(text)).length).toBeGreaterThan(0)
    }
    for (const path of own) expect(statSync(path).mode & 0o077).toBe(0)
    // The terminal shows the curl lines of one key.
    expect(service.output()).not.toContain(keys.basic)
    expect(service.output()).not.toContain(keys.enterprise)
  })

  test('SIGINT to the main process alone ends its children too', async () => {
    const all = pids()
    expect(await service.interrupt('main'), service.output()).toBe(0)
    expect(stillRunning(all)).toEqual([])
  })
})

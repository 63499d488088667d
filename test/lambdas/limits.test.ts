/** The whole way of a reader: edge, cache, authorizer, usage plan, API and counters; only the delivery of the edge's log is simulated. */
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount, setState, setTier } from '../../accounts/accounts.ts'
import { keyById, revokeKey } from '../../accounts/keys.ts'
import { reconcile } from '../../accounts/reconcile.ts'
import { startCloudfront } from '../../dev/emulators/cloudfront.ts'
import { listen } from '../../dev/emulators/listening.ts'
import { eventOf } from '../../dev/local/function-logs.ts'
import { countEdgeUsage } from '../../lambdas/count-edge-usage.ts'
import { distribution } from '../../lambdas/edge/distribution.ts'
import {
  EVERYBODY,
  edgeKeys,
  exhaustedLine,
  exhaustedText,
  freeArchiveBytes,
  hourEnd,
  keyDigest,
  keyMark,
  keyPrefix,
  LEAST_ARCHIVE_BYTES,
  newKey,
  type ReaderTier,
  type Tier,
  tiers,
  UNKNOWN_KEYS,
  usageHourOf,
} from '../../schemas/api/access.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { bearer } from '../support/aws/access.ts'
import { startApiEdge } from '../support/aws/api-edge.ts'
import { startApiStack } from '../support/aws/api-stack.ts'
import { launchOf, tokenAt } from '../support/market/facts.ts'
import { isWhole } from '../support/rounds.ts'

const START = 29_000_160
/** Ten minutes into this hour: counters of past ones expire. */
const HOUR = usageHourOf(Date.now() / 1_000)
const NOW = HOUR * 3_600 + 600
const CACHED = '/v1/z100/creators'
const UNCACHED = '/v1/z100/creators?limit=1'

let lines: { id: string; timestamp: number; message: string }[] = []
let edgeWrites = 0
/** Used percents of the bound that all share who do not pay. */
const shared: number[] = []
/** A document that the bucket has not got yet. */
let missing = ''

const stack = await startApiStack()
const startEdge = (isCounted = false) =>
  startApiEdge(stack, {
    now: () => NOW * 1_000,
    isCounted,
    lacks: (name) => name === missing,
    onLog: (message) => lines.push({ id: `${lines.length}-${Math.random()}`, timestamp: 0, message }),
  })

stack.state.now = NOW
await stack.seal(launchOf(tokenAt(1, START)))
await stack.publish()
const edge = await startEdge()
afterAll(async () => {
  await edge.stop()
  await stack.stop()
})

type Error = {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details: Record<string, unknown>
  }
}

async function ask(path: string, key: string | null, method = 'GET') {
  const response = await fetch(edge.url + path, { method, headers: key === null ? {} : bearer(key) })
  const text = await response.text()
  const { error } = (response.status < 400 || text === '' ? {} : JSON.parse(text)) as Partial<Error>
  return {
    status: response.status,
    headers: response.headers,
    code: error?.code,
    details: error?.details,
    text,
  }
}
const messageOf = ({ text }: { readonly text: string }) => (JSON.parse(text) as Error).error.message
const usedOf = (account: string) => stack.access.usage.used({ account, hour: HOUR })

/** What the edge has logged since the last time reaches the function that counts it. */
async function deliverLog() {
  const batch = lines
  lines = []
  const { service, usage } = stack.access
  const counting = {
    write: (changes: object) => {
      edgeWrites++
      return service.edge.write(changes)
    },
  }
  const stores = {
    access: service.access,
    usage,
    edge: counting,
    onShared: (percent: number) => shared.push(percent),
  }
  const event = eventOf(batch.map((line) => ({ ...line, message: `Qx7_-== ${line.message}` })))
  await countEdgeUsage(event, stores)
  // Deliveries come at least once.
  return countEdgeUsage(event, stores)
}

describe('the order of checks', () => {
  let keys: Record<ReaderTier, { account: string; key: string }>
  let spent: { account: string; key: string }
  beforeAll(async () => {
    const { keyOf, usage, service } = stack.access
    // Until then the edge's function logs each key that it does not know.
    await reconcile(service, () => {})
    keys = {
      basic: await keyOf('basic'),
      professional: await keyOf('professional'),
      enterprise: await keyOf('enterprise'),
    }
    spent = await keyOf('basic')
    await usage.add({ account: spent.account, hour: HOUR }, tiers.basic.limitPerHour, 'spent')
  })

  const historical = '/v1/z100/historical'
  it.each([
    ['no key', null, 'GET', '/v1/nothing', 401, 'UNAUTHORIZED', 0],
    ['a wrong key', 'wrong', 'GET', '/v1/nothing', 401, 'UNAUTHORIZED', 0],
    ['another method before a wrong key', 'wrong', 'POST', '/v1/nothing', 405, 'METHOD_NOT_ALLOWED', 0],
    ['no such route', 'basic', 'GET', '/v1/nothing', 404, 'RESOURCE_NOT_FOUND', 1],
    ['another method', 'basic', 'POST', CACHED, 405, 'METHOD_NOT_ALLOWED', 0],
    ['a tier before parameters', 'basic', 'GET', `${historical}?interval=x`, 403, 'INSUFFICIENT_TIER', 1],
    ['parameters before tokens', 'basic', 'GET', '/v1/tokens/0x01?strict=9', 400, 'INVALID_PARAMETER', 1],
    ['a token', 'basic', 'GET', '/v1/tokens/0x01', 404, 'RESOURCE_NOT_FOUND', 1],
    [
      'a high tier’s parameters',
      'professional',
      'GET',
      `${historical}?interval=x`,
      400,
      'INVALID_PARAMETER',
      1,
    ],
    ['usage', 'basic', 'GET', '/v1/usage', 200, undefined, 0],
    ['status', 'basic', 'GET', '/v1/status', 200, undefined, 0],
    ['openapi.json', null, 'GET', '/v1/openapi.json', 200, undefined, 0],
  ] as const)('%s: key %s, %s %s', async (_what, who, method, path, status, code, counted) => {
    const asking = who === null || who === 'wrong' ? null : keys[who]
    const before = asking ? await usedOf(asking.account) : 0
    const answer = await ask(path, who === 'wrong' ? newKey('live') : (asking?.key ?? null), method)
    expect([answer.status, answer.code]).toEqual([status, code])
    if (asking) expect((await usedOf(asking.account)) - before).toBe(counted)
  })

  it('an account over its limit gets a 429 before the route is looked at; that is not counted', async () => {
    for (const path of ['/v1/nothing', CACHED, UNCACHED]) {
      const { status, code, details, headers } = await ask(path, spent.key)
      expect([status, code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
      const reset_at = new Date(hourEnd(HOUR) * 1_000).toISOString().replace('.000Z', 'Z')
      expect(details).toEqual({
        limit: 100,
        remaining: 0,
        reset_at,
        help: 'See /docs/errors#RATE_LIMIT_EXCEEDED.',
      })
      expect(headers.get('retry-after')).toBe(String(hourEnd(HOUR) - NOW))
      expect(headers.get('x-ratelimit-remaining')).toBe('0')
      expect(headers.get('cache-control')).toBe('no-store')
    }
    expect(await usedOf(spent.account)).toBe(100)
    expect((await ask('/v1/usage', spent.key)).status).toBe(200)
  })

  it('an answer of the API states the remaining answers in both families of headers', async () => {
    const { account, key } = keys.enterprise
    const { headers } = await ask(UNCACHED, key)
    const used = await usedOf(account)
    const left = 20_000 - used
    expect(headers.get('x-ratelimit-limit')).toBe('20000')
    expect(headers.get('x-ratelimit-remaining')).toBe(String(left))
    expect(headers.get('x-ratelimit-reset')).toBe(String(hourEnd(HOUR)))
    expect(headers.get('ratelimit-policy')).toBe('"hourly";q=20000;w=3600')
    expect(headers.get('ratelimit')).toBe(`"hourly";r=${left};t=${hourEnd(HOUR) - NOW}`)
    const said = JSON.parse((await ask('/v1/usage', key)).text) as object
    expect(said).toMatchObject({ account, tier: 'enterprise', limit: 20_000, used, remaining: left })
  })

  it('a suspended account gets its 403 from edge and API, also over its limit', async () => {
    await setState(stack.access.service, spent.account, 'suspended')
    expect((await ask(UNCACHED, spent.key)).code).toBe('SUSPENDED_API_KEY')
    stack.clock.aheadSeconds += 31
    const direct = await stack.ask(UNCACHED, { headers: bearer(spent.key) })
    expect([direct.status, (direct.body as Error).error.code]).toEqual([403, 'SUSPENDED_API_KEY'])
  })

  it('a revoked key stops working when the gateway’s cached verdict expires, within 30 seconds', async () => {
    const { key } = await stack.access.keyOf('professional')
    const direct = async () => (await stack.ask(UNCACHED, { headers: bearer(key) })).status
    expect([(await ask(CACHED, key)).status, await direct()]).toEqual([200, 200])
    await revokeKey(stack.access.service, await keyById(stack.access.service, key))
    const sent = lines.length
    stack.clock.aheadSeconds += 31
    expect([(await ask(CACHED, key)).status, await direct()]).toEqual([401, 401])
    expect(lines).toHaveLength(sent)
  })

  it('the log of the edge tells when a key was used last', async () => {
    const { account, key } = await stack.access.keyOf('professional')
    const used = { account, mark: keyMark(keyDigest(key)) }
    expect(await stack.access.usage.lastUse(used)).toBeNull()
    expect((await ask(CACHED, key)).status).toBe(200)
    await deliverLog()
    expect(await stack.access.usage.lastUse(used)).toBe(HOUR)
  })

  it('after one refusal by the API, the edge refuses the account for the rest of the hour', async () => {
    const { account, key } = await stack.access.keyOf('basic')
    await stack.access.usage.add({ account, hour: HOUR }, tiers.basic.limitPerHour, 'spent')
    stack.state.exhausted.length = 0
    const refused = await ask(UNCACHED, key)
    expect([refused.status, messageOf(refused)]).toEqual([
      429,
      'The limit of 100 requests an hour is reached.',
    ])
    expect(stack.state.exhausted).toEqual([{ account, hour: HOUR }])
    lines = [{ id: 'told', timestamp: 0, message: exhaustedLine(stack.state.exhausted[0]!) }]
    await deliverLog()
    expect(stack.access.keyValueStore.get(edgeKeys.exhausted(account))).toBe(exhaustedText(HOUR, 100))
    const atEdge = await ask(UNCACHED, key)
    expect([atEdge.status, messageOf(atEdge)]).toEqual([429, 'The limit of 100 requests an hour is reached.'])
    expect(atEdge.text).toContain('"limit":100')
    // Nobody asked the API.
    expect(stack.state.exhausted).toHaveLength(1)
    expect(await usedOf(account)).toBe(tiers.basic.limitPerHour)
  })

  it('a late line of the hour before does not end the refusals of this one', async () => {
    const { account } = await stack.access.keyOf('basic')
    for (const hour of [HOUR, HOUR - 1]) {
      await stack.access.usage.add({ account, hour }, tiers.basic.limitPerHour, `spent ${hour}`)
      lines = [{ id: randomUUID(), timestamp: 0, message: exhaustedLine({ account, hour }) }]
      await deliverLog()
    }
    expect(stack.access.keyValueStore.get(edgeKeys.exhausted(account))).toBe(exhaustedText(HOUR, 100))
  })

  it('a raised tier works in the same hour, and its own limit is refused in turn', async () => {
    const { account, key } = await stack.access.keyOf('basic')
    const flagged = async () => {
      lines = [{ id: randomUUID(), timestamp: 0, message: exhaustedLine({ account, hour: HOUR }) }]
      await deliverLog()
      return stack.access.keyValueStore.get(edgeKeys.exhausted(account))
    }
    await stack.access.usage.add({ account, hour: HOUR }, 100, 'spent')
    expect(await flagged()).toBe(exhaustedText(HOUR, 100))
    expect((await ask(CACHED, key)).status).toBe(429)
    expect((await ask('/v1/usage', key)).status).toBe(200)
    await setTier(stack.access.service, account, 'professional')
    stack.clock.aheadSeconds += 31
    expect([(await ask(CACHED, key)).status, (await ask(UNCACHED, key)).status]).toEqual([200, 200])
    await stack.access.usage.add({ account, hour: HOUR }, 2_000, 'spent again')
    expect(await flagged()).toBe(exhaustedText(HOUR, 2_000))
    expect((await ask(CACHED, key)).status).toBe(429)
  })

  it('an account that the gateway does not know yet gets a 503 with Retry-After', async () => {
    const { account, key } = await stack.access.keyOf('basic')
    const { access, gateway } = stack.access.service
    const { gatewayKey } = (await access.account(account))!
    const shared = (await gateway.list()).find(({ name }) => name === gatewayKey)!
    await gateway.remove(shared.keyId)
    const { status, headers } = await stack.ask(UNCACHED, { headers: bearer(key) })
    expect([status, headers.get('retry-after')]).toEqual([503, '60'])
    await gateway.put({ id: account, tier: 'basic' })
  })

  it('a request that bypasses the edge without a key gets a 401 in the common error shape', async () => {
    for (const headers of [{ authorization: '' }, bearer('x'), { authorization: 'Basic eDp5' }]) {
      const { status, body, headers: sent } = await stack.ask(UNCACHED, { headers })
      expect([status, (body as Error).error.code]).toEqual([401, 'UNAUTHORIZED'])
      expect(sent.get('cache-control')).toBe('no-store')
    }
  })
})

describe('100 keys of 10 accounts, 50 clients at once, over cached and uncached paths', () => {
  const LEFT = 12
  const CLIENTS = 50
  const WAVES = 4
  type Reader = { account: string; tier: Tier; keys: string[] }
  let readers: Reader[] = []
  /** Answers below 400 that an account was given, by wave. */
  const answered = new Map<string, number[]>()

  beforeAll(async () => {
    const { service, usage } = stack.access
    const kinds: Tier[] = [
      ...Array<Tier>(5).fill('basic'),
      ...Array<Tier>(3).fill('professional'),
      'enterprise',
      'enterprise',
    ]
    readers = await mapParallel(kinds, 5, async (tier) => {
      const { id: account } = await createAccount(service, { name: `reader ${randomUUID()}`, tier })
      const keys = Array.from({ length: 10 }, () => newKey('test'))
      for (const text of keys) {
        const facts = { account, digest: keyDigest(text), prefix: keyPrefix(text), endsAt: null }
        await service.access.putKey({
          ...facts,
          createdAt: service.now(),
          isComplete: true,
          version: 0,
          label: '',
        })
      }
      await usage.add({ account, hour: HOUR }, tiers[tier].limitPerHour - LEFT, 'before')
      return { account, tier, keys }
    })
    // Tells the edge of all keys.
    await reconcile(service, () => {})
    lines = []
    edgeWrites = 0
  })

  const wave = async (n: number) => {
    const requests = Array.from({ length: readers.length * 10 }, (_, at) => ({
      reader: readers[at % readers.length]!,
      key: readers[at % readers.length]!.keys[Math.floor(at / readers.length)]!,
      path: (at + n) % 3 === 0 ? UNCACHED : CACHED,
    }))
    await mapParallel(requests, CLIENTS, async ({ reader, key, path }) => {
      const { status } = await ask(path, key)
      expect([200, 429]).toContain(status)
      const counts = answered.get(reader.account) ?? Array<number>(WAVES).fill(0)
      if (status === 200) counts[n]!++
      answered.set(reader.account, counts)
    })
  }
  const sumOf = (account: string) => answered.get(account)!.reduce((sum, one) => sum + one, 0)

  it('basic accounts get exactly their limit, cached tiers until the log is delivered', async () => {
    for (let n = 0; n < WAVES; n++) {
      await wave(n)
      await deliverLog()
    }
    for (const { account, tier } of readers) {
      if (tier === 'basic') {
        expect(sumOf(account)).toBe(LEFT)
        expect(await usedOf(account)).toBe(tiers.basic.limitPerHour)
        continue
      }
      // 10 requests a wave: the second one passes the limit, and the delivery after it ends the account's answers.
      expect(answered.get(account)!.slice(2)).toEqual([0, 0])
      expect(sumOf(account)).toBeGreaterThanOrEqual(LEFT)
      expect(sumOf(account)).toBeLessThanOrEqual(2 * 10)
      expect(await usedOf(account)).toBe(tiers[tier].limitPerHour - LEFT + sumOf(account))
      expect(stack.access.keyValueStore.get(edgeKeys.exhausted(account))).toBe(
        exhaustedText(HOUR, tiers[tier].limitPerHour),
      )
    }
    expect(edgeWrites).toBe(readers.filter(({ tier }) => tiers[tier].isCached).length)
    expect(stack.state.defects).toEqual([])
  })
})

it.runIf(isWhole)("a deployment that counts every tier exactly exceeds no account's limit", async () => {
  const counted = await startEdge(true)
  lines = []
  for (const tier of ['professional', 'enterprise'] as const) {
    const { account, key } = await stack.access.keyOf(tier)
    await stack.access.usage.add({ account, hour: HOUR }, tiers[tier].limitPerHour - 12, 'before')
    const paths = Array.from({ length: 24 }, (_, at) => (at % 3 === 0 ? UNCACHED : CACHED))
    const statuses = await mapParallel(paths, 24, async (path) => {
      const { status, headers } = await fetch(counted.url + path, { headers: bearer(key) })
      expect(headers.get('x-cache')).not.toMatch(/Hit/)
      return status
    })
    expect(statuses.toSorted()).toEqual([...Array(12).fill(200), ...Array(12).fill(429)])
    expect(await usedOf(account)).toBe(tiers[tier].limitPerHour)
  }
  expect(lines).toEqual([])
  await counted.stop()
})

it('the key of the pages has a limit per network; documents are not counted', async () => {
  const { key } = await stack.access.keyOf('site')
  const limit = tiers.site.limitPerHour
  for (const _ of [1, 2]) expect((await ask(CACHED, key)).status).toBe(200)
  const first = await ask(UNCACHED, key)
  expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, String(limit - 1)])
  expect(JSON.parse((await ask('/v1/usage', key)).text)).toMatchObject({
    limit,
    used: 1,
    remaining: limit - 1,
  })
  const statuses = await mapParallel(
    Array(limit).fill(UNCACHED),
    16,
    async (path) => (await ask(path, key)).status,
  )
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  // Documents go on, and so does another visitor.
  expect((await ask(CACHED, key)).status).toBe(200)
  expect(await statusFrom('127.0.1.9', UNCACHED, key)).toBe(200)
  // The pages' key is no better than a basic one.
  expect(await statusFrom('127.0.1.9', '/v1/z100/historical', key)).toBe(403)
})

it('basic accounts of one network share a limit, which is not an account’s', async () => {
  const { account, key } = await stack.access.keyOf('basic')
  const { key: paid } = await stack.access.keyOf('professional')
  const limit = tiers.basic.limitOfNetwork
  await stack.access.usage.add({ account: 'basic@127.0.2.0/24', hour: HOUR }, limit - 1, 'before')
  const from = (who: string) => statusFrom('127.0.2.9', UNCACHED, who)
  expect([await from(key), await from(key), await from(paid)]).toEqual([200, 429, 200])
  expect(await statusFrom('127.0.3.9', UNCACHED, key)).toBe(200)
  expect(stack.state.exhausted.filter((usage) => usage.account === account)).toEqual([])
  // What the network refused is no answer of the account.
  expect(await stack.access.usage.used({ account, hour: HOUR })).toBe(2)
})

/** The status of an answer to a reader at another address of this machine. */
const statusFrom = (localAddress: string, path: string, key: string) =>
  new Promise<number>((resolve, reject) => {
    get(edge.url + path, { localAddress, headers: bearer(key) }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject)
  })

describe('files of the archive', () => {
  const FILE = '/archive/v1/swaps/date=2026-11-01/part.parquet'
  const BYTES = 100_000
  const DAY_END = Math.floor(HOUR / 24) * 24 + 23
  const bytesToday = (reader: string) =>
    stack.access.usage.used({ account: edgeKeys.archived(reader), hour: DAY_END })
  const read = (reader: string, bytes: number) =>
    stack.access.usage.add({ account: edgeKeys.archived(reader), hour: DAY_END }, bytes, randomUUID())
  const markOfNetwork = () =>
    lines.map(({ message }) => /(@[\w-]{8})/.exec(message)?.[1] ?? '').find(Boolean)!
  beforeAll(async () => {
    const put = { contentType: 'application/octet-stream', cacheControl: 'public, max-age=300' }
    await stack.published.put(FILE.slice(1), randomBytes(BYTES), put)
    await stack.published.put('archive/v1/manifest.json', Buffer.from('{}'), put)
    lines = []
  })

  it('need a key of a reader; what they are is open', async () => {
    const { key: site } = await stack.access.keyOf('site')
    const { key } = await stack.access.keyOf('basic')
    const replies = []
    for (const who of [null, newKey('test'), site, key]) replies.push(await ask(FILE, who))
    expect(replies.map(({ status, code }) => code ?? status)).toEqual([...Array(3).fill('UNAUTHORIZED'), 200])
    expect((await ask('/archive/v1/manifest.json', null)).status).toBe(200)
  })

  it('that are missing are answered in the shape of all errors, as are pictures', async () => {
    const { key } = await stack.access.keyOf('basic')
    for (const [path, who] of [
      [FILE.replace('11-01', '11-02'), key],
      ['/archive/v1/none.json', null],
      ['/previews/none.png', null],
    ] as const) {
      const { status, code, details } = await ask(path, who)
      expect([status, code, details?.['path']]).toEqual([404, 'RESOURCE_NOT_FOUND', path])
    }
    expect((await ask(FILE, key, 'POST')).code).toBe('METHOD_NOT_ALLOWED')
  })

  it('are counted in bytes of a day, by account, and once its day is used up it is refused at the edge', async () => {
    const { account, key } = await stack.access.keyOf('professional')
    lines = []
    expect((await ask(FILE, key)).status).toBe(200)
    await ask(FILE, key, 'HEAD')
    expect(lines.map(({ message }) => message).join()).not.toContain('127.0.0.1')
    await deliverLog()
    // The edge of this machine gzips what it cannot make smaller.
    expect((await bytesToday(account)) - BYTES - LEAST_ARCHIVE_BYTES).toBeLessThan(100)
    expect(await bytesToday(account)).toBeGreaterThanOrEqual(BYTES + LEAST_ARCHIVE_BYTES)
    await read(account, tiers.professional.archiveBytesPerDay - 2 * BYTES)
    expect((await ask(FILE, key)).status).toBe(200)
    await deliverLog()
    const refused = await ask(FILE, key)
    const limit = tiers.professional.archiveBytesPerDay
    expect([refused.status, refused.code, refused.details?.['limit']]).toEqual([
      429,
      'RATE_LIMIT_EXCEEDED',
      limit,
    ])
    expect(refused.headers.get('retry-after')).toBe(String(hourEnd(DAY_END) - NOW))
    // All else goes on, and a higher tier has its own limit.
    expect((await ask(CACHED, key)).status).toBe(200)
    await setTier(stack.access.service, account, 'enterprise')
    expect((await ask(FILE, key)).status).toBe(200)
  })

  it('have a bound for a network and one for all who do not pay, which the others do not notice', async () => {
    const [{ key }, { key: other }, { key: paid }] = [
      await stack.access.keyOf('basic'),
      await stack.access.keyOf('basic'),
      await stack.access.keyOf('professional'),
    ]
    lines = []
    await ask(FILE, key)
    const network = markOfNetwork()
    await read(network, freeArchiveBytes.ofNetwork)
    await deliverLog()
    expect([(await ask(FILE, other)).status, (await ask(FILE, paid)).status]).toEqual([429, 200])
    await stack.access.service.edge.write({ deletes: [edgeKeys.archived(network)] })
    await ask(FILE, other)
    await read(EVERYBODY, freeArchiveBytes.inAll)
    shared.length = 0
    await deliverLog()
    expect(shared[0]).toBeGreaterThan(100)
    expect([(await ask(FILE, other)).status, (await ask(FILE, paid)).status]).toEqual([429, 200])
  })
})

it('a made-up key reaches the API by a resource of its own once the edge’s store is whole; until then it goes where keys go', async () => {
  const seen: string[] = []
  const recorder = await listen(
    'recorder',
    createServer(({ url = '' }, response) => {
      seen.push(url)
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
    }),
  )
  const through = await startCloudfront({
    ...distribution(),
    origins: { published: recorder.url, api: recorder.url, site: recorder.url, missing: recorder.url },
    keyValueStore: stack.access.keyValueStore,
    onFunctionLog: (message) => lines.push({ id: '', timestamp: 0, message }),
  })
  const { key } = await stack.access.keyOf('basic')
  const { edge } = stack.access.service
  const askBoth = async () => {
    ;[seen.length, lines] = [0, []]
    for (const each of [newKey('test'), key])
      await fetch(`${through.url}/v1/tokens`, { headers: bearer(each) })
    return { seen: [...seen], Lost: (await deliverLog()).Lost }
  }
  await reconcile(stack.access.service, () => {})
  expect(await askBoth()).toEqual({ seen: [`${UNKNOWN_KEYS}/v1/tokens`, '/v1/tokens'], Lost: 0 })
  const all = []
  for await (const [entry] of edge.entries()) all.push(entry)
  await edge.write({ deletes: all })
  expect(await askBoth()).toEqual({ seen: ['/v1/tokens', '/v1/tokens'], Lost: 2 })
  // A key that is put into an empty store does not make it whole.
  await stack.access.keyOf('basic')
  expect((await askBoth()).Lost).toBe(2)
  await reconcile(stack.access.service, () => {})
  expect((await askBoth()).Lost).toBe(0)
  await through.stop()
  await recorder.stop()
})

it('an unpublished document counts twice in a cached tier, with any request headers', async () => {
  const { account, key } = await stack.access.keyOf('professional')
  missing = 'v1/z100/creators/1h'
  lines = []
  const headers = { ...bearer(key), 'x-z100-scope': 'shared', 'x-z100-counted': 'true' }
  const path = `${CACHED}?period=1h`
  const { status } = await fetch(edge.url + path, { headers })
  await deliverLog()
  expect([status, await usedOf(account)]).toEqual([200, 2])
  missing = ''
  expect((await fetch(edge.url + path, { headers })).headers.get('x-ratelimit-limit')).toBeNull()
  await deliverLog()
  expect(await usedOf(account)).toBe(3)
  expect([(await stack.ask(path, { headers })).status, await usedOf(account)]).toEqual([200, 4])
})

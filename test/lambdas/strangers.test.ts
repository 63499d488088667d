/**
 * One address asks for all that needs no key or a free one, as often as the firewall lets it, and more. What each part then did
 * costs no more than the row of `npm run cost -- --abuse` says for so long. 500 requests; in the whole form 10,000.
 */
import { createServer, request as httpRequest } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { reconcile } from '../../accounts/reconcile.ts'
import { stages } from '../../cdk/config.ts'
import { abuseRows, callUsd, kilobyteUsd, measuredSizes } from '../../cdk/price/abuse.ts'
import { prices } from '../../cdk/price/prices.ts'
import { listen } from '../../dev/emulators/listening.ts'
import { behaviours, distribution, rateRules } from '../../lambdas/edge/distribution.ts'
import { newKey, usageHourOf } from '../../schemas/api/access.ts'
import { MCP_PATH } from '../../schemas/api/mcp.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { bearer } from '../support/aws/access.ts'
import { startApiEdge } from '../support/aws/api-edge.ts'
import { startApiStack } from '../support/aws/api-stack.ts'
import { launchOf, nthAddress, tokenAt } from '../support/market/facts.ts'
import { isWhole } from '../support/rounds.ts'

const START = 29_000_160
const HOUR = usageHourOf(Date.now() / 1_000)
/** The short form has a twentieth of the requests, under a twentieth of the limits. */
const PART = isWhole ? 1 : 20
const WINDOW_SECONDS = 300
const MOST = 1_900

/** What one path made the parts do. */
const nothing = {
  passed: 0,
  refused: 0,
  functions: 0,
  keyReads: 0,
  gateway: 0,
  tools: 0,
  denied: 0,
  objects: 0,
  kilobytes: 0,
}
let counts = { ...nothing }
const clock = { ms: (HOUR * 3_600 + 600) * 1_000 }

const stack = await startApiStack()
stack.state.now = clock.ms / 1_000
await stack.seal(launchOf(tokenAt(1, START)))
await stack.publish()
const { functions } = distribution()

/** A way to an origin on which requests are counted. */
async function countedWay(name: string, url: string) {
  return listen(
    `way to ${name}`,
    createServer((request, response) => {
      const { host: _, ...headers } = request.headers
      const onward = httpRequest(url + request.url, { method: request.method, headers }, (answer) => {
        if (name === 'published' || name === 'site') counts.objects += 1
        // The gateway asks nothing for what its authorizer refuses.
        else if (answer.statusCode === 401) counts.denied += 1
        else if (request.url?.startsWith(MCP_PATH)) counts.tools += 1
        else counts.gateway += 1
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    }),
  )
}

const ways: Awaited<ReturnType<typeof countedWay>>[] = []
const edge = await startApiEdge(stack, {
  now: () => clock.ms,
  onLog: () => {},
  rateRules: rateRules.map((rule) => ({ ...rule, limit: Math.ceil(rule.limit / PART) })),
  onKeyRead: () => {
    counts.keyReads += 1
  },
  async way(name, url) {
    const way = await countedWay(name, url)
    ways.push(way)
    return way.url
  },
})
afterAll(async () => {
  await edge.stop()
  for (const way of ways) await way.stop()
  await stack.stop()
})

type Sent = { readonly path: string; readonly key?: string; readonly message?: string }

async function ask({ path, key, message }: Sent): Promise<number> {
  const response = await fetch(edge.url + path, {
    headers: {
      ...(key === undefined ? {} : bearer(key)),
      ...(message === undefined
        ? {}
        : { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }),
      'accept-encoding': 'identity',
    },
    ...(message === undefined ? {} : { method: 'POST', body: message }),
    redirect: 'manual',
  })
  const { length } = await response.arrayBuffer().then((bytes) => Buffer.from(bytes))
  if (response.status === 429 && response.headers.get('x-cache')?.startsWith('Error')) counts.refused += 1
  else {
    counts.passed += 1
    counts.kilobytes += length / 1e3
    const { runs } = behaviours.find(({ pattern }) => matches(pattern, path)) ?? {}
    const isMade = response.headers.get('x-cache')?.startsWith('Function') === true
    const hasAfter = runs && 'response' in functions[runs] && !isMade && response.status < 400
    counts.functions += runs ? (hasAfter ? 2 : 1) : 0
  }
  return response.status
}

const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

/** Dollars of what was counted. An answer of the API is one write of its account's count, and a free one of its network's. */
const usdOf = (readUnits: number, writes: number): number =>
  counts.passed * (prices.edgeRequest + prices.firewallRequest) +
  counts.functions * prices.edgeFunction +
  counts.keyReads * prices.edgeKeyRead +
  counts.objects * prices.objectGet +
  counts.gateway * (callUsd.api(stages.prod) + writes * prices.tableWriteUnit) +
  counts.tools * callUsd.tools +
  counts.denied * (prices.lambdaRequest + prices.tableReadUnit) +
  readUnits * prices.tableReadUnit +
  counts.kilobytes * kilobyteUsd

type Attack = {
  /** Request number `n`. */
  readonly sent: (n: number) => Sent
  /** In the window; by default more than any rule lets through. */
  readonly requests?: number
  /** The time that the requests may be made in, where it is no window of a rate rule. */
  readonly seconds?: number
  readonly writes?: number
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
const accounts = await Promise.all(
  Array.from({ length: Math.ceil(2_100 / PART / 100) }, () => stack.access.keyOf('basic')),
)
const { key: siteKey } = await stack.access.keyOf('site')
// The edge's store is whole: a key that it does not know is made up.
await reconcile(stack.access.service, () => {})
const put = async (name: string, kb: number) =>
  stack.published.put(name, Buffer.alloc(kb * 1e3, 'z'), {
    contentType: 'text/html',
    cacheControl: 'public, max-age=300',
  })
await put('docs/api', measuredSizes.referenceKb)
await put('assets/page.js', measuredSizes.pageKb)
await put('archive/v1/manifest.json', 1_000)

const attacks: Readonly<Record<string, Attack>> = {
  'pages and their files': { sent: () => ({ path: '/assets/page.js' }), requests: 1_100 },
  'pages that do not exist, missing pictures': {
    sent: (n) => ({ path: n % 2 ? `/no-${n}` : `/previews/no-${n}.png` }),
    requests: 1_100,
  },
  '`/token/…` of ever new tokens': {
    sent: (n) => ({ path: `/token/${nthAddress(n + 9)}` }),
    requests: 1_100,
  },
  '`/mcp` without a key': { sent: () => ({ path: MCP_PATH, message: list }), requests: 1_100 },
  '`/docs/api`': { sent: () => ({ path: '/docs/api' }), requests: 60 },
  '`/v1/openapi.json`': { sent: (n) => ({ path: `/v1/openapi.json?${n}` }), requests: 60 },
  '`archive/v1/manifest.json` after a year': {
    sent: (n) => ({ path: `/archive/v1/manifest.json?${n}` }),
    requests: 60,
  },
  '`/v1/status`, `/robots.txt`': { sent: (n) => ({ path: n % 2 ? `/v1/status?${n}` : '/robots.txt' }) },
  '`/llms.txt`, `/sitemap.xml`': {
    sent: (n) => ({ path: n % 2 ? '/llms.txt' : '/sitemap.xml' }),
    requests: 60,
  },
  'made-up keys, missing keys': {
    sent: (n) => ({ path: '/v1/z100/creators', ...(n % 2 ? { key: newKey('live') } : {}) }),
  },
  'documents with the pages’ key': { sent: () => ({ path: '/v1/all', key: siteKey }), requests: 600 },
  'API answers with the pages’ key': {
    sent: (n) => ({ path: `/v1/tokens/${nthAddress(n + 9)}`, key: siteKey }),
    requests: 380,
    seconds: 3_600,
    writes: 1,
  },
  'API with free keys, of many accounts': {
    sent: (n) => ({ path: '/v1/tokens?limit=100', key: accounts[(n + 1) % accounts.length]?.key ?? '' }),
    requests: 1_800,
    seconds: 3_600,
    writes: 2,
  },
}

/** Rows whose runs are elsewhere: bytes and connections are bounded there, and calls of the edge's store. */
const elsewhere = [
  'files of the archive with free keys',
  'account page, keys made and ended',
  `\`/stream/swaps\` at ${stages.prod.abuse.swapsPerDay.toLocaleString('en-US')} swaps a day`,
]

const rows = abuseRows(stages.prod)

it('every path of the table is asked for, here or where its bound is tested', () => {
  expect(rows.map(({ path }) => path).toSorted()).toEqual([...Object.keys(attacks), ...elsewhere].toSorted())
})

it.each(Object.entries(attacks))(
  '%s cost one address no more than the table says',
  async (path, { sent, requests = MOST + 200, seconds = WINDOW_SECONDS, writes = 0 }) => {
    // Just before a window of the rules, in which what is cached is fetched once for all.
    clock.ms = (Math.floor(clock.ms / 1_000 / WINDOW_SECONDS) + 2) * WINDOW_SECONDS * 1_000 - 1_000
    for (const n of [-1, 0]) await ask(sent(n))
    clock.ms += 1_000
    counts = { ...nothing }
    stack.read.units = 0
    const numbers = Array.from({ length: Math.ceil(requests / PART) }, (_, n) => n + 1)
    await mapParallel(numbers, 16, (n) => ask(sent(n)))
    const { oneAddress } = rows.find((row) => row.path === path) ?? expect.fail(path)
    const usd = usdOf(stack.read.units, writes)
    const bound = (oneAddress * seconds) / 86_400 / PART
    if (process.env['SAY_COSTS'])
      process.stderr.write(
        `${path}: $${usd.toFixed(5)} of ${bound.toFixed(5)} ${JSON.stringify(counts)} ${stack.read.units} units\n`,
      )
    expect(counts.passed).toBeGreaterThan(0)
    expect(usd).toBeLessThanOrEqual(bound)
    expect(stack.state.defects).toEqual([])
  },
)

/** What the API's bundle costs beside a bare client of DynamoDB that makes the same requests: to start, and for each answer. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { chains } from '../../ingest/chains.ts'
import { bundle, targets, writeBundle } from '../../lambdas/build/bundles.ts'
import { startDynamodb } from '../../local/aws/dynamodb.ts'
import type { Segment } from '../../market/segment.ts'
import { openLog } from '../../store/log.ts'
import { itemsOf } from '../../store/projection.ts'
import { ensureTables, openTable } from '../../store/table.ts'
import { segmentOf, stateOf, tokenAt } from '../support/market-history.ts'
import { memoryBucket } from '../support/memory-stores.ts'
import type { WireRequest } from './api-bare.ts'
import { median, say, table } from './rounds.ts'

const ROUNDS = 9
const WARM_CALLS = 150
const GOAL_COLD = 1.15
const GOAL_WARM = 1.25

const HOURS = 200
/** So long ago that the last hour is this one: items expire. */
const MINUTE = Math.floor(Date.now() / 60_000) - HOURS * 60
const [reference] = chains.devnet.references
const creator = tokenAt(1, MINUTE, { quote: reference?.address ?? '0x' })
const post = tokenAt(2, MINUTE + 1, { kind: 'post', quote: creator.address, creator: creator.creator })

const contestants = ['api', 'bare', 'bareAsApi'] as const
/** The bare client twice: as esbuild splits it, and bundled as the API is. */
type Contestant = (typeof contestants)[number]
type Cost = {
  readonly cold: { readonly wallMs: number; readonly cpuMs: number }
  readonly perCallUs: number | null
  readonly statusCode: number
  readonly body: string
}

/** Measures; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'z100-bench-api-'))
  const dynamodb = await startDynamodb()
  const proxy = await startRecorder(dynamodb.url)
  try {
    await fillTable(dynamodb.url)
    const modules = await bundleAll(folder)
    const environment = environmentOf(proxy.url)
    const first = await measure(modules.api, { environment, calls: 0, round: 0 })
    if (first.statusCode !== 200) throw new WrongAnswerError(first.body)
    const rounds = proxy.recorded.map((round) => round.map(({ operation }) => operation).join(' + '))
    say(`GET /v1/tokens/{id} of a post: ${rounds.join(', then ')}`)
    const bare = { ...environmentOf(dynamodb.url), BARE_ROUNDS: JSON.stringify(proxy.recorded) }
    const environments = { api: environmentOf(dynamodb.url), bare, bareAsApi: bare }
    return report(await compare(modules, environments, first.body))
  } finally {
    await Promise.all([proxy.stop(), dynamodb.stop()])
    await rm(folder, { recursive: true })
  }
}

/** The API answered with something else than the token, so its cost says nothing. */
class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError'
}

const environmentOf = (url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  AWS_ENDPOINT_URL_DYNAMODB: url,
  ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
  ...{ MARKET_TABLE: 'market', USAGE_TABLE: 'usage', PUBLISHED_BUCKET: 'published', CHAIN: 'devnet' },
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
})

/** A creator token and its post, a week of hours in which both traded. */
async function fillTable(url: string): Promise<void> {
  Object.assign(process.env, environmentOf(url))
  await ensureTables(['market', 'usage'])
  const market = openTable('market', { clock: () => 0 })
  const log = openLog(market, memoryBucket())
  for (const [at, segment] of segments().entries()) {
    const n = at + 1
    for (const item of itemsOf(segment)) await market.put({ ...item, pos: n }, { olderThan: n })
    await log.putApplied({ n, minute: segment.minute, last: segment.last, isLowered: false })
  }
}

function segments(): Segment[] {
  const stateAt = (hour: number) =>
    stateOf({
      ...{ sqrtPriceX96: 2n ** 96n, supply: 10n ** 27n, holders: 2, reserveQuote: 10n ** 20n },
      ...{ cumTrades: hour, cumVolumeMicroUsd: BigInt(hour) * 1_000_000n },
    })
  const rates = new Map([...segmentOf(MINUTE, {}).references.values()].map((rate) => [creator.quote, rate]))
  return Array.from({ length: HOURS }, (_, hour) => {
    const born = hour === 0 ? [{ before: null, after: creator }] : []
    const bornPost = hour === 1 ? [{ before: null, after: post }] : []
    const tokens = hour === 0 ? [creator] : [creator, post]
    const rows = tokens.map(({ address }) => [address, stateAt(hour)] as const)
    return { ...segmentOf(MINUTE + hour * 60, { tokens: [...born, ...bornPost], rows }), references: rates }
  })
}

/** A table's address that keeps what it was asked, in rounds: what came when nothing was under way began a new one. */
async function startRecorder(url: string) {
  const recorded: WireRequest[][] = []
  let underWay = 0
  const server = createServer((asked, answer) => {
    const chunks: Buffer[] = []
    if (underWay === 0) recorded.push([])
    underWay += 1
    const round = recorded.at(-1)
    answer.on('finish', () => {
      underWay -= 1
    })
    asked.on('data', (chunk: Buffer) => chunks.push(chunk))
    asked.on('end', () => {
      const body = Buffer.concat(chunks)
      const operation = String(asked.headers['x-amz-target']).split('.')[1] ?? ''
      round?.push({ operation, input: JSON.parse(body.toString()) as never })
      const passed = request(url, { method: asked.method, headers: asked.headers }, (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers)
        from.pipe(answer)
      })
      passed.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () => new Promise<void>((resolve) => void server.close(() => resolve()))
  return { url: `http://127.0.0.1:${port}`, recorded, stop }
}

async function bundleAll(folder: string): Promise<Record<Contestant, string>> {
  const target = targets().find(({ name }) => name === 'api')
  if (!target) throw new WrongAnswerError('there is no function named api')
  const entry = 'test/bench/api-bare.ts'
  for (const each of [target, { ...target, name: 'bareAsApi', entry }]) {
    await writeBundle(await bundle(each), folder)
  }
  await build({
    ...{ entryPoints: [join(import.meta.dirname, '../..', entry)], outdir: join(folder, 'bundles/bare') },
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' },
    ...{ mainFields: ['module', 'main'], entryNames: 'index', outExtension: { '.js': '.mjs' } },
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  })
  const modules = contestants.map((name) => [name, join(folder, 'bundles', name, 'index.mjs')] as const)
  for (const [name, path] of modules)
    say(`${name}: ${(await loadedKilobytes(path)).toFixed(0)} KB at the start`)
  return Object.fromEntries(modules) as Record<Contestant, string>
}

/** Size of a module and of all that it imports before it runs. */
async function loadedKilobytes(path: string, seen = new Set<string>()): Promise<number> {
  if (seen.has(path)) return 0
  seen.add(path)
  const text = await readFile(path, 'utf8')
  const imported = [...text.matchAll(/(?:from|import)"(\.\/[^"]+)"/g)].map(([, file = '']) => file)
  const sizes = await Promise.all(imported.map((file) => loadedKilobytes(join(path, '..', file), seen)))
  return sizes.reduce((sum, size) => sum + size, text.length / 1_024)
}

/** All in turn, first the one and then the other way round; in each round the API says what it said. */
async function compare(
  modules: Readonly<Record<Contestant, string>>,
  environments: Readonly<Record<Contestant, NodeJS.ProcessEnv>>,
  body: string,
): Promise<Record<Contestant, Cost[]>> {
  const costs: Record<Contestant, Cost[]> = { api: [], bare: [], bareAsApi: [] }
  for (let round = 1; round <= ROUNDS; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed()
    for (const name of order) {
      const calls = round <= ROUNDS / 2 ? WARM_CALLS : 0
      const cost = await measure(modules[name], { environment: environments[name], calls, round })
      if (name === 'api' && cost.body !== body) throw new WrongAnswerError(cost.body)
      costs[name].push(cost)
    }
  }
  return costs
}

async function measure(
  module: string,
  {
    environment,
    calls,
    round,
  }: { readonly environment: NodeJS.ProcessEnv; readonly calls: number; readonly round: number },
): Promise<Cost> {
  const script = join(import.meta.dirname, 'api-target.mjs')
  // An account for each process: none comes to the end of its hour.
  const authorizer = {
    account: `bench-${process.pid}-${round}-${calls}`,
    tier: 'enterprise',
    state: 'active',
  }
  const event = {
    ...{ httpMethod: 'GET', path: `/v1/tokens/${post.address}`, multiValueHeaders: {} },
    ...{ multiValueQueryStringParameters: null, requestContext: { requestId: 'bench', authorizer } },
  }
  const words = [script, module, String(calls), JSON.stringify(event)]
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: environment })
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{"cold"'))) as Cost
}

function report(costs: Record<Contestant, Cost[]>): readonly string[] {
  const measures = {
    'init + first call, CPU ms': (cost: Cost) => cost.cold.cpuMs,
    'init + first call, wall ms': (cost: Cost) => cost.cold.wallMs,
    'a warm call, CPU µs': (cost: Cost) => cost.perCallUs,
  }
  const ratios = new Map<string, number>()
  const rows = Object.entries(measures).map(([name, of]) => {
    const found = costs.api.flatMap((api, round) => {
      const [bare, same] = [costs.bare[round], costs.bareAsApi[round]]
      const [a, b, c] = [of(api), bare && of(bare), same && of(same)]
      return a && b && c ? [{ a, b, c }] : []
    })
    const ratio = median(found.map(({ a, b }) => a / b))
    ratios.set(name, ratio)
    const medians = [median(found.map(({ a }) => a)), median(found.map(({ b }) => b))]
    return [name, ...medians, ratio, median(found.map(({ a, c }) => a / c))]
  })
  say(table([['median', 'api', 'bare client', 'ratio', 'to one bundled as the api'], ...rows]))
  const goals = { 'init + first call, CPU ms': GOAL_COLD, 'a warm call, CPU µs': GOAL_WARM }
  return Object.entries(goals).flatMap(([name, goal]) => {
    const ratio = ratios.get(name) ?? Number.NaN
    return ratio <= goal ? [] : [`${name}: ${ratio.toFixed(2)} of the bare client's, at most ${goal}`]
  })
}

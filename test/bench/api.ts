/** What the API's bundle costs beside a bare client of DynamoDB that makes the same requests, for each answer. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chains } from '../../ingest/chains.ts'
import { bundle, targets, writeBundle } from '../../lambdas/build/bundles.ts'
import { startDynamodb } from '../../local/aws/dynamodb.ts'
import { listen } from '../../local/aws/listening.ts'
import type { Segment } from '../../market/segment.ts'
import { openLog } from '../../store/log.ts'
import { itemsOf } from '../../store/projection.ts'
import { ensureTables, openTable } from '../../store/table.ts'
import { segmentOf, stateWith, tokenAt } from '../support/market-history.ts'
import { memoryBucket } from '../support/memory-stores.ts'
import type { WireRequest } from './api-bare.ts'
import { median, say, table } from './rounds.ts'

const ROUNDS = 5
const CALLS = 150
const GOAL = 1.25

const HOURS = 200
/** So long ago that the last hour is this one: items expire. */
const MINUTE = Math.floor(Date.now() / 60_000) - HOURS * 60
const [reference] = chains.devnet.references
const creator = tokenAt(1, MINUTE, { quote: reference?.address ?? '0x' })
const post = tokenAt(2, MINUTE + 1, { kind: 'post', quote: creator.address, creator: creator.creator })

const contestants = ['api', 'bare'] as const
type Contestant = (typeof contestants)[number]
type Cost = { readonly perCallUs: number; readonly statusCode: number; readonly body: string }

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
    const environments = { api: environmentOf(dynamodb.url), bare }
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
    stateWith({
      ...{ sqrtPriceX96: 2n ** 96n, supply: 10n ** 27n, holders: 2, reserveQuote: 10n ** 20n },
      ...{ cumTrades: hour, cumVolumeMicroUsd: BigInt(hour) * 1_000_000n },
    })
  const rates = new Map([...references(1000).values()].map((rate) => [creator.quote, rate]))
  return Array.from({ length: HOURS }, (_, hour) => {
    const born = [[creator], [post]][hour] ?? []
    const tokens = hour === 0 ? [creator] : [creator, post]
    const rows = tokens.map(({ address }) => [address, stateAt(hour)] as const)
    return segmentOf(MINUTE + hour * 60, { born, rows, references: rates })
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
  return { ...(await listen('recorder', server)), recorded }
}

async function bundleAll(folder: string): Promise<Record<Contestant, string>> {
  const target = targets().find(({ name }) => name === 'api')
  if (!target) throw new WrongAnswerError('there is no function named api')
  for (const each of [target, { ...target, name: 'bare', entry: 'test/bench/api-bare.ts' }])
    await writeBundle(await bundle(each), folder)
  const modules = contestants.map((name) => [name, join(folder, 'bundles', name, 'index.mjs')] as const)
  return Object.fromEntries(modules) as Record<Contestant, string>
}

/** All in turn, first the one and then the other way round; in each round the API says what it said. */
async function compare(
  modules: Readonly<Record<Contestant, string>>,
  environments: Readonly<Record<Contestant, NodeJS.ProcessEnv>>,
  body: string,
): Promise<Record<Contestant, Cost[]>> {
  const costs: Record<Contestant, Cost[]> = { api: [], bare: [] }
  for (let round = 1; round <= ROUNDS; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed()
    for (const name of order) {
      const asked = { environment: environments[name], calls: CALLS, round }
      const cost = await measure(modules[name], asked)
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
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{"perCallUs"'))) as Cost
}

function report({ api, bare }: Record<Contestant, Cost[]>): readonly string[] {
  const ratio = median(api.map(({ perCallUs }, round) => perCallUs / (bare[round]?.perCallUs ?? Number.NaN)))
  const medians = [api, bare].map((costs) => median(costs.map(({ perCallUs }) => perCallUs)))
  say(
    table([
      ['median', 'api', 'bare client', 'ratio'],
      ['a warm call, CPU µs', ...medians, ratio],
    ]),
  )
  return ratio <= GOAL ? [] : [`a warm call: ${ratio.toFixed(2)} of the bare client's, at most ${GOAL}`]
}

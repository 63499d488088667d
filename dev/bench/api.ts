/** What the API's bundle costs beside a bare client of DynamoDB that makes the same requests, for each answer. */
import { createServer, request } from 'node:http'
import { chains } from '../../ingest/client/chains.ts'
import { bundle, targets, writeBundle } from '../../lambdas/build/bundles.ts'
import type { Segment } from '../../market/segment.ts'
import { ensureTables, openTable } from '../../store/aws/table.ts'
import { itemsOf } from '../../store/items/projection.ts'
import { openLog } from '../../store/log/log.ts'
import { memoryBucket } from '../../test/support/aws/memory-stores.ts'
import { references, segmentOf, stateWith, tokenAt } from '../../test/support/market/facts.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { startDynamodb } from '../emulators/dynamodb.ts'
import { listen } from '../emulators/listening.ts'
import type { WireRequest } from './api-bare.ts'
import { atMost, inTurns, median, ratios, runScript, say, table } from './measuring.ts'

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
  const dynamodb = await startDynamodb()
  const proxy = await startRecorder(dynamodb.url)
  try {
    await fillTable(dynamodb.url)
    const modules = await bundleAll(tempDir())
    const first = await measure(modules.api, environmentOf(proxy.url), 0)
    if (first.statusCode !== 200) throw new WrongAnswerError(first.body)
    const requests = proxy.recorded.map((round) => round.map(({ operation }) => operation).join(' + '))
    say(`GET /v1/tokens/{id} of a post: ${requests.join(', then ')}`)
    const environment = { ...environmentOf(dynamodb.url), BARE_ROUNDS: JSON.stringify(proxy.recorded) }
    const costs = await inTurns(contestants, { rounds: ROUNDS }, async (name) => {
      const cost = await measure(modules[name], environment, CALLS)
      if (name === 'api' && cost.body !== first.body) throw new WrongAnswerError(cost.body)
      return cost.perCallUs
    })
    return report(costs)
  } finally {
    await Promise.all([proxy.stop(), dynamodb.stop()])
  }
}

/** The API answered with something else than the token, so its cost says nothing. */
class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError'
}

const environmentOf = (url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  AWS_ENDPOINT_URL_DYNAMODB: url,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  MARKET_TABLE: 'market',
  USAGE_TABLE: 'usage',
  PUBLISHED_BUCKET: 'published',
  CHAIN: 'devnet',
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
      sqrtPriceX96: 2n ** 96n,
      supply: 10n ** 27n,
      holders: 2,
      reserveQuote: 10n ** 20n,
      cumTrades: hour,
      cumVolumeMicroUsd: BigInt(hour) * 1_000_000n,
    })
  const rates = new Map([...references(1000).values()].map((rate) => [creator.quote, rate]))
  return Array.from({ length: HOURS }, (_, hour) => {
    const born = [[creator], [post]][hour] ?? []
    const tokens = hour === 0 ? [creator] : [creator, post]
    const rows = tokens.map(({ address }) => [address, stateAt(hour)] as const)
    return segmentOf(MINUTE + hour * 60, { born, rows, references: rates })
  })
}

/** A proxy of the tables that records requests in rounds: one that arrives when no other is under way begins a new round. */
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
  for (const each of [target, { ...target, name: 'bare', entry: 'dev/bench/api-bare.ts' }])
    await writeBundle(await bundle(each), folder)
  const moduleOf = (name: Contestant) => `${folder}/bundles/${name}/index.mjs`
  return { api: moduleOf('api'), bare: moduleOf('bare') }
}

let processes = 0

async function measure(module: string, env: NodeJS.ProcessEnv, calls: number): Promise<Cost> {
  processes += 1
  // Each process has an account of its own, so that none reaches its hourly limit.
  const authorizer = { account: `bench-${process.pid}-${processes}`, tier: 'enterprise', state: 'active' }
  const event = {
    httpMethod: 'GET',
    path: `/v1/tokens/${post.address}`,
    multiValueHeaders: {},
    multiValueQueryStringParameters: null,
    requestContext: { requestId: 'bench', authorizer },
  }
  return runScript('api-target.mjs', [module, calls, JSON.stringify(event)], { env })
}

function report({ api, bare }: Record<Contestant, number[]>): readonly string[] {
  const ratio = median(ratios(api, bare))
  const figures = ['a warm call, CPU µs', median(api), median(bare), ratio]
  say(table([['median', 'api', 'bare client', 'ratio'], figures]))
  return atMost("a warm call as a share of the bare client's", ratio, GOAL)
}

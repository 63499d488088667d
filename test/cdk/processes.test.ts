// Whole form only.
/** What is deployed, run as it is deployed: the bundles, under the Node of Lambda and Fargate, with the variables that they declare and no others. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCode } from '../../accounts/codes.ts'
import { startAnvil } from '../../dev/devnet/anvil.ts'
import { freePort } from '../../dev/emulators/free-port.ts'
import { firstMinuteOf, intervalAt } from '../../market/index/index-history.ts'
import { exhaustedLine, HOST_HEADER, ORIGIN_HEADER, VIEWER_HEADER } from '../../schemas/api/access.ts'
import { MCP_PATH } from '../../schemas/api/mcp.ts'
import type { Env, ProcessName } from '../../schemas/deployment/env.ts'
import { type MeteredService, metrics } from '../../schemas/deployment/metrics.ts'
import { weekText } from '../../schemas/values/week-syntax.ts'
import { ensureBucket, openBucket } from '../../store/aws/bucket.ts'
import { ensureTables, openTable } from '../../store/aws/table.ts'
import { marketKeys } from '../../store/aws/tables.ts'
import { openLog } from '../../store/log/log.ts'
import { FIRST_LOG, OWN_RULES, openLogs } from '../../store/log/logs.ts'
import { openKeptStore } from '../../store/published/kept.ts'
import { startAccess } from '../support/aws/access.ts'
import { startDynalite, startS3OnDisk } from '../support/aws/emulators.ts'
import { bundled } from '../support/bundled.ts'
import { launchOf, segmentOf, stateWith, tokenAt, WHOLE } from '../support/market/facts.ts'
import { seal } from '../support/market/market-history.ts'
import { type Ask, isAllowed, needlessOf, startWire, statementsOf } from './asked-of-aws.ts'
import { synthesiseProd } from './synthesised.ts'

/** Its path; undefined where it cannot be had. */
function pathOfNode(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  try {
    const args = ['--yes', '-p', 'node@24', '--', 'node', '-p', 'process.execPath']
    return String(execFileSync('npx', args, { stdio: ['ignore', 'pipe', 'ignore'] })).trim()
  } catch {
    process.stdout.write('skipped: there is no Node 24 here, and none can be had\n')
    return undefined
  }
}
const deployedNode = pathOfNode()

/** Runs it with these variables and no others. `printed`: so far; `ended`: all that it printed, once it has ended well. */
function runNode(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(deployedNode!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = [child.stdout, child.stderr].map((stream) => {
    const text = { all: '' }
    stream.on('data', (part: Buffer) => {
      text.all += part
    })
    return text
  })
  const ended = once(child, 'close').then(([code]) => {
    expect([code, errors!.all]).toEqual([0, expect.any(String)])
    return output!.all
  })
  return { child, printed: () => output!.all, ended }
}

const MINUTE = 29_921_319
const HOUR = 498_688
let folder: string
const stops: (() => unknown)[] = []
let surroundings: Readonly<Record<string, string>> = {}
let access: Awaited<ReturnType<typeof startAccess>>
/** What each process has asked of AWS. */
const asked = new Map<string, Ask[]>()
let running = ''
let anvil: Awaited<ReturnType<typeof startAnvil>>
const note = (ask: Ask) => asked.set(running, [...(asked.get(running) ?? []), ask])

beforeAll(async () => {
  if (!deployedNode) return
  folder = (await bundled()).folder
  const s3 = await startS3OnDisk()
  Object.assign(process.env, { AWS_ENDPOINT_URL_S3: s3.url })
  const dynalite = await startDynalite()
  stops.push(s3.stop, dynalite.stop, () => delete process.env['AWS_ENDPOINT_URL_S3'])
  await ensureTables(['market'])
  for (const name of ['segments', 'published']) await ensureBucket(name)
  access = await startAccess()
  stops.unshift(access.stop)
  anvil = await startAnvil({ genesisTimestamp: MINUTE * 60, onExit: () => {} })
  stops.unshift(anvil.stop)
  for (const minute of [0, 1, 2, 3]) await mine(minute)
  const table = openTable('market')
  // As ingest does when it begins.
  await openLogs(table).register({ rules: OWN_RULES, log: FIRST_LOG, copiedTo: null, since: 0 })
  const log = openLog(table, openBucket('segments'))
  await seal(log, launchOf(tokenAt(1, MINUTE)))
  const wires = [await startWire(s3.url, note), await startWire(dynalite.url, note)] as const
  for (const { stop } of wires) stops.unshift(stop)
  // What Lambda and Fargate give to every process.
  surroundings = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048',
    AWS_ENDPOINT_URL_S3: wires[0].url,
    AWS_ENDPOINT_URL_DYNAMODB: wires[1].url,
    AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: access.keyValueStore.url,
  }
})

afterAll(async () => {
  for (const stop of stops) await stop()
})

/** Mines the block of a minute. */
async function mine(minute: number): Promise<void> {
  await anvil.request('evm_setNextBlockTimestamp', [(MINUTE + minute) * 60 + 5])
  await anvil.request('evm_mine')
}

const event = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `events/${name}.json`), 'utf8'))
const entryOf = (name: string) => join(folder, 'bundles', name, 'index.mjs')

/** Calls a function's handler with one event after another, as a warm Lambda does: what it returned, and the lines of its log. */
async function invoke<P extends ProcessName>(
  name: string,
  environment: Env<P>,
  ...events: readonly unknown[]
) {
  running = name
  const call = `const { handler } = await import(process.argv[1])
    const results = []
    for (const event of JSON.parse(process.argv[2])) results.push((await handler(event, {})) ?? null)
    process.stdout.write('\\nresult ' + JSON.stringify(results) + '\\n', () => process.exit(0))`
  const args = ['--input-type=module', '-e', call, entryOf(name), JSON.stringify(events)]
  const lines = (await runNode(args, { ...surroundings, ...environment }).ended).split('\n').filter(Boolean)
  const results = lines.find((line) => line.startsWith('result '))
  return {
    results: JSON.parse(results!.slice('result '.length)),
    log: lines.filter((line) => line !== results).map((line) => JSON.parse(line)),
  }
}

/** Runs a service until it answers that it is well and has said `word`, then asks it to end; the lines of its log. */
async function runService<P extends ProcessName>(
  name: string,
  environment: Env<P> & { readonly PORT: string },
  word: string,
) {
  running = name
  const { child, printed, ended } = runNode([entryOf(name)], { ...surroundings, ...environment })
  const isWell = () =>
    fetch(`http://127.0.0.1:${environment.PORT}/health`).then(
      ({ status }) => status === 200,
      () => false,
    )
  const isDone = async () => printed().includes(word) && (await isWell())
  while (child.exitCode === null && !(await isDone())) await sleep(100)
  child.kill('SIGTERM')
  const lines = (await ended).trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

describe.runIf(deployedNode !== undefined)('what is deployed', () => {
  const names = { MARKET_TABLE: 'market', SEGMENT_BUCKET: 'segments', PUBLISHED_BUCKET: 'published' }
  const metricsIn = (line: Record<string, unknown>) => {
    const [directive] = (
      line['_aws'] as { CloudWatchMetrics: { Namespace: string; Metrics: { Name: string }[] }[] }
    ).CloudWatchMetrics
    return [directive?.Namespace, ...(directive?.Metrics ?? []).map(({ Name }) => Name)]
  }
  /** All that a service has to send: an alarm on a metric that nobody sends is never raised. */
  const metricsOf = (service: MeteredService) => ['z100-test', ...Object.keys(metrics[service])].sort()

  it('rebuilds the snapshot when the Scheduler calls, and sends the metrics of its alarms', async () => {
    const environment: Env<'rebuildSnapshots'> = { ...names, CHAIN: 'devnet', METRICS_NAMESPACE: 'z100-test' }
    const { log } = await invoke<'rebuildSnapshots'>('rebuild-snapshots', environment, event('scheduler'))
    expect(log).toMatchObject([{ service: 'rebuild-snapshots', message: 'published', Unpublished: 0 }])
    expect(metricsIn(log[0]).sort()).toEqual(metricsOf('rebuild-snapshots'))
    expect(await openBucket('published').read('manifest.json')).toBeDefined()
  })

  it('draws the previews of what is published', async () => {
    const environment: Env<'drawPreviews'> = { PUBLISHED_BUCKET: names.PUBLISHED_BUCKET }
    const { log } = await invoke<'drawPreviews'>('draw-previews', environment, event('scheduler'))
    expect(log).toMatchObject([{ message: 'drawn', failures: [] }])
  })

  it('makes the recap when a week is over, and the archive of its days', async () => {
    const [table, segments] = [openTable('weekly'), openBucket('weekly-segments')]
    const environment: Env<'rebuildSnapshots'> & Env<'writeArchive'> = {
      MARKET_TABLE: 'weekly',
      SEGMENT_BUCKET: 'weekly-segments',
      PUBLISHED_BUCKET: 'weekly-published',
      CHAIN: 'devnet',
    }
    await ensureTables(['weekly'])
    for (const name of ['weekly-segments', 'weekly-published']) await ensureBucket(name)
    await openLogs(table).register({ rules: OWN_RULES, log: FIRST_LOG, copiedTo: null, since: 0 })
    const log = openLog(table, segments)
    const week = intervalAt('week', MINUTE)
    const monday = firstMinuteOf('week', week + 1)
    // Of two hours of the Sunday something is kept, and the recap compares them.
    for (const [minute, born] of [
      [monday - 1_000, [tokenAt(1, monday - 1_000)]],
      [monday - 500, []],
      [monday + 1, []],
    ] as const) {
      const state = stateWith({ sqrtPriceX96: 2n ** 96n, supply: WHOLE, reserveQuote: WHOLE, cumTrades: 1 })
      await seal(log, segmentOf(minute, { born, rows: [[tokenAt(1, monday - 1_000).address, state]] }))
      await invoke<'rebuildSnapshots'>('rebuild-snapshots', environment, event('scheduler'))
    }
    expect(JSON.parse((await openKeptStore(segments).recap(week))!)).toMatchObject({ week: weekText(week) })
    const { log: lines } = await invoke<'writeArchive'>('write-archive', environment, event('scheduler'))
    expect(lines).toMatchObject([
      { message: 'archived', spans: expect.arrayContaining([expect.any(String)]) },
    ])
  })

  it('authorizes a key for the whole stage, and no other', async () => {
    const { key, account } = await access.keyOf('professional')
    const asked = event('authorizer')
    const secret = 'of edge and gateway'
    const sent = (text: string, origin = secret) => ({
      ...asked,
      multiValueHeaders: {
        ...asked.multiValueHeaders,
        [ORIGIN_HEADER]: [origin],
        Authorization: [`Bearer ${text}`],
      },
    })
    const other = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    const { results } = await invoke<'authorizer'>(
      'authorizer',
      {
        ACCESS_TABLE: 'access',
        USAGE_TABLE: 'usage',
        ORIGIN_SECRET: secret,
        PREVIOUS_ORIGIN_SECRET: 'of yesterday',
      },
      ...[sent(key), sent(key, 'of yesterday'), sent(other), sent(key, 'guessed')],
    )
    const [admitted, before, ...refused] = results
    expect(before).toEqual(admitted)
    expect(admitted).toMatchObject({ principalId: account, context: { account, tier: 'professional' } })
    expect(admitted.policyDocument.Statement).toMatchObject([
      { Effect: 'Allow', Resource: 'arn:aws:execute-api:us-east-1:123456789012:a1b2c3d4e5/live/*' },
    ])
    expect(refused).toHaveLength(2)
    for (const { policyDocument } of refused)
      expect(policyDocument.Statement).toMatchObject([{ Effect: 'Deny' }])
  })

  it('answers the gateway’s requests', async () => {
    const { account } = await access.keyOf('basic')
    const environment: Env<'api'> = { ...names, USAGE_TABLE: 'usage', CHAIN: 'devnet' }
    const asked = event('api')
    asked.requestContext.authorizer = { account, tier: 'basic', state: 'active', principalId: account }
    // One request of each kind of read.
    const others = [
      ['/v1/tokens', { field: 'symbol', value: 'a' }],
      [`/v1/tokens/${tokenAt(1, MINUTE).address}/holders`, {}],
      ['/v1/snapshots', {}],
      ['/v1/usage', {}],
    ].map(([path, query]) => ({
      ...asked,
      path,
      queryStringParameters: query,
      multiValueQueryStringParameters: Object.fromEntries(
        Object.entries(query!).map(([name, value]) => [name, [value]]),
      ),
    }))
    const { results, log } = await invoke<'api'>('api', environment, asked, ...others)
    expect(log).toEqual([])
    expect(results).toHaveLength(5)
    expect(results[0]).toMatchObject({ statusCode: 200, headers: { 'X-RateLimit-Remaining': '99' } })
    expect(JSON.parse(results[0].body)).toHaveLength(1)
  })

  it('lists its tools to an agent, without any right or variable', async () => {
    const asked = event('api')
    const headers = {
      'Content-Type': ['application/json'],
      Accept: ['application/json, text/event-stream'],
      [HOST_HEADER]: ['z100.invalid'],
    }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const { results, log } = await invoke<'mcp'>(
      'mcp',
      {},
      {
        ...{ ...asked, path: MCP_PATH, httpMethod: 'POST', multiValueHeaders: headers },
        ...{ body: JSON.stringify(message), isBase64Encoded: false },
      },
    )
    expect(log).toEqual([])
    expect(results[0]).toMatchObject({ statusCode: 200, body: expect.stringContaining('verify_row') })
  })

  it('signs a visitor of the account page in, and makes a key', async () => {
    const { account } = await access.keyOf('basic')
    const { text } = await createCode(access.service, (await access.service.access.account(account))!)
    const environment: Env<'account'> = {
      ACCESS_TABLE: 'access',
      USAGE_TABLE: 'usage',
      KEY_VALUE_STORE: 'arn:aws:cloudfront::123456789012:key-value-store/1a2b',
      USAGE_PLANS: access.env.USAGE_PLANS,
      CHAIN: 'devnet',
      RPC_URLS: 'http://127.0.0.1:1',
      SITE_SCHEME: 'https',
      NEW_ACCOUNTS: '10',
      NEW_ACCOUNTS_OF_NETWORK: '3',
      METRICS_NAMESPACE: 'z100-test',
    }
    const visit = (method: string, path: string, { cookie = '', body = {} } = {}) => ({
      ...event('api'),
      path: `/account/api/${path}`,
      httpMethod: method,
      body: JSON.stringify(body),
      isBase64Encoded: false,
      multiValueHeaders: {
        [HOST_HEADER]: ['z100.example'],
        [VIEWER_HEADER]: ['203.0.113.7'],
        Origin: ['https://z100.example'],
        'Content-Type': ['application/json'],
        Cookie: [cookie],
      },
    })
    const first = await invoke<'account'>(
      'account',
      environment,
      visit('POST', 'code', { body: { code: text } }),
    )
    expect(first.results[0]).toMatchObject({ statusCode: 200 })
    // How much of the bound for all is used has a line of its own, and a code uses none.
    expect([...metricsIn(first.log[0]), 'BoundUsed'].sort()).toEqual(metricsOf('account'))
    const cookie = String(first.results[0].headers['Set-Cookie']).split(';')[0] ?? ''
    const { results } = await invoke<'account'>(
      'account',
      environment,
      visit('POST', 'keys', { cookie, body: { label: 'deployed' } }),
      visit('GET', 'account', { cookie }),
    )
    expect(results.map(({ statusCode }: { statusCode: number }) => statusCode)).toEqual([201, 200])
    expect(JSON.parse(results[1].body).keys).toMatchObject([{ label: 'deployed' }, {}])
  })

  it('counts the edge’s answers', async () => {
    const { account } = await access.keyOf('professional')
    const zipped = (text: string) => ({ awslogs: { data: gzipSync(text).toString('base64') } })
    const answers = zipped(JSON.stringify(event('edge-log')).replaceAll('ACCOUNT', account))
    const environment: Env<'countEdgeUsage'> = {
      ACCESS_TABLE: 'access',
      USAGE_TABLE: 'usage',
      METRICS_NAMESPACE: 'z100-test',
      KEY_VALUE_STORE: 'arn:aws:cloudfront::123456789012:key-value-store/1a2b',
    }
    const told = {
      ...event('edge-log'),
      logEvents: [{ id: '1', timestamp: 0, message: exhaustedLine({ account, hour: HOUR }) }],
    }
    // The same again as it comes back from the queue of failures, and an account that the API had to refuse.
    const failed = {
      version: '1.0',
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: answers,
      responseContext: { statusCode: 200, functionError: 'Unhandled' },
      responsePayload: { errorType: 'TypeError', errorMessage: 'it failed' },
    }
    const sent = [answers, failed, zipped(JSON.stringify(told))]
    const { log } = await invoke<'countEdgeUsage'>('count-edge-usage', environment, ...sent)
    const service = 'count-edge-usage'
    expect(log).toMatchObject([
      { service, Answers: 2, Exhausted: 0 },
      { service, Answers: 2, Exhausted: 0 },
      { service, Answers: 0 },
    ])
    // Bytes of the archive have a line of their own.
    expect([...metricsIn(log[0]), 'BoundUsed'].sort()).toEqual(metricsOf(service))
    expect(await access.usage.used({ account, hour: HOUR })).toBe(2)
  })

  it('serves the stream, and ends on SIGTERM', async () => {
    const port = await freePort()
    const environment = {
      MARKET_TABLE: 'market',
      CHAIN: 'devnet',
      PORT: String(port),
      TRUSTED_PROXIES: '2',
      METRICS_NAMESPACE: 'z100-test',
    }
    const lines = await runService<'stream'>('stream', environment, 'stream.listening')
    expect(lines.map(({ event }) => event).filter(Boolean)).toEqual([
      'stream.listening',
      'stream.draining',
      'stream.ended',
    ])
    // Nothing was sent, so there is no lag.
    const told = metricsIn(lines.find((line) => '_aws' in line))
    expect([...told, 'Lag'].sort()).toEqual(metricsOf('stream'))
  })

  const chained = async () => ({
    SEGMENT_BUCKET: 'segments',
    MARKET_TABLE: 'ingested',
    CHAIN: 'devnet',
    // Under two names: that nothing happened is believed of one endpoint alone only after half a minute.
    RPC_URLS: `${anvil.rpcUrl},${anvil.rpcUrl.replace('127.0.0.1', 'localhost')}`,
    PORT: String(await freePort()),
  })

  it('follows the chain, and ends on SIGTERM', async () => {
    await ensureTables(['ingested'])
    const environment = { ...(await chained()), METRICS_NAMESPACE: 'z100-test' }
    const lines = await runService<'ingest'>('ingest', environment, 'ingest.known')
    expect(metricsIn(lines.at(-1)).sort()).toEqual(metricsOf('ingest'))
  })

  it('does not follow the chain by rules that readers do not follow, which catch up beside', async () => {
    const before = '1.0/older'
    const register = openLogs(openTable('ingested'))
    // As if another release had written the log.
    const { pk, sk } = marketKeys.logOf(OWN_RULES)
    const { log } = (await register.ofRules(OWN_RULES))!
    const own = { TableName: 'ingested', Key: { pk: { S: pk }, sk: { S: sk } } }
    await new DynamoDBClient({}).send(new DeleteItemCommand(own))
    await register.register({ rules: '1.0', log, copiedTo: null, since: 0 })
    await register.putLive({ log, publisher: before, past: [before] }, await register.live())
    running = 'ingest'
    const refused = runNode([entryOf('ingest')], { ...surroundings, ...(await chained()) })
    await expect(refused.ended).rejects.toThrow('expected [ 1,')
    const last = JSON.parse(refused.printed().trim().split('\n').at(-1)!)
    expect(last).toMatchObject({ event: 'ingest.ended', error: 'RulesNotLiveError' })
    expect(last.message).toContain('follow a log of rules 1.0')

    await ensureBucket('beside')
    const environment = { ...(await chained()), PUBLISHED_BUCKET: 'beside' }
    const lines = await runService<'beside'>('beside', environment, 'beside.live')
    expect(lines.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['ingest.copying', 'ingest.sealed', 'beside.follows', 'beside.live']),
    )
    expect(await register.live()).toMatchObject({
      log: expect.stringMatching(/^@/),
      past: [before, expect.stringMatching(new RegExp(`^${OWN_RULES}/`))],
    })
    // From then on the release can be deployed.
    await mine(4)
    await runService<'ingest'>('ingest', await chained(), 'ingest.sealed')
  })

  it('makes no AWS request that its role forbids', async () => {
    const { service, beside } = await synthesiseProd()
    const roles = {
      beside: 'TaskDefinitionTaskRole',
      'rebuild-snapshots': 'SnapshotsRebuildRole',
      'draw-previews': 'PreviewsDrawRole',
      'write-archive': 'ArchiveWriteRole',
      api: 'ReadApiApiRole',
      authorizer: 'ReadApiAuthorizerRole',
      account: 'AccountPageAccountRole',
      'count-edge-usage': 'EdgeUsageCountRole',
      stream: 'StreamTaskDefinitionTaskRole',
      ingest: 'IngestTaskDefinitionTaskRole',
    }
    const resources = {
      market: 'MarketTable',
      ingested: 'MarketTable',
      weekly: 'MarketTable',
      'weekly-segments': 'SegmentBucket',
      'weekly-published': 'SnapshotsPublished',
      access: 'AccessTable',
      usage: 'UsageTable',
      segments: 'SegmentBucket',
      published: 'SnapshotsPublished',
      beside: 'SnapshotsPublished',
    }
    // What a market of one minute does not bring about.
    const missing = /^s3:ListBucket/
    const bundle = /cdk-hnb659fds-assets/
    const ofHours = /^s3:(Get|Put)Object.*\/kept\//
    const rare: Readonly<Record<string, readonly RegExp[]>> = {
      'draw-previews': [missing, /^s3:GetObject.*\/previews\//],
      // Its own files are put on condition.
      'write-archive': [missing, /^s3:GetObject.*\/(archive|kept)\//],
      'rebuild-snapshots': [missing, ofHours, /^s3:GetObject.*\/(checkpoints|index)\//],
      // Whether holders are contracts; manifests that are not the newest.
      api: [missing, /^dynamodb:BatchGetItem/, /^s3:GetObject/],
      // Balances and tokens of a range; segments that a reorg rolls back.
      ingest: [missing, bundle, /^dynamodb:BatchGetItem/, /^s3:GetObject.*\/segments\//],
      beside: [
        ...[missing, bundle, /^dynamodb:BatchGetItem/, /^s3:GetObject.*\/(checkpoints|index)\//],
        ofHours,
      ],
      stream: [bundle],
    }
    for (const [name, role] of Object.entries(roles)) {
      const statements = statementsOf(name === 'beside' ? beside : service, role)
      const asks = asked.get(name) ?? []
      expect([name, asks.length > 0]).toEqual([name, true])
      const refused = asks.filter((ask) => !isAllowed(statements, ask, resources))
      expect([name, refused]).toEqual([name, []])
      // A role that may not read what it reads is found out.
      const needless = needlessOf(statements, asks, resources)
      const unasked = needless.filter((each) => !rare[name]?.some((action) => action.test(each)))
      expect([name, unasked]).toEqual([name, []])
      const less = statements.filter(
        ({ Action }) =>
          ![Action].flat().some((action) => /^(dynamodb:GetItem|s3:GetObject)$/.test(String(action))),
      )
      expect([name, asks.some((ask) => !isAllowed(less, ask, resources))]).toEqual([name, true])
    }
  })
})

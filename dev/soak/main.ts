/**
 * `npm run soak -- --minutes 60`: the whole service for long, with reorgs, a second ingest whose endpoint lies, readers and
 * callers of every manner, keys that change, an end by Ctrl-C and one by SIGKILL. At the end its boards equal the oracle's,
 * nobody saw a 5xx, nine answers of ten were 200, and memory, handles and disk stay within bounds. Exit code 1 where they do not.
 */
import { execFileSync } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { type ReaderTier, tiers } from '../../schemas/api/access.ts'
import { compareService } from '../../test/oracle/compare-service.ts'
import { admin } from '../../test/support/admin.ts'
import { bearer } from '../../test/support/aws/access.ts'
import { startFaultyProxy } from '../../test/support/chain/faulty-proxy.ts'
import { startIngest } from '../../test/support/chain/ingest-child.ts'
import { readDescribed } from '../../test/support/described/described.ts'
import { requestsOf } from '../../test/support/described/described-requests.ts'
import { type Service, startServiceProcess } from '../../test/support/service.ts'
import { askService, type Manner, readStream, restFor, type Seen, type SoakTarget } from './clients.ts'

/**
 * A swap leaves a row, balances, an entry of the feed and its part of a segment: about 3 KB on disk. The development chain's node
 * keeps every transaction in memory, some 35 KB a trade, and stands apart: what is looked for is growth of the service.
 */
const BOUNDS = {
  memoryMb: 650,
  chainMb: 250,
  chainKbATrade: 50,
  diskMbAnHour: 20,
  diskKbASwap: 5,
  handlesGrown: 64,
  answeredPercent: 90,
}
const SAMPLE_SECONDS = 30
/** Readers of each manner, of 200. */
const READERS: Readonly<Record<Manner, number>> = {
  reads: 150,
  'reads slowly': 20,
  'comes and goes': 15,
  'never reads': 10,
  'sends malformed requests': 5,
}

const { minutes, perSecond, trades } = new Command('npm run soak --')
  .option('--minutes <number>', 'how long', Number, 60)
  .option('--per-second <number>', 'API requests a second', Number, 50)
  .option('--trades <number>', 'swaps a second', Number, 5)
  .parse()
  .opts<{ minutes: number; perSecond: number; trades: number }>()

type Sample = {
  readonly second: number
  readonly memoryMb: number
  readonly chainMb: number
  readonly handles: number
  readonly diskMb: number
  /** What went wrong until then. */
  readonly faults: number
}

const dataDir = mkdtempSync(join(tmpdir(), 'z100-soak-'))
const started = Date.now()
const target: SoakTarget = { at: undefined }
const seen: Seen = { counts: new Map(), faults: [] }
const stopping = new AbortController()
setMaxListeners(0, stopping.signal)
const samples: Sample[] = []
const say = (text: string) => process.stdout.write(`${text}\n`)
const secondsIn = () => Math.round((Date.now() - started) / 1_000)

const begin = () => startServiceProcess({ dataDir, seed: 3, flags: ['--reorgs', '--trades', String(trades)] })

function sample(service: Service): Sample {
  const all = service.processes()
  const handles = all.map(({ pid }) => handlesOf(pid)).reduce((sum, each) => sum + each, 0)
  const disk = Number(execFileSync('du', ['-sk', dataDir], { encoding: 'utf8' }).split('\t')[0])
  const [chain, own] = [true, false].map((isChain) =>
    all.filter(({ pid }) => isChain === (nameOf(pid) === 'anvil')).reduce((sum, { rssKb }) => sum + rssKb, 0),
  ) as [number, number]
  return {
    second: secondsIn(),
    memoryMb: Math.round(own / 1_024),
    chainMb: Math.round(chain / 1_024),
    handles,
    diskMb: Math.round(disk / 102.4) / 10,
    faults: seen.counts.get('fault') ?? 0,
  }
}

const handlesOf = (pid: number): number => ofProcess(pid, 0, (path) => readdirSync(`${path}/fd`).length)
const nameOf = (pid: number): string =>
  ofProcess(pid, '', (path) => readFileSync(`${path}/comm`, 'utf8').trim())

/** What Linux says of a process; `otherwise` where it has ended meanwhile. */
function ofProcess<V>(pid: number, otherwise: V, read: (path: string) => V): V {
  try {
    return read(`/proc/${pid}`)
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return otherwise
    throw error
  }
}

const ask = ({ ready }: Service, path: string) =>
  fetch(ready.base_url + path, { headers: bearer(ready.keys.enterprise) })

/** Points the callers at a service, or at what its market is by now: a snapshot can be asked for 15 minutes. */
async function pointAt(service: Service): Promise<void> {
  const board = await ask(service, '/v1/z100/posts?sort_by=volume&limit=1')
  const [{ contract_address: token, symbol }] = (await board.json()) as [
    { contract_address: string; symbol: string },
  ]
  const day = String(board.headers.get('x-data-time')).slice(0, 10)
  const facts = { token, symbol, day, week: null, snapshot: board.headers.get('x-snapshot-id') ?? '' }
  target.at = { url: service.ready.base_url, facts, requests: requestsOf(described.operations, facts) }
}

/** A key of a new account. */
async function newKey(name: string, tier: ReaderTier): Promise<string> {
  await operate('account', 'create', name, '--tier', tier)
  return /z100_(test|live)_\w+/.exec(await operate('key', 'create', name))?.[0] ?? ''
}

/** What a command of the operator's writes; that one fails is a fault, unless the service is down on purpose. */
async function operate(...argv: string[]): Promise<string> {
  const { code, out, err } = await admin(...argv, '--data-dir', dataDir)
  if (code !== 0 && target.at) seen.faults.push(`admin ${argv.join(' ')}: ${err}`)
  return out
}

/** A second writer of the same log, as while a deployment is replaced, before an endpoint that leaves out one log in five now and then. */
async function lieBeside(service: Service, signal: AbortSignal): Promise<void> {
  const proxy = await startFaultyProxy(service.ready.rpc_url)
  proxy.fault = () => (secondsIn() % 60 < 20 ? 'one log in five left out' : undefined)
  const ingest = startIngest({ ...service.ready.env, RPC_URLS: proxy.url })
  while (!signal.aborted) {
    ingest.assertAlive()
    await restFor(1_000, signal)
  }
  await ingest.kill()
  await proxy.stop()
}

/** A key that is made, used and revoked, again and again. */
async function changeKeys(service: Service, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const name = `soak-${secondsIn()}`
    const key = await newKey(name, 'basic')
    const url = service.ready.base_url
    const before = await statusWith(url, key)
    const listed = (await operate('key', 'list', name)).split('\n')[1] ?? ''
    await operate('key', 'revoke', /\S+/.exec(listed)?.[0] ?? '')
    await restFor(60_000, signal)
    if (signal.aborted) return
    const what = `a new key ${before}, revoked ${await statusWith(url, key)}`
    seen.counts.set(what, (seen.counts.get(what) ?? 0) + 1)
    if (what !== 'a new key 200, revoked 401') seen.faults.push(what)
  }
}

/** What a key is answered; 0: nothing. */
const statusWith = (url: string, key: string): Promise<number> =>
  fetch(`${url}/v1/z100/creators`, { headers: bearer(key) }).then(
    ({ status }) => status,
    () => 0,
  )

/** What the oracle finds, once a snapshot is published whose blocks no reorg has rolled back meanwhile. */
async function compared(service: Service): Promise<readonly string[]> {
  const enterprise = await newKey('soak-oracle', 'enterprise')
  const { ready } = service
  let found: readonly string[] = []
  for (let attempt = 0; attempt < 6; attempt++) {
    if (attempt > 0) await sleep(30_000)
    found = await compareService({ ...ready, keys: { ...ready.keys, enterprise } })
    if (found.length === 0) return found
    say(`${found.length} differences, the first: ${found[0]}`)
  }
  return found
}

/** Runs one start of the service to its end. */
async function stretch(service: Service, seconds: number): Promise<void> {
  const ending = new AbortController()
  const beside = [lieBeside(service, ending.signal), changeKeys(service, ending.signal)]
  const until = Date.now() + seconds * 1_000
  while (Date.now() < until) {
    await sleep(Math.min(SAMPLE_SECONDS * 1_000, Math.max(0, until - Date.now())))
    samples.push(sample(service))
    say(JSON.stringify(samples.at(-1)))
    await pointAt(service).catch((error: Error) => seen.faults.push(`the board: ${error.message}`))
  }
  ending.abort()
  await Promise.all(beside)
}

/** Accounts that the callers share: all that may fall into one hour, and the half of one more. */
const accounts = Math.ceil((perSecond * 3_600) / tiers.enterprise.limitPerHour + 0.5)
const third = (minutes * 60) / 3
let service = await begin()
const described = readDescribed(JSON.parse(await (await ask(service, '/v1/openapi.json')).text()))
await pointAt(service)
const spentKey = await newKey('soak-spent', 'basic')
const keys: string[] = []
while (keys.length < accounts) keys.push(await newKey(`soak-caller-${keys.length}`, 'enterprise'))
const from = sample(service)
const clients = [
  askService(target, { described, keys, spentKey, perSecond, signal: stopping.signal }, seen),
  ...(Object.entries(READERS) as [Manner, number][])
    .flatMap(([manner, number]) => Array.from({ length: number }, () => manner))
    .map((manner, at) => {
      const reader = { manner, localAddress: `127.0.1.${at + 1}` }
      return readStream(target, reader, stopping.signal, seen)
    }),
]
await stretch(service, third)
target.at = undefined
await service.kill()
say('killed; started again')
service = await begin()
await pointAt(service)
await stretch(service, third)
target.at = undefined
await service.interrupt('group')
say('ended by Ctrl-C; started again')
service = await begin()
await pointAt(service)
await stretch(service, third)
stopping.abort()
await Promise.all(clients)
await sleep(5_000)
const differences = await compared(service)
const to = sample(service)
say(JSON.stringify({ from, to }))
await service.interrupt('group')

const grown = {
  disk: ((to.diskMb - from.diskMb) * 3_600) / (to.second - from.second),
  handles: to.handles - from.handles,
}
const diskBound = BOUNDS.diskMbAnHour + (BOUNDS.diskKbASwap * trades * 3_600) / 1_024
const peak = Math.max(...samples.map(({ memoryMb }) => memoryMb))
const peakOfChain = Math.max(...samples.map(({ chainMb }) => chainMb))
const chainBound = BOUNDS.chainMb + (BOUNDS.chainKbATrade * trades * minutes * 60) / 1_024
const answers = [...seen.counts].filter(([what]) => what.startsWith('api '))
const answeredPercent =
  (100 * (seen.counts.get('api 200') ?? 0)) / answers.reduce((sum, [, times]) => sum + times, 0)
const missed = [
  ...differences.slice(0, 20).map((difference) => `not as the oracle has it: ${difference}`),
  ...seen.faults,
  ...(peak > BOUNDS.memoryMb ? [`memory ${peak} MB, bound ${BOUNDS.memoryMb}`] : []),
  ...(peakOfChain > chainBound ? [`memory of the chain ${peakOfChain} MB, bound ${chainBound}`] : []),
  ...(grown.disk > diskBound ? [`disk grows ${grown.disk.toFixed(0)} MB an hour, bound ${diskBound}`] : []),
  ...(grown.handles > BOUNDS.handlesGrown
    ? [`${grown.handles} handles more at the end, bound ${BOUNDS.handlesGrown}`]
    : []),
  ...(answeredPercent > BOUNDS.answeredPercent
    ? []
    : [`${answeredPercent.toFixed(1)} % of the answers are 200, at least ${BOUNDS.answeredPercent}`]),
]
say(
  JSON.stringify({
    minutes,
    peakMb: peak,
    peakOfChainMb: peakOfChain,
    diskMbAnHour: Math.round(grown.disk),
    handles: grown.handles,
    answeredPercent: Math.round(answeredPercent * 10) / 10,
  }),
)
for (const [what, times] of [...seen.counts].sort()) say(`${what}: ${times}`)
for (const each of missed) say(`MISSED ${each}`)
if (missed.length > 0) say(`What the run wrote stays in ${dataDir}`)
else rmSync(dataDir, { recursive: true, force: true })
process.exit(missed.length > 0 ? 1 : 0)

/** What the edge costs: its function in an interpreter without a compiler, and the local edge beside one worker of nginx, CPU a cached answer. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { distribution, edgeAccess } from '../../lambdas/edge/distribution.ts'
import { freePort } from '../../local/stand-in.ts'
import { edgeTable } from '../../schemas/operations.ts'
import { BENCH_KEY } from './edge-key.ts'
import { callsInQuickjs } from './edge-quickjs.ts'
import { at, median, say, table } from './rounds.ts'

const GOALS = { p99Ms: 0.1, bytes: 5 * 1024, throughput: 0.7 }
const CALLS = 5_000
const ROUNDS = 5
const REQUESTS = 8_000
const CONNECTIONS = 16
const PATH = '/v1/z100/creators'
/** Kernel ticks of /proc/PID/stat in a second. */
const TICKS = 100

/** Measures both; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const { viewerRequest, viewerResponse } = distribution(edgeTable, edgeAccess()).functions
  const bytes = Buffer.byteLength(viewerRequest)
  say(`viewer-request ${bytes} bytes, viewer-response ${Buffer.byteLength(viewerResponse)} bytes of 10,240`)
  const missed = bytes > GOALS.bytes ? [`viewer-request ≤ ${GOALS.bytes} bytes`] : []
  const calls = await callsInQuickjs(viewerRequest, CALLS)
  if (calls === null) say('skipped: quickjs-emscripten is not installed; npm install --prefix test/bench')
  else {
    const [p50, p99] = [at(calls, 0.5), at(calls, 0.99)]
    say(
      table([
        ['ms of CPU a call in QuickJS', 'p50', 'p99'],
        ['viewer-request', p50.toFixed(4), p99.toFixed(4)],
      ]),
    )
    if (p99 > GOALS.p99Ms) missed.push(`viewer-request p99 ≤ ${GOALS.p99Ms} ms in QuickJS`)
  }
  return [...missed, ...(await besideNginx())]
}

async function besideNginx(): Promise<string[]> {
  if (spawnSync('nginx', ['-v']).error) {
    say('skipped: nginx is not installed (Debian: apt-get install nginx-light)')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'z100-edge-'))
  const [edge, nginx] = [await startEdge(), await startNginx(folder)]
  try {
    for (const { port } of [edge, nginx]) await load(port, 2_000)
    const rounds = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = round % 2 === 0 ? [edge, nginx] : [nginx, edge]
      const costs = new Map<Contestant, number>()
      for (const one of order) costs.set(one, await cpuOf(one))
      rounds.push({ ours: costs.get(edge) ?? Number.NaN, peer: costs.get(nginx) ?? Number.NaN })
    }
    const throughput = median(rounds.map(({ ours, peer }) => peer / ours))
    const micros = (values: number[]) => median(values).toFixed(1)
    say(
      table([
        ['CPU a cached answer', 'µs'],
        ['local edge: key, cache, two functions', micros(rounds.map(({ ours }) => ours))],
        ['nginx, one worker, proxy_cache', micros(rounds.map(({ peer }) => peer))],
        ['answers a CPU second, ours / nginx', throughput.toFixed(2)],
      ]),
    )
    return throughput < GOALS.throughput ? [`local edge ≥ ${GOALS.throughput}x nginx`] : []
  } finally {
    for (const { child } of [edge, nginx]) child.kill('SIGTERM')
    await Promise.all([edge, nginx].map(({ child }) => child.exitCode ?? once(child, 'exit')))
    rmSync(folder, { recursive: true, force: true })
  }
}

type Contestant = { readonly child: ChildProcess; readonly pid: number; readonly port: number }

/** The edge and its origin; the origin is asked once in 20 s, by both. */
async function startEdge(): Promise<Contestant & { readonly originPort: number }> {
  const script = new URL('edge-server.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { port, originPort } = JSON.parse(String(line)) as { port: number; originPort: number }
  origin = originPort
  return { child, pid: child.pid ?? 0, port, originPort }
}

/** Of the origin that both ask, once the edge has started it. */
let origin = 0

async function startNginx(folder: string): Promise<Contestant> {
  const port = await freePort()
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 256; }
http {
  access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  proxy_cache_path ${folder}/c keys_zone=c:1m;
  keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; location / {
    proxy_cache c; proxy_cache_valid 200 1h; proxy_ignore_headers Cache-Control; proxy_pass http://127.0.0.1:${origin};
    proxy_set_header Authorization ""; add_header X-Cache $upstream_cache_status;
    rewrite ^${PATH}$ ${PATH}/24h break;
  } }
}
`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await load(port, 1).then(
        () => true,
        () => false,
      )
    )
      break
    await sleep(50)
  }
  return { child, pid: child.pid ?? 0, port }
}

/** µs of CPU an answer. */
async function cpuOf({ pid, port }: Contestant): Promise<number> {
  const before = ticksOf(pid)
  await load(port, REQUESTS)
  return ((ticksOf(pid) - before) / TICKS / REQUESTS) * 1e6
}

function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

/** So many requests for the cached board over kept connections; rejects when one is not answered with it. */
async function load(port: number, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let left = count
  const reader = async () => {
    while (left > 0) {
      left -= 1
      await ask(port, agent)
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONNECTIONS, count) }, reader))
  agent.destroy()
}

function ask(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${BENCH_KEY}` }
    const asked = request({ host: '127.0.0.1', port, path: PATH, agent, headers }, (response) => {
      response.resume()
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new NotAnsweredError())))
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** A contestant gave another answer than the board. */
class NotAnsweredError extends Error {
  override readonly name = 'NotAnsweredError'
}

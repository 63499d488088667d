/** What a delivery of the stream costs, beside nchan (nginx) and better-sse: CPU at a steady rate and in a burst, memory of a connection at rest. */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../local/stand-in.ts'
import { median, say, table } from './rounds.ts'

const NCHAN = '/usr/lib/nginx/modules/ngx_nchan_module.so'
const ROUNDS = Number(process.env['ROUNDS'] ?? 3)
/** Readers of the memory measurement; a system that lets a process open fewer files measures fewer. */
const IDLE = 10_000

/** An event of the size that peers were measured with before: 417 bytes with its fields. */
const TEXT = `{"transaction_hash":"0x${'5e'.repeat(32)}","rest":"${'x'.repeat(290)}"}`

const loads = [
  { name: '2,000 readers, 20 events/s', readers: 2_000, rate: 20, seconds: 4, isBurst: false },
  { name: '1,000 readers, 400 events/s', readers: 1_000, rate: 400, seconds: 3, isBurst: true },
] as const
type Load = (typeof loads)[number]

/** Largest allowed ratio of our CPU to a peer's. */
const goals: Readonly<Record<string, { readonly steady: number; readonly burst: number }>> = {
  nchan: { steady: 0.95, burst: 0.15 },
  'better-sse': { steady: 0.6, burst: Number.POSITIVE_INFINITY },
}
const KB_GOAL = 11

type Server = {
  readonly pid: number
  readonly port: number
  readonly path: string
  /** Resolves when all has been published. */
  publish(load: Load): Promise<void>
  stop(): Promise<void>
}

const here = (file: string) => new URL(file, import.meta.url).pathname
const message = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T

async function startNode(name: string): Promise<Server> {
  const child = fork(here('stream-server.ts'), [name], { execArgv: ['--import', 'tsx'] })
  const { port } = await message<{ port: number }>(child)
  return {
    ...{ pid: child.pid ?? 0, port, path: '/stream/swaps' },
    publish: async ({ rate, seconds }) => {
      child.send({ rate, seconds, text: TEXT })
      await message(child)
    },
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const nginxConfig = (port: number, dir: string): string => `load_module ${NCHAN};
worker_processes 1; daemon off; pid ${dir}/pid; error_log ${dir}/error.log;
worker_rlimit_nofile 20000;
events { worker_connections 16000; }
http { access_log off; client_body_temp_path ${dir}/a; proxy_temp_path ${dir}/b;
  server { listen 127.0.0.1:${port} backlog=4096;
    location /pub { nchan_publisher; nchan_channel_id swaps; nchan_message_buffer_length 2000; }
    location /sub { nchan_subscriber eventsource; nchan_channel_id swaps; nchan_subscriber_first_message newest; }
  } }
`

async function startNchan(): Promise<Server> {
  const dir = mkdtempSync(join(tmpdir(), 'z100-nchan-'))
  mkdirSync(join(dir, 'logs'))
  const port = await freePort()
  const config = join(dir, 'nginx.conf')
  writeFileSync(config, nginxConfig(port, dir))
  const child = spawn('nginx', ['-p', dir, '-c', config], { stdio: 'ignore' })
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const post = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const options = { agent, port, host: '127.0.0.1', path: '/pub', method: 'POST' }
      const asked = request(options, (answer) => answer.resume().on('end', resolve))
      asked.on('error', reject)
      asked.end(text)
    })
  for (let tries = 0; ; tries++) {
    if (
      await post(TEXT).then(
        () => true,
        (error: unknown) => {
          if (tries > 100) throw error
          return false
        },
      )
    )
      break
    await sleep(50)
  }
  const worker = Number(execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).split('\n')[0])
  return {
    ...{ pid: worker, port, path: '/sub' },
    publish: async ({ rate, seconds }) => {
      const began = performance.now()
      const posts: Promise<void>[] = []
      while (posts.length < rate * seconds) {
        const due = Math.min(rate * seconds, Math.floor(((performance.now() - began) / 1_000) * rate))
        while (posts.length < due) posts.push(post(TEXT))
        await sleep(1)
      }
      await Promise.all(posts)
    },
    stop: async () => {
      agent.destroy()
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(dir, { recursive: true })
    },
  }
}

/** CPU seconds of a process so far. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const rssKb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

async function withReaders<T>(
  server: Server,
  count: number,
  use: (load: ChildProcess, connected: number) => Promise<T>,
): Promise<T> {
  const load = fork(here('stream-load.ts'), [String(server.port), server.path, String(count)], {
    execArgv: ['--import', 'tsx'],
  })
  try {
    const { connected } = await message<{ connected: number }>(load)
    return await use(load, connected)
  } finally {
    load.kill('SIGKILL')
    await once(load, 'exit')
  }
}

type Count = { readonly least: number; readonly most: number; readonly events: number }

/** CPU seconds per million deliveries, and the share that never came. */
async function measure(server: Server, load: Load): Promise<{ readonly cpu: number; readonly lost: number }> {
  return withReaders(server, load.readers, async (readers) => {
    const before = cpuOf(server.pid)
    await server.publish(load)
    const count = async () => {
      readers.send('count')
      return message<Count>(readers)
    }
    const sent = load.rate * load.seconds
    let counted = await count()
    for (let at = -1; at !== counted.least || counted.least !== counted.most; ) {
      if (counted.events >= sent && at === counted.least) break
      at = counted.least
      await sleep(500)
      counted = await count()
      if (at === counted.least) break
    }
    const cpu = ((cpuOf(server.pid) - before) * 1e6) / (sent * load.readers)
    const share = counted.most === 0 ? 0 : counted.least / counted.most
    return { cpu, lost: 1 - Math.min(1, (share * counted.events) / sent) }
  })
}

type Peer = readonly [name: string, start: () => Promise<Server>]

async function peersHere(): Promise<readonly Peer[]> {
  const peers: Peer[] = []
  if (existsSync(NCHAN)) peers.push(['nchan', startNchan])
  else say('skipped: nchan is not here (Debian: libnginx-mod-nchan)')
  if (
    await import('better-sse').then(
      () => true,
      () => false,
    )
  )
    peers.push(['better-sse', () => startNode('better-sse')])
  else say('skipped: better-sse is not here (npm install --prefix test/bench)')
  return peers
}

/** Measures every load and the memory of idle connections; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const contestants: readonly Peer[] = [['ours', () => startNode('ours')], ...(await peersHere())]
  const missed: string[] = []
  for (const load of loads) {
    const results = new Map(
      contestants.map(([name]) => [name, { cpu: [] as number[], lost: [] as number[] }]),
    )
    for (let round = 0; round < ROUNDS; round++) {
      // Each is first in turn.
      const order = contestants.map((_, at) => contestants[(at + round) % contestants.length] as Peer)
      for (const [name, start] of order) {
        const server = await start()
        const { cpu, lost } = await measure(server, load)
        await server.stop()
        results.get(name)?.cpu.push(cpu)
        results.get(name)?.lost.push(lost)
      }
    }
    missed.push(...reported(load, results))
  }
  missed.push(...(await idleMemory(contestants)))
  return missed
}

type Results = ReadonlyMap<string, { readonly cpu: readonly number[]; readonly lost: readonly number[] }>

function reported(load: Load, results: Results): readonly string[] {
  const missed: string[] = []
  const own = results.get('ours') ?? { cpu: [], lost: [] }
  const rows: (readonly (string | number)[])[] = [
    [load.name, 'CPU s per million', 'not delivered, %', 'ours / it'],
  ]
  for (const [name, { cpu, lost }] of results) {
    const ratio = median(own.cpu.map((value, at) => value / (cpu[at] ?? Number.NaN)))
    rows.push([name, median(cpu), 100 * median(lost), ratio])
    const goal = goals[name]?.[load.isBurst ? 'burst' : 'steady'] ?? Number.POSITIVE_INFINITY
    if (ratio > goal) missed.push(`${load.name}: ${ratio.toFixed(2)} of ${name}, at most ${goal}`)
  }
  if (Math.max(...own.lost) > 0) missed.push(`${load.name}: events of ours were not delivered`)
  say(table(rows))
  return missed
}

async function idleMemory(contestants: readonly Peer[]): Promise<readonly string[]> {
  const rows: (readonly (string | number)[])[] = [['a connection at rest', 'connections', 'KB each']]
  const missed: string[] = []
  for (const [name, start] of contestants) {
    const server = await start()
    // Once before: what a first connection loads is no connection's.
    await withReaders(server, 50, async () => {})
    const before = rssKb(server.pid)
    const [connected, each] = await withReaders(server, IDLE, async (_, open) => {
      return [open, (rssKb(server.pid) - before) / open] as const
    })
    await server.stop()
    rows.push([name, String(connected), each])
    if (name === 'ours' && each > KB_GOAL)
      missed.push(`${each.toFixed(1)} KB a connection, at most ${KB_GOAL}`)
  }
  say(table(rows))
  return missed
}

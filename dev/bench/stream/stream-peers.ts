/** Servers of the stream's benchmark: ours and its peers, each a process of its own. */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tempDir } from '../../../test/support/temp-dir.ts'
import { freePort } from '../../emulators/free-port.ts'
import { here, isInstalled, say } from '../measuring.ts'
import { type StreamLoad, sendAtRate } from './stream-rate.ts'

const NCHAN = '/usr/lib/nginx/modules/ngx_nchan_module.so'

/** A server under measurement. */
export type Server = {
  readonly pid: number
  readonly port: number
  readonly path: string
  /** Resolves when all has been published. */
  publish(load: StreamLoad): Promise<void>
  stop(): Promise<void>
}

/** The next message of a child. */
export const message = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T

/** Starts ours or better-sse. */
export async function startNode(name: string): Promise<Server> {
  const child = fork(here('stream/stream-server.ts'), [name], { execArgv: ['--import', 'tsx'] })
  const { port } = await message<{ port: number }>(child)
  return {
    pid: child.pid ?? 0,
    port,
    path: '/stream/swaps',
    publish: async (load) => {
      child.send(load)
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
  const dir = tempDir()
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
  const isUp = () =>
    post('').then(
      () => true,
      () => false,
    )
  for (let tries = 0; !(await isUp()); tries++) {
    if (tries > 100) throw new Error('nginx does not answer')
    await sleep(50)
  }
  const worker = Number(execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).split('\n')[0])
  return {
    pid: worker,
    port,
    path: '/sub',
    publish: async (load) => {
      const posts: Promise<void>[] = []
      await sendAtRate(load, () => posts.push(post(load.text)))
      await Promise.all(posts)
    },
    stop: async () => {
      agent.destroy()
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** A contestant's name and how it is started. */
export type Peer = readonly [name: string, start: () => Promise<Server>]

/** The peers that are installed; prints which are not. */
export async function peersHere(): Promise<readonly Peer[]> {
  const peers: Peer[] = []
  if (existsSync(NCHAN)) peers.push(['nchan', startNchan])
  else say('skipped: nchan is not installed (Debian: apt-get install nginx libnginx-mod-nchan)')
  if (isInstalled('better-sse')) peers.push(['better-sse', () => startNode('better-sse')])
  return peers
}

/** What the stream's benchmark measures of a server: CPU of a delivery, with readers in a process of their own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { here } from '../measuring.ts'
import { message, type Server } from './stream-peers.ts'
import type { StreamLoad } from './stream-rate.ts'

/** CPU seconds of a process so far. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory of a process, KB. */
export const rssKb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** Connects readers for as long as `use` takes. */
export async function withReaders<T>(
  server: Server,
  { readers: count, coding }: Pick<StreamLoad, 'readers' | 'coding'>,
  use: (load: ChildProcess, connected: number) => Promise<T>,
): Promise<T> {
  const load = fork(
    here('stream/stream-load.ts'),
    [String(server.port), server.path, String(count), coding],
    { execArgv: ['--import', 'tsx'] },
  )
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
export type Measured = { readonly cpu: number; readonly lost: number }

/** A server is measured as one that has been serving: so many seconds of the load come before, for every contestant. */
const WARM_SECONDS = 2

/** Sends a load through a server, twice: what comes first is not counted. */
export function measure(server: Server, load: StreamLoad): Promise<Measured> {
  return withReaders(server, load, async (readers) => {
    await deliver(server, { ...load, seconds: WARM_SECONDS }, readers)
    readers.send('reset')
    await message(readers)
    const before = cpuOf(server.pid)
    const { least, most, events } = await deliver(server, load, readers)
    const sent = load.rate * load.seconds
    const cpu = ((cpuOf(server.pid) - before) * 1e6) / (sent * load.readers)
    const share = most === 0 ? 0 : least / most
    return { cpu, lost: 1 - Math.min(1, (share * events) / sent) }
  })
}

/** Publishes a load and waits until the readers have all of it, or get nothing more. */
async function deliver(server: Server, load: StreamLoad, readers: ChildProcess): Promise<Count> {
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
  return counted
}

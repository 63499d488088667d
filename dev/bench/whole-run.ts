/** `npm start` as a process that is measured: its command, and the CPU and memory of it and of all that it started. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../emulators/free-port.ts'

/** `npm start` on this data without npm, which would not pass the end on. */
export async function startCommand(dataDir: string): Promise<readonly string[]> {
  const { scripts } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'))
  return ['sh', '-c', `exec env ${scripts.start} --port ${await freePort()} --data-dir ${dataDir}`]
}

/** Whether the run on this data has said that it is ready. */
export const isReady = (dataDir: string): Promise<boolean> =>
  stat(join(dataDir, 'ready.json')).then(
    () => true,
    () => false,
  )

/** Clock ticks a second, in which the kernel counts CPU. */
const TICKS = 100

/** CPU seconds of a process and of all that it started, ended children included. */
export const cpuOf = (pid: number): Promise<number> =>
  sumOf(pid, async (one) => {
    const text = await readFile(`/proc/${one}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
  })

/** Megabytes that a process and all that it started hold; pages that several share are counted once. */
export const memoryOf = (pid: number): Promise<number> =>
  sumOf(pid, async (one) => {
    const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(await readFile(`/proc/${one}/smaps_rollup`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1_024
  })

/** The sum over a process and its descendants; those that have ended meanwhile count nothing. */
async function sumOf(pid: number, measure: (pid: number) => Promise<number>): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const childrenOf = (thread: string) =>
    readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')
  const children = (await Promise.all(threads.map(childrenOf))).join(' ').split(' ').filter(Boolean)
  const sums = await Promise.all(children.map((child) => sumOf(Number(child), measure)))
  return sums.reduce((sum, one) => sum + one, await measure(pid).catch(() => 0))
}

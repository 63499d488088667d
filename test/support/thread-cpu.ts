import { readFileSync } from 'node:fs'

/** Milliseconds that this thread had of the processor; where Linux does not tell, the whole process. */
export function threadCpuMs(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

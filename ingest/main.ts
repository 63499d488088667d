/** The ingest process: follows the chain, answers /health if it has a port, and logs metrics each minute. */
import { type Env, readEnv } from '../schemas/deployment/env.ts'
import { orFault } from './client/faults.ts'
import { IngestHealth, serveHealth } from './health.ts'
import { endedLine, type IngestEvent, lineOf } from './report.ts'
import { runIngest } from './run.ts'

const METRICS_EVERY_MS = 60_000

async function runProcess(env: Env<'ingest'>, signal: AbortSignal): Promise<void> {
  const health = new IngestHealth(Date.now())
  const server = env.PORT ? await serveHealth(Number(env.PORT), () => health.isAlive(Date.now())) : undefined
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const printMetrics = () => print(health.line(Date.now(), env.METRICS_NAMESPACE))
  const timer = setInterval(printMetrics, METRICS_EVERY_MS)
  const onEvent = (event: IngestEvent): void => {
    health.record(event, Date.now())
    const line = lineOf(event)
    if (line) print(line)
  }
  try {
    await runIngest(env, { signal, onEvent })
  } finally {
    clearInterval(timer)
    printMetrics()
    server?.stop()
  }
}

if (process.argv[1] === import.meta.filename) {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort())
  try {
    await runProcess(readEnv('ingest', process.env), stop.signal)
  } catch (error) {
    process.stdout.write(`${endedLine(orFault(error))}\n`)
    process.exit(1)
  }
}

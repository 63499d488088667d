import { archiveSourceOf } from '../archive/source.ts'
import { writeArchive } from '../archive/write.ts'
import { readEnv } from '../schemas/deployment/env.ts'
import { openBucket } from '../store/aws/bucket.ts'
import { openTable } from '../store/aws/table.ts'
import { openLog } from '../store/log/log.ts'
import { bucketOfLog, inLog, openLogs } from '../store/log/logs.ts'

/** A run ends after so many milliseconds and a day; the next one goes on. */
const WORK_MS = 600_000

/** Invoked by the Scheduler each hour: brings the archive up to the live log. Rejects when it fails; what is archived stays. */
export async function handler(): Promise<void> {
  const env = readEnv('writeArchive', process.env)
  const start = performance.now()
  const whole = openTable(env.MARKET_TABLE)
  const { log: name } = await openLogs(whole).live()
  const table = inLog(whole, name)
  const kept = openBucket(env.SEGMENT_BUCKET)
  const segments = bucketOfLog(kept, name)
  const published = openBucket(env.PUBLISHED_BUCKET)
  const log = openLog(table, segments)
  const source = archiveSourceOf({ chain: env.CHAIN, name, log, table, segments, published, kept })
  const isOver = () => performance.now() - start > WORK_MS
  const written: string[] = []
  for await (const { span } of writeArchive(source, published, { isOver })) written.push(span)
  const milliseconds = Math.round(performance.now() - start)
  const line = { service: 'write-archive', message: 'archived', spans: written, milliseconds }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Archives the day that `archive-generate.ts` wrote into a folder: `archive-once.ts FOLDER`; what it costs as JSON. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spanHolding } from '../../archive/span.ts'
import { writeArchive } from '../../archive/write.ts'
import type { LogEntry } from '../../market/log.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { openLog } from '../../store/log/log.ts'
import { fileBucket } from './file-bucket.ts'
import { startTimer, watchMemory } from './measuring.ts'

/** Milliseconds of CPU, megabytes at most, and the day's files. */
export type ArchiveCost = {
  readonly cpuMs: number
  readonly wallMs: number
  readonly megabytes: number
  readonly files: readonly { readonly set: string; readonly rows: number; readonly bytes: number }[]
}

const folder = process.argv[2] ?? ''
const segments = fileBucket(folder)
const log = openLog(openMemoryTable(), segments)
const entries = JSON.parse(await readFile(join(folder, 'entries.json'), 'utf8')) as readonly LogEntry[]
for (const entry of entries) await log.append(entry)
const { n = 0, minute = 0, last = null } = entries.at(-1) ?? {}
await log.putApplied({ n, minute, last, isLowered: false })
const memory = watchMemory()
const timer = startTimer()
const source = {
  ...{ chain: 'devnet', name: '', log, segments },
  publishedTo: async () => minute,
  bars: async () => [],
  boards: async () => [],
}
const [day] = await allOf(writeArchive(source, fileBucket(join(folder, 'out'))))
const { cpuMs, wallMs } = timer()
if (day?.span !== spanHolding('day', minute ?? 0).name && !day?.span.startsWith('date='))
  throw new Error('no day')
const cost: ArchiveCost = { cpuMs, wallMs, megabytes: memory.stop(), files: day?.files ?? [] }
process.stdout.write(`${JSON.stringify(cost)}\n`)

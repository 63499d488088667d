/** `admin archive`: the archive of a span of days into a folder. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { archiveSourceOf } from '../../archive/source.ts'
import { spanMinutes, spanNamed } from '../../archive/span.ts'
import { writeArchive } from '../../archive/write.ts'
import type { Minute } from '../../market/segment.ts'
import { type Bucket, openBucket } from '../../store/aws/bucket.ts'
import { openTable } from '../../store/aws/table.ts'
import { sha256Of } from '../../store/aws/tables.ts'
import { openLogs } from '../../store/log/logs.ts'
import { type CommandCall, type CommandGroup, commandOf, type ExitCode, sayResult } from '../base/command.ts'
import { openStores } from '../base/deployment.ts'

type ArchiveFlags = { readonly from?: Minute; readonly to?: Minute; readonly into: string }

/** The first minute of a UTC day. Throws InvalidArgumentError. */
function dayFrom(text: string): Minute {
  const span = spanNamed(`date=${text}`)
  if (!span) throw new InvalidArgumentError('It must be a day such as 2026-01-31.')
  return span.first
}

const archiveCommand = commandOf<ArchiveFlags>({
  usage: 'archive',
  description: 'Writes the archive into a folder, as the service publishes it below archive/v1/.',
  options: [
    new Option('--from <day>', 'the first day, where the folder has no archive yet').argParser(dayFrom),
    new Option('--to <day>', 'the last day').argParser(dayFrom),
    new Option('--into <dir>', 'the folder').makeOptionMandatory(),
  ],
  run: runArchive,
})

async function runArchive(call: CommandCall<ArchiveFlags>): Promise<ExitCode> {
  const { options, progress } = call
  const service = await call.deployment()
  const stores = await openStores(service)
  const { log } = await openLogs(openTable(service.env['MARKET_TABLE'] ?? '')).live()
  const kept = openBucket(service.env['SEGMENT_BUCKET'] ?? '')
  const source = archiveSourceOf({ ...stores, chain: stores.chain.name, name: log, kept })
  const limits = {
    ...(options.from === undefined ? {} : { from: options.from }),
    ...(options.to === undefined ? {} : { end: options.to + spanMinutes.day }),
  }
  const written: string[] = []
  for await (const { span } of writeArchive(source, openFolder(options.into), limits)) {
    written.push(span)
    progress.step(`archived ${span}`)
  }
  const words = `${written.length} days and hours were written below ${join(options.into, 'archive/v1')}`
  return sayResult(call, { written }, words)
}

/** A folder as a bucket, for one writer. */
function openFolder(folder: string): Bucket {
  const read: Bucket['read'] = async (key) => {
    const bytes = await readFile(join(folder, key)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    return bytes && { bytes, etag: sha256Of(bytes), metadata: {} }
  }
  return {
    read,
    async put(key, bytes, { ifMatch, ifNoneMatch } = {}) {
      const current = await read(key)
      if ((ifNoneMatch && current) || (ifMatch && ifMatch !== current?.etag)) return 'conflict'
      const path = join(folder, key)
      await mkdir(dirname(path), { recursive: true })
      // Whole or not at all, as in a bucket.
      await writeFile(`${path}.part`, bytes)
      await rename(`${path}.part`, path)
      return 'stored'
    },
    // An archive is never listed: its manifest names what there is.
    async *list() {},
    remove: (key) => rm(join(folder, key), { force: true }),
  }
}

export const groups: readonly CommandGroup[] = [
  { name: null, description: 'The archive', commands: [archiveCommand] },
]

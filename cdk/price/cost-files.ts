import { ARCHIVE_EVERY_SECONDS, DRAW_EVERY_SECONDS } from '../../schemas/deployment/stages.ts'
import { drawnPreviews } from '../../schemas/pages/previews.ts'
import { archiveSets } from '../../schemas/records/archive-sets.ts'
import { ARCHIVE_MEMORY_MB, DRAWER_MEMORY_MB } from '../config.ts'
import { assumptions, type Load } from './cost-assumptions.ts'
import { prices } from './prices.ts'

/** Days of a month, and of a year. */
const DAYS = 30.4
const YEAR = 365

/** Files of a day or hour: its sets, the log and the segments. */
const FILES = Object.keys(archiveSets).length + 2

/** The archive in a month: its writer, its objects, and their bytes after the first year. Each minute is written twice, in its hour and in its day. */
export function archiveUsd({ swapsPerDay }: Load): number {
  const runs = (DAYS * 86_400) / ARCHIVE_EVERY_SECONDS
  const seconds = runs + 2 * DAYS * swapsPerDay * assumptions.archiveSecondsPerSwap
  const [puts, gets] = [(runs + DAYS) * (FILES + 1), 2 * DAYS * 1_440 + 2 * runs]
  const kept = (YEAR * swapsPerDay * assumptions.archivedBytesPerSwap) / 1e9
  return (
    seconds * (ARCHIVE_MEMORY_MB / 1_024) * prices.lambdaGbSecond +
    puts * prices.objectPut +
    gets * prices.objectGet +
    kept * prices.objectGbMonth
  )
}

const drawings = (DAYS * 86_400) / DRAW_EVERY_SECONDS

/** The previews of links in a month: each drawing reads the manifest and four documents. */
export const previewsLine = {
  part: 'Previews of links',
  formula: 'a run every ten minutes: reads four documents, draws and puts three pictures',
  usd: (): number =>
    drawings *
    (prices.lambdaRequest +
      assumptions.drawSeconds * (DRAWER_MEMORY_MB / 1_024) * prices.lambdaGbSecond +
      5 * prices.objectGet +
      drawnPreviews.length * prices.objectPut),
  less: '`DRAW_EVERY_SECONDS`',
} as const

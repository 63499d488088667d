/**
 * Writes a market for `rebuild-once.ts` into a folder, in a process of its own so that its memory is not measured:
 * `rebuild-generate.ts FOLDER ACTIVE EVER SWAPS_PER_SECOND MINUTES`. A checkpoint, the segments that will pass its window starts,
 * the minutes to seal, and segments spread over 30 days; their references are in generated.json.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SegmentReference } from '../../market/log.ts'
import { LONGEST_WINDOW_MINUTES, windowNames, windows } from '../../market/window.ts'
import { saveCheckpoint } from '../../snapshot/engine/checkpoint.ts'
import { openTable } from '../../store/aws/table.ts'
import { openLog } from '../../store/log/log.ts'
import { fileBucket } from './file-bucket.ts'
import { START, syntheticMarket } from './synthetic-market.ts'
import { syntheticEngine, syntheticSegment } from './synthetic-minutes.ts'

/** What was written: the first of `sealed` is of the checkpoint's own minute. */
export type Generated = {
  readonly sealed: readonly SegmentReference[]
  /** Of a cold start without a checkpoint. */
  readonly spread: readonly SegmentReference[]
}

/** Hours, spread over 30 days, that a cold start without a checkpoint is measured on: whole ones, since an hour's end costs more than a minute. */
const SPREAD_HOURS = 5

if (process.argv[2]) await generate(process.argv[2], process.argv.slice(3).map(Number))

async function generate(
  folder: string,
  [active = 0, ever = 0, swapsPerSecond = 0, minutes = 0]: readonly number[],
) {
  const bucket = fileBucket(folder)
  const market = syntheticMarket(active, ever, swapsPerSecond * 60)
  const log = openLog(openTable('unused'), bucket)
  const put = (minute: number) => log.putSegment(syntheticSegment(market, minute, swapsPerSecond * 60))
  const putAll = async (from: number, count: number, step = 1) => {
    const references: SegmentReference[] = []
    for (let at = 0; at < count; at++) references.push(await put(from + at * step))
    return references
  }
  const engine = syntheticEngine(market)
  for (const name of windowNames.toReversed())
    if (name !== 'now') engine.segments.push(...(await putAll(START - windows[name].minutes + 1, minutes)))
  engine.segments.sort((a, b) => a.minute - b.minute)
  await saveCheckpoint(engine, bucket)
  const spread: SegmentReference[] = []
  for (let at = SPREAD_HOURS; at > 0; at--)
    spread.push(...(await putAll(START + 1 - Math.floor((at * LONGEST_WINDOW_MINUTES) / SPREAD_HOURS), 60)))
  const generated: Generated = { sealed: await putAll(START, minutes + 1), spread }
  await writeFile(join(folder, 'generated.json'), JSON.stringify(generated))
}

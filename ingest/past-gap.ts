/**
 * A balance that does not continue the stored one: a transfer was left out of a minute that is sealed, however long ago. It is
 * found by asking for this holder's transfers alone, newest first, until they tie with what is stored.
 */

import type { BlockFacts } from '../market/fact.ts'
import type { SealedEntry } from '../market/log.ts'
import type { LogEntry, Segment } from '../market/segment.ts'
import type { HolderOf } from '../store/holders.ts'
import type { LogStore } from '../store/log.ts'
import { effectiveBackwards } from './commit.ts'
import { transfersBackwards } from './evidence.ts'
import type { Span } from './logs.ts'
import type { Source } from './range.ts'
import { sidesOf } from './ties.ts'

/** A sealed minute that lacks logs, with facts that it must have. */
export type PastGap = { readonly firstBlock: number; readonly facts: readonly BlockFacts[] }

/** The oldest of the newest minutes in force that lack a transfer of the holder; undefined: the endpoint knows of none. Throws IngestError. */
export async function findPastGap(
  { log, tail }: { readonly log: LogStore; readonly tail: LogEntry },
  source: Source,
  of: HolderOf,
  span: Span,
): Promise<PastGap | undefined> {
  let gap: PastGap | undefined
  for await (const { entry, facts } of byMinute(
    effectiveBackwards(log, tail.n + 1),
    blocksBackwards(source, of, span),
  )) {
    if (hasTransfers(await log.readSegment(entry.segment), of, facts)) return gap
    gap = { firstBlock: entry.firstBlock, facts }
  }
  return gap
}

async function* blocksBackwards(source: Source, of: HolderOf, span: Span): AsyncGenerator<BlockFacts> {
  for await (const found of transfersBackwards(source, of, span)) yield* found.toReversed()
}

/** The minutes that the blocks are in, newest first, each with its blocks, oldest first. */
async function* byMinute(minutes: AsyncGenerator<SealedEntry>, blocks: AsyncGenerator<BlockFacts>) {
  let entry: SealedEntry | undefined = (await minutes.next()).value
  let facts: BlockFacts[] = []
  for await (const block of blocks) {
    const { number } = block.block
    if (entry && number < entry.firstBlock && facts.length > 0) {
      yield { entry, facts }
      facts = []
    }
    while (entry && number < entry.firstBlock) entry = (await minutes.next()).value
    if (!entry) return
    facts = [block, ...facts]
  }
  if (entry && facts.length > 0) yield { entry, facts }
}

/** Whether the balance that the holder has before and after the transfers is the one that the minute has. */
function hasTransfers(segment: Segment, { token, holder }: HolderOf, blocks: readonly BlockFacts[]): boolean {
  const change = segment.balances.find((one) => one.token === token && one.holder === holder)
  const sides = blocks
    .flatMap(({ facts }) => facts)
    .flatMap((fact) => (fact.is === 'transferred' ? sidesOf(fact) : []))
    .filter((side) => side.holder === holder)
  return change?.before === sides[0]?.before && change?.after === sides.at(-1)?.after
}

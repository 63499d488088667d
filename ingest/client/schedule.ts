/** When blocks are due: a guess that saves calls. Times come from headers. */

/** Blocks from `fromBlock` on are due every `everyMs`, the first of them at `atMs` (Unix ms). A hint that is always verified. */
export type Era = { readonly fromBlock: number; readonly atMs: number; readonly everyMs: number }

/** The Unix ms at which a block is due; undefined: nothing is known of blocks that old. */
export function guessedTimeMs(schedule: readonly Era[], block: number): number | undefined {
  const era = schedule.findLast(({ fromBlock }) => fromBlock <= block)
  return era && era.atMs + (block - era.fromBlock) * era.everyMs
}

/** The newest block that is due at or before a time (Unix ms); undefined: the time is before the first era. */
export function guessedBlock(schedule: readonly Era[], timeMs: number): number | undefined {
  const at = schedule.findLastIndex(({ atMs }) => atMs <= timeMs)
  const era = schedule[at]
  if (!era) return undefined
  const block = era.fromBlock + Math.floor((timeMs - era.atMs) / era.everyMs)
  const next = schedule[at + 1]
  return next ? Math.min(block, next.fromBlock - 1) : block
}

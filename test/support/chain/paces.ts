/** Block times of chains that tests make: any list of paces, with halts between them. */
import { type Era, guessedBlock, guessedTimeMs } from '../../../ingest/client/schedule.ts'

/** From `fromSeconds` after the chain's first block on, blocks come every `everyMs`, as Denim has it: counted from the last block of the pace before. */
export type BlockPace = {
  readonly fromSeconds: number
  readonly everyMs: number
  /** The chain stands still for so long before the first block of this pace. @default 0 */
  readonly haltSeconds?: number
}

/** Blocks of two seconds, as Base had them. */
export const twoSeconds: readonly BlockPace[] = [{ fromSeconds: 0, everyMs: 2_000 }]
/** Five blocks a second, as Base has them. */
export const fiveASecond: readonly BlockPace[] = [{ fromSeconds: 0, everyMs: 200 }]

/** When the blocks of a chain with these paces come. `at`: its first block, in Unix ms. */
export function erasOf(
  paces: readonly BlockPace[],
  at: { readonly block: number; readonly ms: number },
): readonly Era[] {
  const eras: Era[] = []
  for (const { fromSeconds, everyMs, haltSeconds = 0 } of paces) {
    const before = guessedBlock(eras, at.ms + fromSeconds * 1_000)
    const fromBlock = before ?? at.block
    const atMs = guessedTimeMs(eras, fromBlock) ?? at.ms
    const isHalted = haltSeconds > 0
    eras.push({
      fromBlock: isHalted ? fromBlock + 1 : fromBlock,
      everyMs,
      atMs: isHalted ? atMs + haltSeconds * 1_000 : atMs,
    })
  }
  return eras
}

/** The number of the first block at or after a time (Unix ms). */
export const firstBlockFrom = (eras: readonly Era[], ms: number): number =>
  (guessedBlock(eras, ms - 1) ?? -1) + 1

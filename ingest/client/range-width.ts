/** The width of ranges, learnt from an endpoint's refusals and answers. */

/** Blocks of one request to an endpoint: fewer after a refusal, more after a fast answer. */
export type RangeWidth = {
  blocks(): number
  /**
   * The endpoint refused so many blocks, or (`isCertain` is false) only failed with so many, perhaps for another reason.
   * `allowedBlocks`: its limit, if it named one.
   */
  narrow(refusedBlocks: number, allowedBlocks?: number, isCertain?: boolean): void
  /** A range of the full width was read, its slowest answer in `ms`. */
  widen(slowestMs?: number): void
  /** A range of less than the full width was read. */
  answered(): void
}

// Coinbase's endpoints allow 1,000 blocks of Base, QuickNode's 10,000.
const START_BLOCKS = 1_000
const MOST_BLOCKS = 10_000
/** An answer slower than this is so close to the timeout (10 s) that a wider range might exceed it. */
const SLOW_MS = 3_000
/**
 * After so many ranges a refused width is tried again: the cause may have been dense blocks, or for what only failed a bad
 * moment. Doubles with each further refusal, up to the most.
 */
const FORGET_AFTER = { refused: 10, failed: 2, most: 200 } as const

/** Opens a width with an initial number of blocks; it is never less than one. */
export function openRangeWidth(blocks = START_BLOCKS): RangeWidth {
  let width = blocks
  /** The last width that was read. */
  let good = 0
  let successes = 0
  const refused = openMark(FORGET_AFTER.refused)
  const failed = openMark(FORGET_AFTER.failed)
  /** The width before ranges failed. */
  let before: number | undefined

  const tooMany = () => Math.min(refused.blocks(), failed.blocks())
  /** A width that failed a while ago is retried at once: unlike a refusal, the failure may have been temporary. */
  const recover = (): void => {
    if (before === undefined || !failed.isOver(successes)) return
    failed.forget(Number.POSITIVE_INFINITY)
    width = Math.max(width, before)
    before = undefined
  }
  return {
    blocks: () => width,
    narrow(refusedBlocks, allowedBlocks, isCertain = true) {
      successes = 0
      // If it refuses a width that it claims to allow, another limit applies.
      const isSmaller = allowedBlocks !== undefined && allowedBlocks < refusedBlocks
      const mark = isCertain ? refused : failed
      const isAgain = mark.set(isSmaller ? allowedBlocks + 1 : refusedBlocks)
      if (!isCertain) before ??= width
      const half = Math.max(1, Math.floor(refusedBlocks / 2))
      const known = good < refusedBlocks ? good : 0
      width = isSmaller ? allowedBlocks : isAgain && !isCertain && known > 0 ? known : Math.max(half, known)
      if (isCertain && before !== undefined) before = Math.min(before, width)
      good = Math.min(good, width)
    },
    widen(slowestMs = 0) {
      successes += 1
      good = width
      for (const mark of [refused, failed]) mark.read(width)
      if (refused.isOver(successes)) refused.forget(Math.max(refused.blocks(), width) * 2)
      recover()
      if (slowestMs > SLOW_MS) return
      // Half way to the refused width; less than an eighth is not worth another refusal.
      const next = Math.min(MOST_BLOCKS, Math.ceil(width * 1.5), Math.floor((width + tooMany()) / 2))
      if (tooMany() - width > width / 8) width = Math.max(width, next)
    },
    answered() {
      successes += 1
      recover()
    },
  }
}

/** The smallest width that was too much, for a while. `least`: ranges after which it is forgotten at first. */
function openMark(least: number) {
  let mark = Number.POSITIVE_INFINITY
  let forgotten: number | undefined
  let forgetAfter = least
  return {
    blocks: () => mark,
    /** True if it was too much before, and had been forgotten. */
    set(blocks: number): boolean {
      const isAgain = forgotten !== undefined
      if (isAgain) forgetAfter = Math.min(forgetAfter * 2, FORGET_AFTER.most)
      mark = Math.min(blocks, forgotten ?? blocks)
      forgotten = undefined
      return isAgain
    },
    /** So many ranges in a row suffice to forget it. */
    isOver: (ranges: number): boolean => mark <= MOST_BLOCKS && ranges % forgetAfter === 0,
    /** Sets the mark to this many blocks. */
    forget(blocks: number): void {
      forgotten ??= mark
      mark = blocks
    },
    /** If the refused width has been read since, the cause is gone. */
    read(width: number): void {
      if (forgotten === undefined || width < forgotten) return
      forgotten = undefined
      forgetAfter = least
    },
  }
}

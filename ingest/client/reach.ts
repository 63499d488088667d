/** How far back an endpoint serves logs, learnt from what it refused and answered. */

/** Ages are blocks behind the newest known block. */
export type Reach = {
  /** It refused logs that old; Infinity: of no age. */
  blocks(): number
  /** Whether it may serve logs from this block on, as far as is known. */
  covers(block: number): boolean
  refused(block: number): void
  answered(block: number): void
}

/** The newest block that any endpoint of a run has shown; 0: none yet. */
export type NewestBlock = { newest: number }

/** A refusal is forgotten after this long (ms): a plan can change. */
const FORGET_MS = 3_600_000
/** Blocks this new are no history: their refusal has another cause. */
const NEW_BLOCKS = 32

/** Opens a reach without a known limit. */
export function openReach(run: NewestBlock = { newest: 0 }): Reach {
  let least = Number.POSITIVE_INFINITY
  let refusedAt = 0
  const blocks = (): number =>
    Math.abs(Date.now() - refusedAt) > FORGET_MS ? Number.POSITIVE_INFINITY : least
  const ageOf = (block: number): number => run.newest - block

  return {
    blocks,
    covers: (block) => ageOf(block) < blocks(),
    refused(block) {
      const age = ageOf(block)
      if (age < NEW_BLOCKS) return
      least = Math.min(age, blocks())
      refusedAt = Date.now()
    },
    answered(block) {
      if (ageOf(block) >= least) least = Number.POSITIVE_INFINITY
    },
  }
}

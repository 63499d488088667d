/** Expected progress of the chain: the newest known block, and the time since it was seen. */
import type { Block } from '../../market/segment.ts'
import type { Chain } from '../client/chains.ts'

export type ChainProgress = {
  /** Notes the newest block, and returns it. */
  saw(block: Block): Block
  /** The newest block was replaced. */
  forget(): void
  /** Expected chain time (ms), if the chain has not halted: the machine's clock and the chain's may differ. */
  nowMs(): number
  /** Whether a block is so near to the head that its successors are polled. */
  isNear(block: Block): boolean
  /** The newest block, if it was seen lately and a block before it was read last. */
  ahead(read: Block): Block | undefined
  /** Milliseconds until the head's header is requested after a block: its minute should be over and can be sealed, or no block came for a while. */
  lookDueMs(block: Block): number
  /** Requests the head's header now. */
  looking<T>(look: () => Promise<T>): Promise<T>
}

/** Farther behind the head than this, in seconds of the chain, the head's header is requested instead of logs. */
export const NEAR_SECONDS = 60
/** A head older than this (ms since its request) is requested again, even if blocks before it are still unread. */
const HEAD_KEPT_MS = 30_000
/** Without a new block for so long (ms), the head's header is requested. */
const QUIET_MS = 30_000
/** Pause (ms) between two such requests, if the chain has halted. */
const LOOK_AGAIN_MS = 15_000
/** Blocks become visible some time after their timestamp. */
const VISIBLE_SECONDS = 1

/** Opens the progress of a chain before its first block is known. */
export function openProgress({ sealingSeconds }: Chain): ChainProgress {
  let newest: { readonly block: Block; readonly seenAt: number } | undefined
  let lookedAt = 0

  const nowMs = (): number =>
    newest ? newest.block.timestamp * 1_000 + Math.max(0, Date.now() - newest.seenAt) : 0
  const sinceSeen = (): number => (newest ? Math.abs(Date.now() - newest.seenAt) : 0)
  return {
    nowMs,
    saw(block) {
      newest = { block, seenAt: Date.now() }
      return block
    },
    forget() {
      newest = undefined
    },
    isNear: ({ timestamp }) => newest !== undefined && nowMs() - timestamp * 1_000 <= NEAR_SECONDS * 1_000,
    ahead: ({ number }) =>
      newest && newest.block.number > number && sinceSeen() < HEAD_KEPT_MS ? newest.block : undefined,
    lookDueMs({ timestamp }) {
      const sealableAt = (Math.floor((timestamp - sealingSeconds) / 60) + 1) * 60 + sealingSeconds
      const overMs = (sealableAt + VISIBLE_SECONDS) * 1_000 - nowMs()
      const againMs = LOOK_AGAIN_MS - Math.abs(Date.now() - lookedAt)
      return Math.max(0, againMs, Math.min(overMs, QUIET_MS - sinceSeen()))
    },
    looking(look) {
      lookedAt = Date.now()
      return look()
    },
  }
}

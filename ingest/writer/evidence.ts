/** Evidence for the blocks that are read but not sealed: their endpoints, further readings, and proven facts. */
import type { BlockFacts } from '../../market/fold/fact.ts'
import type { Block, Hash } from '../../market/segment.ts'
import { factsOfTokens } from '../proof/verification.ts'
import type { Range, SecondReading } from '../read/range.ts'

/** The usual number of facts is a moving average in which each verified span has a weight of a tenth. */
const DECAY = 0.9

/** Numbers of facts and of the minutes that have them. */
export type FactCount = { readonly facts: number; readonly minutes: number }

export type Evidence = {
  /** Minutes are verified up to this block. */
  verifiedTo(): number
  /** Proven facts of blocks that are being read again; a reading without them is incomplete. */
  proven(): readonly BlockFacts[]
  /** Whether a block of a later minute is known to follow this one. */
  isEndOfMinute(block: Block): boolean
  /** The endpoints that gave these blocks. */
  endpointsOf(from: number, to: number): ReadonlySet<string>
  /** The second reading of the blocks after `after` up to `to`, if it was read ahead. */
  secondOf(after: Block | null, to: number): SecondReading | undefined
  /** The usual number of token facts in this number of minutes; undefined: unknown. */
  usualOf(minutes: number): number | undefined
  /** A range was read after a block. */
  took(after: Block | null, range: Range): void
  /** The minutes up to block `to` were verified; `blocks` are theirs. */
  verified(to: number, blocks: readonly BlockFacts[], minutes: number): void
  /** These facts exist, even if an endpoint omits them. */
  prove(blocks: readonly BlockFacts[]): void
  /** The blocks after this one are read again. */
  forgetAfter(blockNumber: number): void
  /** After a reorg, the proven facts may belong to another fork. */
  forgetProven(): void
}

/** Opens the evidence before the first reading. `usual`: facts of the newest sealed minutes. */
export function openEvidence(usual: FactCount): Evidence {
  let { facts, minutes } = usual
  let second:
    | { readonly after: Block | null; readonly to: number; readonly reading: SecondReading }
    | undefined
  /** Hash of the last block read, if a block of a later minute follows it. */
  let endOfMinute: Hash | undefined
  let verifiedTo = -1
  let readFrom: readonly { readonly from: number; readonly to: number; readonly endpoint: string }[] = []
  let proven: readonly BlockFacts[] = []

  return {
    verifiedTo: () => verifiedTo,
    proven: () => proven,
    isEndOfMinute: ({ hash }) => hash === endOfMinute,
    endpointsOf: (from, to) =>
      new Set(readFrom.filter((span) => span.to >= from && span.from <= to).map(({ endpoint }) => endpoint)),
    secondOf: (after, to) =>
      second?.to === to && second.after?.hash === after?.hash ? second.reading : undefined,
    usualOf: (count) => (facts === 0 ? undefined : (facts / minutes) * count),
    took(after, range) {
      const to = range.last.number
      endOfMinute = range.endsMinute ? range.last.hash : undefined
      second = range.second && { after, to, reading: range.second }
      readFrom = [...readFrom, { from: (after?.number ?? -1) + 1, to, endpoint: range.endpoint }]
    },
    verified(to, blocks, count) {
      facts = facts * DECAY + factsOfTokens(blocks)
      minutes = minutes * DECAY + count
      verifiedTo = to
      proven = proven.filter(({ block }) => block.number > to)
      readFrom = readFrom.filter((span) => span.to > to)
    },
    prove(blocks) {
      proven = [...proven, ...blocks]
    },
    forgetAfter(blockNumber) {
      second = undefined
      verifiedTo = Math.min(verifiedTo, blockNumber)
      readFrom = readFrom.filter(({ from }) => from <= blockNumber)
    },
    forgetProven() {
      proven = []
    },
  }
}

/** Compares headers with the schedule. Where they agree, the schedule gives the times of the blocks between them. */
import type { Block } from '../../market/segment.ts'
import { type Era, guessedBlock, guessedTimeMs } from './schedule.ts'

/** A header whose time differs from the schedule's. Both are Unix seconds. */
export type OffSchedule = { readonly block: number; readonly timestamp: number; readonly guessed: number }

/** Agreement of the headers read so far with the schedule. */
export type ChainClock = {
  readonly schedule: readonly Era[]
  /** Compares headers, ascending; each one is reported if it differs. */
  note(headers: readonly Block[]): void
  /** Whether a block's time equals the schedule's; false if the schedule gives none. */
  agrees(block: Block): boolean
  /** Unix ms of a block of this time, if the schedule agrees and is in phase, or the endpoint's own claim equals it; else undefined. */
  timeMsOf(block: Block, claimedMs: number | undefined): number | undefined
  /** Two blocks whose headers show whether the schedule is in phase at a block; none if that is known, or out of the question. */
  probesAt(block: Block): readonly number[]
  /** Unix ms of a block between two others, if both agree with the schedule and it is in phase; else undefined. */
  timeMsBetween(before: Block, after: Block, number: number): number | undefined
}

/** Opens a clock that has seen no header. */
export function openChainClock(
  schedule: readonly Era[],
  onOff: (off: OffSchedule) => void = () => {},
): ChainClock {
  /** Eras, by index, in which headers showed between which two blocks a second ends. */
  const inPhase = new Set<number>()
  /** Eras in which the last header compared differed. */
  const outOfPhase = new Set<number>()
  const eraOf = (number: number) => schedule.findLastIndex(({ fromBlock }) => fromBlock <= number)
  const guessedAt = (number: number) => Math.floor((guessedTimeMs(schedule, number) ?? Number.NaN) / 1_000)
  const agrees = ({ number, timestamp }: Block) => guessedAt(number) === timestamp

  return {
    schedule,
    agrees,
    note(headers) {
      for (const [at, header] of headers.entries()) {
        const { number, timestamp } = header
        const era = eraOf(number)
        if (era < 0) continue
        if (!agrees(header)) {
          inPhase.delete(era)
          outOfPhase.add(era)
          onOff({ block: number, timestamp, guessed: guessedAt(number) })
          continue
        }
        const before = headers[at - 1]
        const isStep = before?.number === number - 1 && before.timestamp < timestamp && agrees(before)
        if (isWholeSeconds(schedule[era]) || (isStep && eraOf(number - 1) === era)) {
          inPhase.add(era)
          outOfPhase.delete(era)
        }
      }
    },
    timeMsOf(block, claimedMs) {
      if (!agrees(block)) return undefined
      const guessed = guessedTimeMs(schedule, block.number)
      if (claimedMs !== undefined) return claimedMs === guessed ? guessed : undefined
      return inPhase.has(eraOf(block.number)) ? guessed : undefined
    },
    probesAt(block) {
      const era = eraOf(block.number)
      if (era < 0 || inPhase.has(era) || outOfPhase.has(era) || !agrees(block)) return []
      const before = guessedBlock(schedule, block.timestamp * 1_000 - 1) ?? -1
      return eraOf(before) === era ? [before, before + 1] : []
    },
    timeMsBetween(before, after, number) {
      const era = eraOf(number)
      const isOneEra = eraOf(before.number) === era && eraOf(after.number) === era
      if (!isOneEra || !inPhase.has(era) || !agrees(before) || !agrees(after)) return undefined
      return guessedTimeMs(schedule, number)
    },
  }
}

/** One header then shows the second of every block of the era. */
const isWholeSeconds = (era: Era | undefined): boolean => era !== undefined && era.everyMs % 1_000 === 0

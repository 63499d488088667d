import type { Block, Minute } from './segment.ts'

/** An entry of the log that sealed a minute. */
export type SealedEntry = Extract<LogEntry, { readonly is: 'sealed' }>

/** The effective sealed minutes after these entries (in log order): a rewound entry cancels every minute after its own. */
export function effectiveEntries(entries: Iterable<LogEntry>): SealedEntry[] {
  const sealed: SealedEntry[] = []
  for (const entry of entries) {
    if (entry.is === 'sealed') sealed.push(entry)
    else while (isAfter(sealed.at(-1), entry.minute)) sealed.pop()
  }
  return sealed
}

const isAfter = (entry: SealedEntry | undefined, minute: number | null): boolean =>
  entry !== undefined && (minute === null || entry.minute > minute)

/**
 * One entry of the log of minutes. `n` is dense from 1. A rewound entry cancels the orphaned minutes: `minute` and
 * `last` are the new last ones (null: none).
 */
export type LogEntry =
  | {
      readonly n: number
      readonly is: 'sealed'
      readonly minute: Minute
      readonly firstBlock: number
      readonly last: Block
      readonly segment: SegmentReference
      /** FOLD_VERSION that the minute was folded by. Absent: 1. */
      readonly rules?: number
    }
  | {
      readonly n: number
      readonly is: 'rewound'
      readonly minute: Minute | null
      readonly last: Block | null
      /** Newest first. */
      readonly orphaned: readonly SegmentReference[]
      /**
       * The chain did not change: an endpoint had omitted logs of these minutes, or older rules had folded them. Absent:
       * a reorg.
       */
      readonly cause?: 'omission' | 'rules'
    }

/** A segment object: its key in the bucket and the sha256 (hex) of its uncompressed bytes. */
export type SegmentReference = { readonly minute: Minute; readonly key: string; readonly sha256: string }

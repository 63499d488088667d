import type { LogEntry } from './segment.ts'

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

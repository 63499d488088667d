import type { ToRead } from './catch-up.ts'
import type { IngestError } from './faults.ts'
import type { MovedStart } from './log-start.ts'
import type { Wait } from './pacing.ts'
import type { Progress } from './writer-state.ts'

/** What the ingest process tells of itself. */
export type IngestEvent =
  | Progress
  /** Once, before the first block is read: those up to the head, and how many a call is to give. */
  | { readonly is: 'begins'; readonly blocks: ToRead; readonly blocksACall: number }
  /** No endpoint can show what stood before the block that was wanted: the log begins later. */
  | ({ readonly is: 'start moved' } & MovedStart)
  /** A request to an endpoint, with so many calls in it. */
  | { readonly is: 'asked'; readonly calls: number }
  /** An endpoint wants to be asked later. */
  | { readonly is: 'wait'; readonly wait: Wait }
  /** After a fault that may pass, all is begun again. */
  | { readonly is: 'retry'; readonly wait: Wait; readonly fault: IngestError }

/** What happens all the time is no line of the log. */
const unlogged: ReadonlySet<IngestEvent['is']> = new Set(['read', 'idle', 'begins', 'asked'])

/** An event as a line of the process's log; undefined: it is none. */
export function lineOf(event: IngestEvent): string | undefined {
  if (unlogged.has(event.is)) return undefined
  const entry = 'entry' in event ? { n: event.entry.n, minute: event.entry.minute } : {}
  const cause = event.is === 'rewound' && event.entry.is === 'rewound' ? { cause: event.entry.cause } : {}
  const wait = 'wait' in event ? { ...event.wait, until: new Date(event.wait.until).toISOString() } : {}
  const fault =
    'fault' in event && event.fault ? { error: event.fault.name, message: event.fault.message } : {}
  const gap = event.is === 'gap' ? event.gap : {}
  const moved = event.is === 'start moved' ? { wanted: event.wanted, block: event.block } : {}
  const name = `ingest.${event.is.replace(' ', '_')}`
  return JSON.stringify({ event: name, ...entry, ...cause, ...wait, ...fault, ...gap, ...moved })
}

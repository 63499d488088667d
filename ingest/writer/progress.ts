import type { LogEntry } from '../../market/log.ts'
import type { Block } from '../../market/segment.ts'
import type { StatusGap } from '../../schemas/api/service.ts'
import type { IngestError } from '../client/faults.ts'

/** Result of a writer's step. */
export type Progress =
  | { readonly is: 'read'; readonly last: Block; readonly head: Block }
  | { readonly is: 'sealed'; readonly entry: LogEntry; readonly head: Block }
  | { readonly is: 'rewound'; readonly entry: LogEntry }
  | { readonly is: 'retracted'; readonly ancestor: Block | null }
  /** Sealed minutes were counted again, or (`fault`) could not be; for minutes with omitted logs 'rewound' follows. */
  | { readonly is: 'rechecked'; readonly to: Block; readonly fault: IngestError | null }
  /** Logs are missing that no endpoint delivers: sealing stops until one does. */
  | { readonly is: 'gap'; readonly gap: StatusGap }
  | { readonly is: 'gap closed' }
  /** The holders of this many tokens were refreshed, or (`fault`) could not be. */
  | { readonly is: 'viewed'; readonly tokens: number; readonly fault: IngestError | null }
  /** Pushed blocks were published; the next poll confirms them. */
  | { readonly is: 'pushed'; readonly last: Block }
  /** Another writer took the entry; the log was read again. */
  | { readonly is: 'lost' }
  /** Nothing to do until the chain grows. */
  | { readonly is: 'idle'; readonly head: Block }

/** Whether nothing was left to read. Holders are refreshed then. */
export const isAtHead = ({ is }: { readonly is: string }): boolean =>
  is === 'idle' || is === 'pushed' || is === 'viewed'

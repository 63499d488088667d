import type { Block } from '../market/segment.ts'
import { type FieldTable, fieldsOf } from './field.ts'
import * as kind from './kinds.ts'
import * as form from './parameter-form.ts'
import { type Parameter, strict } from './parameters.ts'
import { swapFilters } from './swap.ts'

/** Where the stream of swaps is read; both are the same. */
export const STREAM_PATH = '/stream/swaps'
export const streamPaths: readonly string[] = [STREAM_PATH, `/v1${STREAM_PATH}`]

/** Where a reader that lost its place finds the newest swaps. */
export const BACKFILL_PATH = '/v1/market/recent-swaps'

/** The place to go on from, for a reader that cannot send the header Last-Event-ID, which goes before it. */
export const lastEventId: Parameter = {
  names: ['last_event_id'],
  says: 'Id of the last event that was read: the stream goes on after it',
  values: null,
  form: form.text(1, 128),
  fallback: null,
}

/** Everything that the stream is asked for; who cannot set a header sends a parameter. */
export const streamParameters: readonly Parameter[] = [
  ...swapFilters.map(({ parameter }) => parameter),
  lastEventId,
  strict,
]

/** What `ready` says: the first event of every connection. */
export type ReadyLine = { readonly head: string; readonly oldest: string }

const ready = fieldsOf<ReadyLine>()

/** Keys of `ready`. */
export const readyFields: FieldTable<ReadyLine> = {
  head: ready(kind.text, (row) => row.head, { says: 'Id of the newest event there is' }),
  oldest_id: ready(kind.text, (row) => row.oldest, { says: 'Oldest id that can be gone on from' }),
}

const retract = fieldsOf<Block>()

/** Keys of `retract`: a block that the chain has replaced, with every swap in it. */
export const retractFields: FieldTable<Block> = {
  block_number: retract(kind.count, (block) => block.number, { says: 'Block that is no more' }),
  block_hash: retract(kind.hash, (block) => block.hash, {
    says: 'Its hash: every swap that was sent with it is taken back',
  }),
  timestamp: retract(kind.count, (block) => block.timestamp, { says: 'Its time, Unix seconds' }),
}

/** Why a reader cannot go on from where it was. */
export const resyncReasons = ['expired', 'unknown', 'limited'] as const
export type ResyncReason = (typeof resyncReasons)[number]

/** What `resync` says: between the reader's place and the head, swaps may be missing. */
export type ResyncLine = { readonly reason: ResyncReason; readonly oldest: string }

const resync = fieldsOf<ResyncLine>()

/** Keys of `resync`. */
export const resyncFields: FieldTable<ResyncLine> = {
  reason: resync(kind.choice(resyncReasons), (row) => row.reason, {
    says: 'expired: the place is older than what is kept; unknown: there is no such event; limited: there is more to go through than one reader is sent',
  }),
  oldest_id: resync(kind.text, (row) => row.oldest, { says: 'Oldest id that can be gone on from' }),
  backfill: resync(kind.text, () => BACKFILL_PATH, { says: 'Where the newest swaps can be read' }),
}

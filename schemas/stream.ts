import type { Block } from '../market/segment.ts'
import { type FieldTable, fieldsOf, type Json, type JsonSchema, rowSchema } from './field.ts'
import * as kind from './kinds.ts'
import * as syntax from './parameter-syntax.ts'
import { type Parameter, parameterSchema, strict } from './parameters.ts'
import { swapFields, swapFilters } from './swap.ts'

/** Where the stream of swaps is read; both are the same. */
const STREAM_PATH = '/stream/swaps'
export const streamPaths: readonly string[] = [STREAM_PATH, `/v1${STREAM_PATH}`]

/** Where a reader that cannot resume finds the newest swaps. */
const BACKFILL_PATH = '/v1/market/recent-swaps'

/** Where to resume, for a reader that cannot send the header Last-Event-ID, which takes precedence. */
export const lastEventId: Parameter = {
  names: ['last_event_id'],
  description: 'Id of the last event that was read: the stream goes on after it',
  values: null,
  syntax: syntax.textParameter(1, 128),
  fallback: null,
}

/** The parameters of the stream. */
export const streamParameters: readonly Parameter[] = [
  ...swapFilters.map(({ parameter }) => parameter),
  lastEventId,
  strict,
]

/** `ready`: the first event of every connection. */
export type ReadyLine = { readonly head: string; readonly oldest: string }

const ready = fieldsOf<ReadyLine>()

/** Keys of `ready`. */
export const readyFields: FieldTable<ReadyLine> = {
  head: ready(kind.text, (row) => row.head, 'Id of the newest event there is'),
  oldest_id: ready(kind.text, (row) => row.oldest, 'Oldest id that can be gone on from'),
}

/** `position`: a filtered reader has all matching swaps up to here. */
export type PositionLine = { readonly head: string }

const position = fieldsOf<PositionLine>()

/** Keys of `position`. */
export const positionFields: FieldTable<PositionLine> = {
  head: position(kind.text, (row) => row.head, 'Id of the newest event; the filter admitted nothing since'),
}

const retract = fieldsOf<Block>()

/** Keys of `retract`: a block that the chain has replaced, with every swap in it. */
export const retractFields: FieldTable<Block> = {
  block_number: retract(kind.count, (block) => block.number, 'Block that is no more'),
  block_hash: retract(kind.hash, (block) => block.hash, {
    description: 'Its hash: every swap that was sent with it is retracted',
  }),
  timestamp: retract(kind.count, (block) => block.timestamp, 'Its time, Unix seconds'),
}

/** Why a reader cannot resume where it was. */
const resyncReasons = ['expired', 'unknown', 'limited'] as const
export type ResyncReason = (typeof resyncReasons)[number]

/** `resync`: swaps between the reader's position and the head may be missing. */
export type ResyncLine = { readonly reason: ResyncReason; readonly oldest: string }

const resync = fieldsOf<ResyncLine>()

/** Keys of `resync`. */
export const resyncFields: FieldTable<ResyncLine> = {
  reason: resync(kind.choice(resyncReasons), (row) => row.reason, {
    description:
      'expired: the place is older than what is kept; unknown: there is no such event; limited: there is more to go through than one reader is sent',
  }),
  oldest_id: resync(kind.text, (row) => row.oldest, 'Oldest id that can be gone on from'),
  backfill: resync(kind.text, () => BACKFILL_PATH, 'Where the newest swaps can be read'),
}

/** Paths of the stream's description. */
export const asyncapiPaths: readonly string[] = streamPaths.map((path) =>
  path.replace(/swaps$/, 'asyncapi.json'),
)

const description = `Swaps of all tokens as they occur, as Server-Sent Events. No key is needed.

Swaps have no event name, so they reach \`onmessage\`; \`ready\`, \`position\`, \`retract\` and \`resync\` are named. Every block has an id and data. A reader that comes back with the id of its last event, in the header \`Last-Event-ID\` as an EventSource sends it or as \`last_event_id\` (\`lastEventId\` and other spellings work too), gets every event after it, for 24 hours. All servers send the same ids in the same order.

A swap may be retracted while it is not \`confirmed\`: \`retract\` names the block that is no more. Who applies it has exactly the swaps of the chain.

Without a filter the body is gzip for readers whose \`Accept-Encoding\` takes it; each event can be read as soon as it came.`

type EventName = 'ready' | 'position' | 'retract' | 'resync'

const id: JsonSchema = {
  type: 'string',
  pattern: '^\\d+\\.\\d+$',
  description: 'The place after this event: what Last-Event-ID names',
}

const message = (description: string, schema: JsonSchema, event: EventName | null): Json => ({
  title: description,
  contentType: 'application/json',
  headers: {
    type: 'object',
    description: 'Fields of the event',
    properties: { id, ...(event === null ? {} : { event: { type: 'string', const: event } }) },
    required: event === null ? ['id'] : ['id', 'event'],
  },
  payload: schema,
})

const named = <Row>(event: EventName, description: string, table: FieldTable<Row>): Json =>
  message(description, rowSchema(table), event)

const messages: { readonly [name: string]: Json } = {
  swap: message('A swap', rowSchema(swapFields), null),
  ready: named('ready', 'Where the connection begins: the first event of each', readyFields),
  position: named('position', 'Nothing that the filter admits up to here; sent while idle', positionFields),
  retract: named('retract', 'The chain has replaced a block: its swaps are retracted', retractFields),
  resync: named('resync', 'The place asked for is lost: the stream goes on at its head', resyncFields),
}

const refs = (to: string): Json => Object.keys(messages).map((name) => ({ $ref: `${to}/${name}` }))

/** The stream in AsyncAPI 3: its parameters, and every event with its schema. */
export function asyncapiDocument(): { readonly [key: string]: Json } {
  return {
    asyncapi: '3.0.0',
    info: { title: 'z100 stream', version: '1.0.0', description, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    channels: {
      swaps: {
        address: STREAM_PATH,
        title: 'Swaps of all tokens',
        description: `Also at ${streamPaths.slice(1).join(', ')}.`,
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      sendSwaps: {
        action: 'send',
        title: 'Each event, as it occurs',
        channel: { $ref: '#/channels/swaps' },
        messages: refs('#/channels/swaps/messages'),
        bindings: {
          http: {
            method: 'GET',
            query: {
              type: 'object',
              properties: Object.fromEntries(
                streamParameters.map((each) => [
                  each.names[0],
                  { ...parameterSchema(each), description: each.description },
                ]),
              ),
            },
            bindingVersion: '0.3.0',
          },
        },
      },
    },
    components: { messages },
  }
}

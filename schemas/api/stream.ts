import type { Block, Token } from '../../market/segment.ts'
import { swapFields, swapFilters } from '../records/swap.ts'
import { descriptions } from '../records/token-description.ts'
import { type FieldTable, fieldsOf, type Json, type JsonSchema, orNull, rowSchema } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import * as syntax from '../values/parameter-syntax.ts'
import { type Parameter, parameterSchema, strict, word } from '../values/parameters.ts'
import { REPLAY_HOURS } from '../values/stream-times.ts'
import { cursorOf } from '../values/swap-cursor.ts'

/** Where the stream of swaps is read; both are the same. */
const STREAM_PATH = '/stream/swaps'
export const streamPaths: readonly string[] = [STREAM_PATH, `/v1${STREAM_PATH}`]

/** Where a reader that cannot resume finds the newest swaps. */
const BACKFILL_PATH = '/v1/market/recent-swaps'
const LAUNCHES_PATH = '/v1/discover/new-launches'

/** Where to resume, for a reader that cannot send the header Last-Event-ID, which takes precedence. */
export const lastEventId: Parameter = {
  names: ['last_event_id'],
  description: 'Id of the last event that was read: the stream goes on after it',
  values: null,
  syntax: syntax.textParameter(1, 128),
  fallback: null,
}

/** What a reader is sent. */
export const streamEvents: Parameter = word(
  ['events'],
  'What is sent: swaps, launches of tokens, or both. Of the filters only `token` is about launches',
  [['swap', 'launch', 'swap,launch', 'launch,swap'], 'swap'],
)

/** The parameters of the stream. */
export const streamParameters: readonly Parameter[] = [
  streamEvents,
  ...swapFilters.map(({ parameter }) => parameter),
  lastEventId,
  strict,
]

/** `ready`: the first event of every connection. */
export type ReadyLine = { readonly head: string; readonly oldest: string; readonly heartbeatSeconds: number }

const ready = fieldsOf<ReadyLine>()

/** Keys of `ready`. */
export const readyFields: FieldTable<ReadyLine> = {
  head: ready(kind.text, (row) => row.head, 'Id of the newest event there is'),
  oldest_id: ready(kind.text, (row) => row.oldest, 'Oldest id that can be gone on from'),
  heartbeat_seconds: ready(
    kind.count,
    (row) => row.heartbeatSeconds,
    'Longest time without anything sent, at least a comment; after three times that the connection is dead',
  ),
}

/** `position`: a filtered reader has all matching swaps up to here. */
export type PositionLine = { readonly head: string }

const position = fieldsOf<PositionLine>()

/** Keys of `position`. */
export const positionFields: FieldTable<PositionLine> = {
  head: position(kind.text, (row) => row.head, 'Id of the newest event; the filter admitted nothing since'),
}

const retract = fieldsOf<Block>()

/** Keys of `retract`: a block that the chain has replaced, with every swap and launch in it. */
export const retractFields: FieldTable<Block> = {
  block_number: retract(kind.count, (block) => block.number, 'Block that is no more'),
  block_hash: retract(kind.hash, (block) => block.hash, {
    description: 'Its hash: every swap and launch that was sent with it is retracted',
  }),
  timestamp: retract(kind.count, (block) => block.timestamp, 'Its time, Unix seconds'),
}

/** `launch`: a token that a block launched; `isConfirmed` once its minute is applied. Its creator token is not told. */
export type LaunchLine = {
  readonly token: Token
  readonly creatorToken: null
  readonly block: Block
  readonly isConfirmed: boolean
}

const launch = fieldsOf<LaunchLine>()
const { type, symbol, name, contract_address, pool_id, ...described } = descriptions

/** Keys of `launch`: those that the list of new launches has as well, and what only the block tells. */
export const launchEventFields: FieldTable<LaunchLine> = {
  type,
  symbol,
  name,
  contract_address,
  creator_address: described.creator_address,
  creator_verified: described.creator_verified,
  launched_by: described.launched_by,
  pool_id,
  quote_address: launch(kind.address, ({ token }) => token.quote, {
    description: 'What it is priced in: a creator token or a reference currency; zero for the chain’s own',
  }),
  created_at: described.created_at,
  timestamp: launch(kind.count, ({ block }) => block.timestamp, 'Time of the block, Unix seconds'),
  launch_block: launch(kind.count, ({ block }) => block.number, 'The creation block'),
  block_hash: launch(kind.hash, ({ block }) => block.hash, 'Its hash'),
  launch_transaction_hash: launch(kind.hash, ({ token }) => token.launchedAt.transactionHash, {
    description: 'The transaction that created it',
  }),
  log_index: launch(kind.count, ({ token }) => token.launchedAt.logIndex, 'Index of the log in the block'),
  launch_price_usd: launch(orNull(kind.price), ({ token }) => token.launch.priceUsdE36, {
    description: 'First pool price in USD; null without a route to USD',
  }),
  total_supply: launch(kind.amount, ({ token }) => token.launch.supply, 'Supply at launch, whole tokens'),
  cursor: launch(kind.text, ({ token }) => cursorOf(token.launchedAt), {
    description: 'Its place among the launches, opaque: `cursor` of the new launches takes it',
  }),
  confirmed: launch(kind.flag, (row) => row.isConfirmed, {
    description: 'Its minute is sealed; before that a reorganisation of the chain may retract it',
  }),
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
  backfill_launches: resync(kind.text, () => LAUNCHES_PATH, 'Where the newest launches can be read'),
}

/** Paths of the stream's description. */
export const asyncapiPaths: readonly string[] = streamPaths.map((path) =>
  path.replace(/swaps$/, 'asyncapi.json'),
)

const description = `Swaps of all tokens as they occur, as Server-Sent Events. No key is needed.

Swaps have no event name, so they reach \`onmessage\`; \`launch\`, \`ready\`, \`position\`, \`retract\` and \`resync\` are named. Launches of tokens are sent to who asks with \`events=swap,launch\`, or \`events=launch\` for these alone. Every block has an id and data. A reader that comes back with the id of its last event, in the header \`Last-Event-ID\` as an EventSource sends it or as \`last_event_id\` (\`lastEventId\` and other spellings work too), gets every event after it, for ${REPLAY_HOURS} hours. All servers send the same ids in the same order.

A swap may be retracted while it is not \`confirmed\`: \`retract\` names the block that is no more, and takes back its launches as well. Who applies it has exactly the swaps of the chain.

Without a filter the body is gzip for readers whose \`Accept-Encoding\` takes it; each event can be read as soon as it came.`

type EventName = 'launch' | 'ready' | 'position' | 'retract' | 'resync'

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
  launch: named('launch', 'A token was launched; only to readers that ask for it', launchEventFields),
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

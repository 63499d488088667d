import type { TokenSummary } from '../market/row.ts'
import { summaryFields } from './discover-row.ts'
import { type FieldTable, fieldsOf, type JsonSchema, recordKind, rowSchema } from './field.ts'
import { fixedOperations } from './fixed-operations.ts'
import * as kind from './kinds.ts'
import { type Operation, type OperationName, operations } from './operations.ts'
import type { Parameter } from './parameters.ts'
import * as parameters from './parameters.ts'
import { manifestSchema, snapshotFields } from './service.ts'
import { swapFields } from './swap.ts'
import { detailFields, holdersFields, metricsFields, priceStepFields } from './token-page.ts'
import { usageFields } from './usage.ts'
import { indexBarFields } from './z100-index.ts'

/** An answer of the API is never kept: it could reach another account. */
const NEVER_KEPT = 'no-store'

const LIST_MAX = 100
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', maxItems: LIST_MAX, items })

/** What a search found a token by; kinds stand best first. */
const matchNames = ['symbol', 'handle', 'address', 'name', 'creator_address'] as const
const matchKinds = ['exact', 'prefix', 'word', 'contains'] as const
export type Match = {
  readonly field: (typeof matchNames)[number]
  readonly kind: (typeof matchKinds)[number]
}
type FoundToken = TokenSummary & { readonly match: Match }

const match = fieldsOf<Match>()
const found = fieldsOf<FoundToken>()

/** What a token of a search was found by. */
export const matchFields: FieldTable<Match> = {
  field: match(kind.choice(matchNames), (row) => row.field, { says: 'What of the token matches' }),
  kind: match(kind.choice(matchKinds), (row) => row.kind, { says: 'How it matches: the first is the best' }),
}

/** A token that a search found. */
export const foundFields: FieldTable<FoundToken> = {
  ...summaryFields,
  match: found(recordKind(matchFields), (row) => row.match, { says: 'What it was found by' }),
}

const read = (
  path: `/v1/${string}`,
  says: string,
  { rest = [], body }: { readonly rest?: readonly Parameter[]; readonly body: JsonSchema },
): Operation & { readonly axes: null } => ({
  path,
  says,
  needs: 'key',
  axes: null,
  rest: [...rest, parameters.strict],
  body,
  cacheControl: NEVER_KEPT,
})

const swaps = listOf(rowSchema(swapFields))
const swapFilters = [parameters.side, parameters.minValue, parameters.timeOrder]
const page = (limit: Parameter) => [limit, parameters.offset, parameters.envelope]

/** The operations that are answered from the tables, by name. `{id}` is a token's address or pool. */
export const reads = {
  token: read('/v1/tokens/{id}', 'One token', { body: rowSchema(detailFields) }),
  metrics: read('/v1/tokens/{id}/metrics', 'Figures of one token', { body: rowSchema(metricsFields) }),
  priceHistory: read('/v1/tokens/{id}/price-history', 'Prices of one token in equal steps of UTC time', {
    rest: [parameters.period, parameters.fill, parameters.envelope],
    // A week in hours, the longest, has 168 steps.
    body: { ...listOf(rowSchema(priceStepFields)), maxItems: 168 },
  }),
  holders: read('/v1/tokens/{id}/holders', 'The largest holders of one token, and how its supply lies', {
    rest: [parameters.limit],
    body: rowSchema(holdersFields),
  }),
  tokenSwaps: read('/v1/tokens/{id}/swaps', 'Swaps of one token: the last 1,000, at most 8 days', {
    rest: [...page(parameters.swapsLimit), ...swapFilters],
    body: swaps,
  }),
  recentSwaps: read('/v1/market/recent-swaps', 'Swaps of all tokens as they occur: the last 10,000', {
    rest: [...page(parameters.limit), ...swapFilters, parameters.tokenFilter],
    body: swaps,
  }),
  tokens: read('/v1/tokens', 'Tokens by symbol, name, address or creator, oldest first', {
    rest: [parameters.tokenField, parameters.tokenValue, ...page(parameters.limit)],
    body: listOf(rowSchema(summaryFields)),
  }),
  historical: {
    ...read('/v1/z100/historical', 'The Z100 Index in equal steps of UTC time, oldest first', {
      rest: [parameters.from, parameters.to, parameters.interval, parameters.envelope],
      // 31 days in hours, the most.
      body: { ...listOf(rowSchema(indexBarFields)), maxItems: 745 },
    }),
    tier: 'professional',
  },
  usage: {
    ...read('/v1/usage', 'What your account used of this hour; not counted itself', {
      body: rowSchema(usageFields),
    }),
    isUncounted: true,
  },
  snapshots: read('/v1/snapshots', 'Published snapshots, newest first: the last 1,000 up to a moment', {
    rest: [parameters.to, ...page(parameters.snapshotsLimit)],
    body: listOf(rowSchema(snapshotFields)),
  }),
  snapshot: read(
    '/v1/snapshots/{id}',
    'A snapshot’s manifest: its documents and their digests, kept 90 days',
    {
      body: manifestSchema,
    },
  ),
  search: read('/v1/search', 'Tokens now on either board that match a text, best match first', {
    rest: [parameters.searchText, ...page(parameters.limit)],
    body: listOf(rowSchema(foundFields)),
  }),
} as const satisfies Record<string, Operation> & { readonly [Name in OperationName]?: never }

export type ReadName = keyof typeof reads

/** Every operation of the API: published, read or fixed, never two of them, or it does not compile. */
export const everyOperation: Readonly<Record<string, Operation>> = {
  ...operations,
  ...reads,
  ...fixedOperations,
}

import { formatUsd } from '../../market/display.ts'
import { CAP_PER_LIQUIDITY, ENGAGEMENT_MIN_MICRO_USD, LIQUIDITY_MIN_MICRO_USD } from '../../market/rules.ts'
import type { Operation } from '../api/operation.ts'
import { type OperationName, operations } from '../api/operations.ts'
import { WRITTEN_ORIGIN } from '../pages/site.ts'
import type { Json, JsonSchema } from '../values/field.ts'
import * as parameters from '../values/parameters.ts'
import { flags, type Parameter } from '../values/parameters.ts'
import answers from './openapi-examples.json' with { type: 'json' }
import { type IdName, idNameOf, ids } from './openapi-ids.ts'
import {
  headerComponents,
  JSON_TYPE,
  responseComponents,
  responsesOf,
  timeless,
} from './openapi-responses.ts'
import { componentName, refTo, schemaComponents } from './openapi-schemas.ts'

/** An answer of each operation. Parts that are answers of other operations are stored once. */
export const examples: Readonly<Record<string, Json>> = {
  ...answers,
  search: answers.search.map((found, at) => ({ ...answers.tokens[at], ...found })),
  all: { ...answers.all, index: answers.index, creators: answers.creators, posts: answers.posts },
}

/** Parameters that several operations share, by their name in the code. */
const shared = Object.entries(parameters).filter(
  (entry): entry is [string, Parameter] => typeof entry[1] === 'object' && 'names' in entry[1],
)

const sharedName = (parameter: Parameter): string | undefined =>
  shared.find(([, each]) => each === parameter)?.[0]

/** The key of a parameter in the components: each of its names has one. */
const keyOf = (key: string, { names }: Parameter, name: string): string =>
  componentName(names.length > 1 ? `${key}_${name}` : key)

const [exampleToken] = answers.tokens
const idExamples: Readonly<Record<IdName, string>> = {
  token: exampleToken?.contract_address ?? '',
  snapshotId: answers.snapshots[0]?.snapshot_id ?? '',
  creator: exampleToken?.contract_address ?? '',
  walletId: exampleToken?.contract_address ?? '',
}

/** Values of parameters that must be sent, by name. */
const requiredExamples: Readonly<Record<string, string>> = {
  field: 'symbol',
  value: exampleToken?.symbol ?? '',
  q: exampleToken?.symbol ?? '',
}

/**
 * The value that a tool may fill in: it never changes an answer. Of a name without its default in the schema, the default;
 * of an optional text without a default, the empty text, which counts as absent; of a number, none.
 */
function exampleOf(parameter: Parameter, { type }: JsonSchema): { readonly example?: string } {
  const { fallback, isRequired, names } = parameter
  if (fallback === null && !isRequired && type !== 'string') return {}
  return { example: fallback ?? (isRequired ? (requiredExamples[names[0]] ?? '') : '') }
}

/** Parameters of an operation: the id in its path, then every name of every parameter. */
function parametersOf({ path, documentParameters, rest }: Operation): readonly Json[] {
  const query = [...(documentParameters ?? []), ...rest].flatMap((parameter) => {
    const key = sharedName(parameter)
    return parameter.names.map((name) =>
      key ? refTo('parameters', keyOf(key, parameter, name)) : described(parameter, name),
    )
  })
  const id = idNameOf(path)
  return path.includes('{id}') ? [refTo('parameters', componentName(id)), ...query] : query
}

/** The parameters that operations refer to. */
const parameterComponents: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(
    Object.entries(ids).map(([key, description]) => [
      componentName(key),
      {
        name: 'id',
        in: 'path',
        required: true,
        description,
        example: idExamples[key as IdName],
        schema: { type: 'string', minLength: 1 },
      },
    ]),
  ),
  ...Object.fromEntries(
    shared.flatMap(([key, parameter]) =>
      parameter.names.map((name) => [keyOf(key, parameter, name), described(parameter, name)]),
    ),
  ),
}

/** The last name is the one to use, and has the default: another name takes precedence over it. */
function described(parameter: Parameter, name: string): Json {
  const last = parameter.names.at(-1)
  const { default: fallback, ...schema } = parameters.parameterSchema(parameter)
  const description =
    name === last
      ? sentencesOf(parameter)
      : `The same as \`${last}\`. When both are sent, the one that differs from the default wins; when both do, \`${name}\`.`
  const isDefaulted = name === last && fallback !== undefined
  return {
    name,
    in: 'query',
    description,
    required: parameter.isRequired ?? false,
    ...(name === last ? {} : { deprecated: true }),
    ...(isDefaulted
      ? { schema: { ...schema, default: fallback } }
      : { schema: parameter.isRequired ? schema : orEmpty(schema), ...exampleOf(parameter, schema) }),
  }
}

/** An optional text may be empty, which counts as absent. */
function orEmpty({ pattern, minLength, enum: words, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(Array.isArray(words) ? { enum: [...words, ''] } : {}),
    ...(pattern === undefined ? {} : { pattern: `^$|${pattern}` }),
  }
}

function sentencesOf({ description, same = [], values, syntax, fallback }: Parameter): string {
  const isFlag = values === flags
  const others = isFlag ? [] : same.map((word) => `\`${word}\` means \`${fallback}\`.`)
  const spellings = isFlag ? ['`1` and `0` work too.'] : values ? ['Case-insensitive.'] : []
  return [
    `${description}.`,
    ...others,
    ...spellings,
    ...(syntax?.description ? [`${syntax.description}.`] : []),
  ].join(' ')
}

/** The version of the contract: the first number is that of the path, and within it nothing leaves. */
const API_VERSION = '1.1.0'

const description = `Market data for creator tokens and post tokens (Zora coins on Base): two boards, an index, trending lists, figures for every token, and swaps as they occur.

**Reading.** Every operation is a GET; HEAD and OPTIONS work everywhere. A trailing slash makes no difference. Send the key in \`Authorization: Bearer <key>\`; status and the descriptions of the API need none.

**Parameters.** Values that are words are case-insensitive. An empty parameter counts as absent, a repeated one is refused, an unknown one is ignored and listed in \`X-Ignored-Parameters\` unless \`strict=true\`. Sending a default value never changes the answer. For operations that need no key the edge drops the query, so \`strict\` has no effect there.

**Lists** are arrays; \`envelope=true\` wraps them as \`{data, meta}\`. Either way \`X-Total-Count\`, \`X-Page-Count\`, \`X-Current-Page\`, \`X-Per-Page\` and \`Link\` describe the page. \`rank\` is the position on the board and does not change with the sort order; sorted by \`rank\`, \`desc\` is best first: 1…100. To page through a board without gaps or repeats, pass the \`X-Snapshot-Id\` of the first page as \`snapshot\`. Candles page by time and all tokens by a cursor: follow the \`Link\` to the next page while there is one; a page can end before its limit where reading it would cost too much.

**Freshness.** Documents are rebuilt once a minute (a small deployment: every five, \`rebuild_every_seconds\` of /v1/status) from the sealed minutes of the chain. \`X-Data-Block\`, \`X-Data-Block-Hash\` and \`X-Data-Time\` identify the state that an answer is based on: for a cached document, the state that last changed it; for an error of the API, the newest snapshot. \`X-Data-Stale: true\` on an answer of the API means that its figures are four minutes older than that; for documents, which come from caches, /v1/status tells. With \`If-None-Match\` and the \`ETag\`, an unchanged answer has no body.

**Limits.** Each account has a number of answers per UTC hour, shared by all of its keys. 304 and errors count, except 401, 405 and 429. Answers of the API state what is left in \`X-RateLimit-*\` and \`RateLimit\`. Answers from the cache cannot: they are counted from the edge's log some seconds later. /v1/usage is not counted and always states it.

**Numbers** are plain decimals: US dollars with 2 places, percent with 2, prices with 12 significant digits, whole tokens floored to 6 places, with the exact amount in \`*_raw\`. Each figure is rounded once, so sums agree within rounding. \`timestamp\` is Unix seconds, \`timestamp_ms\` of a swap Unix milliseconds, or null where they are not proven; every other time is ISO 8601 UTC. Several blocks of a chain share a second, so swaps are ordered by (\`block_number\`, \`log_index\`). Names and symbols come from the chain and are untrusted. What is unknown is null.

**Display values.** On board rows \`volume_24h\`, \`total_volume\` and, on posts, \`market_cap\` are numbers; \`*_raw\` and \`*_formatted\` always come with them, and \`values=display\` prints the three themselves as text. \`change_24h\` is text on board rows and a number elsewhere; \`change_24h_percent\` is always a number.

**What a rank costs to fake.** Anyone can trade with themselves, so some lists are cheap to climb. \`holders\`, \`holders_change\`: the fee of a transfer for each holder, a fraction of a cent. \`volume\`, \`total_volume\`, \`volume_change\`: the pool's fee on what is traded back and forth. \`earnings\`: the same; half of the fee is what counts, and in one's own pool most of it comes back. \`rank_volume\`: the pool's fee, twice, on the money that each wallet really puts in within the hour. \`price\`, \`market_cap\`, \`market_cap_change\`, \`price_change\`, \`change\`, \`change_1h\`, \`change_7d\`: a small pool, in which little money moves the price; trending lists require ${formatUsd(LIQUIDITY_MIN_MICRO_USD)} of liquidity on the path. \`rank\` of posts (\`engagement\`): a swap of ${formatUsd(ENGAGEMENT_MIN_MICRO_USD)} for each wallet and hour. \`rank\` of creators (\`value\`): money in the pools; at most ${CAP_PER_LIQUIDITY} times of it counts. The rising list counts the largest net position of each wallet and hour, and the index what a token was worth through a whole day.

**Change.** Within /v1, keys are only added: ignore those you do not know. [Changes](/docs/changes) lists them.`

/** Groups of operations, by the part of their paths after /v1. */
const tags: readonly { readonly name: string; readonly description: string; readonly below: string[] }[] = [
  { name: 'Boards', description: 'The Z100 creators, the Z100 posts and the index.', below: ['z100', 'all'] },
  { name: 'Market', description: 'Trending lists, totals and swaps of all tokens.', below: ['market'] },
  { name: 'Tokens', description: 'Single tokens, by address or by field.', below: ['tokens', 'search'] },
  {
    name: 'Creators and wallets',
    description: 'What creators have and earn, and what wallets trade.',
    below: ['creators', 'wallets'],
  },
  { name: 'Discovery', description: 'Rising and new tokens.', below: ['discover'] },
]
const otherTag = { name: 'Service', description: 'The state of the service, and its descriptions.' }

const tagOf = ({ path }: Operation): string =>
  (tags.find(({ below }) => below.includes(path.split('/')[2] ?? '')) ?? otherTag).name

/** What answers are as of that are not as of the newest sealed minute. */
const asOfOthers: Readonly<Partial<Record<string, string>>> = {
  recentSwaps: ' up to the head of the chain; `confirmed` says which minutes are sealed',
  holders: ' as of `last_updated`: at most ten minutes old',
  usage: '',
} satisfies Partial<Record<OperationName, string>>

/** How often an answer changes, and for how many seconds a cache may keep it. */
type Freshness = {
  readonly updated: 'each minute' | 'on request' | 'with a deployment'
  readonly cached_seconds: number
}

function freshnessOf(name: string, { documentParameters, cacheControl }: Operation): Freshness {
  const [, seconds = 0] = /s-maxage=(\d+)/.exec(cacheControl) ?? /max-age=(\d+)/.exec(cacheControl) ?? []
  const updated = documentParameters ? 'each minute' : timeless.has(name) ? 'with a deployment' : 'on request'
  return { updated, cached_seconds: Number(seconds) }
}

/** The same in words. */
function freshnessText(name: string, operation: Operation): string {
  const { updated, cached_seconds: seconds } = freshnessOf(name, operation)
  const cached = seconds === 0 ? 'not cached' : `cached ${seconds} s`
  const header = `\`Cache-Control: ${operation.cacheControl}\`.`
  if (updated === 'each minute')
    return `Published each minute, ${cached}. Of the canonical request, ${header}`
  if (updated === 'with a deployment') return `Changes only with a deployment, ${cached}. ${header}`
  return `Computed on request${asOfOthers[name] ?? ' as of the newest sealed minute'}, ${cached}. ${header}`
}

/** Who may call it, and whether that is counted. */
function accessOf({ needs, tier, isUncounted }: Operation): string {
  if (needs === 'nothing') return '\n\nNeeds no key, and is not counted.'
  const least = tier ? ` Needs the ${tier} tier or a higher one.` : ''
  const counted = isUncounted ? ' Does not count against the hourly limit.' : ''
  return least || counted ? `\n\n${(least + counted).trim()}` : ''
}

function operationFrom(name: string, operation: Operation): Json {
  return {
    operationId: name,
    tags: [tagOf(operation)],
    summary: operation.description,
    description: `${operation.description}.\n\n${freshnessText(name, operation)}${accessOf(operation)}`,
    'x-freshness': freshnessOf(name, operation),
    ...(operation.needs === 'nothing' ? { security: [] } : {}),
    parameters: parametersOf(operation),
    responses: responsesOf(name, operation, examples[name]),
  }
}

/** The address in texts written for `npm start`. */
const localServer = { url: WRITTEN_ORIGIN, description: '`npm start` on this machine' }

/** Absolute, since tools that import a document without its address cannot resolve `/`. */
const serversOf = (site: string): readonly Json[] =>
  site === WRITTEN_ORIGIN
    ? [localServer]
    : [{ url: site, description: 'Where this document was served from' }, localServer]

/** The API in OpenAPI 3.1 as served at `site` (an origin, without a trailing slash), with examples from real answers. */
export function openapiDocument(site: string = WRITTEN_ORIGIN): { readonly [key: string]: Json } {
  // Texts for browsers and crawlers are nothing that a program asks for.
  const described = Object.entries<Operation>(operations).filter(([, { mediaType = JSON_TYPE }]) =>
    mediaType.startsWith(JSON_TYPE),
  )
  const paths = described.map(([name, operation]) => [
    operation.path,
    { get: operationFrom(name, operation) },
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'z100',
      version: API_VERSION,
      summary: 'Market data for creator tokens and post tokens',
      description,
      contact: { name: 'The documentation of this service', url: `${site}/docs/start` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'Recipes, methodology and changes', url: `${site}/docs/start` },
    servers: serversOf(site),
    tags: [...tags.map(({ name, description }) => ({ name, description })), otherTag],
    security: [{ key: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key of an account: `z100_live_…` or `z100_test_…`',
        },
      },
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents,
      schemas: schemaComponents,
    },
  }
}

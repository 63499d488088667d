import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import {
  EVERYBODY,
  edgeKeyPlaces,
  edgeKeys,
  FIRST_TIER,
  HOST_HEADER,
  KEY_MARK,
  LEAST_ARCHIVE_BYTES,
  LOST_LINE,
  readerTiers,
  SITE_TIER,
  tiers,
  UNKNOWN_KEYS,
  VIEWER_HEADER,
} from '../../schemas/api/access.ts'
import { ACCOUNT_API } from '../../schemas/api/account.ts'
import type { EdgeParameter, EdgeTable } from '../../schemas/api/canonical.js'
import { edgeTable, PAST_MARK } from '../../schemas/api/documents.ts'
import {
  type ApiError,
  ArchiveLimitError,
  errorBody,
  InvalidParameterError,
  MethodNotAllowedError,
  RateLimitExceededError,
  SuspendedKeyError,
  UnauthorizedError,
} from '../../schemas/api/errors.ts'
import { forAnyOrigin, preflightHeaders, rateHeaders } from '../../schemas/api/headers.ts'
import { MCP_METHODS } from '../../schemas/api/mcp.ts'
import type { Operation } from '../../schemas/api/operation.ts'
import { operations } from '../../schemas/api/operations.ts'
import { PINNED_MINUTES } from '../../schemas/api/service.ts'
import { REDIRECTS, TOKEN_PAGES } from '../../schemas/pages/site.ts'
import * as parameters from '../../schemas/values/parameters.ts'
import { ELSEWHERE } from '../api/routes.ts'

/** CloudFront's limit on a function's text, in bytes. */
const FUNCTION_LIMIT = 10_240

/** Maximum bytes of headers and cookies; the gateway takes 10,240, including what CloudFront adds. */
const HEADERS_LIMIT = 8_192

/** Well-known paths outside /v1, and their operations. */
export const aliases: Readonly<Record<string, string>> = {
  '/llms.txt': '/v1/llms.txt',
  '/robots.txt': '/v1/robots.txt',
  '/sitemap.xml': '/v1/sitemap.xml',
}

/** How a stage answers at the edge. */
export type EdgeSettings = {
  /** Whether the API answers every tier. @default false */
  readonly isCounted?: boolean | undefined
  /** Whether the archive's files need no key. @default false */
  readonly isArchiveOpen?: boolean
}

/**
 * What runs on viewers' requests, and on the answers of origins, by its name in the behaviours.
 */
export type EdgeFunctionText = { readonly request: string; readonly response?: string }

/**
 * The functions as deployed to CloudFront. Throws RangeError if one is too long, or esbuild's error for syntax that CloudFront
 * does not support.
 */
export function edgeFunctions(
  settings: EdgeSettings,
): Readonly<Record<'api' | 'archive' | 'tools' | 'account', EdgeFunctionText>> {
  const values = valuesOf(settings)
  return {
    api: {
      request: assemble('viewer-request.js', values),
      response: assemble('viewer-response.js', { PINNED_MS }),
    },
    archive: {
      request: assemble('archive-request.js', { ...values, ...archiveValues(settings) }),
      response: assemble('archive-response.js', archiveValues(settings)),
    },
    tools: {
      request: assemble('tools-request.js', {
        ...values,
        REFUSALS: toolRefusals,
        PREFLIGHT_HEADERS: { ...preflightHeaders, 'access-control-allow-methods': MCP_METHODS },
      }),
    },
    account: { request: assemble('account-request.js', values) },
  }
}

/** Milliseconds for which a page link may name the snapshot of a document, a minute less than it stays readable. */
const PINNED_MS = (PINNED_MINUTES - 1) * 60_000

/** Values that replace `EDGE.name` in the functions' text. */
export type EdgeValues = Omit<ReturnType<typeof valuesOf>, 'REFUSALS'> &
  ReturnType<typeof archiveValues> & {
    readonly PINNED_MS: number
    readonly REFUSALS: typeof refusals & typeof toolRefusals & typeof archiveRefusals
  }

const valuesOf = ({ isCounted = false }: EdgeSettings) => ({
  ...packed(edgeTable),
  /** The parameter of the past, and what its documents' names have before the hour. */
  AS_OF: parameters.asOfTime.names[0],
  PAST_MARK,
  PUBLIC_PATHS: publicPaths,
  ALIASES: aliases,
  /** Tiers whose documents come from the cache; others are answered by the API. */
  CACHED_TIERS: cachedTiers(isCounted),
  SITE_TIER,
  VIEWER_HEADER,
  HOST_HEADER,
  KEY_MARK,
  /** Places of the parts of a key's entry. */
  ENTRY: edgeKeyPlaces,
  ELSEWHERE,
  TOKEN_PAGES,
  REDIRECTS,
  UNKNOWN: UNKNOWN_KEYS,
  WHOLE: edgeKeys.whole,
  LOST: LOST_LINE,
  ACCOUNT_API,
  HEADERS_LIMIT,
  /** Answers in an hour, by tier. */
  LIMITS: limits,
  /** Prefixes of the store's entries: for keys, and for accounts over their limit. */
  KEY: edgeKeys.key(''),
  EXHAUSTED: edgeKeys.exhausted(''),
  REFUSALS: refusals,
  LIMIT,
  END,
  LEFT,
  /** Paths that an account over its limit may still read. */
  UNCOUNTED_PATHS: uncountedPaths,
  /** Headers of an error, to which the behaviour adds its own, and of the answer to a preflight request. */
  ANSWER_HEADERS: {
    ...forAnyOrigin,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  },
  PREFLIGHT_HEADERS: preflightHeaders,
})

/** What the functions of the archive know besides. A missing length counts as a large file of a busy day. */
const archiveValues = ({ isArchiveOpen = false }: EdgeSettings) => ({
  REFUSALS: archiveRefusals,
  IS_ARCHIVE_OPEN: isArchiveOpen,
  /** Bytes in a UTC day by tier; the pages' key has none. */
  ARCHIVE_BYTES: Object.fromEntries(
    readerTiers.map((tier) => [tier, tiers[tier].archiveBytesPerDay]),
  ) as Readonly<Record<string, number>>,
  ARCHIVED: edgeKeys.archived(''),
  EVERYBODY,
  FIRST_TIER,
  READERS_HEADER: 'x-z100-readers',
  LEAST_BYTES: LEAST_ARCHIVE_BYTES,
  UNKNOWN_BYTES: 50_000_000,
})

/**
 * The table without repetition, since a function may only be so long: every parameter once, and by path the places of
 * those that name its documents, and of the others.
 */
function packed(table: EdgeTable) {
  const all = new Map<string, EdgeParameter>()
  const places = (parameters: readonly EdgeParameter[]): readonly number[] =>
    parameters.map((one) => {
      const text = JSON.stringify(one)
      all.set(text, one)
      return [...all.keys()].indexOf(text)
    })
  const paths = Object.entries(table).map(
    ([path, { documentParameters, rest }]) => [path, [places(documentParameters), places(rest)]] as const,
  )
  const TABLE: Readonly<Record<string, readonly (readonly number[])[]>> = Object.fromEntries(paths)
  // Names, default, values and spellings of the default in one text, since no word has a comma or a bar.
  const PARAMETERS = [...all.values()].map(({ names, fallback, values, same }) =>
    fallback === null
      ? names.join()
      : [names, fallback, values ?? '', same ?? ''].join('|').replace(/(?<=\|.*)\|+$/, ''),
  )
  return { TABLE, PARAMETERS }
}

/** Placeholders for an account's limit, the hour's end in Unix seconds, and the seconds left. */
const LIMIT = '<limit>'
const END = '<end>'
const LEFT = '<left>'

const limits: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(tiers).map(([tier, { limitPerHour }]) => [tier, limitPerHour]),
)

/** Errors answered by the edge itself, by their names in viewer-request.js, which fills in their details; all others come from the API. */
const refusals = {
  unauthorized: refusalFrom(new UnauthorizedError('missing_api_key')),
  suspended: refusalFrom(new SuspendedKeyError()),
  method: refusalFrom(new MethodNotAllowedError('')),
  headers: refusalFrom(
    new InvalidParameterError({ parameter: 'headers', provided: 'more', allowed: 'at most 8 KB' }),
  ),
  limit: {
    ...refusalFrom(new RateLimitExceededError({ limit: LIMIT, resetAt: 0, now: 0 })),
    headers: inLowerCase({
      ...rateHeaders({ limit: LIMIT, remaining: '0', end: END, left: LEFT }),
      'Retry-After': LEFT,
    }),
  },
}

const toolRefusals = {
  headers: refusals.headers,
  message: refusalFrom(new MethodNotAllowedError('', MCP_METHODS, 'Tools take messages of MCP by POST.')),
}

const archiveRefusals = {
  unauthorized: refusals.unauthorized,
  suspended: refusals.suspended,
  method: refusals.method,
  archive: { ...refusalFrom(new ArchiveLimitError({ limit: LIMIT })), headers: { 'retry-after': LEFT } },
}

/** Names of headers as CloudFront requires them. */
function inLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function refusalFrom(error: ApiError) {
  const { request_id: _, ...body } = errorBody(error, '').error
  return { status: error.status, headers: inLowerCase(error.headers), error: body }
}

const cachedTiers = (isCounted: boolean): readonly string[] =>
  readerTiers.filter((tier) => tiers[tier].isCached && !isCounted)

/** Operations whose answers are not counted. */
const uncountedPaths: readonly string[] = Object.values<Operation>(operations)
  .filter(({ isUncounted }) => isUncounted)
  .map(({ path }) => path)

/** Operations that need no key. */
const publicPaths: readonly string[] = Object.values<Operation>(operations)
  .filter(({ needs }) => needs === 'nothing')
  .map(({ path }) => path)

/** ES6–12 syntax that CloudFront Functions 2.0 do not support: esbuild rewrites it or fails. */
const unsupported = [
  'array-spread',
  'class',
  'default-argument',
  'destructuring',
  'for-of',
  'generator',
  'nullish-coalescing',
  'object-extensions',
  'object-rest-spread',
  'optional-catch-binding',
  'optional-chain',
]

/**
 * The module in `file` (next to this one, or an absolute path) as deployed to CloudFront, with `values` for `EDGE.name`.
 * Throws as edgeFunctions does.
 */
export function assemble(file: string, values: Readonly<Record<string, unknown>>): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    logLevel: 'silent',
    format: 'esm',
    target: 'es2017',
    external: ['cloudfront', 'crypto'],
    minify: true,
    supported: Object.fromEntries(unsupported.map((feature) => [feature, false])),
    define: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`EDGE.${name}`, JSON.stringify(value)]),
    ),
  })
  const text = asFunction(outputFiles[0]?.text ?? '')
  const bytes = Buffer.byteLength(text)
  if (bytes > FUNCTION_LIMIT)
    throw new RangeError(`${file} is ${bytes} bytes long; CloudFront takes ${FUNCTION_LIMIT}`)
  return text
}

/** A module in CloudFront's form: used imports first, and a function named handler instead of the export. */
function asFunction(module: string): string {
  const imports = module.match(/import [\w$]+ from"\w+";/g) ?? []
  const body = module.replace(/import( [\w$]+ from)?"\w+";/g, '')
  const [exported = '', name = ''] = /export\{([\w$]+) as handler\};\s*$/.exec(body) ?? []
  // Renamed, because a wrapper function would cost each call a promise.
  return imports.join('') + body.replace(exported, '').replace(`function ${name}(`, 'function handler(')
}

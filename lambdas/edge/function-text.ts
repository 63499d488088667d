import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { edgeKeys, HOST_HEADER, SITE_TIER, tiers, VIEWER_HEADER } from '../../schemas/access.ts'
import type { EdgeTable } from '../../schemas/canonical.js'
import {
  ALLOWED_METHODS,
  type ApiError,
  errorBody,
  InvalidParameterError,
  MethodNotAllowedError,
  RateLimitExceededError,
  SuspendedKeyError,
  UnauthorizedError,
} from '../../schemas/errors.ts'
import { requestHeaders, responseHeaders } from '../../schemas/headers.ts'
import { STALE_AFTER_SECONDS } from '../../schemas/service.ts'
import { TOKEN_PAGES } from '../../schemas/site.ts'
import { ELSEWHERE } from '../routes.ts'

/** CloudFront's limit on a function's text, in bytes. */
const FUNCTION_LIMIT = 10_240

/** Who may read what at the edge. */
export type EdgeAccess = {
  /** Operations that need no key. */
  readonly publicPaths: readonly string[]
  /** Tiers whose documents come from the cache; the others are answered by the API. */
  readonly cachedTiers: readonly string[]
}

/** Addresses outside /v1 where machines look, and the operations they mean. */
export const aliases: Readonly<Record<string, string>> = {
  '/llms.txt': '/v1/llms.txt',
  '/robots.txt': '/v1/robots.txt',
  '/sitemap.xml': '/v1/sitemap.xml',
}

/**
 * The two functions as CloudFront takes them, with `table` (operations by path) written in; null `access`: no key is asked for, which is for tests alone.
 * Throws RangeError where one is too long, or esbuild's error for syntax that CloudFront does not understand.
 */
export function edgeFunctions(
  table: EdgeTable,
  access: EdgeAccess | null,
): { viewerRequest: string; viewerResponse: string } {
  return {
    viewerRequest: assemble('viewer-request.js', valuesOf(table, access)),
    viewerResponse: assemble('viewer-response.js', { STALE_MS }),
  }
}

/** Milliseconds after which a document that is no longer confirmed is stale. */
const STALE_MS = STALE_AFTER_SECONDS * 1_000

/** What stands in the functions' text under these names of `EDGE`. */
export type EdgeValues = ReturnType<typeof valuesOf> & { readonly STALE_MS: number }

const valuesOf = (table: EdgeTable, access: EdgeAccess | null) => ({
  /** Operations by path; of parameters that name no document, only their defaults. */
  TABLE: trimmed(table),
  /** Whether a key is asked for. */
  HAS_KEYS: access !== null,
  /** Operations that need no key. */
  PUBLIC_PATHS: access?.publicPaths ?? [],
  ALIASES: aliases,
  /** Tiers whose documents come from the cache. */
  CACHED_TIERS: access?.cachedTiers ?? [],
  SITE_TIER,
  VIEWER_HEADER,
  HOST_HEADER,
  ELSEWHERE,
  TOKEN_PAGES,
  /** Answers in an hour, by tier. */
  LIMITS: limits,
  /** Beginnings of the store's keys: of a key's entry, and of an exhausted account's. */
  KEY: edgeKeys.key(''),
  EXHAUSTED: edgeKeys.exhausted(''),
  REFUSALS: refusals,
  ID,
  FACT,
  RESET,
  /** Headers of a refusal, and of the answer to a preflight request. */
  ANSWER_HEADERS: {
    ...responseHeaders,
    'access-control-expose-headers': 'X-Cache, X-Request-Id',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  },
  PREFLIGHT_HEADERS: {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers': requestHeaders.join(', '),
    'access-control-max-age': '86400',
  },
})

/** Stand for the request's id, for what is particular to a refusal, and for the hour's end. */
const ID = '<id>'
const FACT = '<fact>'
const RESET = '<reset>'

const limits: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(tiers).map(([tier, { limitPerHour }]) => [tier, limitPerHour]),
)

/** What the edge refuses by itself, by the names of viewer-request.js; all other errors are the API's. */
const refusals = {
  unauthorized: refusalFrom(new UnauthorizedError('missing_api_key'), ['"missing_api_key"', `"${FACT}"`]),
  suspended: refusalFrom(new SuspendedKeyError()),
  method: refusalFrom(new MethodNotAllowedError(FACT)),
  headers: refusalFrom(
    new InvalidParameterError({ parameter: 'headers', provided: 'more', allowed: 'at most 8 KB' }),
  ),
  limit: refusalFrom(
    new RateLimitExceededError({ limit: 0, resetAt: 0, now: 0 }),
    ['"limit":0', `"limit":${FACT}`],
    ['limit of 0 ', `limit of ${FACT} `],
    ['1970-01-01T00:00:00Z', RESET],
  ),
}

function refusalFrom(error: ApiError, ...marks: readonly (readonly [string, string])[]) {
  const text = JSON.stringify(errorBody(error, ID))
  const body = marks.reduce((marked, [from, to]) => marked.replace(from, to), text)
  const headers = Object.entries(error.headers).map(([name, value]) => [name.toLowerCase(), value])
  return { status: error.status, headers: Object.fromEntries(headers) as Record<string, string>, body }
}

/** Of a parameter that names no document the edge asks only whether it has its default. */
const trimmed = (table: EdgeTable): EdgeTable =>
  Object.fromEntries(
    Object.entries(table).map(([path, { documentParameters, rest }]) => [
      path,
      { documentParameters, rest: rest.map(({ values: _, ...parameter }) => parameter) },
    ]),
  )

/** Syntax of ES6–12 that CloudFront Functions 2.0 do not list: esbuild rewrites it or fails. */
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
 * The module in `file` (beside this one, or an absolute path) as CloudFront takes it, with `values` in place of `EDGE.name`.
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

/** A module as CloudFront runs it: imports that are used first, and in place of the export a function named handler. */
function asFunction(module: string): string {
  const imports = module.match(/import [\w$]+ from"\w+";/g) ?? []
  const body = module.replace(/import( [\w$]+ from)?"\w+";/g, '')
  const [exported = '', name = ''] = /export\{([\w$]+) as handler\};\s*$/.exec(body) ?? []
  // Under its own name, for a function around it would cost each call a promise.
  return imports.join('') + body.replace(exported, '').replace(`function ${name}(`, 'function handler(')
}

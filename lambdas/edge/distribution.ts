import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { ALLOWED_METHODS, errorCodes, statusBody } from '../../schemas/errors.ts'
import { responseHeaders } from '../../schemas/headers.ts'
import type { EdgeTable } from './canonical.js'

/** One path pattern of the distribution and how its requests are answered. The stack and the local edge both read it. */
export type Behaviour = {
  /** `*` at its end matches anything; the first behaviour that matches holds. */
  readonly pattern: string
  /** Where requests go unless a function chooses. */
  readonly origin: string
  /** Whether viewer-request and viewer-response run; such requests are let in with any method, for the function to refuse. */
  readonly hasFunctions: boolean
  /** Origins that get the viewer's headers and query; the others get the bare address. */
  readonly forwardsTo: readonly string[]
  /** null: passed through byte by byte as it comes. */
  readonly cache: CacheSettings | null
  /** What a reader is told when the object is not there yet, and when no such origin serves here. */
  readonly refusals: { readonly missing: Refusal; readonly absent: Refusal }
}

export type Refusal = { readonly status: number; readonly message: string }

/** Seconds. An answer without Cache-Control lives `defaultSeconds`; `maxSeconds` bounds stale-while-revalidate and stale-if-error too. */
export type CacheSettings = {
  readonly minSeconds: number
  readonly defaultSeconds: number
  readonly maxSeconds: number
  /** Request headers that are part of the cache key, beside the address and the normalised Accept-Encoding. */
  readonly keyHeaders: readonly string[]
  readonly isQueryInKey: boolean
}

/** A minimum above 0 would override the no-store of API answers. A day lets stale-if-error bridge an outage of the publisher. */
const day = { minSeconds: 0, defaultSeconds: 0, maxSeconds: 86_400 }
const notHere: Refusal = { status: 404, message: 'There is nothing at this address.' }

/** Each event reaches its reader as it comes: nothing is kept, compressed or gathered on the way. */
const streamed = (pattern: string): Behaviour => ({
  pattern,
  origin: 'stream',
  hasFunctions: false,
  forwardsTo: ['stream'],
  cache: null,
  refusals: { missing: notHere, absent: { status: 503, message: 'The stream is not served here.' } },
})

export const behaviours: readonly Behaviour[] = [
  // Before `/v1/*`, which would take it: the first pattern that matches holds.
  streamed('/v1/stream/*'),
  {
    pattern: '/v1/*',
    origin: 'api',
    hasFunctions: true,
    forwardsTo: ['api'],
    cache: { ...day, keyHeaders: ['x-z100-scope'], isQueryInKey: false },
    refusals: {
      missing: { status: 503, message: 'The first snapshot is not published yet.' },
      absent: {
        status: 503,
        message: 'Only documents are served here: requests with the default limit, offset, sort and order.',
      },
    },
  },
  streamed('/stream/*'),
  {
    pattern: '*',
    origin: 'site',
    hasFunctions: false,
    forwardsTo: ['site'],
    cache: { ...day, keyHeaders: [], isQueryInKey: true },
    refusals: { missing: notHere, absent: notHere },
  },
]

/**
 * Longest gap between two packets of an origin that its reader waits through, in seconds; the default of CloudFront is 30.
 * The stream says something every 15 s; an API Gateway gives up after 29 s.
 */
export const responseTimeoutSeconds: Readonly<Record<string, number>> = { stream: 60 }

/** Seconds an error of an origin is kept, by status: it shields a sick origin; a missing thing is looked for each time. */
export const errorTtlSeconds: Readonly<Record<number, number>> = { 404: 0, 500: 1, 502: 1, 503: 1, 504: 1 }

/** JSON for an error the distribution itself makes; `message` may be empty for the code's own. */
export function edgeErrorBody(status: number, message: string, requestId: string): string {
  return JSON.stringify(statusBody(status, message, requestId))
}

/** The whole distribution over the operations of `table`, as the stack and the local edge take it. Throws as edgeFunctions does. */
export function distribution(table: EdgeTable) {
  return {
    functions: edgeFunctions(table),
    behaviours,
    responseHeaders,
    errorTtlSeconds,
    responseTimeoutSeconds,
    errorBody: edgeErrorBody,
  }
}

/** CloudFront's limit on a function's text, in bytes. */
const FUNCTION_LIMIT = 10_240

/** The text of a function is longer than CloudFront takes. */
export class EdgeFunctionTooLongError extends Error {
  constructor(file: string, bytes: number) {
    super(`${file} is ${bytes} bytes long; CloudFront takes ${FUNCTION_LIMIT}`)
    this.name = 'EdgeFunctionTooLongError'
  }
}

/**
 * The two functions as CloudFront takes them, with `table` (operations by path) written in.
 * Throws EdgeFunctionTooLongError, or esbuild's error for syntax that CloudFront does not understand.
 */
export function edgeFunctions(table: EdgeTable): { viewerRequest: string; viewerResponse: string } {
  return {
    viewerRequest: assemble('viewer-request.js', table),
    viewerResponse: assemble('viewer-response.js', table),
  }
}

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

function assemble(file: string, table: EdgeTable): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2017',
    external: ['cloudfront', 'crypto'],
    minify: true,
    supported: Object.fromEntries(unsupported.map((feature) => [feature, false])),
    define: {
      EDGE_TABLE: JSON.stringify(table),
      EDGE_ERRORS: JSON.stringify(errorCodes),
      EDGE_ALLOWED_METHODS: JSON.stringify(ALLOWED_METHODS),
      EDGE_RESPONSE_HEADERS: JSON.stringify(responseHeaders),
    },
  })
  const text = asFunction(outputFiles[0]?.text ?? '')
  const bytes = Buffer.byteLength(text)
  if (bytes > FUNCTION_LIMIT) throw new EdgeFunctionTooLongError(file, bytes)
  return text
}

/** A module as CloudFront runs it: imports first, and in place of the export a function named handler. */
function asFunction(module: string): string {
  const imports = module.match(/import [\w$]+ from"\w+";/g) ?? []
  const body = imports.reduce((text, statement) => text.replace(statement, ''), module)
  const entry = body.replace(
    /export\{([\w$]+) as handler\};\s*$/,
    'function handler(event){return $1(event)}',
  )
  return imports.join('') + entry
}

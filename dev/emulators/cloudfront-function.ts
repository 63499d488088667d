import { createHash } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'

export type FunctionHeaders = Record<
  string,
  { readonly value: string; readonly multiValue?: readonly { value: string }[] }
>

/** The request part of an event: header names in lower case, the query as sent, still encoded. */
export type FunctionRequest = {
  readonly method: string
  readonly uri: string
  readonly querystring: FunctionHeaders
  readonly headers: FunctionHeaders
  readonly cookies: FunctionHeaders
}

/** A response in an event, or one that a function makes itself. */
export type FunctionResponse = {
  readonly statusCode: number
  readonly headers?: FunctionHeaders
  readonly cookies?: FunctionHeaders
  readonly body?: string
}

export type FunctionEvent = {
  readonly version: '1.0'
  readonly context: {
    readonly distributionDomainName: string
    readonly distributionId: string
    readonly eventType: 'viewer-request' | 'viewer-response'
    readonly requestId: string
  }
  readonly viewer: { readonly ip: string }
  readonly request: FunctionRequest
  readonly response?: FunctionResponse
}

/** The origins chosen by a function, tried in order: the next one if the previous answers with a status in `failoverOn`. */
export type OriginChoice = { readonly originIds: readonly string[]; readonly failoverOn: readonly number[] }

export type FunctionOutcome = {
  readonly result: FunctionRequest | FunctionResponse
  readonly origin: OriginChoice | null
}

/**
 * Runs the function for one event, which it may modify and return. Throws what the function throws, or if it waits for
 * something that never happens, since it has neither timers nor a network.
 */
export type EdgeFunction = (event: FunctionEvent) => FunctionOutcome

/** A key-value store for functions; undefined: no such key. */
export type KeyValues = { get(key: string): string | undefined }

export type FunctionSurroundings = {
  /** The store it is associated with. */
  readonly keyValueStore?: KeyValues | undefined
  /** Called with each log line as in CloudWatch Logs: request id, space, text. */
  readonly onLog?: ((line: string) => void) | undefined
  /** Unix ms. */
  readonly now?: (() => number) | undefined
}

/** Input and output of one call. CloudFront's helpers act on "the current request". */
type Call = {
  readonly event: FunctionEvent
  readonly startedAt: number
  origin: OriginChoice | null
  result?: FunctionOutcome['result']
  error?: unknown
}

/**
 * Wrapper with the objects that CloudFront provides, created in the function's own realm. Reading a missing key of the
 * store throws, as on CloudFront.
 */
const BEFORE = `(function (host) {
  const console = { log: (text) => host.log(String(text)) }
  const store = {
    get: async (key) => {
      const value = host.read(key)
      if (value === undefined) throw new Error('KeyNotFound')
      return value
    },
  }
  const modules = {
    crypto: host.crypto,
    cloudfront: {
      kvs: () => store,
      selectRequestOriginById: (id) => host.choose([String(id)], []),
      createRequestOriginGroup: (group) =>
        host.choose(group.originIds.map((one) => one.originId), group.failoverCriteria.statusCodes.slice()),
    },
  }
  Date.now = () => host.now()
  const run = async (call) => {
    try { call.result = await handler(call.event) } catch (error) { call.error = error }
  }
`
const AFTER = '\nreturn run })'

/**
 * Compiles a CloudFront Function (JavaScript runtime 2.0) for node:vm: no process, no timers, no eval, only the imports
 * `cloudfront` and `crypto`, and a clock that stands still during a call. Syntax and the memory limit of 2 MB are not
 * enforced. node:vm is not a security boundary; the code is ours. Throws a SyntaxError.
 */
export function compileFunction(code: string, surroundings: FunctionSurroundings = {}): EdgeFunction {
  const { keyValueStore, onLog, now = Date.now } = surroundings
  let current: Call | undefined
  const host = {
    call: undefined as Call | undefined,
    now: () => current?.startedAt ?? now(),
    log: (text: string) => onLog?.(`${current?.event.context.requestId ?? ''} ${text}`),
    choose: (originIds: readonly string[], failoverOn: readonly number[]) => {
      if (current) current.origin = { originIds, failoverOn }
    },
    read: (key: string) => keyValueStore?.get(key),
    crypto: { createHash },
  }
  // A script's microtasks finish before it returns, so calls never overlap.
  const context = createContext(
    { host },
    { codeGeneration: { strings: false, wasm: false }, microtaskMode: 'afterEvaluate' },
  )
  const source = code.replace(/import ([\w$]+) from ?(["']\w+["']);?/g, 'const $1 = modules[$2];')
  runInContext(`const run = ${BEFORE}${source}${AFTER}(host)`, context)
  return (event) => {
    const call: Call = { event, startedAt: now(), origin: null }
    current = host.call = call
    runInContext('run(host.call)', context)
    current = undefined
    if (call.error !== undefined) throw call.error
    if (call.result === undefined) throw new Error('The function has come to no answer')
    return { result: call.result, origin: call.origin }
  }
}

/** Functions by their names: on the requests of viewers, and on the answers of origins. */
export type EdgeFunctionTexts = Readonly<
  Record<string, { readonly request: string; readonly response?: string }>
>
export type EdgeFunctions = { readonly request: EdgeFunction; readonly response: EdgeFunction | null }

/** Compiles all functions of a distribution. */
export const compileAll = (
  texts: EdgeFunctionTexts,
  surroundings: FunctionSurroundings,
): ReadonlyMap<string, EdgeFunctions> =>
  new Map(
    Object.entries(texts).map(([name, { request, response }]) => [
      name,
      {
        request: compileFunction(request, surroundings),
        response: response === undefined ? null : compileFunction(response, surroundings),
      },
    ]),
  )

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, createHmac } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'

/** CloudFront's limit on a function's text, in bytes. */
const CODE_LIMIT = 10_240

export type FunctionHeaders = Record<
  string,
  { readonly value: string; readonly multiValue?: readonly { value: string }[] }
>

/** The request part of an event: names of headers in lower case, query as it was sent, still encoded. */
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
  readonly statusDescription?: string
  readonly headers?: FunctionHeaders
  readonly cookies?: FunctionHeaders
  readonly body?: string | { readonly encoding: 'text' | 'base64'; readonly data: string }
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

/** The origins a function chose, tried in order: the next one when the one before answers a status of `failoverOn`. */
export type OriginChoice = { readonly originIds: readonly string[]; readonly failoverOn: readonly number[] }

export type FunctionOutcome = {
  readonly result: FunctionRequest | FunctionResponse
  readonly origin: OriginChoice | null
}

/** Runs one event through the function. Rejects with whatever the function throws. */
export type EdgeFunction = (event: FunctionEvent) => Promise<FunctionOutcome>

/** The text is longer than CloudFront takes. */
export class FunctionTooLongError extends Error {
  constructor(bytes: number) {
    super(`The function is ${bytes} bytes long; CloudFront takes ${CODE_LIMIT}`)
    this.name = 'FunctionTooLongError'
  }
}

/** What one call has chosen; CloudFront's helpers speak of "the current request". */
type Call = { origin: OriginChoice | null; readonly requestId: string; readonly startedAt: number }

/** A key-value store as functions read it; undefined: it has no such key. */
export type KeyValues = { get(key: string): string | undefined }

/** What surrounds a function. */
export type FunctionSurroundings = {
  /** The store it is associated with. */
  readonly keyValueStore?: KeyValues | undefined
  /** Told of each line of its log as CloudWatch Logs has it: the request's id, a space, the text. */
  readonly onLog?: ((line: string) => void) | undefined
  /** Unix ms. */
  readonly now?: (() => number) | undefined
}

/**
 * Compiles a CloudFront Function (JavaScript runtime 2.0) for node:vm: no process, no timers, no code from strings, and of imports only
 * `cloudfront` and `crypto`; its clock stands still while it runs. Syntax and the 2 MB of memory are not enforced.
 * Throws FunctionTooLongError, or a SyntaxError.
 */
export function compileFunction(code: string, surroundings: FunctionSurroundings = {}): EdgeFunction {
  const bytes = Buffer.byteLength(code)
  if (bytes > CODE_LIMIT) throw new FunctionTooLongError(bytes)
  const { keyValueStore, onLog, now = Date.now } = surroundings
  const current = new AsyncLocalStorage<Call>()
  const modules = {
    cloudfront: cloudfrontModule(current, keyValueStore),
    crypto: { createHash, createHmac },
  }
  const log = (text: unknown) => onLog?.(`${current.getStore()?.requestId ?? ''} ${String(text)}`)
  const context = createContext(
    { modules, console: { log } },
    { codeGeneration: { strings: false, wasm: false } },
  )
  const clock = () => current.getStore()?.startedAt ?? now()
  runInContext('(clock) => { Date.now = () => clock() }', context)(clock)
  const source = code.replace(/import ([\w$]+) from ?(["']\w+["']);?/g, 'const $1 = modules[$2];')
  runInContext(source, context)
  // Events cross as text: a function never holds an object of this process.
  const run: (event: string) => Promise<string> = runInContext(
    'async (event) => JSON.stringify(await handler(JSON.parse(event)))',
    context,
  )
  return async (event) => {
    const call: Call = { origin: null, requestId: event.context.requestId, startedAt: now() }
    const result = await current.run(call, () => run(JSON.stringify(event)))
    return { result: JSON.parse(result), origin: call.origin }
  }
}

type OriginGroup = {
  readonly originIds: readonly { readonly originId: string }[]
  readonly failoverCriteria: { readonly statusCodes: readonly number[] }
}

/** The module `cloudfront`: origin helpers and the key-value store. */
function cloudfrontModule(current: AsyncLocalStorage<Call>, keyValueStore: KeyValues | undefined): object {
  const choose = (origin: OriginChoice) => {
    const call = current.getStore()
    if (call) call.origin = origin
  }
  return {
    selectRequestOriginById: (id: string) => choose({ originIds: [String(id)], failoverOn: [] }),
    createRequestOriginGroup: (group: OriginGroup) =>
      choose({
        originIds: group.originIds.map(({ originId }) => originId),
        failoverOn: [...group.failoverCriteria.statusCodes],
      }),
    kvs: () => {
      if (!keyValueStore) throw new NoKeyValueStoreError()
      return {
        exists: async (key: string) => keyValueStore.get(key) !== undefined,
        get: async (key: string, options?: { format?: 'string' | 'json' }) => {
          const value = keyValueStore.get(key)
          if (value === undefined) throw keyNotFound
          return options?.format === 'json' ? JSON.parse(value) : value
        },
      }
    },
  }
}

/** The function is associated with no key-value store. */
class NoKeyValueStoreError extends Error {
  override readonly name = 'NoKeyValueStoreError'
}

/** The store has no such key; CloudFront throws here too, it does not answer undefined. */
class KeyNotFoundError extends Error {
  override readonly name = 'KeyNotFoundError'
}

/** One for all: most reads of an account's entry find none, and a stack for each costs more than the read. */
const keyNotFound = new KeyNotFoundError('KeyNotFound')

import { type BinaryToTextEncoding, createHmac, hash } from 'node:crypto'
import { createContext, runInContext, Script } from 'node:vm'

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

/**
 * Runs one event, which the function may change and give back, through the function, to its end. Throws whatever it throws,
 * and FunctionUnfinishedError.
 */
export type EdgeFunction = (event: FunctionEvent) => FunctionOutcome

/** The text is longer than CloudFront takes. */
export class FunctionTooLongError extends Error {
  constructor(bytes: number) {
    super(`The function is ${bytes} bytes long; CloudFront takes ${CODE_LIMIT}`)
    this.name = 'FunctionTooLongError'
  }
}

/** The function gave nothing back, or waits for something that does not come: it has neither timers nor a network. */
export class FunctionUnfinishedError extends Error {
  override readonly name = 'FunctionUnfinishedError'
}

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

/** One call: what goes in and what has come out. CloudFront's helpers speak of "the current request". */
type Call = {
  readonly event: FunctionEvent
  readonly startedAt: number
  origin: OriginChoice | null
  result: FunctionOutcome['result'] | undefined
  error: unknown
}

/** What the function's surroundings in its own realm ask of this process. */
type Host = {
  call: Call | null
  readonly now: () => number
  readonly log: (text: string) => void
  readonly choose: (originIds: readonly string[], failoverOn: readonly number[]) => void
  readonly store: () => KeyValues
  readonly notFound: Error
  readonly crypto: { readonly createHash: typeof createHash; readonly createHmac: typeof createHmac }
}

/**
 * Around the text of a function: what CloudFront gives it, made in the realm of the function, whose promises are then all of
 * that realm. The text becomes the body of a function, for names of a context's global object are slow to find.
 */
const BEFORE = `(function (host) {
  const console = { log: (text) => host.log(String(text)) }
  const read = Promise.resolve()
  const notFound = () => { throw host.notFound }
  const store = {
    exists: async (key) => host.store().get(key) !== undefined,
    // It rejects when somebody waits for it: Node looks at every promise that is rejected before.
    get: (key, options) => {
      const value = host.store().get(key)
      if (value === undefined) return read.then(notFound)
      return Promise.resolve(options && options.format === 'json' ? JSON.parse(value) : value)
    },
  }
  const kvs = () => host.store() && store
  const modules = {
    crypto: host.crypto,
    cloudfront: {
      kvs,
      selectRequestOriginById: (id) => host.choose([String(id)], []),
      createRequestOriginGroup: (group) =>
        host.choose(group.originIds.map((one) => one.originId), group.failoverCriteria.statusCodes.slice()),
    },
  }
  Date.now = () => host.now()
  const run = (call) => {
    const ended = (result) => { call.result = result }
    const failed = (error) => { call.error = error }
    try {
      const result = handler(call.event)
      if (result instanceof Promise) result.then(ended, failed)
      else ended(result)
    } catch (error) { failed(error) }
  }
`
const AFTER = '\nreturn run })'

/**
 * Compiles a CloudFront Function (JavaScript runtime 2.0) for node:vm: no process, no timers, no code from strings, and of imports only
 * `cloudfront` and `crypto`; its clock stands still while it runs. Syntax and the 2 MB of memory are not enforced, and node:vm is no
 * wall against a text that wants out: it is ours. Throws FunctionTooLongError, or a SyntaxError.
 */
export function compileFunction(code: string, surroundings: FunctionSurroundings = {}): EdgeFunction {
  const bytes = Buffer.byteLength(code)
  if (bytes > CODE_LIMIT) throw new FunctionTooLongError(bytes)
  // A realm with promises of its own, which are kept when a script of it ends: then a call has come to its end, and no two mix.
  const context = createContext(
    {},
    { codeGeneration: { strings: false, wasm: false }, microtaskMode: 'afterEvaluate' },
  )
  const host = hostOf(surroundings)
  const source = code.replace(/import ([\w$]+) from ?(["']\w+["']);?/g, 'const $1 = modules[$2];')
  const run: (call: Call) => void = runInContext(BEFORE + source + AFTER, context)(host)
  const keepPromises = new Script('')
  return (event) => {
    const call: Call = { event, startedAt: host.now(), origin: null, result: undefined, error: null }
    host.call = call
    run(call)
    if (call.result === undefined && call.error === null) keepPromises.runInContext(context)
    host.call = null
    if (call.error !== null) throw call.error
    if (call.result === undefined) throw new FunctionUnfinishedError('The function has come to no answer')
    return { result: call.result, origin: call.origin }
  }
}

/** Node's createHash as functions use it, without the stream around it: that costs several times the digest. Throws UndigestedError. */
function createHash(algorithm: string) {
  let text = ''
  const made = {
    update(part: unknown) {
      if (typeof part !== 'string')
        throw new UndigestedError(`A ${typeof part} is not digested here, only text`)
      text += part
      return made
    },
    digest: (encoding: BinaryToTextEncoding | 'buffer' = 'buffer') => hash(algorithm, text, encoding),
  }
  return made
}

function hostOf({ keyValueStore, onLog, now = Date.now }: FunctionSurroundings): Host {
  const host: Host = {
    call: null,
    now: () => host.call?.startedAt ?? now(),
    log: (text) => onLog?.(`${host.call?.event.context.requestId ?? ''} ${text}`),
    choose: (originIds, failoverOn) => {
      if (host.call) host.call.origin = { originIds, failoverOn }
    },
    store: () => {
      if (!keyValueStore) throw new NoKeyValueStoreError()
      return keyValueStore
    },
    notFound: new KeyNotFoundError('KeyNotFound'),
    crypto: { createHash, createHmac },
  }
  return host
}

/** The function digests something else than text. */
class UndigestedError extends Error {
  override readonly name = 'UndigestedError'
}

/** The function is associated with no key-value store. */
class NoKeyValueStoreError extends Error {
  override readonly name = 'NoKeyValueStoreError'
}

/**
 * The store has no such key; CloudFront throws here too, it does not answer undefined. One for all calls: most reads of an
 * account's entry find none, and a stack for each costs more than the read.
 */
class KeyNotFoundError extends Error {
  override readonly name = 'KeyNotFoundError'
}

/** JSON-RPC over kept-alive HTTP: raw answers, nothing decoded. Several endpoints stand in for each other; one range is read from one of them. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { Chain } from './chains.ts'
import {
  BatchTooLargeError,
  BlockRangeTooLargeError,
  IngestError,
  RpcRefusedError,
  RpcUnavailableError,
  WrongChainError,
} from './faults.ts'
import { faultOf, type ProviderError } from './provider-faults.ts'

/** One JSON-RPC call. */
export type Call = { readonly method: string; readonly params: readonly unknown[] }

/** A way to ask the chain. Both askings throw an IngestError. */
export type Rpc = {
  /** The result of one call. */
  request(method: string, params: readonly unknown[]): Promise<unknown>
  /** The results of many calls, in their order. One failed call fails all. */
  batch(calls: readonly Call[]): Promise<readonly unknown[]>
  /** The same, with all calls on one endpoint. Handed the fault that ended the last attempt, it moves on to the next endpoint. */
  pinned(fault?: IngestError): Rpc
}

/** Times are milliseconds. */
export type RpcOptions = {
  /** For one HTTP exchange, whole. @default 10_000 */
  readonly timeoutMs?: number
  /** Tries of one call, over all endpoints. @default 4 */
  readonly attempts?: number
  /** Tries of one call on a pinned endpoint. @default 2 */
  readonly pinnedAttempts?: number
  /** Pause before the second try; it doubles with each. @default 250 */
  readonly backoffMs?: number
  /** The chain that every endpoint has to serve: each is asked once, before anything else. @default it is not asked */
  readonly chainId?: number
  /** Largest answer. A larger one counts as a block range too large. @default 64 MiB */
  readonly maxBytes?: number
}

type Settings = Required<Omit<RpcOptions, 'chainId'>> & Pick<RpcOptions, 'chainId'>

const defaults: Settings = {
  timeoutMs: 10_000,
  attempts: 4,
  pinnedAttempts: 2,
  backoffMs: 250,
  maxBytes: 64 * 1024 * 1024,
}

type Endpoint = {
  readonly url: URL
  /** Host only: the path and the query may hold a key. */
  readonly name: string
  readonly settings: Settings
  readonly transport: { readonly agent: HttpAgent | HttpsAgent; readonly send: typeof httpRequest }
  /** Calls in a batch. Halves when the endpoint refuses one. */
  batchLimit: number
  /** It is known to serve the chain it has to. */
  isRightChain: boolean
}

const openEndpoint = (address: string, settings: Settings): Endpoint => {
  const url = new URL(address)
  const isSecure = url.protocol === 'https:'
  const transport = isSecure
    ? { agent: new HttpsAgent({ keepAlive: true }), send: httpsRequest }
    : { agent: new HttpAgent({ keepAlive: true }), send: httpRequest }
  return { url, name: url.host, settings, transport, batchLimit: 500, isRightChain: false }
}

/** Opens endpoints in order of preference; at least one. The preference moves on when an endpoint fails. */
export const openRpc = (urls: readonly string[], options: RpcOptions = {}): Rpc => {
  const settings = { ...defaults, ...options }
  const endpoints = urls.map((url) => openEndpoint(url, settings))
  let preferred = 0
  const current = (): Endpoint => {
    const endpoint = endpoints[preferred % endpoints.length]
    if (!endpoint) throw new RpcUnavailableError('the chain', 'no endpoint is configured')
    return endpoint
  }
  const onAny = askingWith((ask) =>
    retried(settings.attempts, settings.backoffMs, async () => {
      const endpoint = current()
      try {
        return await ask(endpoint)
      } catch (fault) {
        if (isEndpointsOwn(fault) && endpoint === current()) preferred += 1
        throw fault
      }
    }),
  )
  const pinned = (fault?: IngestError): Rpc => {
    if (fault) preferred += 1
    const endpoint = current()
    const onOne = askingWith((ask) =>
      retried(settings.pinnedAttempts, settings.backoffMs, () => ask(endpoint)),
    )
    return { ...onOne, pinned }
  }
  return { ...onAny, pinned }
}

/** Makes sure that the endpoint serves this chain. Throws WrongChainError. */
export const assertChain = async (rpc: Rpc, chain: Chain): Promise<void> => {
  const id = Number(await rpc.request('eth_chainId', []))
  if (id !== chain.id) throw new WrongChainError(chain.id, id)
}

/** The two ways of asking, given a policy of which endpoint is asked and how often. */
const askingWith = (
  policy: <T>(ask: (endpoint: Endpoint) => Promise<T>) => Promise<T>,
): Pick<Rpc, 'request' | 'batch'> => ({
  request: (method, params) =>
    policy(async (endpoint) => {
      await assertServes(endpoint)
      return askOne(endpoint, { method, params })
    }),
  batch: async (calls) => {
    if (calls.length === 0) return []
    return policy(async (endpoint) => {
      await assertServes(endpoint)
      return askMany(endpoint, calls)
    })
  },
})

/** Throws WrongChainError. */
const assertServes = async (endpoint: Endpoint): Promise<void> => {
  const { chainId } = endpoint.settings
  if (endpoint.isRightChain || chainId === undefined) return
  const id = Number(await askOne(endpoint, { method: 'eth_chainId', params: [] }))
  if (id !== chainId) throw new WrongChainError(chainId, id)
  endpoint.isRightChain = true
}

const isEndpointsOwn = (fault: unknown): boolean =>
  fault instanceof RpcUnavailableError || fault instanceof RpcRefusedError

const retried = async <T>(attempts: number, backoffMs: number, attempt: () => Promise<T>): Promise<T> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (fault) {
      if (tried >= attempts || !isEndpointsOwn(fault)) throw fault
      await delay(backoffMs * 2 ** (tried - 1))
    }
  }
}

const askOne = async (endpoint: Endpoint, call: Call): Promise<unknown> => {
  const answer = await post(endpoint, call.method, { jsonrpc: '2.0', id: 1, ...call })
  return resultOf(endpoint, call.method, answer)
}

const askMany = async (endpoint: Endpoint, calls: readonly Call[]): Promise<readonly unknown[]> => {
  const results: unknown[] = []
  while (results.length < calls.length) {
    const part = calls.slice(results.length, results.length + endpoint.batchLimit)
    try {
      results.push(...(await askBatch(endpoint, part)))
    } catch (fault) {
      if (!(fault instanceof BatchTooLargeError) || part.length === 1) throw fault
      endpoint.batchLimit = Math.floor(part.length / 2)
    }
  }
  return results
}

const askBatch = async (endpoint: Endpoint, calls: readonly Call[]): Promise<readonly unknown[]> => {
  const method = calls[0]?.method ?? ''
  const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const answer = await post(endpoint, method, body)
  // A batch that is refused as a whole is answered with one object.
  if (!Array.isArray(answer)) {
    resultOf(endpoint, method, answer)
    throw new RpcUnavailableError(endpoint.name, `${method}: a batch was answered with one result`)
  }
  const byId = new Map<unknown, unknown>(answer.map((one) => [isObject(one) ? one['id'] : undefined, one]))
  return calls.map((call, id) => resultOf(endpoint, call.method, byId.get(id)))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const providerErrorOf = (answer: unknown): ProviderError | undefined => {
  if (!isObject(answer) || !isObject(answer['error'])) return undefined
  const { code, message, data } = answer['error']
  return {
    code: typeof code === 'number' ? code : 0,
    message: [message, data].filter((text) => typeof text === 'string').join(' '),
  }
}

const resultOf = (endpoint: Endpoint, method: string, answer: unknown): unknown => {
  const error = providerErrorOf(answer)
  if (error) throw faultOf(endpoint.name, method, error)
  if (!isObject(answer) || answer['result'] === undefined) {
    throw new RpcUnavailableError(endpoint.name, `${method}: an answer without a result`)
  }
  return answer['result']
}

/** One HTTP exchange: the parsed body of a JSON answer, whatever it says. */
const post = async (endpoint: Endpoint, method: string, message: unknown): Promise<unknown> => {
  const { status, text } = await exchange(endpoint, method, JSON.stringify(message))
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch (cause) {
    if (status === 200) throw new RpcUnavailableError(endpoint.name, `${method}: not JSON`, cause)
  }
  // An error in words is more telling than the status it came with.
  const isTold = status === 200 || (status !== 429 && (Array.isArray(answer) || providerErrorOf(answer)))
  if (!isTold) throw faultOf(endpoint.name, method, { code: status, message: text || 'no body' })
  return answer
}

const exchange = (
  endpoint: Endpoint,
  method: string,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const { url, transport, settings } = endpoint
    const fail = (cause: Error): void =>
      reject(
        cause instanceof IngestError
          ? cause
          : new RpcUnavailableError(endpoint.name, `${method}: ${cause.message}`, cause),
      )
    const outgoing = transport.send(url, {
      method: 'POST',
      agent: transport.agent,
      signal: AbortSignal.timeout(settings.timeoutMs),
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    })
    outgoing.on('error', fail)
    outgoing.on('response', (incoming) => {
      incoming.on('error', fail)
      gather(incoming, settings.maxBytes, (bytes) =>
        resolve({ status: incoming.statusCode ?? 0, text: bytes.toString('utf8') }),
      )
    })
    outgoing.end(body)
  })

const gather = (incoming: IncomingMessage, maxBytes: number, done: (bytes: Buffer) => void): void => {
  const chunks: Buffer[] = []
  let size = 0
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size > maxBytes) incoming.destroy(new BlockRangeTooLargeError(`an answer above ${maxBytes} bytes`))
  })
  incoming.on('end', () => done(Buffer.concat(chunks, size)))
}

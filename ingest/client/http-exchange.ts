/** Exchanges over keep-alive HTTP: the answer's text, or of JSON-RPC its parsed answer or the fault that its status and message mean. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { budgets, isTooDense } from '../../schemas/deployment/budgets.ts'
import { BatchTooLargeError, BlockRangeTooLargeError, IngestError, RpcUnavailableError } from './faults.ts'
import { faultOf, type ProviderError } from './provider-faults.ts'

/** A connection to one endpoint. */
export type Exchange = {
  /** Sends a message about `method`. Throws an IngestError. */
  post(method: string, message: unknown): Promise<unknown>
}

/** `timeoutMs`: for the whole exchange. `maxBytes`: largest answer; a larger one counts as a block range too large. */
export type ExchangeLimits = { readonly timeoutMs: number; readonly maxBytes: number }

/** Posts a body, about `method`; resolves with an answer of any status. Throws an IngestError if there is none, or too much of it. */
export type Connection = (method: string, body: string) => Promise<Answer>

/** Opens connections to one endpoint. `name` replaces its URL, which may hold a key, in errors. */
export function openConnection(url: URL, name: string, limits: ExchangeLimits): Connection {
  const isSecure = url.protocol === 'https:'
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const send = isSecure ? httpsRequest : httpRequest

  return (method, body) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(limits.timeoutMs)
      const fail = (cause: Error): void => {
        if (cause instanceof IngestError) reject(cause)
        // The endpoint may take too long for this number of blocks.
        else if (signal.aborted && method === 'eth_getLogs')
          reject(
            new BlockRangeTooLargeError(`${name}: no answer within ${limits.timeoutMs} ms`, undefined, false),
          )
        else reject(new RpcUnavailableError(name, `${method}: ${cause.message}`, { cause }))
      }
      const headers = {
        'content-type': 'application/json',
        // Some firewalls refuse requests without one.
        'user-agent': 'z100',
        'content-length': Buffer.byteLength(body),
        // Logs are mostly zeros: gzip saves nine tenths.
        'accept-encoding': 'gzip',
      }
      const outgoing = send(url, { method: 'POST', agent, signal, headers })
      outgoing.on('error', fail)
      outgoing.on('response', (incoming) => {
        const plain = plainOf(incoming)
        plain.on('error', fail)
        const asked = { name, method, maxBytes: limits.maxBytes }
        gatherAnswer(plain, asked, (bytes) => resolve(answerOf(incoming, bytes)))
      })
      outgoing.end(body)
    })
}

/** Opens JSON-RPC with one endpoint, by connections as above. */
export function openExchange(url: URL, name: string, limits: ExchangeLimits): Exchange {
  const connection = openConnection(url, name, limits)
  return {
    post: async (method, message) => {
      const { status, retryAfterMs, text } = await connection(method, JSON.stringify(message))
      let answer: unknown
      try {
        answer = JSON.parse(text)
      } catch (cause) {
        if (status === 200) throw new RpcUnavailableError(name, `${method}: not JSON`, { cause })
      }
      if (status === 200 || Array.isArray(answer)) return answer
      // A JSON-RPC error is more specific than its HTTP status.
      const error = providerErrorOf(answer) ?? { code: status, message: text || 'no body' }
      throw faultOf(name, method, { ...error, status, retryAfterMs })
    },
  }
}

/** An answer; `retryAfterMs`: the pause that it asks for. */
type Answer = { readonly status: number; readonly retryAfterMs: number | undefined; readonly text: string }

const answerOf = (incoming: IncomingMessage, bytes: Buffer): Answer => ({
  status: incoming.statusCode ?? 0,
  retryAfterMs: retryAfterOf(incoming.headers['retry-after']),
  text: bytes.toString('utf8'),
})

/** RFC 9110 §10.2.3: seconds or a date. */
function retryAfterOf(header: string | undefined): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000
  return ms >= 0 ? ms : undefined
}

const plainOf = (incoming: IncomingMessage): Readable =>
  incoming.headers['content-encoding'] === 'gzip'
    ? // Errors of either stream are emitted by the one that is read.
      pipeline(incoming, createGunzip(), () => {})
    : incoming

/** An answer that is being received. */
type Receiving = { bytes: number; fail(most: number): void }

const receiving = new Set<Receiving>()
let together = 0

/** The largest answers fail until all of them are within the budget. */
function keepTogether(): void {
  while (together > budgets.answersTogether) {
    const [largest] = [...receiving].sort((a, b) => b.bytes - a.bytes)
    if (!largest) return
    largest.fail(budgets.answersTogether)
  }
}

/** `name`: of the endpoint. `maxBytes`: of this answer. */
type AnswerAsked = { readonly name: string; readonly method: string; readonly maxBytes: number }

/** The text of an answer. The stream ends with the IngestError that a larger one is. */
function gatherAnswer(
  incoming: Readable,
  { name, method, maxBytes }: AnswerAsked,
  done: (bytes: Buffer) => void,
): void {
  const chunks: Buffer[] = []
  const own: Receiving = {
    bytes: 0,
    fail(most) {
      forget()
      incoming.destroy(tooLarge(name, method, `an answer above ${most} bytes`))
    },
  }
  const forget = (): void => {
    if (receiving.delete(own)) together -= own.bytes
    chunks.length = 0
  }
  receiving.add(own)
  incoming.on('data', (chunk: Buffer) => {
    if (!receiving.has(own)) return
    own.bytes += chunk.length
    together += chunk.length
    chunks.push(chunk)
    if (own.bytes > maxBytes) own.fail(maxBytes)
    else keepTogether()
  })
  incoming.on('close', forget)
  incoming.on('end', () => {
    const bytes = Buffer.concat(chunks, own.bytes)
    forget()
    if (isTooDense(bytes)) incoming.destroy(tooLarge(name, method, 'an answer made of separators'))
    else done(bytes)
  })
}

/** Fewer blocks, or fewer calls, have a smaller answer. */
function tooLarge(name: string, method: string, what: string): IngestError {
  const said = `${name}: ${method}: ${what}`
  return method === 'eth_getLogs' ? new BlockRangeTooLargeError(said) : new BatchTooLargeError(said)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function providerErrorOf(answer: unknown): ProviderError | undefined {
  if (!isObject(answer)) return undefined
  const { error } = answer
  // Gateways in front of nodes answer so.
  if (typeof error === 'string') return { code: 0, message: error }
  if (!isObject(error)) return undefined
  const { code, message, data } = error
  return {
    code: typeof code === 'number' ? code : 0,
    // Some name their limit in it.
    message: [message, isObject(data) ? JSON.stringify(data) : data]
      .filter((text) => typeof text === 'string')
      .join(' '),
  }
}

/** The result in an answer to one call. Throws the fault of its error. */
export function resultOf(name: string, method: string, answer: unknown): unknown {
  const error = providerErrorOf(answer)
  if (error) throw faultOf(name, method, error)
  if (!isObject(answer) || answer['result'] === undefined) {
    throw new RpcUnavailableError(name, `${method}: an answer without a result`)
  }
  return answer['result']
}

/** The answers of a batch by the ids of its calls. */
export const answersById = (answers: readonly unknown[]): ReadonlyMap<unknown, unknown> =>
  new Map(answers.map((one) => [isObject(one) ? one['id'] : undefined, one]))

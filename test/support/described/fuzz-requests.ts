/** Requests that nobody should send, and a plain client that sends them as they are. */
import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { anyText } from './any-text.ts'
import type { Answered, DescribedOperation } from './described.ts'
import { type RequestContext, requestPath } from './described-requests.ts'

export type FuzzRequest = {
  /** null: the path is no operation's. */
  readonly operation: DescribedOperation | null
  readonly method: string
  readonly path: string
}

const oddText = fc.oneof(
  anyText(40),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', ' ', '9'.repeat(400), ...'0 -0 00 1e309 -1 0x10 NaN null [] {}'.split(' ')),
  fc.constantFrom(
    "'; drop table",
    '\r\nSet-Cookie: a',
    '\0',
    ...'../../ \u202e 💥 $where __proto__'.split(' '),
  ),
)

/** Percent-encoded, so that any text can stand in an address; half of what could be a surrogate cannot. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString())

/** What is no percent-encoding, or no UTF-8. */
const malformed = fc.constantFrom('%', '%zz', '%ff', '%c0%af', '%ed%a0%80', '%2', '%%')

/** A part of an address. */
export const fragment = fc.oneof(
  { weight: 9, arbitrary: oddText.map(encoded) },
  { weight: 1, arbitrary: malformed },
)

function queryOf(operation: DescribedOperation): fc.Arbitrary<string> {
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const values = operation.parameters.flatMap(({ schema }) => (schema['enum'] as string[] | undefined) ?? [])
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fragment },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'limit[]', 'Limit', 'strict') },
  )
  const value = fc.oneof(
    fragment,
    fc.constantFrom('1', '100', 'true', '2026-01-30', ...values),
    fc.double().map(String),
    fc.bigInt().map(String),
  )
  const pair = fc.tuple(name, value).map(([key, text]) => `${key}=${text}`)
  return fc
    .array(fc.oneof({ weight: 8, arbitrary: pair }, fragment), { maxLength: 6 })
    .map((parts) => parts.join('&'))
}

/** 8 KB of one parameter, of many, or of one value. */
const longQuery = fc.constantFrom(
  `limit=${'1'.repeat(8_000)}`,
  'limit=1&'.repeat(1_000),
  Array.from({ length: 800 }, (_, at) => `p${at}=${at}`).join('&'),
  `q=${'%F0%9F%92%A5'.repeat(600)}`,
)

const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'HEAD') },
  { weight: 1, arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE') },
)

/** Requests around the operations of a document: near misses most of all. */
export function fuzzRequests(
  operations: readonly DescribedOperation[],
  facts: RequestContext,
): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...operations).chain((operation) => {
    const proper = fc.constantFrom(requestPath(operation, facts), `${requestPath(operation, facts)}/`)
    const oddId = fragment.filter((text) => text !== '').map((text) => operation.path.replace('{id}', text))
    const elsewhere = fragment.map((text) => `${requestPath(operation, facts)}/x${text}`)
    const path = fc.oneof(
      { weight: 6, arbitrary: proper.map((text) => [operation, text] as const) },
      {
        weight: operation.path.includes('{id}') ? 4 : 0,
        arbitrary: oddId.map((text) => [operation, text] as const),
      },
      { weight: 1, arbitrary: elsewhere.map((text) => [null, text] as const) },
    )
    const query = fc.oneof({ weight: 15, arbitrary: queryOf(operation) }, { weight: 1, arbitrary: longQuery })
    return fc
      .tuple(path, methods, query)
      .map(([[known, text], method, sent]) => ({
        operation: known,
        method,
        path: sent === '' ? text : `${text}?${sent}`,
      }))
  })
}

/** Sends a request byte by byte as it is written: fetch would tidy it up. */
export function send(base: string, { method, path }: FuzzRequest, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(base)
  return new Promise<Answered>((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers }, async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part as Buffer)
      const all = Object.entries(response.headers).map(([name, value]): [string, string] => [
        name,
        `${value}`,
      ])
      resolve({
        status: response.statusCode ?? 0,
        headers: new Headers(all),
        text: Buffer.concat(parts).toString(),
      })
    })
    request.on('error', reject)
    request.end()
  })
}

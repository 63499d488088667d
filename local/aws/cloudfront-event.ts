import type { IncomingMessage } from 'node:http'
import type { FunctionEvent, FunctionHeaders, FunctionRequest } from './cloudfront-function.ts'

/** The viewer-request event of `request` (Developer Guide, "Event structure"): nothing decoded, header names in lower case. */
export function requestEvent(request: IncomingMessage, requestId: string): FunctionEvent {
  const url = request.url ?? '/'
  const queryAt = url.includes('?') ? url.indexOf('?') : url.length
  const { headers, cookies } = sentHeaders(request)
  return {
    version: '1.0',
    context: {
      distributionDomainName: 'local.cloudfront.net',
      distributionId: 'LOCAL',
      eventType: 'viewer-request',
      requestId,
    },
    viewer: { ip: request.socket.remoteAddress ?? '127.0.0.1' },
    request: {
      method: request.method ?? 'GET',
      uri: url.slice(0, queryAt),
      querystring: valuesOf(url.slice(queryAt + 1), '&'),
      headers,
      cookies: cookies ? valuesOf(textOf(cookies, '; '), '; ') : none(),
    },
  }
}

/** The viewer-response event that follows `event`, with the request as viewer-request left it. */
export function responseEvent(
  event: FunctionEvent,
  request: FunctionRequest,
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): FunctionEvent {
  const headers = none()
  for (const name in answer.headers) headers[name] = { value: answer.headers[name] ?? '' }
  return {
    version: event.version,
    context: { ...event.context, eventType: 'viewer-response' },
    viewer: event.viewer,
    // A copy: a renewal behind this answer may still be reading the other.
    request: { ...request, headers: { ...request.headers } },
    response: { statusCode: answer.status, headers, cookies: {} },
  }
}

/** Plain headers out of those of an event; several values become one list. */
export function headersFrom(headers: FunctionHeaders): Record<string, string> {
  const plain: Record<string, string> = new Values()
  for (const name in headers) {
    const all = headers[name]
    if (all) plain[name] = textOf(all, ', ')
  }
  return plain
}

/** The headers of a request as an event has them; cookies have their own place in it. */
function sentHeaders({ rawHeaders }: IncomingMessage): {
  headers: FunctionHeaders
  cookies: FunctionHeaders[string] | undefined
} {
  const [headers, apart] = [none(), none()]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    add(name === 'cookie' ? apart : headers, name, rawHeaders[at + 1] ?? '')
  }
  return { headers, cookies: apart['cookie'] }
}

function valuesOf(text: string, separator: string): FunctionHeaders {
  const values = none()
  if (text === '') return values
  for (const pair of text.split(separator)) {
    const at = pair.includes('=') ? pair.indexOf('=') : pair.length
    if (pair !== '') add(values, pair.slice(0, at), pair.slice(at + 1))
  }
  return values
}

/** Values stand under their name in the order they came; `multiValue` when there is more than one. */
function add(all: FunctionHeaders, name: string, value: string): void {
  const before = all[name]
  all[name] = before ? { ...before, multiValue: [...(before.multiValue ?? [before]), { value }] } : { value }
}

/**
 * Values by name, whatever the name: `__proto__` is one like the others. An object without a prototype is slow to read and to
 * write, one whose prototype is empty is not.
 */
const Values = function Values() {} as unknown as { new (): Record<string, never>; prototype: unknown }
Values.prototype = Object.create(null)

const none = (): FunctionHeaders => new Values()

const textOf = (all: FunctionHeaders[string], separator: string): string =>
  all.multiValue ? all.multiValue.map(({ value }) => value).join(separator) : all.value

import type { IncomingMessage } from 'node:http'
import type { FunctionEvent, FunctionHeaders, FunctionRequest } from './cloudfront-function.ts'

/** The viewer-request event of `request` (Developer Guide, "Event structure"): nothing decoded, header names in lower case. */
export function requestEvent(request: IncomingMessage, requestId: string): FunctionEvent {
  const [uri = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s)
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
      uri,
      querystring: grouped(pairsOf(query, '&')),
      headers: grouped(headerPairs(request)),
      cookies: grouped(pairsOf(request.headers.cookie ?? '', '; ')),
    },
  }
}

/** The viewer-response event that follows `event`, with the request as viewer-request left it. */
export function responseEvent(
  event: FunctionEvent,
  request: FunctionRequest,
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): FunctionEvent {
  return {
    ...event,
    context: { ...event.context, eventType: 'viewer-response' },
    request,
    response: {
      statusCode: answer.status,
      headers: grouped(Object.entries(answer.headers)),
      cookies: {},
    },
  }
}

/** Plain headers out of those of an event; several values become one list. */
export function headersFrom(headers: FunctionHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, all]) => [
      name,
      (all.multiValue ?? [all]).map(({ value }) => value).join(', '),
    ]),
  )
}

/** Values under their name in the order they came; `multiValue` when there is more than one. */
function grouped(pairs: readonly (readonly [string, string])[]): FunctionHeaders {
  const all = new Map<string, { value: string }[]>()
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), { value }])
  return Object.fromEntries(
    [...all].map(([name, values]) => [
      name,
      { value: values[0]?.value ?? '', ...(values.length > 1 ? { multiValue: values } : {}) },
    ]),
  )
}

function pairsOf(text: string, separator: string): [string, string][] {
  return text
    .split(separator)
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return [name, value]
    })
}

/** Cookies have their own place in an event. */
function headerPairs(request: IncomingMessage): [string, string][] {
  return Object.entries(request.headersDistinct)
    .filter(([name]) => name !== 'cookie')
    .flatMap(([name, values = []]) => values.map((one): [string, string] => [name, one]))
}

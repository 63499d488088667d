import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEvent } from 'aws-lambda'

/** The only stage. Its name is in `requestContext`, but not in the paths that functions route by. */
const STAGE = 'prod'

/** The matched resource of a request, and its path parameters, decoded once. */
export type Matched = { readonly resource: string; readonly bound: Readonly<Record<string, string>> }

/** Path parameters of a resource such as `/v1/{proxy+}` or `/v1/pages/{id}` in a path as sent; null: no match. */
export function matchResource(resource: string, path: string): Matched | null {
  const [, base, name = '', isGreedy] = /^(.*\/)\{(\w+)(\+?)\}$/.exec(resource) ?? []
  if (base === undefined) return resource === path ? { resource, bound: {} } : null
  const rest = path.startsWith(base) ? path.slice(base.length) : ''
  const isBound = rest !== '' && (isGreedy || !rest.includes('/'))
  return isBound ? { resource, bound: { [name]: decodedOr(rest) } } : null
}

/**
 * The event of a REST API with Lambda proxy integration: the path percent-encoded as sent; query values decoded once
 * with + as a space, the last of repeated values besides the list of all, null if there are none.
 */
export function proxyEvent(
  request: IncomingMessage,
  { resource, bound }: Matched,
  received: { readonly requestId: string; readonly body: Buffer; readonly nowMs: number },
): APIGatewayProxyEvent {
  const [path = '/', ...rest] = (request.url ?? '/').split('?')
  const query = queryOf(rest.join('?'))
  const headers = headersOf(request)
  return {
    resource,
    path,
    httpMethod: request.method ?? 'GET',
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: query && lastOf(query),
    multiValueQueryStringParameters: query,
    pathParameters: Object.keys(bound).length > 0 ? bound : null,
    stageVariables: null,
    requestContext: contextOf(request, { ...received, path, resource }),
    body: received.body.length > 0 ? received.body.toString() : null,
    isBase64Encoded: false,
  }
}

function contextOf(
  request: IncomingMessage,
  at: { requestId: string; nowMs: number; path: string; resource: string },
): APIGatewayProxyEvent['requestContext'] {
  return {
    accountId: '000000000000',
    apiId: 'local',
    authorizer: null,
    httpMethod: request.method ?? 'GET',
    identity: { ...nobody, sourceIp: '127.0.0.1', userAgent: request.headers['user-agent'] ?? null },
    path: `/${STAGE}${at.path}`,
    protocol: 'HTTP/1.1',
    requestId: at.requestId,
    requestTimeEpoch: at.nowMs,
    resourceId: 'local',
    resourcePath: at.resource,
    stage: STAGE,
  }
}

const nobody = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
}

function queryOf(text: string): Record<string, string[]> | null {
  const all: Record<string, string[]> = Object.create(null)
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const [name = '', ...value] = pair.split('=')
    const key = formDecoded(name)
    all[key] = [...(all[key] ?? []), formDecoded(value.join('='))]
  }
  return Object.keys(all).length > 0 ? all : null
}

function headersOf(request: IncomingMessage): Record<string, string[]> {
  const all: Record<string, string[]> = {}
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? ''
    all[name] = [...(all[name] ?? []), request.rawHeaders[at + 1] ?? '']
  }
  return { ...all, 'X-Forwarded-Proto': ['http'] }
}

const lastOf = (all: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.at(-1) ?? '']))

const formDecoded = (text: string): string => decodedOr(text.replace(/\+/g, ' '))

/** Malformed percent-encoding is passed on unchanged. */
function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

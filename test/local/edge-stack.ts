/** The edge with keys, in front of a bucket and an API that record their requests, and a site without pages. */
import { once } from 'node:events'
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { startCloudfront } from '../../dev/emulators/cloudfront.ts'
import { listen } from '../../dev/emulators/listening.ts'
import { distribution, type EdgeRateRule, MISSING_PATH } from '../../lambdas/edge/distribution.ts'
import {
  bearerKey,
  type EdgeKey,
  edgeKeys,
  edgeKeyText,
  keyDigest,
  newKey,
  UNKNOWN_KEYS,
} from '../../schemas/api/access.ts'
import { documents } from '../../schemas/api/documents.ts'

export type EdgeReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

/** Any other object of the bucket, which no reader may see. */
export const SECRET = 'not for readers'

const names = new Set<string>(documents.map(({ name }) => `/${name}`))
const documentHeaders = {
  'content-type': 'application/json',
  'cache-control': 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400',
}

/** An object of the bucket; without one a document says its own name. */
type StackObject = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

type StackOptions = {
  readonly rateRules?: readonly EdgeRateRule[]
  /** Addresses of more origins. */
  readonly origins?: Readonly<Record<string, string>>
}

/** Starts all of it. `state`: how the origins behave, and the time. */
export async function startEdgeStack({ rateRules = [], origins = {} }: StackOptions = {}) {
  const state = {
    nowMs: 1_800_000_000_000,
    delayMs: 0,
    bucket: 'up' as 'up' | 'empty' | 'broken' | 'down',
    api: 'up' as 'up' | 'broken' | 'down',
  }
  const objects = new Map<string, StackObject>()
  const seen = { bucket: [] as IncomingMessage[], api: [] as IncomingMessage[], log: [] as string[] }
  const defects: unknown[] = []
  const entries = new Map<string, string>()

  const bucket = await listen(
    'bucket',
    createServer(async (request, response) => {
      const { url = '' } = request
      seen.bucket.push(request)
      await sleep(state.delayMs)
      if (state.bucket === 'down') return request.socket.destroy()
      if (!names.has(url)) return response.writeHead(200).end(SECRET)
      if (state.bucket !== 'up')
        return response.writeHead(state.bucket === 'empty' ? 403 : 500).end('<Error/>')
      const { headers, body } = objects.get(url) ?? { headers: {}, body: JSON.stringify({ document: url }) }
      const { etag } = headers
      // As S3 does: without the object's metadata.
      if (etag !== undefined && request.headers['if-none-match'] === etag)
        return response.writeHead(304, { etag }).end()
      return response.writeHead(200, { ...documentHeaders, ...headers }).end(body)
    }),
  )
  const api = await listen(
    'api',
    createServer(async (request, response) => {
      seen.api.push(request)
      await sleep(state.delayMs)
      if (state.api === 'down') return request.socket.destroy()
      if (state.api === 'broken')
        return response.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
      return answerAsApi(request, response)
    }),
  )
  const site = await listen(
    'site',
    createServer((_request, response) => response.writeHead(403).end('<Error/>')),
  )
  const edge = await startCloudfront({
    ...distribution(),
    origins: {
      published: bucket.url,
      api: api.url,
      missing: api.url + MISSING_PATH,
      site: site.url,
      ...origins,
    },
    keyValueStore: entries,
    rateRules,
    onFunctionLog: (line) => seen.log.push(line),
    onDefect: (error) => defects.push(error),
    now: () => state.nowMs,
  })
  const port = Number(new URL(edge.url).port)

  return {
    state,
    objects,
    seen,
    entries,
    defects,
    port,
    url: edge.url,
    /** A key of an account, as the edge knows it. */
    key(account: string, tier: EdgeKey['tier'], standing: Partial<EdgeKey> = {}): string {
      const key = newKey(tier === 'site' ? 'site' : 'test')
      entries.set(edgeKeys.key(keyDigest(key)), edgeKeyText({ account, tier, state: 'active', ...standing }))
      return key
    },
    ask: (path: string, asked: Asked = {}) => ask(port, path, asked),
    talk: (text: string) => talk(port, text),
    forget() {
      for (const list of Object.values(seen)) list.length = 0
    },
    async stop() {
      for (const part of [edge, api, bucket, site]) await part.stop()
    },
  }
}

/** One stack for all tests of a file, with a key of each tier. Each test begins two days later, so that nothing in the cache is fresh. */
export async function useEdgeStack() {
  const stack = await startEdgeStack()
  afterAll(() => stack.stop())
  beforeEach(() => {
    Object.assign(stack.state, { delayMs: 0, bucket: 'up', api: 'up' })
    stack.state.nowMs += 172_800_000
    stack.forget()
  })
  afterEach(() => expect(stack.defects).toEqual([]))
  const keys = {
    basic: stack.key('a1', 'basic'),
    professional: stack.key('a2', 'professional'),
    enterprise: stack.key('a3', 'enterprise'),
  }
  return { stack, keys }
}

/** The error of an answer. */
export const edgeErrorIn = ({ text }: EdgeReply) => JSON.parse(text).error

/** How the cache was used: Hit, Miss, Error or FunctionGeneratedResponse. */
export const cacheOf = ({ headers }: EdgeReply) => String(headers['x-cache']).split(' ')[0]

/** The API's name for a reader. */
export const readerNamed = (key: string | undefined): string =>
  key === undefined ? 'nobody' : keyDigest(key)

/** An answer that names its reader. Public ones may be cached. */
function answerAsApi(request: IncomingMessage, response: ServerResponse): void {
  const url = (request.url ?? '').replace(UNKNOWN_KEYS, '')
  const reader = readerNamed(bearerKey(request.headers.authorization ?? '') ?? undefined)
  const isPublic = /^\/v1\/(openapi\.json|llms\.txt|robots\.txt|sitemap\.xml|token-pages\/.*)$/.test(url)
  const headers = {
    'content-type': 'application/json',
    'cache-control': isPublic ? 'public, max-age=300' : 'no-store',
    'x-ratelimit-remaining': reader,
  }
  const isFound = isPublic || /^\/v1\/(z100\/creators(\/24h)?|tokens\/0xab|status)(\?.*)?$/.test(url)
  const error = { code: 'RESOURCE_NOT_FOUND', message: '', details: {}, request_id: 'api' }
  response.writeHead(isFound ? 200 : 404, headers)
  response.end(JSON.stringify(isFound ? { for: reader, method: request.method } : { error }))
}

type Asked = {
  readonly key?: string
  readonly method?: string
  readonly headers?: Record<string, string>
  /** An address of this machine to come from. */
  readonly from?: string
}

/** One request, by a client that neither resolves dot segments nor follows. */
async function ask(
  port: number,
  path: string,
  { key, method = 'GET', headers = {}, from }: Asked,
): Promise<EdgeReply> {
  const sent = key === undefined ? headers : { authorization: `Bearer ${key}`, ...headers }
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: sent,
    agent: false,
    localAddress: from,
  })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const bytes = await buffer(response)
  return { status: response.statusCode ?? 0, headers: response.headers, bytes, text: String(bytes) }
}

/** Sends bytes unchanged and reads until the server closes. Our side stays open, since Node drops a client that half-closes. */
async function talk(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  let reply = ''
  for await (const part of socket) reply += String(part)
  return reply
}

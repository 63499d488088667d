import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { StandIn } from './listening.ts'
import { listen } from './listening.ts'
import { parseAddress } from './s3-address.ts'
import { readBody } from './s3-body.ts'
import { S3Error } from './s3-error.ts'
import type { Storage } from './s3-files.ts'
import { openStorage } from './s3-files.ts'
import { listingQuery } from './s3-listing.ts'
import type { Answer, Call } from './s3-objects.ts'
import {
  copyObject,
  createBucket,
  deleteObject,
  deleteObjects,
  getObject,
  headBucket,
  listObjects,
  putObject,
} from './s3-objects.ts'
import type { Credentials } from './s3-signature.ts'
import { verifySignature } from './s3-signature.ts'
import { element, escapeXml } from './s3-xml.ts'

export type S3Options = {
  /** Folder of the objects; made when it is missing. */
  readonly dir: string
  readonly port?: number
  readonly credentials: Credentials
  /** Buckets whose objects anyone may GET and HEAD, as a CDN's own access does it. */
  readonly anonymousRead?: readonly string[]
}

type Route = {
  readonly methods: readonly string[]
  readonly on: 'bucket' | 'object'
  /** A query name or header that must be there. */
  readonly needs?: string
  /** The query names it understands; a request with any other one is not this operation. */
  readonly query: readonly string[]
  readonly answer: (call: Call) => Promise<Answer>
}

/** Everything that is understood. What is not here is answered 501: taking a sub-resource for the object ruins the object. */
const routes: readonly Route[] = [
  { methods: ['GET'], on: 'bucket', needs: 'list-type', query: listingQuery, answer: listObjects },
  { methods: ['HEAD'], on: 'bucket', query: [], answer: headBucket },
  { methods: ['PUT'], on: 'bucket', query: [], answer: createBucket },
  { methods: ['POST'], on: 'bucket', needs: 'delete', query: ['delete'], answer: deleteObjects },
  { methods: ['GET', 'HEAD'], on: 'object', query: [], answer: getObject },
  { methods: ['PUT'], on: 'object', needs: 'x-amz-copy-source', query: [], answer: copyObject },
  { methods: ['PUT'], on: 'object', query: [], answer: putObject },
  { methods: ['DELETE'], on: 'object', query: [], answer: deleteObject },
]

/** Headers of S3 that are understood, or say nothing about the object. Any other `x-amz-…` asks for what is not here. */
const knownHeaders =
  /^x-amz-(date|content-sha256|security-token|user-agent|trailer|decoded-content-length|sdk-checksum-algorithm|checksum-.+|meta-.+|copy-source|metadata-directive)$/

/** S3 over files on this machine, for the operations of `routes`. Resolves when it listens; a busy port rejects. */
export async function startS3(options: S3Options): Promise<StandIn> {
  const storage = await openStorage(options.dir)
  const server = createServer((request, response) => {
    answer(request, { storage, options }).then(
      (result) => send(request, response, result),
      (error: unknown) => send(request, response, refusal(error, request)),
    )
  })
  return listen('s3', server, options.port)
}

async function answer(
  request: IncomingMessage,
  context: { storage: Storage; options: S3Options },
): Promise<Answer> {
  const { bucketName, key, query } = parseAddress(request.url ?? '/')
  authorize(request, { bucketName, key }, context.options)
  const route = routeOf(request, key, query)
  const body = await readBody(request)
  return route.answer({ storage: context.storage, bucketName, key, query, headers: request.headers, body })
}

function authorize(
  request: IncomingMessage,
  target: { bucketName: string; key: string },
  options: S3Options,
): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isOpen = options.anonymousRead?.includes(target.bucketName) && isRead && target.key !== ''
  if (request.headers.authorization === undefined && isOpen) return
  verifySignature(request, options.credentials)
}

function routeOf(request: IncomingMessage, key: string, query: ReadonlyMap<string, string>): Route {
  const on = key === '' ? 'bucket' : 'object'
  const sent = new Set([...query.keys(), ...Object.keys(request.headers)])
  const route = routes.find(
    (candidate) =>
      candidate.on === on &&
      candidate.methods.includes(request.method ?? '') &&
      (candidate.needs === undefined || sent.has(candidate.needs)) &&
      [...query.keys()].every((name) => candidate.query.includes(name)),
  )
  const isForeign = (name: string) => name.startsWith('x-amz-') && !knownHeaders.test(name)
  if (!route || Object.keys(request.headers).some(isForeign)) throw new S3Error('NotImplemented')
  return route
}

function refusal(error: unknown, request: IncomingMessage): Answer {
  const known = error instanceof S3Error ? error : new S3Error('InternalError')
  const body = element('Error', [
    element('Code', [known.code]),
    element('Message', [escapeXml(known.message)]),
    element('Resource', [escapeXml((request.url ?? '').split('?')[0] ?? '')]),
  ])
  return {
    status: known.status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  }
}

function send(request: IncomingMessage, response: ServerResponse, result: Answer): void {
  const body = Buffer.from(result.body ?? '')
  const hasLength = result.status !== 304 && result.status !== 204
  response.writeHead(result.status, {
    ...result.headers,
    ...(hasLength ? { 'content-length': String(body.length) } : {}),
    'x-amz-request-id': randomUUID(),
    server: 'AmazonS3',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

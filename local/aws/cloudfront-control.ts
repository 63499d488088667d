import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { WireError } from './json-wire.ts'
import type { StandIn } from './listening.ts'
import { listen } from './listening.ts'
import { contentsOf, element, escapeXml, unescapeXml } from './s3-xml.ts'

/** What a distribution lets an operator do. `invalidate` drops what is kept under these paths and says how many answers that were. */
export type Controlled = { invalidate(paths: readonly string[]): number }

export type ControlOptions = {
  readonly port?: number
  readonly distributionId: string
  readonly distribution: Controlled
}

/** An invalidation as it was asked for; here it is complete at once. */
type Invalidation = {
  readonly id: string
  readonly createdAt: string
  readonly reference: string
  readonly paths: readonly string[]
}

const NAMESPACE = 'http://cloudfront.amazonaws.com/doc/2020-05-31/'
/** Paths of one invalidation with `*`, and bytes of a body (CloudFront Developer Guide, "Quotas"). */
const PATHS_MAX = 3_000
const BODY_LIMIT = 1024 * 1024

/** The control API of one distribution, as far as invalidations go: CreateInvalidation and GetInvalidation. A request must be signed, by whom is not asked. */
export function startCloudfrontControl(options: ControlOptions): Promise<StandIn> {
  const made = new Map<string, Invalidation>()
  const server = createServer((request, response) => {
    answerTo(request, options, made).then(
      ([status, xml, headers]) => send(response, { status, xml, headers }),
      (error: unknown) => send(response, refusal(error)),
    )
  })
  return listen('cloudfront-control', server, options.port)
}

type Answered = readonly [status: number, xml: string, headers: Record<string, string>]

async function answerTo(
  request: IncomingMessage,
  { distributionId, distribution }: ControlOptions,
  made: Map<string, Invalidation>,
): Promise<Answered> {
  const body = await bodyOf(request)
  if (!request.headers.authorization) throw new WireError(403, 'AccessDenied', 'The request is not signed')
  const path = (request.url ?? '').split('?')[0] ?? ''
  const [, distributionAsked, id] =
    /^\/2020-05-31\/distribution\/([^/]+)\/invalidation(?:\/([^/]+))?$/.exec(path) ?? []
  if (distributionAsked === undefined)
    throw new WireError(501, 'NotImplemented', `${path} is not understood here`)
  if (distributionAsked !== distributionId) {
    throw new WireError(404, 'NoSuchDistribution', 'The specified distribution does not exist.')
  }
  if (id !== undefined && request.method === 'GET') return [200, xmlOf(found(made, id)), {}]
  if (id !== undefined || request.method !== 'POST')
    throw new WireError(501, 'NotImplemented', `${request.method} is not understood here`)
  const asked = batchFrom(body)
  const again = [...made.values()].find(({ reference }) => reference === asked.reference)
  const invalidation = again ?? { ...asked, id: newId(), createdAt: new Date().toISOString() }
  if (!again) distribution.invalidate(asked.paths)
  made.set(invalidation.id, invalidation)
  return [201, xmlOf(invalidation), { location: `${path}/${invalidation.id}` }]
}

function found(made: ReadonlyMap<string, Invalidation>, id: string): Invalidation {
  const invalidation = made.get(id)
  if (invalidation) return invalidation
  throw new WireError(404, 'NoSuchInvalidation', 'The specified invalidation does not exist.')
}

/** CloudFront gives an invalidation an id of 25 letters and digits, the first an I. */
const newId = (): string => `I${randomUUID().replaceAll('-', '').slice(0, 24).toUpperCase()}`

function batchFrom(body: string): Pick<Invalidation, 'reference' | 'paths'> {
  const text = (name: string) => contentsOf(body, name).map(unescapeXml)
  const [reference = ''] = text('CallerReference')
  const [quantity] = text('Quantity')
  const paths = text('Path')
  if (reference === '') throw new WireError(400, 'InvalidArgument', 'CallerReference is missing')
  if (Number(quantity) !== paths.length) {
    throw new WireError(400, 'InconsistentQuantities', 'Quantity is not the number of paths')
  }
  const isPath = (path: string) => path.startsWith('/') && !path.slice(0, -1).includes('*')
  if (paths.length === 0 || !paths.every(isPath)) {
    throw new WireError(400, 'InvalidArgument', 'A path begins with a slash and has * at its end alone')
  }
  if (paths.length > PATHS_MAX) throw new WireError(400, 'BatchTooLarge', `At most ${PATHS_MAX} paths`)
  return { reference, paths }
}

function xmlOf({ id, createdAt, reference, paths }: Invalidation): string {
  const items = paths.map((path) => element('Path', [escapeXml(path)]))
  const batch = [
    element('Paths', [element('Quantity', [String(paths.length)]), element('Items', items)]),
    element('CallerReference', [escapeXml(reference)]),
  ]
  const parts = [
    element('Id', [id]),
    element('Status', ['Completed']),
    element('CreateTime', [createdAt]),
    element('InvalidationBatch', batch),
  ]
  return element('Invalidation', parts).replace('>', ` xmlns="${NAMESPACE}">`)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) {
    text += String(part)
    if (text.length > BODY_LIMIT) throw new WireError(413, 'BatchTooLarge', 'The body is too long')
  }
  return text
}

type Reply = { readonly status: number; readonly xml: string; readonly headers: Record<string, string> }

function refusal(error: unknown): Reply {
  const known = error instanceof WireError ? error : new WireError(500, 'InternalError', String(error))
  const parts = [
    element('Error', [
      element('Type', ['Sender']),
      element('Code', [known.code]),
      element('Message', [escapeXml(known.message)]),
    ]),
    element('RequestId', [randomUUID()]),
  ]
  const xml = element('ErrorResponse', parts).replace('>', ` xmlns="${NAMESPACE}">`)
  return { status: known.status, xml, headers: {} }
}

function send(response: ServerResponse, { status, xml, headers }: Reply): void {
  const body = `<?xml version="1.0"?>\n${xml}`
  response.writeHead(status, {
    'content-type': 'text/xml',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  })
  response.end(body)
}

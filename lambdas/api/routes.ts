import { decoded, type Query } from '../../schemas/api/canonical.js'
import { documents, pastDocument } from '../../schemas/api/documents.ts'
import { type ApiError, InvalidParameterError, RouteNotFoundError } from '../../schemas/api/errors.ts'
import type { Operation } from '../../schemas/api/operation.ts'
import { type OperationName, operationEntries, operations } from '../../schemas/api/operations.ts'
import { DRAWN_PREVIEWS } from '../../schemas/pages/previews.ts'
import * as parameters from '../../schemas/values/parameters.ts'
import { objectPrefixes } from '../../store/aws/tables.ts'

/** A request for an operation, before its parameters are checked. */
export type ApiRoute = {
  readonly name: OperationName
  readonly operation: Operation
  readonly id: string
  readonly sent: Query
}

/** Outcome of routing a path: an operation, or the error that answers it. */
export type Routing =
  | { readonly is: 'route'; readonly route: ApiRoute }
  | { readonly is: 'refusal'; readonly error: ApiError }

/** Paths of files in the bucket of documents; the edge asks the API about one that is missing there. */
const filePaths = [objectPrefixes.archive, DRAWN_PREVIEWS].map((prefix) => `/${prefix}`)

export const isFilePath = (path: string): boolean => filePaths.some((begin) => path.startsWith(begin))

/** The gateway's resources that need no key. */
export const openResources: readonly string[] = [
  ...Object.values<Operation>(operations)
    .filter(({ needs }) => needs === 'nothing')
    .map(({ path }) => path),
  ...filePaths.map((path) => `${path}{proxy+}`),
]

/** The edge sends paths without a gateway route here, such as /V1/z100/creators; they are not found. */
export const ELSEWHERE = '/v1/-'

/**
 * The operation of a path as sent. `isForDocument`: the edge requests a document that is missing in the bucket, so the
 * path is the document's. Refused with RouteNotFoundError, or InvalidParameterError for malformed percent-encoding.
 */
export function findRoute(path: string, query: Query, isForDocument: boolean): Routing {
  if (decoded(path) === null) {
    const parameter = { parameter: 'path', provided: path.slice(0, 128), allowed: 'percent-encoded UTF-8' }
    return { is: 'refusal', error: new InvalidParameterError(parameter) }
  }
  const sent = path.split('/').map((part) => decoded(part) ?? '')
  if (sent.at(-1) === '') sent.pop()
  const route = (isForDocument && documentRoute(sent.join('/'))) || namedRoute(sent, query)
  if (route) return { is: 'route', route }
  const asSent = path.startsWith(`${ELSEWHERE}/`) ? path.slice(ELSEWHERE.length) : path
  return { is: 'refusal', error: new RouteNotFoundError(asSent) }
}

/** A path without an id is compared as a whole, as at the edge; an id may contain an encoded slash. */
function namedRoute(sent: readonly string[], query: Query): ApiRoute | undefined {
  // Dot segments are not resolved, and no id is one.
  if (sent.some((part) => part === '.' || part === '..')) return undefined
  const whole = sent.join('/')
  for (const [name, operation] of operationEntries) {
    const parts = operation.path.split('/')
    const idAt = parts.indexOf('{id}')
    const id = sent[idAt] ?? ''
    const isFound =
      idAt < 0
        ? operation.path === whole
        : id !== '' &&
          parts.length === sent.length &&
          parts.every((part, at) => at === idAt || part === sent[at])
    if (isFound) return { name, operation, id, sent: query }
  }
  return undefined
}

/** Maps a document's path to the request that it answers. */
function documentRoute(path: string): ApiRoute | undefined {
  const asked = pastDocument(path.slice(1))
  const document = documents.find(({ name }) => name === asked.name)
  if (!document) return undefined
  const operation: Operation = operations[document.operation]
  const sent = (operation.documentParameters ?? []).map(
    ({ names }, at) => [names[0], [document.parameterValues[at] ?? '']] as const,
  )
  const past = asked.asOf === undefined ? {} : { [parameters.asOfTime.names[0]]: [asked.asOf] }
  return { name: document.operation, operation, id: '', sent: { ...Object.fromEntries(sent), ...past } }
}

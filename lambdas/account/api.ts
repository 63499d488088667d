import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import { RefusedError } from '../../accounts/refusal.ts'
import { sessionOf } from '../../accounts/sessions.ts'
import { HOST_HEADER, VIEWER_HEADER } from '../../schemas/api/access.ts'
import { ACCOUNT_API } from '../../schemas/api/account.ts'
import { RouteNotFoundError } from '../../schemas/api/errors.ts'
import { budgets } from '../../schemas/deployment/budgets.ts'
import { signUpNetworkOf } from '../../schemas/values/address.ts'
import type { ApiEvent } from '../api/admission.ts'
import { requestFrom } from '../api/http.ts'
import { type Answer, accountRefusal, accountResponse, sessionIn } from './answers.ts'
import { bodyFrom } from './body.ts'
import { countChange } from './count-change.ts'
import { accountRoutes } from './routes.ts'
import type { AccountApiOptions, AccountRoute, Visit } from './visit.ts'

/** The part of a REST proxy event that is read. */
export type AccountEvent = ApiEvent & Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>

/** Answers requests of the account page. Never rejects: what has no words for the visitor is a 500. */
export const openAccountApi =
  (options: AccountApiOptions) =>
  async (event: AccountEvent): Promise<APIGatewayProxyResult> => {
    const { id } = requestFrom(event)
    try {
      return accountResponse(id, await answerTo(event, options))
    } catch (error) {
      return accountRefusal(id, error, (defect) => options.onDefect(id, defect))
    }
  }

async function answerTo(event: AccountEvent, options: AccountApiOptions): Promise<Answer> {
  const { method, path, headers } = requestFrom(event)
  const { route, bound } = routeOf(method, path)
  const network = signUpNetworkOf(headers[VIEWER_HEADER] ?? '')
  const service = { ...options.service, network }
  const origin = `${options.scheme}://${headers[HOST_HEADER] ?? ''}`
  const text = textOf(event)
  if (route.needs !== 'nothing') requireOwnPage(method, headers, origin)
  const token = sessionIn(options.scheme, headers)
  const body = bodyFrom(text, headers)
  const visit: Visit = { options, service, origin, headers, bound, text, body, token }
  if (route.needs === 'nothing' || route.needs === 'page') return route.run(visit)
  const session = await sessionOf(service, token)
  if (route.needs !== 'session') await countChange(service, session, route.needs)
  return route.run({ ...visit, session, service: { ...service, actor: session.ticket.actor } })
}

/** The operation of a path, and the values of its `{…}`. Throws RouteNotFoundError. */
function routeOf(method: string, path: string): { route: AccountRoute; bound: readonly string[] } {
  const sent = path.startsWith(ACCOUNT_API) ? path.slice(ACCOUNT_API.length).split('/') : []
  for (const route of accountRoutes) {
    const parts = route.path.split('/')
    const isFound =
      route.method === method &&
      parts.length === sent.length &&
      parts.every((part, at) => part.startsWith('{') || part === sent[at])
    if (isFound) return { route, bound: sent.filter((_, at) => parts[at]?.startsWith('{')) }
  }
  throw new RouteNotFoundError(path)
}

/** The body as sent. Throws RefusedError: TOO_LARGE. */
function textOf({ body, isBase64Encoded }: AccountEvent): string {
  const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '')
  if (Buffer.byteLength(text) > budgets.accountRequest) throw new RefusedError('TOO_LARGE')
  return text
}

/**
 * The page itself asks. A browser states who asks: Origin with every method but GET and HEAD (Fetch §3.2), Sec-Fetch-Site
 * always. A form, an image or a script of another site states that site.
 */
function requireOwnPage(method: string, headers: Visit['headers'], origin: string): void {
  const isOfHere = (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'
  if (!isOfHere || (method !== 'GET' && headers['origin'] !== origin))
    throw new RefusedError('NOT_FROM_THIS_PAGE')
}

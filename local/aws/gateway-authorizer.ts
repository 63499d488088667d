import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda'

/** A REQUEST authorizer: its function, and how long a verdict is kept for one value of its identity headers. */
export type Authorizer = {
  readonly handler: (event: APIGatewayRequestAuthorizerEvent) => Promise<unknown>
  readonly ttlSeconds: number
  /** Unix ms. */
  readonly now?: () => number
}

/** Whether the request may pass, under which hidden key it counts, and what the function behind is given. */
export type AuthorizerVerdict = {
  readonly isAllowed: boolean
  readonly usageKey: string
  readonly context: Readonly<Record<string, string | number | boolean>>
}

/** The authorizer threw, or its answer is none. */
export class AuthorizerFailedError extends Error {
  override readonly name = 'AuthorizerFailedError'
}

/** Most verdicts that are kept. */
const KEPT_MAX = 10_000

/** Asks the authorizer, or gives the verdict that is kept. 'missing': a header of its identity is not there, and nobody is asked. */
export function openAuthorizer({ handler, ttlSeconds, now = Date.now }: Authorizer) {
  const kept = new Map<string, { verdict: AuthorizerVerdict; until: number }>()
  return async (
    event: APIGatewayProxyEvent,
    headers: readonly string[],
  ): Promise<AuthorizerVerdict | 'missing'> => {
    const values = headers.map((name) => valuesOf(event, name))
    if (values.includes('')) return 'missing'
    const identity = JSON.stringify([headers, values])
    const before = kept.get(identity)
    if (before && now() < before.until) return before.verdict
    const verdict = await ask(handler, event).catch((error: unknown) => {
      throw new AuthorizerFailedError(String(error), { cause: error })
    })
    if (kept.size >= KEPT_MAX) kept.clear()
    kept.set(identity, { verdict, until: now() + ttlSeconds * 1_000 })
    return verdict
  }
}

/** All values of a header. */
const valuesOf = ({ multiValueHeaders }: APIGatewayProxyEvent, header: string): string =>
  Object.entries(multiValueHeaders)
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, values]) => values ?? [])
    .join(',')

type Returned = {
  policyDocument: { Statement: readonly { Effect: unknown; Resource: unknown }[] }
  usageIdentifierKey?: string
  context?: AuthorizerVerdict['context']
}

/** A policy must be of all of the stage, for the verdict is kept for every path. */
async function ask(handler: Authorizer['handler'], event: APIGatewayProxyEvent): Promise<AuthorizerVerdict> {
  const { body: _, isBase64Encoded: __, requestContext, ...request } = event
  const methodArn = `arn:aws:execute-api:us-east-1:000000000000:local/${requestContext.stage}/${event.httpMethod}${event.path}`
  const returned = await handler({ ...request, requestContext, type: 'REQUEST', methodArn } as never)
  const { policyDocument, usageIdentifierKey = '', context = {} } = returned as Returned
  const { Effect: effect, Resource: resource } = policyDocument.Statement[0] ?? {}
  const isPolicy = (effect === 'Allow' || effect === 'Deny') && String(resource).endsWith('/*')
  if (!isPolicy) throw new AuthorizerFailedError('a policy of the whole stage was expected')
  return { isAllowed: effect === 'Allow', usageKey: usageIdentifierKey, context }
}

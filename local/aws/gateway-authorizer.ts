import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda'

/** A REQUEST authorizer: its function, and how long a verdict is kept for one value of the Authorization header. */
export type Authorizer = {
  readonly handler: (event: APIGatewayRequestAuthorizerEvent) => Promise<unknown>
  readonly ttlSeconds: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** What the authorizer said: whether the request may pass, under which hidden key it counts, and what the function behind is told. */
export type Verdict = {
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
  const kept = new Map<string, { verdict: Verdict; until: number }>()
  return async (event: APIGatewayProxyEvent, headers: readonly string[]): Promise<Verdict | 'missing'> => {
    const values = headers.map((name) => valuesOf(event, name))
    if (values.includes('')) return 'missing'
    const identity = JSON.stringify([headers, values])
    const standing = kept.get(identity)
    if (standing && now() < standing.until) return standing.verdict
    const verdict = verdictFrom(await ask(handler, event))
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

async function ask(handler: Authorizer['handler'], event: APIGatewayProxyEvent): Promise<unknown> {
  const { body: _, isBase64Encoded: __, requestContext, ...request } = event
  const methodArn = `arn:aws:execute-api:us-east-1:000000000000:local/${requestContext.stage}/${event.httpMethod}${event.path}`
  try {
    return await handler({ ...request, requestContext, type: 'REQUEST', methodArn } as never)
  } catch (error) {
    throw new AuthorizerFailedError(String(error), { cause: error })
  }
}

/** Checks what the authorizer returned: a policy of one statement on all of the stage, and a context of plain values. */
function verdictFrom(returned: unknown): Verdict {
  const {
    policyDocument,
    usageIdentifierKey = '',
    context = {},
  } = (returned ?? {}) as {
    policyDocument?: { Statement?: readonly { Effect?: unknown; Resource?: unknown; Action?: unknown }[] }
    usageIdentifierKey?: string
    context?: Verdict['context']
  }
  const statement = policyDocument?.Statement?.[0]
  const effect = statement?.Effect
  if (effect !== 'Allow' && effect !== 'Deny') throw new AuthorizerFailedError('no policy was returned')
  if (statement?.Action !== 'execute-api:Invoke' || !String(statement.Resource).endsWith('/*')) {
    throw new AuthorizerFailedError(
      'the policy is not of the whole stage, and verdicts are kept for all of it',
    )
  }
  if (Object.values(context).some((value) => typeof value === 'object')) {
    throw new AuthorizerFailedError('the context holds more than text, numbers and flags')
  }
  return { isAllowed: effect === 'Allow', usageKey: usageIdentifierKey, context }
}

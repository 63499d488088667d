import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda'
import { bearerKey, isKey, keyDigest } from '../schemas/access.ts'
import { readEnv } from '../schemas/env.ts'
import { type AccessStore, isValidAt, openAccess } from '../store/access.ts'
import { callerContext } from './caller.ts'

/** Kept while the function stays warm. */
let opened: AccessStore | undefined

/** Invoked by API Gateway for an Authorization header that it has not asked about in the last 30 seconds. */
export const handler = (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
  opened ??= openAccess(readEnv('authorizer', process.env).ACCESS_TABLE)
  return authorize(event, opened, Date.now() / 1_000)
}

/**
 * Allows the key's account, under its hidden gateway key, so that all its keys share one usage plan; a suspended one too: the
 * API tells it so. Any other key is denied with the reason, which the gateway answers as a 401. `now` is Unix seconds.
 */
export async function authorize(
  event: APIGatewayRequestAuthorizerEvent,
  access: Pick<AccessStore, 'account' | 'key'>,
  now: number,
): Promise<APIGatewayAuthorizerResult> {
  const text = bearerKey(authorizationOf(event))
  if (text === null || !isKey(text)) return denied(event, 'invalid_api_key')
  const key = await access.key(keyDigest(text))
  if (!key?.isComplete) return denied(event, 'invalid_api_key')
  if (!isValidAt(key, now)) return denied(event, 'expired_api_key')
  const account = await access.account(key.account)
  if (!account) return denied(event, 'invalid_api_key')
  const { id, tier, state, gatewayKey } = account
  return {
    ...policy(event, { principal: id, effect: 'Allow' }),
    usageIdentifierKey: gatewayKey,
    context: callerContext({ account: id, tier, state }),
  }
}

/** All values of the header; a client that sends it twice sends none that is valid. */
const authorizationOf = ({ multiValueHeaders }: APIGatewayRequestAuthorizerEvent): string =>
  Object.entries(multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, values]) => values ?? [])
    .join(', ')

const denied = (event: APIGatewayRequestAuthorizerEvent, reason: string): APIGatewayAuthorizerResult => ({
  ...policy(event, { principal: 'nobody', effect: 'Deny' }),
  context: { reason },
})

/** For the whole stage: the gateway keeps a verdict for every path that the same header asks for. */
function policy(
  { methodArn }: APIGatewayRequestAuthorizerEvent,
  { principal, effect }: { principal: string; effect: 'Allow' | 'Deny' },
): APIGatewayAuthorizerResult {
  const Resource = `${methodArn.split('/').slice(0, 2).join('/')}/*`
  const Statement = [{ Action: 'execute-api:Invoke', Effect: effect, Resource }]
  return { principalId: principal, policyDocument: { Version: '2012-10-17', Statement } }
}

import { createHash, timingSafeEqual } from 'node:crypto'
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda'
import {
  bearerKey,
  isKey,
  KEYED_RESOURCE,
  keyDigest,
  keyMark,
  ORIGIN_HEADER,
  tierAt,
  UNKNOWN_RESOURCE,
  usageHourOf,
} from '../schemas/api/access.ts'
import { readEnv } from '../schemas/deployment/env.ts'
import { type AccessStore, isValidAt, openAccess } from '../store/accounts/access.ts'
import { openUsage, type Usage, type UsedKey } from '../store/accounts/usage.ts'
import type { Caller } from './api/admission.ts'

/** The part of a REQUEST authorizer's event that is read. */
type KeyedEvent = Pick<APIGatewayRequestAuthorizerEvent, 'multiValueHeaders' | 'resource' | 'methodArn'>

/** State of a warm function. */
let opened: { readonly access: AccessStore; readonly usage: Pick<Usage, 'noteUse'> } | undefined

/**
 * Invoked by API Gateway for headers without a cached verdict: the edge's secret, and Authorization where a key is
 * needed. Requests that bypass the edge are denied.
 */
export async function handler(event: KeyedEvent): Promise<APIGatewayAuthorizerResult> {
  const env = readEnv('authorizer', process.env)
  const sent = valuesOf(event, ORIGIN_HEADER)
  const secrets = [env.ORIGIN_SECRET, env.PREVIOUS_ORIGIN_SECRET ?? env.ORIGIN_SECRET]
  // No short cut: the time must not tell which of them was nearly right.
  if (!secrets.map((secret) => isSame(sent, secret)).includes(true)) return denied(event, 'invalid_api_key')
  if (event.resource !== KEYED_RESOURCE && event.resource !== UNKNOWN_RESOURCE)
    return policy(event, { principal: 'edge', effect: 'Allow' })
  opened ??= { access: openAccess(env.ACCESS_TABLE), usage: openUsage(env.USAGE_TABLE) }
  const now = Date.now() / 1_000
  const answer = await authorize(event, opened.access, now)
  if (answer.usageIdentifierKey === undefined) return answer
  const mark = keyMark(keyDigest(bearerKey(valuesOf(event, 'authorization')) ?? ''))
  await noteUse({ account: answer.principalId, mark }, opened.usage, usageHourOf(now))
  return answer
}

/** The hour in which each key was noted last; at most this many keys are remembered. */
const noted = new Map<string, number>()
const NOTED_MAX = 10_000

/** Notes for the account page when a key was used. A key works whether or not that can be noted. */
async function noteUse(key: UsedKey, usage: Pick<Usage, 'noteUse'>, hour: number): Promise<void> {
  const name = `${key.account} ${key.mark}`
  if (noted.get(name) === hour) return
  if (noted.size >= NOTED_MAX) noted.clear()
  noted.set(name, hour)
  await usage.noteUse(key, hour).catch((error: unknown) => {
    process.stdout.write(`${JSON.stringify({ service: 'authorizer', error: String(error) })}\n`)
  })
}

/**
 * Allows the key's account under its hidden gateway key, so that all its keys share one usage plan; also a suspended
 * account, which the API then refuses. Any other key is denied with a reason, which the gateway answers as a 401. `now`
 * is Unix seconds.
 */
export async function authorize(
  event: KeyedEvent,
  access: Pick<AccessStore, 'account' | 'key'>,
  now: number,
): Promise<APIGatewayAuthorizerResult> {
  const text = bearerKey(valuesOf(event, 'authorization'))
  if (text === null || !isKey(text)) return denied(event, 'invalid_api_key')
  const key = await access.key(keyDigest(text))
  if (!key?.isComplete) return denied(event, 'invalid_api_key')
  if (!isValidAt(key, now)) return denied(event, 'expired_api_key')
  const account = await access.account(key.account)
  if (!account) return denied(event, 'invalid_api_key')
  const { id, state, gatewayKey } = account
  return {
    ...policy(event, { principal: id, effect: 'Allow' }),
    usageIdentifierKey: gatewayKey,
    context: { account: id, tier: tierAt(account, now), state } satisfies Caller,
  }
}

/** All values of a header, joined; two Authorization headers are never valid. */
const valuesOf = ({ multiValueHeaders }: KeyedEvent, header: string): string =>
  Object.entries(multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, values]) => values ?? [])
    .join(', ')

/** Constant-time comparison. */
function isSame(sent: string, secret: string): boolean {
  const [a, b] = [sent, secret].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

const denied = (event: KeyedEvent, reason: string): APIGatewayAuthorizerResult => ({
  ...policy(event, { principal: 'nobody', effect: 'Deny' }),
  context: { reason },
})

/** For the whole stage, because the gateway reuses a verdict for every path with the same header. */
function policy(
  { methodArn }: KeyedEvent,
  { principal, effect }: { principal: string; effect: 'Allow' | 'Deny' },
): APIGatewayAuthorizerResult {
  const Resource = `${methodArn.split('/').slice(0, 2).join('/')}/*`
  const Statement = [{ Action: 'execute-api:Invoke', Effect: effect, Resource }]
  return { principalId: principal, policyDocument: { Version: '2012-10-17', Statement } }
}

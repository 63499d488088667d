import type { Subscription } from '../../accounts/payments.ts'
import { readerTiers } from '../../schemas/api/access.ts'
import { InvalidParameterError } from '../../schemas/api/errors.ts'
import { readTime, timeSyntax } from '../../schemas/values/time-syntax.ts'
import { type Body, fieldText } from './body.ts'

const accountId = { form: /^[a-z0-9]{1,64}$/, allowed: 'the id of an account' }
const tier = { form: new RegExp(`^(${readerTiers.join('|')})$`), allowed: readerTiers.join(', ') }

/** The only event that is understood. */
const SUBSCRIPTION = 'subscription.changed'

/**
 * The event of a webhook: `{"type": "subscription.changed", "timestamp": …, "data": {"account", "tier", "ends_at"}}`; null:
 * one of another type, which means nothing here. Throws InvalidParameterError.
 */
export function subscriptionIn(body: Body): Subscription | null {
  if (body['type'] !== SUBSCRIPTION) return null
  const sent = body['data']
  const data: Body = typeof sent === 'object' && sent !== null ? (sent as Body) : {}
  return {
    account: fieldText(data, 'account', accountId),
    tier: fieldText(data, 'tier', tier),
    endsAt: Math.floor(msIn(data, 'ends_at') / 1_000),
    atMs: msIn(body, 'timestamp'),
  }
}

/** A time in a body's field, in Unix ms. Throws InvalidParameterError. */
function msIn(body: Body, name: string): number {
  const text = fieldText(body, name, { form: /./, allowed: timeSyntax.allowed })
  const time = readTime(text)
  if (time) return Math.floor(time.ms)
  throw new InvalidParameterError({
    parameter: name,
    provided: text.slice(0, 128),
    allowed: timeSyntax.allowed,
  })
}

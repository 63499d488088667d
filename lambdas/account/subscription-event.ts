import type { Subscription } from '../../accounts/payments.ts'
import { readerTiers } from '../../schemas/access.ts'
import { type Body, fieldText } from './body.ts'

const isoTime = {
  form: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  allowed: 'a time in ISO 8601',
}
const accountId = { form: /^[a-z0-9]{1,64}$/, allowed: 'the id of an account' }
const tier = { form: new RegExp(`^(${readerTiers.join('|')})$`), allowed: readerTiers.join(', ') }

/** The only event that is understood. */
const SUBSCRIPTION = 'subscription.changed'

/**
 * The event of a webhook: `{"type": "subscription.changed", "timestamp": …, "data": {'account', "tier", "ends_at"}}`; null:
 * one of another type, which means nothing here. Throws InvalidParameterError.
 */
export function subscriptionIn(body: Body): Subscription | null {
  if (body['type'] !== SUBSCRIPTION) return null
  const sent = body['data']
  const data: Body = typeof sent === 'object' && sent !== null ? (sent as Body) : {}
  return {
    account: fieldText(data, 'account', accountId),
    tier: fieldText(data, 'tier', tier),
    endsAt: Math.floor(Date.parse(fieldText(data, 'ends_at', isoTime)) / 1_000),
    atMs: Date.parse(fieldText(body, 'timestamp', isoTime)),
  }
}

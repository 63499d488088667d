import { Webhook as SignedWebhook } from 'standardwebhooks'
import { isTier, readerTiers } from '../schemas/api/access.ts'
import { changeTier, publishAccount } from './accounts.ts'
import { AccountFault } from './fault.ts'
import { RefusedError } from './refusal.ts'
import type { AccessService } from './service.ts'

/** A webhook as it was received (Standard Webhooks, standardwebhooks.com). `headers` have names in lower case. */
export type Webhook = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/** Bytes of a secret (Standard Webhooks, "Signature scheme"); `webhookSecret` in cdk/choices.ts has the same as a pattern. */
const SECRET_BYTES = { least: 24, most: 64 } as const
const SECRET_PREFIX = 'whsec_'

/** Throws RefusedError: WRONG_WEBHOOK, unless one of the signatures is by the secret and the delivery at most five minutes old. */
export function requireSigned({ headers, body }: Webhook, secret: string): void {
  // A short secret can be guessed.
  const { length } = Buffer.from(secret.replace(SECRET_PREFIX, ''), 'base64')
  if (length < SECRET_BYTES.least || length > SECRET_BYTES.most) throw new RefusedError('WRONG_WEBHOOK')
  try {
    new SignedWebhook(secret).verify(body, headers, { jsonParse: false })
  } catch (cause) {
    throw new RefusedError('WRONG_WEBHOOK', {}, { cause })
  }
}

/** An event of a subscription: the tier that an account has, and until when. */
export type Subscription = {
  readonly account: string
  readonly tier: string
  /** Unix seconds. */
  readonly endsAt: number
  /** When it happened, in Unix ms; a repeated delivery has the same. */
  readonly atMs: number
}

/**
 * Sets tier and end of an account; false if it has others afterwards. An event that is older than the newest one, or another
 * one of the same time, changes nothing; the newest one again completes what was interrupted: so deliveries may be repeated,
 * and come late. Throws UnknownAccount, and RangeError for an unknown tier.
 */
export async function applySubscription(service: AccessService, event: Subscription): Promise<boolean> {
  const { tier, endsAt, atMs } = event
  if (!isTier(tier) || !readerTiers.some((each) => each === tier))
    throw new RangeError(`unknown tier ${tier}`)
  const account = await service.access.account(event.account)
  if (!account) throw new AccountFault('UnknownAccount', `there is no account ${event.account.slice(0, 64)}`)
  if (atMs < account.paidAtMs) return false
  if (atMs === account.paidAtMs) {
    await publishAccount(service, account)
    return account.tier === tier && account.tierEndsAt === endsAt
  }
  await changeTier(service, account, { tier, tierEndsAt: endsAt, paidAtMs: atMs })
  return true
}

import type { APIGatewayProxyEvent } from 'aws-lambda'
import {
  type AccountState,
  hourEnd,
  includesTier,
  isTier,
  SITE_TIER,
  type Tier,
  tiers,
  usageHourOf,
} from '../../schemas/api/access.ts'
import {
  type ApiError,
  RateLimitExceededError,
  SuspendedKeyError,
  TierRequiredError,
  UnauthorizedError,
} from '../../schemas/api/errors.ts'
import { rateHeaders } from '../../schemas/api/headers.ts'
import type { Operation } from '../../schemas/api/operation.ts'
import { signUpNetworkOf } from '../../schemas/values/address.ts'
import type { Usage } from '../../store/accounts/usage.ts'

/** The caller, as the authorizer passes it to the function behind the gateway. */
export type Caller = { readonly account: string; readonly tier: Tier; readonly state: AccountState }

/** The caller of a request; null: the operation needs no key, so none was authorized. */
export function callerOf({ requestContext }: ApiEvent): Caller | null {
  const { account, tier, state } = requestContext.authorizer ?? {}
  if (typeof account !== 'string' || typeof tier !== 'string' || !isTier(tier)) return null
  return { account, tier, state: state === 'active' ? 'active' : 'suspended' }
}

/** Whether a caller is admitted: the refusal if not, and the usage of the hour, which every answer states. */
export type Admission = {
  readonly refusal: ApiError | null
  readonly headers: Readonly<Record<string, string>>
  /** Whether the account has reached its limit. */
  readonly isSpent: boolean
}

const uncounted = (refusal: ApiError | null): Admission => ({ refusal, headers: {}, isSpent: false })

/** A request before it is answered. `operation` is null for an unknown path; that answer counts, too. */
type Entrant = {
  readonly caller: Caller | null
  readonly operation: Operation | null
  /** The edge requests a document that is missing in the bucket. */
  readonly isForDocument: boolean
  /** The edge has counted the request and shares its answer among accounts. */
  readonly isShared: boolean
  /** The reader's address as seen by the edge. */
  readonly viewer: string
  /** Unix seconds. */
  readonly now: number
}

/** The account that a caller's requests are counted for; with the pages' key, each network has its own. */
export const countedAccount = ({ account, tier }: Caller, viewer: string): string =>
  tier === SITE_TIER ? `${account}@${signUpNetworkOf(viewer)}` : account

/** Counts a request against the hourly limits of its account and, of a free one, its network, unless one is reached. Exact. */
export async function admit(
  { caller, operation, isForDocument, isShared, viewer, now }: Entrant,
  usage: Pick<Usage, 'take' | 'used'>,
): Promise<Admission> {
  if (operation?.needs === 'nothing') return uncounted(null)
  if (caller === null) return uncounted(new UnauthorizedError('missing_api_key'))
  if (caller.state === 'suspended') return uncounted(new SuspendedKeyError())
  if (isShared || (caller.tier === SITE_TIER && isForDocument)) return uncounted(null)
  const hour = usageHourOf(now)
  const accountHour = { account: countedAccount(caller, viewer), hour }
  const { limitPerHour: limit, limitOfNetwork } = tiers[caller.tier]
  const isCounted = !operation?.isUncounted
  const network = { account: `${caller.tier}@${signUpNetworkOf(viewer)}`, hour }
  // Looked at before the account is charged: what its network refuses is no answer of it.
  const isFull = isCounted && limitOfNetwork !== null && (await usage.used(network)) >= limitOfNetwork
  const used = isCounted && !isFull ? await usage.take(accountHour, limit) : await usage.used(accountHour)
  const isSpent = used === null || (isFull && used >= limit)
  const isBounded = isCounted && limitOfNetwork !== null && !isFull && !isSpent
  const isNetworkSpent = isFull || (isBounded && (await usage.take(network, limitOfNetwork)) === null)
  const reached = isSpent ? limit : isNetworkSpent ? limitOfNetwork : null
  const refusal =
    reached === null
      ? null
      : new RateLimitExceededError({ limit: reached, resetAt: hourEnd(hour), now: Math.floor(now) })
  return { refusal, isSpent, headers: rateHeadersAt({ limit, used: used ?? limit, now }) }
}

/** Throws TierRequiredError if the operation needs a higher tier. The pages' key is no better than any other. */
export function requireTier({ tier }: Operation, caller: Caller | null): void {
  if (tier === undefined || caller === null) return
  if (includesTier(caller.tier, tier)) return
  throw new TierRequiredError({ required: tier, current: caller.tier })
}

function rateHeadersAt({ limit, used, now }: { limit: number; used: number; now: number }) {
  const remaining = String(Math.max(0, limit - used))
  const end = hourEnd(usageHourOf(now))
  return rateHeaders({
    limit: String(limit),
    remaining,
    end: String(end),
    left: String(Math.ceil(end - now)),
  })
}

/** The part of a REST proxy event that the API reads. */
export type ApiEvent = Pick<
  APIGatewayProxyEvent,
  'httpMethod' | 'path' | 'multiValueHeaders' | 'multiValueQueryStringParameters'
> & { readonly requestContext: Pick<APIGatewayProxyEvent['requestContext'], 'requestId' | 'authorizer'> }

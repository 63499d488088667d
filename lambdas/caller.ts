import type { APIGatewayProxyEvent } from 'aws-lambda'
import { type AccountState, isTier, type Tier } from '../schemas/access.ts'

/** Who asks, as the authorizer tells the function behind the gateway. */
export type Caller = { readonly account: string; readonly tier: Tier; readonly state: AccountState }

/** What the authorizer hands over: plain text by name. */
export const callerContext = ({ account, tier, state }: Caller): Record<string, string> => ({
  account,
  tier,
  state,
})

/** The caller of a request; null: nobody was authorized for it, because it needs no key. */
export function callerOf({ requestContext }: APIGatewayProxyEvent): Caller | null {
  const { account, tier, state } = requestContext.authorizer ?? {}
  if (typeof account !== 'string' || typeof tier !== 'string' || !isTier(tier)) return null
  return { account, tier, state: state === 'active' ? 'active' : 'suspended' }
}

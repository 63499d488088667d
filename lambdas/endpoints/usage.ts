import { hourOf } from '../../schemas/access.ts'
import { UnauthorizedError } from '../../schemas/errors.ts'
import { rowWriter } from '../../schemas/field.ts'
import { usageFields } from '../../schemas/usage.ts'
import type { Endpoint } from './endpoint.ts'

const write = rowWriter(usageFields)

/** GET /v1/usage: what the caller's account used of this hour. Is not counted itself. */
export const usage: Endpoint = async (_asked, stores, { caller, now }) => {
  if (!caller) throw new UnauthorizedError('missing_api_key')
  const { account, tier } = caller
  const hour = hourOf(now)
  const used = await stores.usage.used({ account, hour })
  return { at: null, text: write({ account, tier, hour, used }) }
}

/** Accounts and keys on this machine: the Access table, the gateway's usage plans and the KeyValueStore, over their wires. */
import { randomUUID } from 'node:crypto'
import { createAccount } from '../../../accounts/accounts.ts'
import { createKey } from '../../../accounts/keys.ts'
import { type AccessService, openAccessService } from '../../../accounts/service.ts'
import { startKeyValueStore } from '../../../dev/emulators/keyvaluestore.ts'
import { startUsagePlans } from '../../../dev/emulators/usage-plans.ts'
import { authorize } from '../../../lambdas/authorizer.ts'
import { type Tier, tierNames, VERDICT_SECONDS } from '../../../schemas/api/access.ts'
import { openUsage } from '../../../store/accounts/usage.ts'
import { ensureTables } from '../../../store/aws/table.ts'

const ARN = 'arn:aws:cloudfront::000000000000:key-value-store/test'

/** Starts all of it beside the DynamoDB that the SDK reaches already. `clock`: Unix seconds. */
export async function startAccess(clock: () => number = () => Math.floor(Date.now() / 1_000)) {
  await ensureTables(['access', 'usage'])
  const usagePlans = await startUsagePlans({ plans: tierNames })
  const keyValueStore = await startKeyValueStore()
  const env = {
    ACCESS_TABLE: 'access',
    USAGE_TABLE: 'usage',
    KEY_VALUE_STORE: ARN,
    USAGE_PLANS: tierNames.map((tier) => `${tier}=${tier}`).join(','),
    AWS_ENDPOINT_URL_API_GATEWAY: usagePlans.url,
    AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: keyValueStore.url,
  }
  Object.assign(process.env, env)
  const service: AccessService = { ...openAccessService(env, 'test'), now: clock }
  return {
    env,
    service,
    usagePlans,
    keyValueStore,
    usage: openUsage('usage'),
    authorizer: {
      handler: (event: Parameters<typeof authorize>[0]) => authorize(event, service.access, clock()),
      ttlSeconds: VERDICT_SECONDS,
      now: () => clock() * 1_000,
    },
    /** A new account with a key. */
    async keyOf(tier: Tier): Promise<{ account: string; key: string }> {
      const account = await createAccount(service, { name: `${tier} ${randomUUID()}`, tier })
      return { account: account.id, key: (await createKey(service, account, { kind: 'test' })).text }
    },
    async stop() {
      await usagePlans.stop()
      await keyValueStore.stop()
    },
  }
}

/** The header that sends a key. */
export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

import {
  APIGatewayClient,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeysCommand,
  GetUsagePlanKeysCommand,
  type GetUsagePlanKeysCommandOutput,
  NotFoundException,
} from '@aws-sdk/client-api-gateway'
import { type Tier, tierNames } from '../schemas/access.ts'
import { StoreFault } from './fault.ts'

/** An account at the gateway: its hidden key, and the usage plan of its tier. */
export type GatewayAccount = { readonly account: string; readonly keyId: string; readonly tier: Tier }

/** The hidden keys of accounts at the gateway, on the usage plans of their tiers. */
export type GatewayKeys = {
  /** Every account that is on a plan; an account whose tier change was interrupted appears twice. */
  list(): Promise<readonly GatewayAccount[]>
  /** Puts an account on the plan of its tier and removes it from others; creates its key if needed. Idempotent. */
  put(account: { readonly id: string; readonly tier: Tier; readonly gatewayKey: string }): Promise<void>
  /** Removes a key; an absent one is no error. */
  remove(keyId: string): Promise<void>
}

/** The id of each tier's usage plan. */
export type UsagePlans = Readonly<Record<Tier, string>>

/** Parses `basic=<id>,professional=<id>,…`. Throws UsagePlansError. */
export function usagePlansFrom(text: string): UsagePlans {
  const pairs = text.split(',').map((pair) => pair.split('='))
  const plans = tierNames.map((tier) => [tier, pairs.find(([name]) => name === tier)?.[1] ?? ''] as const)
  if (plans.some(([, id]) => id === ''))
    throw new StoreFault(
      'UsagePlansError',
      `usage plans are written ${tierNames.map((tier) => `${tier}=<plan id>`).join(',')}`,
    )
  return Object.fromEntries(plans) as UsagePlans
}

const PREFIX = 'z100-'
const PAGE = 500

/** Opens the gateway's keys. Region, credentials and endpoint come from the process's environment. */
export function openGatewayKeys(plans: UsagePlans): GatewayKeys {
  const client = new APIGatewayClient({})
  const onPlan = async (tier: Tier, name?: string): Promise<GatewayAccount[]> => {
    const found: GatewayAccount[] = []
    let position: string | undefined
    do {
      const page: GetUsagePlanKeysCommandOutput = await client.send(
        new GetUsagePlanKeysCommand({
          usagePlanId: plans[tier],
          limit: PAGE,
          ...(name ? { nameQuery: name } : {}),
          ...(position ? { position } : {}),
        }),
      )
      for (const { id = '', name: itsName = '' } of page.items ?? []) {
        if (itsName.startsWith(PREFIX)) found.push({ account: itsName.slice(PREFIX.length), keyId: id, tier })
      }
      position = page.position
    } while (position)
    return found
  }

  const keyIdOf = async (name: string): Promise<string | undefined> => {
    const page = await client.send(new GetApiKeysCommand({ nameQuery: name, limit: PAGE }))
    return page.items?.find((key) => key.name === name)?.id
  }

  const makeKey = async (name: string, value: string): Promise<string> => {
    const current = await keyIdOf(name)
    if (current !== undefined) return current
    const made = await client.send(new CreateApiKeyCommand({ name, value, enabled: true }))
    return made.id ?? ''
  }

  return {
    list: async () => (await Promise.all(tierNames.map((tier) => onPlan(tier)))).flat(),
    async put({ id, tier, gatewayKey }) {
      const name = PREFIX + id
      const keyId = await makeKey(name, gatewayKey)
      const isHere = ({ account }: GatewayAccount) => account === id
      for (const other of tierNames.filter((each) => each !== tier)) {
        if (!(await onPlan(other, name)).some(isHere)) continue
        const command = new DeleteUsagePlanKeyCommand({ usagePlanId: plans[other], keyId })
        await client.send(command).catch(unless(NotFoundException))
      }
      const join = new CreateUsagePlanKeyCommand({ usagePlanId: plans[tier], keyId, keyType: 'API_KEY' })
      // It is on the plan already.
      await client.send(join).catch(unless(ConflictException))
    },
    async remove(keyId) {
      await client.send(new DeleteApiKeyCommand({ apiKey: keyId })).catch(unless(NotFoundException))
    },
  }
}

/** Ignores an error that means that nothing is left to do. */
const unless =
  (harmless: new (...facts: never[]) => Error) =>
  (error: unknown): undefined => {
    if (error instanceof harmless) return undefined
    throw error
  }

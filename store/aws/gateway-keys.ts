import {
  APIGatewayClient,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  GetApiKeysCommand,
  GetUsagePlanKeysCommand,
  type GetUsagePlanKeysCommandOutput,
  NotFoundException,
} from '@aws-sdk/client-api-gateway'
import { type Tier, tierNames } from '../../schemas/api/access.ts'
import { StoreFault } from './fault.ts'
import { padded, sha256Of } from './tables.ts'

/** A key at the gateway, on the usage plan of a tier. */
export type GatewayKey = { readonly name: string; readonly keyId: string; readonly tier: Tier }

/** An account as the gateway knows it: by the key that it shares with other accounts of its tier. */
type Sharing = { readonly id: string; readonly tier: Tier }

/**
 * The hidden keys at the gateway, on the usage plans of the tiers. Accounts share them, because a region has 10,000 at most:
 * they brake floods, and the limit of an account is counted by the API. A value is no secret: the gateway takes it from the
 * authorizer alone.
 */
export type GatewayKeys = {
  /** Every key of ours that is on a plan. */
  list(): Promise<readonly GatewayKey[]>
  /** Name and value of the key of an account in its tier. */
  keyOf(account: Sharing): string
  /** Creates this key and puts it on the plan of its tier, if needed, and returns it. Idempotent. */
  put(account: Sharing): Promise<string>
  /** Removes a key; an absent one is no error. */
  remove(keyId: string): Promise<void>
}

/** Keys of a tier. */
const SHARED_KEYS = 256

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
/** The gateway takes 20 to 128 letters; two stages may share an account of AWS, but no plan. */
const SHARED = `${PREFIX}shared-`
const PAGE = 500

/** Whether a key is shared by accounts; one that is not was made for a single account. */
export const isShared = ({ name }: GatewayKey): boolean => name.startsWith(SHARED)

/** Opens the gateway's keys. Region, credentials and endpoint come from the process's environment. */
export function openGatewayKeys(plans: UsagePlans): GatewayKeys {
  const client = new APIGatewayClient({})
  const onPlan = async (tier: Tier, nameQuery = PREFIX): Promise<GatewayKey[]> => {
    const found: GatewayKey[] = []
    let position: string | undefined
    do {
      const page: GetUsagePlanKeysCommandOutput = await client.send(
        new GetUsagePlanKeysCommand({
          usagePlanId: plans[tier],
          limit: PAGE,
          nameQuery,
          ...(position ? { position } : {}),
        }),
      )
      for (const { id = '', name = '' } of page.items ?? []) found.push({ name, keyId: id, tier })
      position = page.position
    } while (position)
    return found
  }

  const keyIdOf = async (name: string): Promise<string | undefined> => {
    const page = await client.send(new GetApiKeysCommand({ nameQuery: name, limit: PAGE }))
    return page.items?.find((key) => key.name === name)?.id
  }

  const madeKey = async (name: string): Promise<string | undefined> => {
    const create = new CreateApiKeyCommand({ name, value: name, enabled: true })
    // Somebody else has made it meanwhile.
    const made = await client.send(create).catch(unless(ConflictException))
    return made ? made.id : keyIdOf(name)
  }

  const keyOf = ({ id, tier }: Sharing): string =>
    `${SHARED}${plans[tier]}-${padded(Number.parseInt(sha256Of(id).slice(0, 8), 16) % SHARED_KEYS, 3)}`

  return {
    list: async () => (await Promise.all(tierNames.map((tier) => onPlan(tier)))).flat(),
    keyOf,
    async put(account) {
      const name = keyOf(account)
      if ((await onPlan(account.tier, name)).length > 0) return name
      const keyId = (await keyIdOf(name)) ?? (await madeKey(name)) ?? ''
      const join = new CreateUsagePlanKeyCommand({
        usagePlanId: plans[account.tier],
        keyId,
        keyType: 'API_KEY',
      })
      // It is on the plan already.
      await client.send(join).catch(unless(ConflictException))
      return name
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

import { randomUUID } from 'node:crypto'
import { type Kept, openKept } from './kept-json.ts'
import { type Emulator, listen } from './listening.ts'
import { jsonOf, type WireCall, WireError, type WireRoutes, wireServer } from './rest-wire.ts'

export type UsagePlansOptions = {
  /** File of the keys; absent: in memory. */
  readonly file?: string
  /** Ids of the plans. */
  readonly plans: readonly string[]
}

/** The keys of API Gateway, and their usage plans. Plans do not throttle here. */
export type LocalUsagePlans = Emulator & {
  /** Whether a key of this value is on a plan. */
  knows(value: string): boolean
}

type StoredKey = {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly plan?: string | undefined
}
type Keys = Readonly<Record<string, StoredKey>>

/** API keys and usage plans behind their control API, as used by store/aws/gateway-keys.ts. */
export async function startUsagePlans(options: UsagePlansOptions): Promise<LocalUsagePlans> {
  const kept = await openKept<Keys>(options.file, {})
  const server = wireServer(routesOf(kept, options.plans))
  const knows = (value: string) =>
    Object.values(kept.value).some((key) => key.value === value && key.plan !== undefined)
  return { ...(await listen('apigateway', server)), knows }
}

function routesOf(kept: Kept<Keys>, plans: readonly string[]): WireRoutes {
  const planOf = ({ bound: { plan = '' } }: WireCall): string => {
    if (!plans.includes(plan))
      throw new WireError(404, 'NotFoundException', 'Invalid Usage Plan ID specified')
    return plan
  }
  const keyOf = (id: unknown): StoredKey => {
    const key = kept.value[String(id)]
    if (!key) throw new WireError(404, 'NotFoundException', 'Invalid API Key identifier specified')
    return key
  }
  const keep = (key: StoredKey) => kept.keep({ ...kept.value, [key.id]: key })
  const conflict = (message: string) => new WireError(409, 'ConflictException', message)
  /** Keys whose name begins with the query, listed without their values. */
  const listed = ({ query }: WireCall, isListed: (key: StoredKey) => boolean) => ({
    body: {
      item: Object.values(kept.value)
        .filter((key) => isListed(key) && key.name.startsWith(query.get('name') ?? ''))
        .map(({ id, name }) => ({ id, name, type: 'API_KEY' })),
    },
  })
  return {
    'POST /apikeys': async (call) => {
      const { name, value } = jsonOf(call)
      const key = { id: randomUUID().slice(0, 10), name: String(name), value: String(value) }
      if (Object.values(kept.value).some((each) => each.value === key.value))
        throw conflict('API Key already exists')
      await keep(key)
      return { status: 201, body: key }
    },
    'GET /apikeys': (call) => listed(call, () => true),
    'DELETE /apikeys/{key}': async ({ bound }) => {
      const { [keyOf(bound['key']).id]: _, ...others } = kept.value
      await kept.keep(others)
      return { status: 202 }
    },
    'GET /usageplans/{plan}/keys': (call) => {
      const plan = planOf(call)
      return listed(call, (key) => key.plan === plan)
    },
    'POST /usageplans/{plan}/keys': async (call) => {
      const [plan, key] = [planOf(call), keyOf(jsonOf(call)['keyId'])]
      if (key.plan !== undefined) throw conflict('The key is in a plan of this stage already')
      await keep({ ...key, plan })
      return { status: 201, body: { id: key.id, name: key.name, type: 'API_KEY' } }
    },
    'DELETE /usageplans/{plan}/keys/{key}': async (call) => {
      const [plan, { plan: its, ...key }] = [planOf(call), keyOf(call.bound['key'])]
      if (its !== plan) throw new WireError(404, 'NotFoundException', 'The key is not in this plan')
      await keep(key)
      return { status: 202 }
    },
  }
}

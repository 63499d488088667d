import { randomUUID } from 'node:crypto'
import { type WireCall, WireError, type WireRoute, wireServer } from './json-wire.ts'
import { type Kept, openKept } from './kept-json.ts'
import { listen, type StandIn } from './listening.ts'

/** A usage plan: requests a second, and how many at once. */
export type UsagePlan = {
  readonly id: string
  readonly name: string
  readonly rateLimit: number
  readonly burstLimit: number
}

export type UsagePlansOptions = {
  readonly port?: number
  /** Where the keys are kept; none: in memory. */
  readonly file?: string
  readonly plans: readonly UsagePlan[]
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The keys and usage plans of API Gateway, with what a REST API asks of them at each request. */
export type UsagePlans = StandIn & {
  /** Whether the key of this value may pass: 'unknown' when no plan has it, 'throttled' when its plan's rate is used up. */
  admit(value: string): 'admitted' | 'throttled' | 'unknown'
}

type StoredKey = {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly enabled: boolean
  readonly createdDate: number
  readonly plans: readonly string[]
}

type Keys = Readonly<Record<string, StoredKey>>
type Bucket = { tokens: number; at: number }

/** API keys and usage plans behind their control API. A key is in one plan at most: there is one stage. */
export async function startUsagePlans(options: UsagePlansOptions): Promise<UsagePlans> {
  const kept = await openKept<Keys>(options.file, {})
  const buckets = new Map<string, Bucket>()
  const now = options.now ?? Date.now
  const admit = (value: string) => {
    const key = Object.values(kept.value).find((each) => each.value === value && each.enabled)
    const plan = options.plans.find(({ id }) => key?.plans.includes(id))
    if (!key || !plan) return 'unknown'
    const before = buckets.get(key.id) ?? { tokens: plan.burstLimit, at: now() }
    const filled = before.tokens + ((now() - before.at) / 1_000) * plan.rateLimit
    const tokens = Math.min(plan.burstLimit, filled)
    buckets.set(key.id, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now() })
    return tokens >= 1 ? 'admitted' : 'throttled'
  }
  const server = wireServer([...keyRoutes(kept), ...planRoutes(kept, options.plans)])
  return { ...(await listen('apigateway', server, options.port)), admit }
}

function keyRoutes(kept: Kept<Keys>): readonly WireRoute[] {
  return [
    {
      method: 'POST',
      path: '/apikeys',
      answer: async ({ body }) => {
        const value = String(body['value'] ?? randomUUID().replaceAll('-', ''))
        if (!/^[\w-]{20,128}$/.test(value))
          throw refused(400, 'BadRequest', 'a value has 20 to 128 characters')
        const isTaken = Object.values(kept.value).some((key) => key.value === value)
        if (isTaken) throw refused(409, 'Conflict', 'API Key already exists')
        const id = randomUUID().slice(0, 10)
        const name = String(body['name'] ?? '')
        const key = { id, name, value, enabled: body['enabled'] === true, createdDate: 0, plans: [] }
        await kept.keep({ ...kept.value, [id]: key })
        return { status: 201, body: key }
      },
    },
    {
      method: 'GET',
      path: '/apikeys',
      answer: ({ query }) => ({ body: { item: named(Object.values(kept.value), query).map(hidden) } }),
    },
    {
      method: 'DELETE',
      path: '/apikeys/{key}',
      answer: async (call) => {
        const { id } = keyOf(kept, call)
        await kept.keep(Object.fromEntries(Object.entries(kept.value).filter(([each]) => each !== id)))
        return { status: 202 }
      },
    },
  ]
}

function planRoutes(kept: Kept<Keys>, plans: readonly UsagePlan[]): readonly WireRoute[] {
  const planOf = ({ bound }: WireCall): string => {
    const plan = plans.find(({ id }) => id === bound['plan'])
    if (!plan) throw refused(404, 'NotFound', 'Invalid Usage Plan ID specified')
    return plan.id
  }
  const setPlans = (key: StoredKey, all: readonly string[]) =>
    kept.keep({ ...kept.value, [key.id]: { ...key, plans: all } })
  return [
    {
      method: 'GET',
      path: '/usageplans/{plan}/keys',
      answer: (call) => {
        const plan = planOf(call)
        const members = Object.values(kept.value).filter((key) => key.plans.includes(plan))
        return {
          body: { item: named(members, call.query).map((key) => ({ ...hidden(key), type: 'API_KEY' })) },
        }
      },
    },
    {
      method: 'POST',
      path: '/usageplans/{plan}/keys',
      answer: async (call) => {
        const plan = planOf(call)
        const key = keyOf(kept, { ...call, bound: { key: String(call.body['keyId']) } })
        if (key.plans.length > 0) throw refused(409, 'Conflict', 'The key is in a plan of this stage already')
        await setPlans(key, [plan])
        return { status: 201, body: { id: key.id, name: key.name, type: 'API_KEY' } }
      },
    },
    {
      method: 'DELETE',
      path: '/usageplans/{plan}/keys/{key}',
      answer: async (call) => {
        const [plan, key] = [planOf(call), keyOf(kept, call)]
        if (!key.plans.includes(plan)) throw refused(404, 'NotFound', 'The key is not in this plan')
        await setPlans(key, [])
        return { status: 202 }
      },
    },
  ]
}

function keyOf(kept: Kept<Keys>, { bound }: Pick<WireCall, 'bound'>): StoredKey {
  const key = kept.value[bound['key'] ?? '']
  if (!key) throw refused(404, 'NotFound', 'Invalid API Key identifier specified')
  return key
}

/** The keys whose name begins with what the query asks for. */
const named = (keys: readonly StoredKey[], query: URLSearchParams): readonly StoredKey[] =>
  keys.filter(({ name }) => name.startsWith(query.get('name') ?? ''))

/** A listed key is shown without its value. */
const hidden = ({ id, name, enabled, createdDate }: StoredKey) => ({ id, name, enabled, createdDate })

const refused = (status: number, kind: string, message: string): WireError =>
  new WireError(status, `${kind}Exception`, message)

/** Requests made from an OpenAPI document: every parameter of every operation, once for each kind of value it may and may not have. */
import type { DescribedOperation, DescribedParameter } from './described.ts'

/** Values that no schema tells, of the market that is asked. */
export type RequestContext = {
  readonly token: string
  readonly symbol: string
  readonly snapshot: string
  /** A day within its history, ISO 8601. */
  readonly day: string
  /** A week that has a recap, after which a day is kept; null: nothing is kept, and nothing asked of the past. */
  readonly week: string | null
}

export type DescribedRequest = {
  readonly operation: DescribedOperation
  readonly path: string
  readonly isValid: boolean
}

const RECAP = '/v1/z100/recap'

/** Each operation as it is, then with each parameter in turn. */
export function requestsOf(
  operations: readonly DescribedOperation[],
  facts: RequestContext,
): DescribedRequest[] {
  const present = operations.filter(({ path }) => path !== RECAP || facts.week !== null)
  return present.flatMap((operation) => {
    const query = operation.parameters.filter((parameter) => parameter.in === 'query')
    const needed = query
      .filter(({ required }) => required)
      .map((parameter) => [parameter.name, neededValue(parameter, facts)] as const)
    const request = (own: Readonly<Record<string, string>>, isValid: boolean): DescribedRequest => {
      const text = new URLSearchParams({ ...Object.fromEntries(needed), ...own }).toString()
      return { operation, isValid, path: requestPath(operation, facts) + (text && `?${text}`) }
    }
    return [
      request({}, true),
      request({ unheard_of: '1' }, true),
      request({ unheard_of: '1', strict: 'true' }, false),
      ...query.flatMap((parameter) => [
        ...validValues(parameter, facts).map((value) =>
          // All tokens go on by a link: rows are skipped of those that a field finds.
          request(
            {
              ...(operation.path === '/v1/tokens' && parameter.name === 'offset'
                ? { field: 'symbol', value: facts.symbol }
                : companionOf(parameter, facts)),
              [parameter.name]: value,
            },
            true,
          ),
        ),
        ...invalidValues(parameter).map((value) => request({ [parameter.name]: value }, false)),
      ]),
    ]
  })
}

export const requestPath = ({ path }: DescribedOperation, { token, snapshot }: RequestContext): string =>
  path.replace('{id}', path.startsWith('/v1/snapshots') ? snapshot : token)

/** A parameter without which another one means nothing. */
const companionOf = ({ name }: DescribedParameter, { symbol }: RequestContext): Record<string, string> =>
  name === 'field' ? { value: symbol } : name === 'value' ? { field: 'symbol' } : {}

/** What a required parameter is given while another one is tried: tokens are looked for by symbol. */
const neededValue = ({ name }: DescribedParameter, { symbol }: RequestContext): string =>
  name === 'field' ? 'symbol' : symbol

function validValues({ name, schema }: DescribedParameter, facts: RequestContext): readonly string[] {
  const { enum: words, type, minimum, maximum } = schema
  if (name === 'field') return ['symbol', 'name', 'creator']
  if (Array.isArray(words)) return [...words, String(words[0]).toUpperCase()]
  if (type === 'boolean') return ['true', '0', 'FALSE']
  if (type === 'integer') return [minimum, maximum ?? 3].map(String)
  if (type === 'number') return ['0', '1', '0.5']
  const texts: Readonly<Record<string, readonly string[]>> = {
    snapshot: [facts.snapshot],
    token: [facts.token, facts.symbol, 'nobody'],
    from: [facts.day, `${facts.day}T00:00:00Z`],
    before: [facts.day, `${facts.day}T23:59:59Z`],
    to: [facts.day, `${facts.day}T23:59`],
    as_of: facts.week === null ? [] : [facts.day, `${facts.day}T23:00Z`],
    week: [facts.week ?? ''],
    addresses: [facts.token, `${facts.token}, ${facts.token}`],
    include: ['metrics', 'swaps, holders,price_history'],
    // Of all tokens, and of launches.
    cursor: schema.pattern ? [`1.2.${'0'.repeat(40)}`] : [facts.day],
  }
  return texts[name] ?? [facts.symbol]
}

function invalidValues({ name, schema }: DescribedParameter): readonly string[] {
  const { enum: words, type, minimum, maximum, maxLength, pattern } = schema
  if (Array.isArray(words) || type === 'boolean' || pattern || name === 'snapshot') return ['nonsense']
  if (type === 'integer')
    return [Number(minimum) - 1, ...(maximum === undefined ? [] : [Number(maximum) + 1]), 1.5, 'x'].map(
      String,
    )
  if (type === 'number') return [...(Number(minimum) < 0 ? [] : ['-1']), '0x1', 'x']
  return typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1), ' '] : []
}

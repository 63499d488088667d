import type { Json, JsonSchema } from './field.ts'
import { refTo } from './openapi-schemas.ts'
import type { Operation } from './operations.ts'
import * as parameters from './parameters.ts'
import { flags, type Parameter } from './parameters.ts'

/** Parameters that several operations share, by their name in the code. */
const shared = Object.entries(parameters).filter(
  (entry): entry is [string, Parameter] => typeof entry[1] === 'object' && 'names' in entry[1],
)

const sharedName = (parameter: Parameter): string | undefined =>
  shared.find(([, each]) => each === parameter)?.[0]

/** A parameter's place in the components: each of its names has one. */
const placeOf = (key: string, { names }: Parameter, name: string): string =>
  names.length > 1 ? `${key}.${name}` : key

/** What an id in a path names. */
const ids = [
  {
    ...{ below: ['/v1/tokens', '/v1/token-pages'], key: 'token' },
    says: 'Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Never a symbol.',
  },
  { below: ['/v1/snapshots'], key: 'snapshotId', says: 'Id of a snapshot, as `X-Snapshot-Id` says it.' },
] as const

/** What an operation takes: the id in its path, then every name of every parameter. */
export function parametersOf({ path, axes, rest }: Operation): readonly Json[] {
  const query = [...(axes ?? []), ...rest].flatMap((parameter) => {
    const key = sharedName(parameter)
    return parameter.names.map((name) =>
      key ? refTo('parameters', placeOf(key, parameter, name)) : described(parameter, name),
    )
  })
  const id = ids.find(({ below }) => below.some((beginning) => path.startsWith(`${beginning}/{id}`)))
  return id ? [refTo('parameters', id.key), ...query] : query
}

/** The parameters that operations refer to. */
export const parameterComponents: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(
    ids.map(({ key, says }) => [
      key,
      {
        ...{ name: 'id', in: 'path', required: true, description: says },
        schema: { type: 'string', minLength: 1 },
      },
    ]),
  ),
  ...Object.fromEntries(
    shared.flatMap(([key, parameter]) =>
      parameter.names.map((name) => [placeOf(key, parameter, name), described(parameter, name)]),
    ),
  ),
}

/** Only the first name has the default: one that a client fills in by itself must not outweigh another name that was meant. */
function described(parameter: Parameter, name: string): Json {
  const [first] = parameter.names
  const schema = schemaOf(parameter)
  const says =
    name === first ? sentencesOf(parameter) : `The same as \`${first}\`, which wins when both are sent.`
  return {
    ...{ name, in: 'query', description: says, required: parameter.isRequired ?? false },
    schema: name === first ? schema : withoutDefault(schema),
  }
}

function withoutDefault({ default: _fallback, ...schema }: JsonSchema): JsonSchema {
  return schema
}

function sentencesOf({ says, same = [], values, form, fallback }: Parameter): string {
  const isFlag = values === flags
  const others = isFlag ? [] : same.map((word) => `\`${word}\` means \`${fallback}\`.`)
  const spellings = isFlag ? ['`1` and `0` are taken, too.'] : values ? ['Upper case is taken, too.'] : []
  return [`${says}.`, ...others, ...spellings, ...(form?.says ? [`${form.says}.`] : [])].join(' ')
}

function schemaOf({ values, form, fallback }: Parameter): JsonSchema {
  if (values === flags) return withDefault({ type: 'boolean' }, fallback && fallback === 'true')
  const schema = form?.schema ?? { type: 'string', ...(values ? { enum: values } : {}) }
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number'
  return withDefault(schema, isNumber && fallback !== null ? Number(fallback) : fallback)
}

function withDefault(schema: JsonSchema, fallback: Json): JsonSchema {
  return fallback === null ? schema : { ...schema, default: fallback }
}

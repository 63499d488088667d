import type { Json, JsonSchema } from './field.ts'
import { schemaComponents, withRefs } from './openapi-schemas.ts'
import type { Operation } from './operations.ts'
import type { Parameter } from './parameters.ts'
import * as parameters from './parameters.ts'
import { everyOperation } from './read-operations.ts'

const heading = `// Written by \`npm run build:openapi\` from the tables of fields and operations.
// Types alone: what the API answers, and what it takes. Keys may be added within /v1.
`

/** Parameters that change the shape of an answer, or only what is said of it: the client's types are those of the plain answer. */
const untyped: readonly Parameter[] = [
  parameters.envelope,
  parameters.values,
  parameters.includeChanges,
  parameters.strict,
]

/** A schema as a TypeScript type. */
function typeOf(schema: JsonSchema): string {
  const { $ref: ref, anyOf, enum: choices, type } = schema
  if (typeof ref === 'string') return ref.slice(ref.lastIndexOf('/') + 1)
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' | ')
  if (Array.isArray(choices)) return choices.map(literal).join(' | ')
  const types = Array.isArray(type) ? type : [type ?? 'unknown']
  return types.map((one) => plainType(String(one), schema)).join(' | ')
}

const literal = (value: Json): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value)

function plainType(type: string, { items, properties, required, additionalProperties }: JsonSchema): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return `readonly ${grouped(typeOf((items ?? {}) as JsonSchema))}[]`
  if (type !== 'object') return type
  if (properties) return recordType(properties as JsonSchema, (required ?? []) as readonly string[])
  const values = typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : null
  return `Readonly<Record<string, ${values ? typeOf(values) : 'unknown'}>>`
}

const grouped = (type: string): string => (type.includes(' | ') ? `(${type})` : type)

function recordType(properties: JsonSchema, required: readonly string[]): string {
  const lines = Object.entries(properties).flatMap(([key, schema]) => {
    const { description } = schema as JsonSchema
    const mark = required.includes(key) ? '' : '?'
    const said = typeof description === 'string' ? [`  /** ${description.replaceAll('*/', '*\\/')} */`] : []
    return [...said, `  readonly ${key}${mark}: ${typeOf(schema as JsonSchema).replaceAll('\n', '\n  ')}`]
  })
  return ['{', ...lines, '}'].join('\n')
}

/** What a request of an operation takes: an id where its path has one, and the query. */
function askedType(operation: Operation): string {
  const { path, axes, rest } = operation
  const taken = [...(axes ?? []), ...rest].filter((parameter) => !untyped.includes(parameter))
  const query = taken.flatMap((parameter) =>
    parameter.names.map((name) => {
      const mark = parameter.isRequired ? '' : '?'
      return `readonly ${name}${mark}: ${typeOf(valueSchema(parameter))}`
    }),
  )
  const mark = taken.some(({ isRequired }) => isRequired) ? '' : '?'
  const parts = [
    ...(path.includes('{id}') ? ['readonly id: string'] : []),
    ...(query.length > 0 ? [`readonly query${mark}: { ${query.join('; ')} }`] : []),
  ]
  return parts.length > 0 ? `{ ${parts.join('; ')} }` : 'Record<never, never>'
}

function valueSchema({ values, form }: Parameter): JsonSchema {
  if (values === parameters.flags) return { type: 'boolean' }
  return form?.schema ?? { type: 'string', ...(values ? { enum: values } : {}) }
}

/** The text of wire.d.ts: a type for every record, and by path what a request takes and what it is answered. */
export function wireTypes(): string {
  const types = Object.entries(schemaComponents).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema as JsonSchema)}\n`,
  )
  const paths = Object.values(everyOperation).map((operation) => {
    const answer = typeOf(withRefs(operation.body) as JsonSchema).replaceAll('\n', '\n    ')
    return `  '${operation.path}': {\n    readonly asked: ${askedType(operation)}\n    readonly answer: ${answer}\n  }`
  })
  return [
    heading,
    ...types,
    `/** Every operation, by path. */\nexport type Paths = {\n${paths.join('\n')}\n}\n`,
  ].join('\n')
}

/** The OpenAPI document as pages show it. */
import { openapiDocument } from '../../schemas/openapi.ts'
import { escaped } from '../../schemas/site.ts'
import { lineHtml } from './html.ts'

/** The parts of an OpenAPI 3.1 document that are used. */
type Described = { readonly $ref?: string; readonly description?: string }
export type ShownSchema = Described & {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: ShownSchema
  readonly properties?: Readonly<Record<string, ShownSchema>>
  readonly example?: unknown
  readonly additionalProperties?: boolean | ShownSchema
  readonly anyOf?: readonly ShownSchema[]
}
export type ShownParameter = Described & {
  readonly example?: unknown
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: ShownSchema
}
type Media = {
  readonly schema: ShownSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}
export type Response = Described & { readonly content?: Readonly<Record<string, Media>> }
type Operation = Described & {
  readonly operationId: string
  readonly 'x-freshness': { readonly updated: string; readonly cached_seconds: number }
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters: readonly ShownParameter[]
  readonly responses: Readonly<Record<string, Response>>
}
export type OpenApi = {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, ShownSchema>>
    readonly parameters: Readonly<Record<string, ShownParameter>>
    readonly responses: Readonly<Record<string, Response>>
  }
}
/** The document. */
export const { info, tags, paths, components } = openapiDocument() as unknown as OpenApi

/** The component that a reference names. */
export const nameOf = ({ $ref }: Described): string => $ref?.split('/').at(-1) ?? ''
/** A link to a component. */
export const link = (part: string, name: string): string =>
  `<a href="#${part}-${name}"><code>${name}</code></a>`
/** A part of a page that has an address. */
export const section = (id: string, title: string, text: string): string =>
  `<section class="operation" id="${id}" aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3>${text}</section>`

/** A schema's type in a few words. */
export function typeHtml(schema: ShownSchema): string {
  if (schema.$ref !== undefined) return link('record', nameOf(schema))
  if (schema.anyOf) return schema.anyOf.map(typeHtml).join(' | ')
  // An empty text counts as absent.
  const words = schema.enum?.filter((value) => value !== '')
  if (words) return words.map((value) => escaped(JSON.stringify(value))).join(' | ')
  if (schema.items) return `array of ${typeHtml(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' | ') + rangeText(schema)
}

function rangeText({ minimum, maximum }: ShownSchema): string {
  if (minimum === undefined && maximum === undefined) return ''
  return maximum === undefined ? ` ≥ ${minimum}` : ` ${minimum ?? ''}…${maximum}`
}

/** The fields of a schema, and of its unnamed nested records. */
export function fieldsHtml(schema: ShownSchema): string {
  const { items, anyOf = [], properties, additionalProperties: others } = schema
  const inner = [...(items ? [items] : []), ...anyOf].map(fieldsHtml).join('')
  const fields = Object.entries(properties ?? {})
  if (typeof others === 'object') fields.push(['any other key', others])
  if (fields.length === 0) return inner
  const lines = fields.map(([name, field]) => {
    const description = field.description === undefined ? '' : ` ${lineHtml(field.description)}`
    return `<li><code>${name}</code> <span class="quiet">${typeHtml(field)}</span>${description}${fieldsHtml(field)}</li>`
  })
  return `${inner}<ul class="schema">${lines.join('')}</ul>`
}

/** The OpenAPI document as pages show it. */
import { type ApiSchema, apiDocument, refName } from '../../schemas/described/api-document.ts'
import { escaped } from '../../schemas/pages/site.ts'
import { lineHtml } from './html.ts'

/** The document. */
export const { info, tags, paths, components } = apiDocument()

/** A link to a component. */
export const link = (part: string, name: string): string =>
  `<a href="#${part}-${name}"><code>${name}</code></a>`
/** A part of a page that has an address. */
export const section = (id: string, title: string, text: string): string =>
  `<section class="operation" id="${id}" aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3>${text}</section>`

/** A schema's type in a few words. */
export function typeHtml(schema: ApiSchema): string {
  if (schema.$ref !== undefined) return link('record', refName(schema))
  if (schema.anyOf) return schema.anyOf.map(typeHtml).join(' | ')
  // An empty text counts as absent.
  const words = schema.enum?.filter((value) => value !== '')
  if (words) return words.map((value) => escaped(JSON.stringify(value))).join(' | ')
  if (schema.items) return `array of ${typeHtml(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' | ') + rangeText(schema)
}

function rangeText({ minimum, maximum }: ApiSchema): string {
  if (minimum === undefined && maximum === undefined) return ''
  return maximum === undefined ? ` ≥ ${minimum}` : ` ${minimum ?? ''}…${maximum}`
}

/** The fields of a schema, and of its unnamed nested records. */
export function fieldsHtml(schema: ApiSchema): string {
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

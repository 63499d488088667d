/** A schema as a list of fields; records inside it open when they are asked for. */
import { type Child, fill, h } from './dom.ts'
import { nameOf, type OpenApi, resolved, type Schema } from './openapi.ts'
import { line } from './prose.ts'

/** What a schema takes, in few words. */
export function typeText(document: OpenApi, schema: Schema): string {
  const name = nameOf(schema)
  if (name !== undefined) return name
  const forms = schema.anyOf ?? schema.oneOf
  if (forms) return forms.map((each) => typeText(document, each)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.items) return `array of ${typeText(document, schema.items)}`
  const type = [schema.type ?? 'any'].flat().join(' | ')
  return type + rangeText(schema)
}

function rangeText({ minimum, maximum }: Schema): string {
  if (minimum === undefined && maximum === undefined) return ''
  return maximum === undefined ? ` ≥ ${minimum}` : ` ${minimum ?? ''}…${maximum}`
}

/** The fields of a schema. */
export function schemaView(document: OpenApi, schema: Schema): Child {
  const whole = resolved(document, schema)
  if (whole.items) return schemaView(document, whole.items)
  const forms = whole.anyOf ?? whole.oneOf
  if (forms) return forms.map((form) => opening(document, form))
  const fields = Object.entries(whole.properties ?? {})
  const others = whole.additionalProperties
  return h(
    'ul',
    { class: 'schema' },
    fields.map(([name, field]) => fieldView(document, name, field)),
    typeof others === 'object' && fieldView(document, 'any other key', others),
  )
}

function fieldView(document: OpenApi, name: string, field: Schema): HTMLElement {
  const whole = resolved(document, field)
  const inner = innerOf(document, field)
  return h(
    'li',
    {},
    h('code', {}, name),
    ' ',
    h('span', { class: 'quiet' }, typeText(document, field)),
    whole.description !== undefined && [' ', line(whole.description)],
    inner && opening(document, inner),
  )
}

/** The record inside a field, if there is one. */
function innerOf(document: OpenApi, field: Schema): Schema | undefined {
  const candidates = [field, ...(field.anyOf ?? []), ...(field.items ? [field.items] : [])]
  return candidates.find((each) => resolved(document, each).properties !== undefined)
}

/** Filled when it is first opened: records can hold one another. */
function opening(document: OpenApi, schema: Schema): HTMLElement {
  const place = h('div')
  const details = h(
    'details',
    {
      on: {
        toggle: () => {
          if (details.open && !place.hasChildNodes()) fill(place, schemaView(document, schema))
        },
      },
    },
    h('summary', {}, typeText(document, schema)),
    place,
  )
  return details
}

import { openClient } from '../../schemas/client.ts'
import { type Block, blocksOf, type Inline, inlines } from '../text/markdown.ts'
import { type Child, fill, h } from './dom.ts'

/** The parts of an OpenAPI 3.1 document that the reference shows; what it does not know it leaves out. */

/** A JSON Schema, as far as it is shown. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

export type Parameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema?: Schema
}

export type Media = {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>
}

export type Response = {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, Media>>
}

export type Header = { readonly $ref?: string; readonly description?: string }

export type Operation = {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly responses?: Readonly<Record<string, Response>>
}

export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The description that the service gives of itself. Throws as the client does. */
export async function readOpenApi(signal: AbortSignal): Promise<OpenApi> {
  const { body } = await openClient({ baseUrl: location.origin, signal }).get('/v1/openapi.json')
  return body as unknown as OpenApi
}

/** What a reference refers to in the same document; anything else as it is. */
export function resolved<T extends { readonly $ref?: string }>(document: OpenApi, value: T): T {
  const [, part, name] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref ?? '') ?? []
  if (part === undefined || name === undefined) return value
  const found = document.components[part]?.[name]
  return found === undefined ? value : { ...(found as T), ...without(value) }
}

function without<T extends { readonly $ref?: string }>({ $ref: _ref, ...rest }: T): Partial<T> {
  return rest as Partial<T>
}

/** The name of the record that a reference names. */
export const nameOf = ({ $ref }: { readonly $ref?: string }): string | undefined => $ref?.split('/').at(-1)

/** Markdown of the API's own description as elements. */

/** A text of several paragraphs. */
export const prose = (text: string): Child => blocksOf(text).map(elementOf)

/** A line of text. */
export const line = (text: string): Child => inlines(text).map(runOf)

function elementOf(block: Block): Child {
  if (block.is === 'code') return h('pre', { tabindex: '0' }, h('code', {}, block.text))
  if (block.is === 'list')
    return h(
      block.isOrdered ? 'ol' : 'ul',
      {},
      block.items.map((item) => h('li', {}, item.map(runOf))),
    )
  // A description has neither headings nor tables of its own: their words are kept.
  if (block.is === 'table') return block.rows.map((row) => h('p', {}, row.flat().map(runOf)))
  return h('p', {}, block.of.map(runOf))
}

function runOf(run: Inline): Child {
  if (run.is === 'text') return run.text
  if (run.is === 'code') return h('code', {}, run.text)
  if (run.is === 'strong') return h('strong', {}, run.of.map(runOf))
  if (run.is === 'emphasis') return h('em', {}, run.of.map(runOf))
  const isLink = /^(https?:\/\/|\/|#)/.test(run.to)
  return isLink ? h('a', { href: run.to }, run.of.map(runOf)) : run.of.map(runOf)
}

/** A schema as a list of fields; records inside it open when they are asked for. */

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

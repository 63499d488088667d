/** The parts of an OpenAPI 3.1 document that the reference shows; what it does not know it leaves out. */
import { openClient } from '../../schemas/client.ts'

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

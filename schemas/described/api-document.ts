import { openapiDocument } from './openapi.ts'

/** The parts of the OpenAPI document that clients and pages are made from. */
export type ApiDocument = {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly get: ApiOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, ApiSchema>>
    readonly parameters: Readonly<Record<string, ApiParameter>>
    readonly responses: Readonly<Record<string, ApiResponse>>
  }
}
type Described = { readonly $ref?: string; readonly description?: string }
export type ApiOperation = Described & {
  readonly operationId: string
  readonly summary?: string
  readonly 'x-freshness': { readonly updated: string; readonly cached_seconds: number }
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly ApiParameter[]
  readonly responses: Readonly<Record<string, ApiResponse>>
}
export type ApiParameter = Described & {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly example?: unknown
  readonly schema: ApiSchema
}
type Media = {
  readonly schema: ApiSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}
export type ApiResponse = Described & { readonly content?: Readonly<Record<string, Media>> }
export type ApiSchema = Described & {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly ApiSchema[]
  readonly items?: ApiSchema
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly additionalProperties?: ApiSchema | boolean
  readonly required?: readonly string[]
}

export const apiDocument = (): ApiDocument => openapiDocument() as unknown as ApiDocument

/** The name of the component that a reference points to. */
export const refName = ({ $ref }: Described): string => $ref?.split('/').at(-1) ?? ''

/** An entry, or the component that it refers to. */
export function resolvedIn<Entry extends Described>(
  components: Readonly<Record<string, Entry>>,
  entry: Entry,
): Entry {
  const found = entry.$ref === undefined ? entry : components[refName(entry)]
  if (!found) throw new Error(`The document refers to ${entry.$ref}, which it does not have`)
  return found
}

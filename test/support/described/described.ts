/** Answers held against the OpenAPI document that the service itself serves: status, headers and body. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Node = { readonly [key: string]: unknown }

export type Answered = { readonly status: number; readonly headers: Headers; readonly text: string }

export type DescribedOperation = {
  readonly name: string
  readonly path: string
  readonly parameters: readonly DescribedParameter[]
}

export type DescribedParameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Node
}

export type Described = {
  readonly operations: readonly DescribedOperation[]
  /** What the document finds wrong with an answer to a GET of an operation; empty: nothing. */
  faults(operation: DescribedOperation, answer: Answered): readonly string[]
  /** What is wrong with an answer that is no 2xx, whatever was asked. */
  errorFaults(answer: Answered): readonly string[]
}

const ID = 'openapi'

/** Reads an OpenAPI document. Objects are held to the keys that it lists: it must know all that is answered. */
export function readDescribed(document: Node): Described {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  ajv.addSchema(closed(document) as Node, ID)
  const compiled = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `${ID}#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
  const faultsAt = (pointer: string, value: unknown): readonly string[] => {
    const validate = validatorAt(pointer)
    return validate(value) ? [] : [`${pointer}: ${ajv.errorsText(validate.errors)}`]
  }
  const follow = (pointer: string): string => {
    const { $ref } = nodeAt(document, pointer) as { $ref?: string }
    return $ref ? $ref.slice(1) : pointer
  }

  const headerFaults = (response: string, headers: Headers): readonly string[] => {
    const described = (nodeAt(document, response) as { headers?: Node }).headers ?? {}
    const wanted = Object.keys(described).flatMap((name) => {
      const at = follow(`${response}/headers/${escaped(name)}`)
      const text = headers.get(name)
      const { required, schema } = nodeAt(document, at) as { required: boolean; schema: Node }
      if (text === null) return required ? [`header ${name} is missing`] : []
      const value = schema['type'] === 'integer' && /^\d+$/.test(text) ? Number(text) : text
      return faultsAt(`${at}/schema`, value)
    })
    const names = new Set(Object.keys(described).map((name) => name.toLowerCase()))
    const unknown = [...headers.keys()].filter(
      (name) => /^x-(?!content-type-options|amz)|ratelimit/.test(name) && !names.has(name),
    )
    return [...wanted, ...unknown.map((name) => `header ${name} is not described`)]
  }

  const bodyFaults = (response: string, { headers, text }: Answered): readonly string[] => {
    const content = (nodeAt(document, response) as { content?: Node }).content
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
    if (!content) return text === '' ? [] : ['a body where none is described']
    if (!(type in content)) return [`content type ${type} is not described`]
    const body = type === 'application/json' ? parsed(text) : text
    const faults = faultsAt(`${response}/content/${escaped(type)}/schema`, body)
    const others =
      (nodeAt(document, response) as { 'x-other-forms'?: readonly Node[] })['x-other-forms'] ?? []
    const isOther = others.some((_, at) => faultsAt(`${response}/x-other-forms/${at}`, body).length === 0)
    return isOther ? [] : faults
  }

  const responseFaults = (pointer: string, answer: Answered): readonly string[] => {
    const response = follow(pointer)
    return [...headerFaults(response, answer.headers), ...bodyFaults(response, answer)]
  }

  return {
    operations: operationsOf(document, follow),
    faults: ({ path }, answer) => {
      const responses = `/paths/${escaped(path)}/get/responses`
      const isKnown = String(answer.status) in (nodeAt(document, responses) as Node)
      if (!isKnown) return [`status ${answer.status} is not described`]
      return responseFaults(`${responses}/${answer.status}`, answer)
    },
    errorFaults: (answer) => {
      const responses = Object.values(document['paths'] as Record<string, { get: { responses: Node } }>)
      const described = responses.find(({ get }) => String(answer.status) in get.responses)?.get.responses
      const known = described?.[String(answer.status)] ?? responses[0]?.get.responses['default']
      return responseFaults((known as { $ref: string }).$ref.slice(1), answer)
    },
  }
}

function operationsOf(document: Node, follow: (pointer: string) => string): readonly DescribedOperation[] {
  return Object.entries(document['paths'] as Record<string, { get: Node }>).map(([path, { get }]) => ({
    name: String(get['operationId']),
    path,
    parameters: (get['parameters'] as readonly unknown[]).map(
      (_, at) =>
        nodeAt(document, follow(`/paths/${escaped(path)}/get/parameters/${at}`)) as DescribedParameter,
    ),
  }))
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** What a JSON pointer names. */
function nodeAt(document: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1)
  return keys.reduce<unknown>(
    (node, key) => (node as Node)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
}

/** The document with no room for keys that its objects do not list. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (node === null || typeof node !== 'object') return node
  const all = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]))
  const isRecord = all['type'] === 'object' && 'properties' in all && !('additionalProperties' in all)
  return isRecord ? { ...all, additionalProperties: false } : all
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return `no JSON: ${text.slice(0, 200)}`
  }
}

/** `npm run build:python`: writes the rows and operations of the Python client from the OpenAPI document. */
import { writeFileSync } from 'node:fs'
import {
  type ApiDocument,
  type ApiParameter,
  type ApiSchema,
  apiDocument,
  refName,
  resolvedIn,
} from '../../schemas/described/api-document.ts'
import { resources } from '../typescript/resources.ts'

/** Parameters that change the shape of an answer, or its errors; the client does not send them. */
const LEFT_OUT: ReadonlySet<string> = new Set(['envelope', 'values', 'include_changes', 'strict'])
const KEYWORDS: ReadonlySet<string> = new Set(['from', 'import', 'in', 'is', 'class', 'def', 'return'])
const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'dict[str, Any]',
  array: 'list[Any]',
}

/** The text of the generated module. */
export function pythonModule(): string {
  const document = apiDocument()
  const rows = rowTexts(document.components.schemas)
  const classes = Object.entries(resources).map(([name, paths]) => {
    const methods = Object.entries(paths).map(([method, path]) => methodText(method, path, document))
    return `class ${className(name)}(Resource[Mode]):\n${methods.join('\n')}`
  })
  const members = Object.keys(resources).map(
    (name) => `        self.${snake(name)} = ${className(name)}[Mode](transport)`,
  )
  return `"""Rows and operations of the z100 API. Generated from its OpenAPI document: do not edit."""

from __future__ import annotations

from typing import Any, Generic, Literal, NotRequired, TypedDict
from urllib.parse import quote

from .calls import Call, ListCall, Mode, Resource, Transport

#: The version of the API that this client was made for, and its own.
VERSION = "${document.info.version}"

${rows.join('\n')}

${classes.join('\n\n')}

class Resources(Generic[Mode]):
    """Every operation that answers JSON, by resource and method."""

    def __init__(self, transport: Transport) -> None:
${members.join('\n')}


def _quoted(value: str) -> str:
    return quote(value, safe="")
`
}

const className = (name: string): string => `${name.replace(/^./, (letter) => letter.toUpperCase())}Resource`

/** A schema as a Python type. */
function typeText(schema: ApiSchema): string {
  if (schema.$ref) return refName(schema)
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' | ')
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (schema.enum) return enumText(schema.enum)
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return 'Any'
  return types.map((type) => plainText(type, schema)).join(' | ')
}

function plainText(type: string, { items, additionalProperties }: ApiSchema): string {
  if (type === 'array' && items) return `list[${typeText(items)}]`
  if (type === 'object' && typeof additionalProperties === 'object')
    return `dict[str, ${typeText(additionalProperties)}]`
  return PLAIN[type] ?? 'Any'
}

function enumText(values: readonly unknown[]): string {
  // An empty text counts as absent, which is None here.
  const known = values.filter((value) => value !== null && value !== '')
  return `Literal[${known.map(literal).join(', ')}]${values.includes(null) ? ' | None' : ''}`
}

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

/** A row of the document, with the type of each of its keys. */
type PythonRow = { readonly name: string; readonly fields: ReadonlyMap<string, string> }

/** Each schema: a row as a TypedDict, any other as an alias. A row begins with the largest one that is part of it, which then stands before it. */
function rowTexts(schemas: ApiDocument['components']['schemas']): readonly string[] {
  const all = Object.entries(schemas)
  const aliases = all.filter(([, { properties }]) => !properties)
  const rows = all
    .flatMap(([name, schema]) => (schema.properties ? { name, fields: fieldsOf(schema) } : []))
    .toSorted((a, b) => a.fields.size - b.fields.size)
  return [
    ...aliases.map(([name, schema]) => `${name} = ${JSON.stringify(typeText(schema))}\n`),
    ...rows.map((row, at) =>
      rowText(
        row,
        rows.slice(0, at).findLast((other) => isPartOf(other, row)),
      ),
    ),
  ]
}

function fieldsOf({ properties = {}, required = [] }: ApiSchema): ReadonlyMap<string, string> {
  const entries = Object.entries(properties).map(([key, each]) => {
    const type = typeText(each)
    return [key, required.includes(key) ? type : `NotRequired[${type}]`] as const
  })
  return new Map(entries)
}

/** Keys in common that a row is named for: fewer are chance. */
const SHARED = 10

/** Only classes have parts. */
const isPartOf = ({ fields }: PythonRow, row: PythonRow): boolean =>
  fields.size >= SHARED &&
  [...row.fields.keys()].every(isName) &&
  [...fields].every(([key, type]) => row.fields.get(key) === type)

function rowText({ name, fields }: PythonRow, part: PythonRow | undefined): string {
  const own = [...fields].filter(([key]) => !part?.fields.has(key))
  if (own.every(([key]) => isName(key)))
    return `class ${name}(${part?.name ?? 'TypedDict'}):\n${own.map(([key, type]) => `    ${key}: ${type}\n`).join('') || '    pass\n'}`
  return `${name} = TypedDict(\n    "${name}",\n    {${own.map(([key, type]) => `"${key}": ${JSON.stringify(type)}`).join(', ')}},\n)\n`
}

const isName = (key: string): boolean => /^[a-z_]\w*$/i.test(key) && !KEYWORDS.has(key)

function methodText(name: string, path: string, { paths, components }: ApiDocument): string {
  const operation = paths[path]?.get
  const schema = operation?.responses[200]?.content?.['application/json']?.schema
  if (!operation || !schema) throw new Error(`${path} is not described as JSON`)
  const parameters = (operation.parameters ?? []).map((each) => resolvedIn(components.parameters, each))
  const inPath = parameters.filter((each) => each.in === 'path')
  const inQuery = parameters.filter(
    (each) => each.in === 'query' && !each.deprecated && !LEFT_OUT.has(each.name),
  )
  const signature = ['self', ...inPath.map((each) => `${each.name}: str`), ...keywordTexts(inQuery)].join(
    ', ',
  )
  const row = schema.type === 'array' && schema.items ? typeText(schema.items) : null
  const result = row ? `ListCall[${row}, Mode]` : `Call[${typeText(schema)}, Mode]`
  const query = inQuery.map((each) => `"${each.name}": ${argumentName(each.name)}`).join(', ')
  const filled =
    inPath.length > 0 ? `"${path}".replace("{${inPath[0]?.name}}", _quoted(${inPath[0]?.name}))` : `"${path}"`
  return `    def ${snake(name)}(${signature}) -> ${result}:
        """${operation.summary ?? path}"""
        return self._call(${filled}, {${query}})  # type: ignore[no-any-return]
`
}

/** Keyword-only parameters; the required ones have no default. */
function keywordTexts(parameters: readonly ApiParameter[]): readonly string[] {
  if (parameters.length === 0) return []
  const texts = parameters.map(({ name, required, schema }) => {
    const type = typeText(schema)
    return required ? `${argumentName(name)}: ${type}` : `${argumentName(name)}: ${type} | None = None`
  })
  return ['*', ...texts]
}

const argumentName = (name: string): string => (isName(name) ? name : `${name}_`)
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Where the module is written. */
export const PYTHON_MODULE = new URL('src/z100/operations.py', import.meta.url)

if (process.argv[1]?.endsWith('python/build.ts')) writeFileSync(PYTHON_MODULE, pythonModule())

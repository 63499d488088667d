import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openapiDocument } from '../../schemas/described/openapi.ts'

// Within /v1 keys, operations and parameters are only added (README, decisions of the contract). `CONTRACT=extend npx vitest
// run test/schemas/contract` writes what is new into the file; what has left or changed must be taken out of it by hand.
const file = new URL('./contract.json', import.meta.url)

type Node = { readonly [key: string]: unknown }
/** What a reader may rely on: a way into the API, and the type that is found there. */
type Contract = Readonly<Record<string, string>>

function typeOf({ $ref, anyOf, type, items, enum: words }: Node): string {
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' | ')
  const own = [type].flat().join(' | ')
  return items
    ? `${own} of ${typeOf(items as Node)}`
    : own + (words ? ` of ${[words].flat().sort().join()}` : '')
}

function contractOf(document: Node): Contract {
  const { schemas, parameters } = document['components'] as Record<string, Record<string, Node>>
  const all: Record<string, string> = {}
  for (const [name, { properties, required }] of Object.entries(schemas!)) {
    for (const [key, schema] of Object.entries((properties ?? {}) as Record<string, Node>)) {
      const isSure = (required as readonly string[]).includes(key)
      all[`${name}.${key}`] = typeOf(schema) + (isSure ? '' : ' or absent')
    }
  }
  for (const [path, { get }] of Object.entries(document['paths'] as Record<string, { get: Node }>)) {
    for (const parameter of get['parameters'] as Node[]) {
      const { $ref } = parameter
      const known = typeof $ref === 'string' ? parameters![$ref.split('/').at(-1)!]! : parameter
      all[`GET ${path} ${known['name']}`] = typeOf(known['schema'] as Node)
    }
    const { content } = (get['responses'] as Record<string, Node>)['200'] as {
      content: Record<string, { schema: Node }>
    }
    for (const [type, { schema }] of Object.entries(content))
      all[`GET ${path}`] = `${type}: ${typeOf(schema)}`
  }
  return all
}

/**
 * What is gone or is another. A choice may have more words than before; an answer may not, unless they are those of a
 * parameter, which it repeats.
 */
function broken(before: Contract, now: Contract): string[] {
  const isWider = (was: string, is: string) => {
    const [wordsBefore, words] = [was, is].map((text) => / of ([^ ]+)$/.exec(text)?.[1]?.split(',') ?? [])
    const [kindBefore, kind] = [was, is].map((text) => text.replace(/ of [^ ]+$/, ''))
    return (
      kindBefore === kind && wordsBefore!.length > 0 && wordsBefore!.every((word) => words!.includes(word))
    )
  }
  const choices = new Set(Object.keys(now).flatMap((way) => (way.startsWith('GET ') ? [now[way]] : [])))
  return Object.entries(before).flatMap(([way, was]) => {
    const is = now[way]
    if (is === was || (is !== undefined && choices.has(is) && isWider(was, is))) return []
    return [`${way} was ${was}, is ${is ?? 'gone'}`]
  })
}

const now = contractOf(openapiDocument())

it('nothing leaves the contract and nothing in it changes its type', () => {
  const before: Contract = JSON.parse(readFileSync(file, 'utf8'))
  if (process.env['CONTRACT'] === 'extend') {
    const kept = Object.entries(before).filter(([way, was]) => broken({ [way]: was }, now).length > 0)
    const extended = { ...now, ...Object.fromEntries(kept) }
    writeFileSync(file, `${JSON.stringify(extended, Object.keys(extended).sort(), 1)}\n`)
  }
  expect(Object.keys(before).length).toBeGreaterThan(400)
  expect(broken(before, now)).toEqual([])
})

it('a key that leaves, changes its type or may be null is found; one that comes is not', () => {
  const way = 'BoardRow.price_usd'
  const { [way]: type, ...without } = now
  expect(type).toBe('number')
  expect(broken(now, without)).toEqual([`${way} was number, is gone`])
  expect(broken(now, { ...now, [way]: 'string' })).toHaveLength(1)
  expect(broken(now, { ...now, [way]: 'number | null' })).toHaveLength(1)
  expect(broken(without, now)).toEqual([])
  const period = 'GET /v1/z100/creators period'
  expect(broken(now, { ...now, [period]: `${now[period]},30d` })).toEqual([])
  expect(broken({ ...now, [period]: `${now[period]},30d` }, now)).toHaveLength(1)
})

it('an answer that repeats a parameter may have its new words, and no others', () => {
  const wider = `${now['Index.period']},30d`
  expect(broken(now, { ...now, 'Index.period': wider })).toHaveLength(1)
  expect(broken(now, { ...now, 'Index.period': wider, 'GET /v1/z100/index period': wider })).toEqual([])
})

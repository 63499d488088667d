/** Phrases that no native speaker writes: none in what readers of the API see, ever fewer in comments and names of tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../schemas/api/errors.ts'
import { openapiDocument } from '../schemas/described/openapi.ts'

const root = join(import.meta.dirname, '..')
const rooms = [
  ...['market', 'schemas', 'store', 'clients', 'ingest', 'snapshot', 'stream', 'accounts', 'archive'],
  ...['lambdas', 'admin', 'cdk', 'site', 'dev', 'test', 'docs', 'examples'],
]

/** Each phrase, and how often the code may still have it. Lower a number when you have mended some; never raise one. */
const phrases: readonly (readonly [phrase: RegExp, most: number])[] = [
  [/, of an? /g, 20],
  [/; of /g, 40],
  [/\bis none\b/g, 90],
  [/\bso many\b/g, 90],
  [/\banew\b/g, 35],
  [/\bwhoever\b/g, 45],
  [/\bbeside\b/g, 225],
  [/\bmeanwhile\b/g, 55],
  [/\balone\b/g, 200],
]

/** Every description and summary, and what errors say. */
function describedTexts(): readonly string[] {
  const texts: string[] = Object.values(errorCodes).map((each) => JSON.stringify(each))
  const walk = (node: unknown): void => {
    for (const [key, value] of Object.entries(Object(node)))
      if (typeof value === 'string' && ['description', 'summary'].includes(key)) texts.push(value)
      else if (typeof value === 'object') walk(value)
  }
  walk(openapiDocument())
  return [...new Set(texts)]
}

describe('words', () => {
  it('of the API are those of a native speaker', () => {
    const texts = describedTexts()
    expect(texts.length).toBeGreaterThan(500)
    expect(texts.filter((text) => phrases.some(([phrase]) => text.match(phrase)))).toEqual([])
  })

  it('of the code have ever fewer phrases that nobody says', () => {
    const files = rooms.flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(root, room, name),
      ),
    )
    const written = files.filter(
      (file) =>
        /\.([cm]?[jt]s|md)$/.test(file) && !/node_modules|\/dist\/|wire\.ts$|words\.test\.ts$/.test(file),
    )
    expect(written.length).toBeGreaterThan(800)
    const text = written.map((file) => readFileSync(file, 'utf8')).join('\n')
    const over = phrases
      .map(([phrase, most]) => ({ phrase: String(phrase), most, found: text.match(phrase)?.length ?? 0 }))
      .filter(({ found, most }) => found > most)
    expect(over).toEqual([])
  })
})

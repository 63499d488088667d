/** What README, CONTRIBUTING and docs/ state: their size, their links, the answers they show, and numbers that have a home in code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readerTiers, tiers } from '../schemas/api/access.ts'
import examples from '../schemas/described/openapi-examples.json' with { type: 'json' }
import { keptSeconds, priceGrains } from '../store/aws/tables.ts'

const root = join(import.meta.dirname, '..')
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
const files = ['README.md', 'CONTRIBUTING.md', 'ingest/README.md', ...pages]
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length

type Row = Readonly<Record<string, unknown>>
const answers: Readonly<Record<string, Row | readonly Row[]>> = examples

/** The first row of an operation's answer, as the reference shows it. */
const exampleOf = (name: string): Row => [answers[name] ?? {}].flat()[0] ?? {}

describe('the documentation', () => {
  it('is short', () => {
    expect(wordsIn(textOf('README.md'))).toBeLessThanOrEqual(900)
    expect(wordsIn(textOf('CONTRIBUTING.md'))).toBeLessThanOrEqual(2_000)
    const long = files
      .flatMap((file) => textOf(file).split(/\n(?=- |\d+\. |\| |\n)/))
      .filter((part) => !part.trim().startsWith('|') && wordsIn(part) > 120)
    expect(long).toEqual([])
  })

  it('links to files and headings that exist', () => {
    const idOf = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s-]/gu, '')
        .replaceAll(' ', '-')
    const broken = files.flatMap((file) =>
      [...textOf(file).matchAll(/\]\((?![a-z]+:|\/)([^)#]*)#?([^)]*)\)/g)]
        .filter(([, path = '', id = '']) => {
          const target = path === '' ? file : join(dirname(file), path)
          if (!existsSync(join(root, target))) return true
          const headings =
            id === '' ? [] : [...textOf(target).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => idOf(text))
          return id !== '' && !headings.includes(id)
        })
        .map(([link]) => `${file}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  it('shows answers with the keys and the types of real ones', () => {
    const shown = files.flatMap((file) => [...textOf(file).matchAll(/^```json (\w+)\n([\s\S]*?)^```$/gm)])
    expect(shown.length).toBeGreaterThan(2)
    const typesOf = (row: Row, keys: readonly string[]) =>
      keys.map((key) => [key, key in row ? typeof row[key] : 'not there'])
    for (const [, name = '', text = ''] of shown) {
      const row = JSON.parse(text)
      expect(typesOf(row, Object.keys(row)), name).toEqual(typesOf(exampleOf(name), Object.keys(row)))
    }
  })

  it('names fields for movers that rows have', () => {
    const table = /^\| .* \| here `(\w+)` \|\n\|[-|]+\|\n((?:\|.*\n)+)/gm
    const tables = [...textOf('docs/migrate.md').matchAll(table)]
    expect(tables.length).toBe(7)
    const values = ['creator', 'post', 'buy', 'sell']
    for (const [, name = '', rows = ''] of tables) {
      const here = rows.replaceAll(/^\| .*? \|/gm, '').replaceAll(/\(boards have .*?\)/g, '')
      const fields = [...here.matchAll(/`(\w+)`/g)].map(([, field = '']) => field)
      expect(fields.length, name).toBeGreaterThan(3)
      expect(Object.keys(exampleOf(name)).concat(values), name).toEqual(expect.arrayContaining(fields))
    }
  })

  it('states the limits of the tiers', () => {
    for (const tier of readerTiers) {
      const { limitPerHour, archiveBytesPerDay } = tiers[tier]
      const gigabytes = archiveBytesPerDay / 1e9
      const bytes = gigabytes < 1_000 ? `${gigabytes} GB` : `${gigabytes / 1_000} TB`
      expect(textOf('README.md')).toContain(
        `| ${tier} | ${limitPerHour.toLocaleString('en-US')} | ${bytes} |`,
      )
    }
  })

  it('states how long items are kept', () => {
    const rowOf = (beginning: string) =>
      textOf('docs/architecture.md')
        .split('\n')
        .find((line) => line.startsWith(`| ${beginning}`))
    const kept = {
      'Market `T#…` `C#`': `${keptSeconds.minute / 86_400} days`,
      'Market `T#…` `H`': `${priceGrains.hour.kept / 86_400} days, ${priceGrains.day.kept / 86_400} days, for ever`,
      'Market `T#…` `Q`': `${keptSeconds.tokenHour / 86_400} days`,
      'Market `W#…`': `${keptSeconds.wallet / 86_400} days`,
      'Market `F#…`': `${keptSeconds.feed / 3_600} hours`,
      'Market `R#…`': `${keptSeconds.reference / 86_400} days`,
      Usage: `${keptSeconds.usage / 86_400} days`,
    }
    for (const [beginning, words] of Object.entries(kept))
      expect(rowOf(beginning)).toContain(` | ${words} | `)
  })
})

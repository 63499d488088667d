import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** README's rooms table is the rule: a file imports from its own room and from lower floors, never sideways. */
const root = join(import.meta.dirname, '..')
const floorOf = roomsTable(readFileSync(join(root, 'README.md'), 'utf8'))

function roomsTable(readme: string): Map<string, number> {
  const floors = new Map<string, number>()
  for (const [, floor, rooms] of readme.matchAll(/^\| (\d) \| ([^|]+) \|/gm)) {
    for (const [, room] of (rooms ?? '').matchAll(/`([a-z]+)\/`/g)) floors.set(room ?? '', Number(floor))
  }
  return floors
}

function sourceFiles(room: string): string[] {
  return readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('node_modules'))
}

type Import = { readonly file: string; readonly target: string; readonly isPackage: boolean }

function importsOf(file: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith('.')
      ? { file, target: relative(root, join(root, dirname(file), fileName)), isPackage: false }
      : { file, target: fileName, isPackage: true },
  )
}

const roomOf = (file: string): string => file.split('/')[0] ?? ''
const rooms = [...floorOf.keys()].filter((room) => readdirSync(root).includes(room))
const imports = rooms.flatMap(sourceFiles).flatMap(importsOf)
const inside = imports.filter(({ isPackage }) => !isPackage)
const show = ({ file, target }: Import): string => `${file} imports ${target}`

describe('rooms', () => {
  it('finds the rooms of the table and their imports', () => {
    expect(rooms).toEqual(
      expect.arrayContaining([
        'market',
        'schemas',
        'store',
        'ingest',
        'snapshot',
        'lambdas',
        'local',
        'test',
      ]),
    )
    expect(inside.length).toBeGreaterThan(50)
  })

  it('every file that is imported is there, also where the type checker does not look', () => {
    // Made by `npm run build:types`, and as modules by lambdas/build/.
    const isMade = ({ target }: Import) => target === 'schemas/wire.d.ts' || target.includes('?')
    const wrong = inside.filter((each) => !isMade(each) && !existsSync(join(root, each.target)))
    expect(wrong.map(show)).toEqual([])
  })

  it('imports go down, never sideways', () => {
    const wrong = inside.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), roomOf(target)]
      if (from === to || target === 'package.json') return false
      return from !== 'test' && (floorOf.get(to) ?? 99) >= (floorOf.get(from) ?? -1)
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('only store/ speaks to the AWS SDK', () => {
    const wrong = imports.filter(
      ({ file, target }) => target.startsWith('@aws-sdk/') && !/^(store|test)\//.test(file),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('market/ does no input or output', () => {
    const wrong = imports.filter(({ file, isPackage }) => file.startsWith('market/') && isPackage)
    expect(wrong.map(show)).toEqual([])
  })

  it('only lambdas/rebuild-snapshots.ts and admin/ import snapshot/', () => {
    const wrong = inside.filter(
      ({ file, target }) =>
        target.startsWith('snapshot/') &&
        !/^(snapshot|admin|test)\//.test(file) &&
        file !== 'lambdas/rebuild-snapshots.ts',
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('cdk/ takes names from the code, and nothing else', () => {
    const wrong = inside.filter(
      ({ file, target }) =>
        file.startsWith('cdk/') && !/^(cdk|schemas|lambdas\/edge)\/|^store\/tables\.ts$/.test(target),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('local/aws/ knows no room', () => {
    const wrong = inside.filter(
      ({ file, target }) => file.startsWith('local/aws/') && !target.startsWith('local/aws/'),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('no file of the product is longer than 300 lines', () => {
    const long = rooms
      .filter((room) => room !== 'test')
      .flatMap(sourceFiles)
      .filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301)
    expect(long).toEqual([])
  })

  it('a name is exported from one file', () => {
    // The same part in each of them, or read with the module's name before it.
    const roles = new Set(['groups', 'handler', 'run', 'schemas', 'validators'])
    const filesOf = new Map<string, string[]>()
    for (const file of rooms.flatMap(sourceFiles).filter((file) => file !== 'schemas/kinds.ts')) {
      const text = readFileSync(join(root, file), 'utf8')
      const exported = /^export (?:async |abstract )?(?:const|let|function\*?|class|type|interface) +(\w+)/gm
      for (const name of new Set([...text.matchAll(exported)].map(([, name = '']) => name)))
        filesOf.set(name, [...(filesOf.get(name) ?? []), file])
    }
    const twice = [...filesOf].filter(([name, files]) => files.length > 1 && !roles.has(name))
    expect(twice).toEqual([])
    expect(filesOf.size).toBeGreaterThan(1_000)
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, join, relative } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

/** CONTRIBUTING's rooms table is the rule: a file imports from its own room and from lower floors, never sideways. */
const root = join(import.meta.dirname, '..')
const written = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const floorOf = roomsTable(written)

function roomsTable(text: string): Map<string, number> {
  const floors = new Map<string, number>()
  for (const [, floor, rooms] of text.matchAll(/^\| (\d) \| ([^|]+) \|/gm)) {
    for (const [, room] of (rooms ?? '').matchAll(/`([a-z]+)\/`/g)) floors.set(room ?? '', Number(floor))
  }
  return floors
}

const sourceFiles = (room: string): string[] => filesIn(room, /\.(ts|js|mjs)$/)

function filesIn(room: string, type: RegExp): string[] {
  return readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && type.test(entry.name) && !/\.d\.ts$|^wire\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
}

/** Its table of the folders of a room, lowest first; `here` are the files directly in it. */
const laddersOf = laddersTable(written)

function laddersTable(text: string): Map<string, readonly string[]> {
  const ladders = new Map<string, readonly string[]>()
  for (const [, room = '', steps = ''] of text.matchAll(
    /^\| `([a-z/]+)\/` \| ((?:`[a-z]+\/?`(?: < )?)+) \|$/gm,
  )) {
    ladders.set(
      room,
      [...steps.matchAll(/`([a-z]+)\/?`/g)].map(([, step = '']) => step),
    )
  }
  return ladders
}

type Import = { readonly file: string; readonly target: string; readonly isPackage: boolean }

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const { staticImports, staticExports } = parseSync(file, text).module
  const named = [...staticImports, ...staticExports.flatMap(({ entries }) => entries)]
  return [
    ...named.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    // At run time, and of types.
    ...[...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, target = '']) => target),
  ].map((target) =>
    target.startsWith('.')
      ? { file, target: relative(root, join(root, dirname(file), target)), isPackage: false }
      : { file, target, isPackage: true },
  )
}

/** Functions with statements that a file declares as constants: the signature is on one line, or its parameters have lines of their own. */
const arrow = /^(?:(?:export )?const \w+ = (?:async )?(?:<.*>)?\((?:(?!=> \().)*|\)(?:: .*)?) ?=> \{$/gm

const arrowsWithStatements = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(arrow)].map(([line]) => `${file}: ${line}`)

const roomOf = (file: string): string => file.split('/')[0] ?? ''
/** What is not part of the product may use all of it. */
const isOutside = (file: string): boolean => /^(test|dev\/(bench|soak))\//.test(file)
/** The folder of a room that holds the file; `here`: the file stands directly in the room. */
const folderOf = (room: string, file: string): string =>
  file
    .slice(room.length + 1)
    .split('/')
    .slice(0, -1)[0] ?? 'here'
const rooms = [...floorOf.keys()].filter((room) => readdirSync(root).includes(room))
const imports = rooms.flatMap(sourceFiles).flatMap(importsOf)

describe('rooms', () => {
  it('finds the rooms of the table and their imports', () => {
    const known = ['market', 'schemas', 'store', 'ingest', 'snapshot', 'lambdas', 'dev', 'test']
    expect(rooms).toEqual(expect.arrayContaining(known))
    expect(imports.length).toBeGreaterThan(1_000)
  })

  const rules: Readonly<Record<string, (each: Import) => boolean>> = {
    'imports go down, never sideways': ({ file, target, isPackage }) => {
      const [from, to] = [roomOf(file), roomOf(target)]
      if (isPackage || from === to || isOutside(file) || target === 'package.json') return true
      return (floorOf.get(to) ?? 99) < (floorOf.get(from) ?? -1)
    },
    'imports between the folders of a room go down': ({ file, target, isPackage }) => {
      if (isPackage || target.includes('?')) return true
      return [...laddersOf].every(([room, ladder]) => {
        if (![file, target].every((one) => one.startsWith(`${room}/`))) return true
        const [from, to] = [folderOf(room, file), folderOf(room, target)]
        return from === to || ladder.indexOf(to) < ladder.indexOf(from)
      })
    },
    'only store/ speaks to the AWS SDK': ({ file, target }) =>
      !target.startsWith('@aws-sdk/') || file.startsWith('store/') || isOutside(file),
    'market/ does no input or output': ({ file, isPackage }) => !file.startsWith('market/') || !isPackage,
    'only admin/ and the functions that rebuild and draw import snapshot/': ({ file, target }) =>
      !target.startsWith('snapshot/') ||
      isOutside(file) ||
      /^(snapshot|admin)\/|^lambdas\/(rebuild-snapshots|draw-previews)\.ts$/.test(file),
    'cdk/ takes names from the code, and nothing else': ({ file, target, isPackage }) =>
      !file.startsWith('cdk/') ||
      isPackage ||
      /^(cdk|schemas|lambdas\/edge)\/|^store\/aws\/tables\.ts$/.test(target),
    'dev/emulators/ imports nothing of the service': ({ file, target, isPackage }) =>
      !file.startsWith('dev/emulators/') || isPackage || target.startsWith('dev/emulators/'),
    // Made by `npm run build:types`, and as modules by lambdas/build/.
    'every file that is imported is there, also where the type checker does not look': ({
      target,
      isPackage,
    }) =>
      isPackage ||
      target === 'clients/typescript/wire.ts' ||
      target.includes('?') ||
      existsSync(join(root, target)),
  }
  it.each(Object.entries(rules))('%s', (_, isKept) => {
    const wrong = imports.filter((each) => !isKept(each))
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  it('no room has more lines than the table of rooms allows it', () => {
    const table = written.match(/^\| \d \| [^|]+/gm)?.join('') ?? ''
    const allowed = [...table.matchAll(/`([a-z]+)\/` ([\d,]+)/g)].map(
      ([, room = '', most = '']) => [room, Number(most.replaceAll(',', ''))] as const,
    )
    expect(allowed.map(([room]) => room).sort()).toEqual([...rooms].sort())
    const linesIn = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1
    const over = allowed.flatMap(([room, most]) => {
      const files = filesIn(room, /\.([cm]?[jt]s|css|sol|py)$/)
      const lines = files.reduce((sum, file) => sum + linesIn(file), 0)
      return lines > most ? [`${room}/ has ${lines} lines, and CONTRIBUTING allows it ${most}`] : []
    })
    expect(over).toEqual([])
  })

  it('every folder of a room with inner rooms is in the table', () => {
    expect([...laddersOf.keys()]).toEqual(expect.arrayContaining(['ingest', 'market', 'site/browser']))
    for (const [room, ladder] of laddersOf) {
      const folders = new Set(sourceFiles(room).map((file) => folderOf(room, file)))
      expect(new Set([...ladder, ...folders]), room).toEqual(new Set(ladder))
    }
  })

  it('no folder holds more than 25 files', () => {
    const counts = new Map<string, number>()
    for (const file of rooms.flatMap(sourceFiles))
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    expect([...counts].filter(([, files]) => files > 25)).toEqual([])
  })

  it('no files of the product import each other in a circle', () => {
    const importedBy = new Map<string, readonly string[]>()
    for (const { file, target, isPackage } of imports) {
      if (isPackage) continue
      importedBy.set(file, [...(importedBy.get(file) ?? []), target])
    }
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' imports '))
      if (path.includes(file) || done.has(file)) return
      for (const target of importedBy.get(file) ?? []) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of importedBy.keys()) visit(file, [])
    expect(circles).toEqual([])
    expect(importedBy.size).toBeGreaterThan(200)
  })

  it('no file of the product is longer than 300 lines', () => {
    const long = rooms
      .flatMap(sourceFiles)
      .filter((file) => !isOutside(file))
      .filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301)
    expect(long).toEqual([])
  })

  // Node 24 loads a source as it is; Node 20 has no such function.
  const { stripTypeScriptTypes } = nodeModule as { stripTypeScriptTypes?: (source: string) => string }
  it.skipIf(!stripTypeScriptTypes)('Node can strip the types of every source file', () => {
    const errors = rooms
      .flatMap(sourceFiles)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        try {
          stripTypeScriptTypes?.(readFileSync(join(root, file), 'utf8'))
          return []
        } catch (error) {
          return [`${file}: ${error}`]
        }
      })
    expect(errors).toEqual([])
  })

  it('a function with statements is declared as a function', () => {
    expect(rooms.flatMap(sourceFiles).flatMap(arrowsWithStatements)).toEqual([])
  })

  it('a name is exported from one file', () => {
    // The same part in each of them, or read with the module's name before it.
    const roles = new Set(['groups', 'handler', 'run', 'schemas', 'validators'])
    const filesOf = new Map<string, string[]>()
    // The client is a package of its own, with the names of the API.
    const own = rooms.flatMap(sourceFiles).filter((file) => !file.startsWith('clients/typescript/'))
    for (const file of own.filter((file) => file !== 'schemas/values/kinds.ts')) {
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

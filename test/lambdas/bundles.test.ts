// Whole form only.
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as documents from '#validators/documents'
import * as manifest from '#validators/manifest'
import { bundle, forbiddenIn, materialsOf, moduleOf, packagesIn } from '../../lambdas/build/bundles.ts'
import { llmsText } from '../../schemas/described/llms.ts'
import { examples } from '../../schemas/described/openapi.ts'
import { faultsOf, type Validator } from '../../schemas/values/validator.ts'
import { bundled } from '../support/bundled.ts'

const { folder, bundles } = await bundled()

describe('bundles', () => {
  it('are made of every function and service', () => {
    expect([...bundles.keys()]).toEqual(expect.arrayContaining(['api', 'rebuild-snapshots', 'ingest']))
    for (const { target, files } of bundles.values())
      expect([...files.keys()]).toEqual(expect.arrayContaining([`bundles/${target.name}/index.mjs`]))
  })

  it('contain no Ajv, and viem only where the chain is read', () => {
    for (const [name, each] of bundles) {
      const packages = packagesIn([each])
      const isReader = ['ingest', 'beside', 'account'].includes(name)
      expect([name, packages.has('ajv'), packages.has('viem')]).toEqual([name, false, isReader])
    }
  })

  it('list the packages in them, all with an allowed licence', () => {
    const materials = materialsOf(bundles.values())
    expect(new Set(materials.components.map(({ name }) => name))).toEqual(packagesIn(bundles.values()))
    expect(forbiddenIn(materials)).toEqual([])
  })

  it('are refused with a licence that is not allowed, or with none', () => {
    const components = [
      { name: 'a', version: '1.0.0', licenses: [{ license: { id: 'MIT' } }] },
      { name: 'b', version: '1.0.0', licenses: [{ license: { id: 'AGPL-3.0-only' } }] },
      { name: 'c', version: '1.0.0', licenses: [] },
      { name: 'd', version: '1.0.0', licenses: [{ expression: 'MIT OR GPL-2.0' }] },
    ]
    expect(forbiddenIn({ bomFormat: 'CycloneDX', components })).toEqual([
      'b@1.0.0: AGPL-3.0-only',
      'c@1.0.0: no licence',
      'd@1.0.0: MIT OR GPL-2.0',
    ])
  })

  it('do not load the client of S3 before the API needs it', () => {
    const { outputs } = bundles.get('api')!.metafile
    const entry = Object.keys(outputs).find((path) => outputs[path]!.entryPoint === 'lambdas/api.ts')!
    const loaded = new Set<string>()
    const load = (path: string): void => {
      if (loaded.has(path)) return
      loaded.add(path)
      for (const each of outputs[path]?.imports ?? []) if (each.kind === 'import-statement') load(each.path)
    }
    load(entry)
    const inputs = [...loaded].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
    expect(inputs.filter((file) => file.includes('client-dynamodb')).length).toBeGreaterThan(0)
    expect(inputs.filter((file) => file.includes('client-s3'))).toEqual([])
  })

  it('are deterministic, with their source maps in another folder', async () => {
    const { target, files } = bundles.get('api')!
    const again = await bundle(target)
    expect([...again.files.keys()]).toEqual([...files.keys()])
    for (const [place, bytes] of files) expect(Buffer.compare(bytes, again.files.get(place)!)).toBe(0)
    const maps = [...files.keys()].filter((place) => place.endsWith('.map'))
    expect(maps.length).toBeGreaterThan(0)
    expect(maps.filter((place) => !place.startsWith('maps/'))).toEqual([])
  })

  it('contain every module that they import dynamically', () => {
    for (const { target, files, metafile } of bundles.values()) {
      const late = Object.values(metafile.outputs).flatMap(({ imports }) =>
        imports.filter(({ kind, path }) => kind === 'dynamic-import' && path.endsWith('.mjs')),
      )
      const places = late.map(({ path }) => `bundles/${target.name}/${basename(path)}`)
      expect([...files.keys()]).toEqual(expect.arrayContaining(places))
      // The tools for agents have nothing that a start could do without.
      expect(late.length > 0).toBe(!target.isService && target.name !== 'mcp')
    }
  })

  it('load in a process of their own and answer the same there', async () => {
    const [guide, refused, unset] = await Promise.all([
      answerOf('api', '/v1/llms.txt'),
      answerOf('api', '/v1/nothing'),
      answerOf('rebuild-snapshots', '/'),
    ])
    expect(guide).toMatchObject({ statusCode: 200, headers: { 'X-Request-Id': 'r' }, body: llmsText() })
    expect(refused).toMatchObject({ statusCode: 401, headers: { 'X-Request-Id': 'r' } })
    // Without its buckets a rebuild says which variable it lacks.
    expect(unset).toMatchObject({ error: 'InvalidEnvError' })
  })
})

/** What a bundle's handler answers to a request in a process of its own. */
async function answerOf(name: string, path: string): Promise<unknown> {
  const event = {
    httpMethod: 'GET',
    path,
    multiValueHeaders: {},
    requestContext: { requestId: 'r' },
    multiValueQueryStringParameters: null,
  }
  const script = `
    const { handler } = await import(${JSON.stringify(pathToFileURL(join(folder, `bundles/${name}/index.mjs`)).href)})
    process.stdout.write(JSON.stringify(await handler(${JSON.stringify(event)}).catch((error) => ({ error: error.name }))))`
  const environment = { CHAIN: 'devnet', MARKET_TABLE: 'market', USAGE_TABLE: 'usage', SEGMENT_BUCKET: 's' }
  const options = { env: { ...process.env, ...environment, PUBLISHED_BUCKET: name === 'api' ? 'p' : '' } }
  const words = ['--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, words, options)
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1))
}

/** A value with one of its parts replaced or taken away. */
function spoilt(value: unknown, path: readonly number[], other: unknown): unknown {
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : []
  const [step, ...rest] = path
  if (step === undefined || keys.length === 0) return other
  const key = keys[step % keys.length]!
  const changed = spoilt((value as Record<string, unknown>)[key], rest, other)
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === key ? changed : each))
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, each]) =>
      name !== key ? [[name, each]] : changed === undefined ? [] : [[name, changed]],
    ),
  )
}

describe('generated validators', () => {
  const modules = { documents, manifest }
  it.each(Object.keys(modules) as (keyof typeof modules)[])(
    'of %s find what compiled ones find',
    async (name) => {
      const { schemas, validators } = modules[name]
      const file = join(import.meta.dirname, `../../node_modules/.z100-${name}-${process.pid}.mjs`)
      writeFileSync(
        file,
        moduleOf(schemas).replaceAll(/require\("(ajv[^"]+)"\)/g, '(await import("$1.js")).default'),
      )
      const generated = (
        (await import(pathToFileURL(file).href)) as { validators: Record<string, Validator> }
      ).validators
      rmSync(file)
      const outcomes = new Set<boolean>()
      for (const [operation, validate] of Object.entries<Validator>(validators)) {
        const whole = examples[operation === 'manifest' ? 'snapshot' : operation]
        const path = fc.array(fc.nat(40), { maxLength: 3 })
        const other = fc.constantFrom(undefined, null, 'x', -1, [], {})
        const spoiltSomewhere = fc.tuple(path, other).map((each) => spoilt(whole, ...each))
        const value = fc.oneof(fc.constant(whole), spoiltSomewhere)
        fc.assert(
          fc.property(value, (each) => {
            const own = generated[operation]!
            const isValid = validate(each)
            outcomes.add(isValid)
            expect(own(each)).toBe(isValid)
            if (!isValid) expect(faultsOf(own)).toEqual(faultsOf(validate))
          }),
          { numRuns: 60 },
        )
      }
      expect([...outcomes].sort()).toEqual([false, true])
    },
  )
})

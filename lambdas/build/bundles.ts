/** Builds the deployed artifacts: a folder of modules per function and service, with source maps in a separate folder. */

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { ajvOptions } from '../../schemas/values/compiled.ts'
import type { JsonSchema } from '../../schemas/values/field.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Long-running processes on Fargate, by name; missing ones are left out. */
const services = {
  ingest: 'ingest/main.ts',
  stream: 'stream/main.ts',
  'rebuild-each-minute': 'lambdas/rebuild-each-minute.ts',
  beside: 'admin/deploy/beside.ts',
}

/** A deployed function or service: its output folder is `name`, its first module `index.mjs`; a service has no other. */
type Target = { readonly name: string; readonly entry: string; readonly isService: boolean }

/** Every file directly in lambdas/ that exports a handler, and every service. */
export function targets(): readonly Target[] {
  const functions = readdirSync(join(ROOT, 'lambdas')).filter(
    (file) =>
      file.endsWith('.ts') &&
      /^export (async function|function|const) handler\b/m.test(
        readFileSync(join(ROOT, 'lambdas', file), 'utf8'),
      ),
  )
  return [
    ...functions
      .sort()
      .map((file) => ({ name: basename(file, '.ts'), entry: `lambdas/${file}`, isService: false })),
    ...Object.entries(services)
      .filter(([, entry]) => existsSync(join(ROOT, entry)))
      .map(([name, entry]) => ({ name, entry, isService: true })),
  ]
}

/** A bundle: its files by path below the output folder, and the inputs of each. */
export type Bundle = {
  readonly target: Target
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly metafile: Metafile
}

/** Text that esbuild emits for a `require` it could not bundle. */
const UNRESOLVED_REQUIRE = 'Dynamic require of'
const withRequire = {
  js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
}

/** Bundles a target deterministically. Throws esbuild's error for unresolved imports. */
export async function bundle(target: Target): Promise<Bundle> {
  const plain = await run(target)
  const needsRequire = plain.outputFiles.some(({ text }) => text.includes(UNRESOLVED_REQUIRE))
  const { outputFiles, metafile } = needsRequire ? await run(target, { banner: withRequire }) : plain
  const files = outputFiles.map(({ path, contents }) => [placeOf(target, basename(path)), contents] as const)
  return { target, files: new Map(files), metafile }
}

const run = ({ entry, isService }: Target, options: Pick<BuildOptions, 'banner'> = {}) =>
  build({
    ...options,
    entryPoints: { index: entry },
    plugins: [generatedValidators],
    absWorkingDir: ROOT,
    bundle: true,
    // Lazily loaded modules get files of their own, which a cold start does not read.
    splitting: !isService,
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    // Prefer a package's ES modules, so that unused code is dropped.
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node24',
    minify: true,
    sourcemap: 'external',
    metafile: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  })

const placeOf = ({ name }: Target, file: string): string =>
  file.endsWith('.map') ? `maps/${name}/${file}` : `bundles/${name}/${file}`

/** Writes all bundles below `folder`, after removing earlier bundles and maps. */
export async function writeBundles(folder: string): Promise<readonly Bundle[]> {
  // The pages in the same folder are built separately.
  for (const part of ['bundles', 'maps']) await rm(join(folder, part), { recursive: true, force: true })
  const bundles = await Promise.all(targets().map(bundle))
  for (const each of bundles) await writeBundle(each, folder)
  return bundles
}

/** Writes a bundle's files below `folder`. */
export async function writeBundle({ files }: Bundle, folder: string): Promise<void> {
  for (const [place, bytes] of files) {
    const path = join(folder, place)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
}

type Schemas = Readonly<Record<string, JsonSchema>>

/** What is imported as `#validators/<name>` (package.json, "imports") is the code that Ajv generates from its `schemas`. */
const generatedValidators: Plugin = {
  name: 'generated-validators',
  setup(build) {
    const filter = /^#validators\//
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'validators' }))
    build.onLoad({ filter, namespace: 'validators' }, async ({ path }) => {
      const { schemas } = (await import(path)) as { readonly schemas: Schemas }
      return { contents: moduleOf(schemas), loader: 'js', resolveDir: ROOT }
    })
  },
}

/** The text of a module that exports `validators`, equivalent to those compiled at load time. */
export function moduleOf(schemas: Schemas): string {
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true, lines: true } })
  const names = Object.keys(schemas)
  for (const name of names) ajv.addSchema(schemas[name] ?? {}, name)
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [`validate_${name}`, name])))
  return `${code}\nexport const validators = {${names.map((name) => `${name}: validate_${name}`).join(', ')}}\n`
}

/** Allowed licences of deployed third-party code: those that require no more than their own text. */
const ALLOWED = [
  ...['MIT', 'Apache-2.0', '0BSD', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'Unlicense'],
]

/** Whether deployed code may have a licence, by its SPDX expression: each of several to choose from is allowed. */
export const isAllowedLicence = (expression: string): boolean =>
  expression.split(' OR ').every((licence) => ALLOWED.includes(licence))

/** The used part of a CycloneDX component. */
export type Component = {
  readonly name: string
  readonly version: string
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[]
}
export type Materials = { readonly bomFormat: 'CycloneDX'; readonly components: readonly Component[] }

/** Packages with a file in a bundle. */
export function packagesIn(bundles: Iterable<Bundle>): ReadonlySet<string> {
  const files = [...bundles].flatMap(({ metafile }) => Object.keys(metafile.inputs))
  return new Set(files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))
}

/** npm's SBOM, reduced to the packages in the bundles. */
export function materialsOf(bundles: Iterable<Bundle>): Materials {
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const text = execFileSync('npm', options, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const all: Materials = JSON.parse(text)
  const deployed = packagesIn(bundles)
  return { ...all, components: all.components.filter(({ name }) => deployed.has(name)) }
}

/** Packages with a licence that is not allowed. */
export function forbiddenIn({ components }: Materials): readonly string[] {
  return components.flatMap(({ name, version, licenses = [] }) => {
    const names = licenses.map(({ license, expression }) => expression ?? license?.id ?? 'no licence')
    const isAllowed = names.length > 0 && names.every(isAllowedLicence)
    return isAllowed ? [] : [`${name}@${version}: ${names.join(', ') || 'no licence'}`]
  })
}

/** What is deployed, as files: one folder of modules a function and a service, their source maps kept apart. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { generatedValidators } from './generated-validators.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Processes that run for ever, on Fargate; one that is not there yet is left out. */
const services = ['ingest/main.ts', 'stream/main.ts']

/** One deployed function or service: its folder below the output is `name`, its first module `index.mjs`. A service's is the only one. */
export type Target = { readonly name: string; readonly entry: string; readonly isService: boolean }

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
    ...functions.sort().map((file) => ({
      name: basename(file, '.ts'),
      entry: `lambdas/${file}`,
      isService: false,
    })),
    ...services
      .filter((entry) => existsSync(join(ROOT, entry)))
      .map((entry) => ({ name: dirname(entry), entry, isService: true })),
  ]
}

/** A bundle: its files by path below the output folder, and what went into each. */
export type Bundle = {
  readonly target: Target
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly metafile: Metafile
}

/** Text that esbuild leaves where a module asks for another one by `require`. */
const UNRESOLVED_REQUIRE = 'Dynamic require of'
const withRequire = {
  js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
}

/** Bundles a target; the same sources give the same bytes. Throws esbuild's error for what it cannot resolve. */
export async function bundle(target: Target): Promise<Bundle> {
  const plain = await run(target, {})
  const needsRequire = plain.outputFiles.some(({ text }) => text.includes(UNRESOLVED_REQUIRE))
  const { outputFiles, metafile } = needsRequire ? await run(target, { banner: withRequire }) : plain
  const files = outputFiles.map(({ path, contents }) => [placeOf(target, basename(path)), contents] as const)
  return { target, files: new Map(files), metafile }
}

/** A module that is only loaded when it is needed stays a file of its own, so a cold start does not read it. */
const run = ({ entry, isService }: Target, more: Pick<BuildOptions, 'banner'>) =>
  build({
    absWorkingDir: ROOT,
    entryPoints: { index: entry },
    bundle: true,
    splitting: !isService,
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    // The modern form of a package, where it has one: what is not used falls away.
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node24',
    minify: true,
    sourcemap: 'external',
    metafile: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [generatedValidators],
    ...more,
  })

const placeOf = ({ name }: Target, file: string): string =>
  file.endsWith('.map') ? `maps/${name}/${file}` : `bundles/${name}/${file}`

/** Writes every bundle below `folder`, which is emptied first. */
export async function writeBundles(folder: string): Promise<readonly Bundle[]> {
  await rm(folder, { recursive: true, force: true })
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

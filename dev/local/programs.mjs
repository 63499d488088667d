/** The programs of this repository as bundles, which load alike on every version of Node and several times faster than file by file. */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** The file of a folder that names the sources of its bundles. */
const SOURCES = 'sources.json'

/** Packages that find files beside their own, and what must be the same module for them and for us. */
const external = ['dynalite', 'abstract-level', 'esbuild', 'vite']

/**
 * Builds programs (source files below the repository, by name) into a folder, if a source is newer than what is there. Each is
 * one file, read once: a build beside a program that runs takes nothing from it.
 *
 * @param {Readonly<Record<string, string>>} programs
 * @param {string} folder
 */
export async function buildPrograms(programs, folder) {
  if (await isCurrent(folder)) return
  process.stderr.write('building the program: its first start, or a source has changed\n')
  const { build, stop } = await import('esbuild')
  const builtAt = Date.now()
  const made = `${folder}.${process.pid}`
  const { metafile } = await build({
    entryPoints: programs,
    absWorkingDir: ROOT,
    outdir: made,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    external,
    plugins: [ownPlaces(folder)],
    banner: {
      js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
    },
    logLevel: 'error',
  })
  await stop()
  const own = Object.keys(metafile.inputs).filter((file) => !file.includes('node_modules'))
  const sources = [...own, 'package-lock.json', relative(ROOT, import.meta.filename)]
  await writeFile(join(made, SOURCES), JSON.stringify({ builtAt, sources }))
  await mkdir(folder, { recursive: true })
  // The list of sources last: until it is there, nothing counts.
  for (const file of [...Object.keys(programs).flatMap((name) => [`${name}.js.map`, `${name}.js`]), SOURCES])
    await rename(join(made, file), join(folder, file))
  await rm(made, { recursive: true })
}

/** Whether no source is newer than the bundles of a folder. */
async function isCurrent(/** @type {string} */ folder) {
  const text = await readFile(join(folder, SOURCES), 'utf8').catch(() => undefined)
  if (text === undefined) return false
  /** @type {{ builtAt: number, sources: string[] }} */
  const { builtAt, sources } = JSON.parse(text)
  const changedAt = (/** @type {string} */ file) =>
    stat(join(ROOT, file)).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    )
  return (await Promise.all(sources.map(changedAt))).every((time) => time <= builtAt)
}

/**
 * What a source says of its own place is the place of the source, seen from the bundle; a script that it resolves is a program.
 *
 * @returns {import('esbuild').Plugin}
 */
const ownPlaces = (/** @type {string} */ folder) => ({
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined
      const url = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url)`
      const places = {
        url: `${url}.href`,
        filename: `decodeURIComponent(${url}.pathname)`,
        dirname: `decodeURIComponent(${url}.pathname).replace(/\\/[^/]*$/, '')`,
      }
      const contents = (await readFile(path, 'utf8')).replaceAll(
        /import\.meta\.(?:resolve\('\.\/([\w-]+)\.ts'\)|(url|filename|dirname)\b)/g,
        (_, program, part) =>
          program ? `new URL('./${program}.js', import.meta.url).href` : places[/** @type {'url'} */ (part)],
      )
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js', resolveDir: dirname(path) }
    })
  },
})

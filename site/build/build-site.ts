/** Builds the site: pages, and assets named by their content's hash. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { build as bundleAlone, type OutputFile } from 'esbuild'
import { build, type Rolldown } from 'vite'
import { llmsText } from '../../schemas/described/llms.ts'
import { EMBED_PAGES, embedHtml, embeds } from '../../schemas/pages/embeds.ts'
import {
  linksHtml,
  ORIGIN_MARK,
  type PageFiles,
  pageHtml,
  SECURITY_EXPIRES,
  SITE_CATALOG,
  SITE_FAVICON,
  SITE_FONT,
  SITE_ICON,
  SITE_IMAGES,
  SITE_MANIFEST,
  SITE_SECURITY,
  SITE_SKILL,
  SITE_STYLE,
  SITE_TEXTS,
  SITE_TOKEN_SCRIPT,
  SITE_WHOLE_TEXT,
  WRITTEN_ORIGIN,
} from '../../schemas/pages/site.ts'
import { tokenLists } from '../../schemas/pages/site-pages.ts'
import { errorsText } from './errors.ts'
import { textHtml } from './html.ts'
import { objectOf, pages, type SitePage } from './pages.ts'

const ROOT = join(import.meta.dirname, '../..')
const BROWSER = join(ROOT, 'site/browser')
const IMAGES = join(BROWSER, 'share')

/** What an installed page is called, and its icons. */
const webManifest = {
  id: '/',
  name: 'z100: creator tokens and post tokens',
  short_name: 'z100',
  start_url: '/',
  display: 'standalone',
  background_color: '#14161a',
  theme_color: '#14161a',
  icons: [
    { src: `/${SITE_ICON}`, sizes: 'any', type: 'image/svg+xml' },
    ...[192, 512].map((size) => ({
      src: `/${SITE_IMAGES}icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
    })),
  ],
}

/** RFC 9116. The documentation says where a vulnerability is reported. */
const securityText = `Contact: ${ORIGIN_MARK}/docs/start#security
Expires: ${SECURITY_EXPIRES}
Preferred-Languages: en
Canonical: ${ORIGIN_MARK}/${SITE_SECURITY}
`

const linkTo = (path: string, type: string) => [{ href: ORIGIN_MARK + path, type }]

/** RFC 9727: what describes the API, in the form of a link set. */
const apiCatalog = {
  linkset: [
    {
      anchor: `${ORIGIN_MARK}/v1/`,
      'service-desc': linkTo('/v1/openapi.json', 'application/json'),
      'service-doc': linkTo('/docs/api', 'text/html'),
      status: linkTo('/v1/status', 'application/json'),
    },
    {
      anchor: `${ORIGIN_MARK}/stream/`,
      'service-desc': linkTo('/v1/stream/asyncapi.json', 'application/json'),
      'service-doc': linkTo('/docs/stream', 'text/html'),
    },
  ],
}

/** A PNG in the container of /favicon.ico: a header, and a directory of one image (side below 256 pixels). */
function iconOf(png: Uint8Array, side: number): Uint8Array {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.set([side, side, 0, 0, 1, 0, 32, 0], 6)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

/** Folder of immutable files. */
export const ASSETS = 'assets'

/** The built site: bytes by object name. */
export type BuiltSite = ReadonlyMap<string, Uint8Array>

/** The bundler did not produce a file that a page needs. */
export class MissingFileError extends Error {
  override readonly name = 'MissingFileError'
  constructor(name: string) {
    super(`the bundle has no ${name}`)
  }
}

/** Builds the site deterministically. Rejects with the bundler's error, or MissingFileError. */
export async function buildSite(): Promise<BuiltSite> {
  const output = await bundled()
  const files = new Map<string, Uint8Array>()
  for (const file of output) {
    const content = file.type === 'chunk' ? file.code : file.source
    files.set(file.fileName, Buffer.from(content))
    if (file.fileName.endsWith('.css')) files.set(SITE_STYLE, Buffer.from(content))
  }
  files.set(SITE_ICON, await readFile(join(BROWSER, SITE_ICON)))
  for (const name of await readdir(IMAGES)) files.set(SITE_IMAGES + name, await readFile(join(IMAGES, name)))
  files.set(SITE_MANIFEST, Buffer.from(JSON.stringify(webManifest)))
  files.set(SITE_FAVICON, iconOf(await readFile(join(IMAGES, 'icon-192.png')), 192))
  files.set(SITE_SECURITY, Buffer.from(securityText))
  files.set(SITE_CATALOG, Buffer.from(JSON.stringify(apiCatalog, null, 1)))
  const skill = await readFile(join(ROOT, 'docs/skill.md'), 'utf8')
  files.set(SITE_SKILL, Buffer.from(skill.replaceAll(WRITTEN_ORIGIN, ORIGIN_MARK)))
  for (const page of pages) {
    const { markdown, html } = page
    const written = markdown ? await readFile(join(ROOT, markdown), 'utf8') : ''
    if (markdown)
      for (const name of [`${SITE_TEXTS}${page.path.split('/').at(-1)}`, objectOf(page)])
        files.set(`${name}.md`, Buffer.from(written))
    const text = markdown ? textHtml(written) : (html?.() ?? '')
    const own = filesOf(page, output)
    files.set(objectOf(page), Buffer.from(pageHtml(frameOf(page), own, text)))
  }
  files.set(SITE_TOKEN_SCRIPT, fileOf(await bundledAlone('token'), '.js').contents)
  for (const [name, bytes] of await embedFiles()) files.set(name, bytes)
  files.set(SITE_WHOLE_TEXT, Buffer.from(await wholeText()))
  return files
}

/** A script with all that it imports, and its style: the page that it is of loads nothing after it. Names are of the content. */
async function bundledAlone(script: string): Promise<readonly OutputFile[]> {
  const { outputFiles } = await bundleAlone({
    entryPoints: [join(BROWSER, `page/${script}.ts`)],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: ASSETS,
    entryNames: '[name]-[hash]',
    external: [`/${SITE_FONT}`],
    legalComments: 'none',
    logLevel: 'silent',
  })
  return outputFiles
}

function fileOf(files: readonly OutputFile[], ending: string): OutputFile {
  const found = files.find(({ path }) => path.endsWith(ending))
  if (!found) throw new MissingFileError(ending)
  return found
}

/** The pages that other sites show, and the two files that each of them loads. */
async function embedFiles(): Promise<BuiltSite> {
  const output = await bundledAlone('embed')
  const named = ['.js', '.css'].map((ending) => {
    const { path, contents } = fileOf(output, ending)
    return [`${ASSETS}/${basename(path)}`, contents] as const
  })
  const [script = '', style = ''] = named.map(([name]) => `/${name}`)
  const html = embeds.map(
    (kind) => [EMBED_PAGES + kind, Buffer.from(embedHtml(kind, { script, style }))] as const,
  )
  return new Map([...named, ...html])
}

/** All texts in one, for language models: the guide, the errors, and every page that is written in Markdown. */
async function wholeText(): Promise<string> {
  const written = pages.flatMap(({ markdown }) => (markdown ? [readFile(join(ROOT, markdown), 'utf8')] : []))
  return [llmsText(), errorsText(), ...(await Promise.all(written))].join('\n\n')
}

const frameOf = (page: SitePage) => ({
  path: page.path,
  heading: page.title,
  description: page.description,
  group: page.group,
  origin: ORIGIN_MARK,
  title: titleOf(page),
  sections: sectionsOf(page),
})

function titleOf({ path, title, group }: SitePage): string {
  if (path === '/') return 'z100: market data of creator tokens and post tokens'
  return group === 'docs' ? `${title} · z100 documentation` : `${title} · z100`
}

/** The pages that stand together with this one: the documentation, or the lists of tokens. */
function sectionsOf({ path: here, group }: SitePage): string {
  const docs = pages.flatMap(({ path, title, group }) => (group === 'docs' ? [[path, title] as const] : []))
  const isList = tokenLists.some(([path]) => path === here)
  if (group !== 'docs' && !isList) return ''
  const [label, links] = isList ? ['Lists of tokens', tokenLists] : ['Documentation', docs]
  return `<nav class="sections" aria-label="${label}">${linksHtml(links, here)}</nav>`
}

/**
 * What several pages load is two files, so that all the files of a page arrive together over few connections: what draws
 * charts, and the rest without the script of a page, which would run on all of them.
 */
const groups = [
  { name: 'chart', test: /\/(uplot|chart|chart-paint)\b/, priority: 2 },
  { name: 'pages', test: /^(?!.*\/document\.ts$)/, minShareCount: 2, priority: 1 },
]

type Output = readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]

async function bundled(): Promise<Output> {
  const scripts = [...new Set(pages.map(({ script }) => script))]
  const result = await build({
    root: BROWSER,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    base: '/',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        external: [`/${SITE_FONT}`],
        input: Object.fromEntries(scripts.map((script) => [script, join(BROWSER, `page/${script}.ts`)])),
        output: {
          entryFileNames: `${ASSETS}/[name]-[hash].js`,
          chunkFileNames: `${ASSETS}/[name]-[hash].js`,
          assetFileNames: `${ASSETS}/[name]-[hash][extname]`,
          codeSplitting: { includeDependenciesRecursively: false, groups },
        },
      },
    },
  })
  const [first] = [result].flat()
  if (!first || !('output' in first)) throw new MissingFileError('output')
  return first.output
}

function filesOf({ script }: SitePage, output: Output): PageFiles {
  const chunks = output.filter((file) => file.type === 'chunk')
  const entry = chunks.find(({ isEntry, name }) => isEntry && name === script)
  if (!entry) throw new MissingFileError(script)
  const imports = new Set<string>()
  const follow = (names: readonly string[]): void => {
    for (const name of names) {
      if (imports.has(name)) continue
      imports.add(name)
      follow(chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
    }
  }
  follow(entry.imports)
  return {
    script: `/${entry.fileName}`,
    imports: [...imports].map((name) => `/${name}`),
    style: `/${assetOf(output, '.css')}`,
  }
}

function assetOf(output: Output, ending: string): string {
  const found = output.find(({ fileName }) => fileName.endsWith(ending))
  if (!found) throw new MissingFileError(ending)
  return found.fileName
}

/** Replaces `folder` by the site, with renames; concurrent builds write the same. */
export async function writeSite(site: BuiltSite, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const fresh = await mkdtemp(`${folder}-new-`)
  for (const [name, bytes] of site) {
    const path = join(fresh, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
  const old = await mkdtemp(`${folder}-old-`)
  await rename(folder, old).catch(ignoring('ENOENT'))
  await rename(fresh, folder).catch(ignoring('ENOTEMPTY', 'EEXIST'))
  await Promise.all([fresh, old].map((path) => rm(path, { recursive: true, force: true })))
}

const ignoring =
  (...codes: readonly string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) throw error
  }

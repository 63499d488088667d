import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { OperatorFault } from '../../admin/base/terminal.ts'
import { ORIGIN_MARK, SITE_CONFIG_OBJECT, SITE_ROOT_OBJECT, siteFileOf } from '../../schemas/pages/site.ts'
import { type Bucket, openBucket } from '../../store/aws/bucket.ts'
import { SITE_BUCKET } from './aws-parts.ts'
import { siteKey } from './demo-keys.ts'
import type { Parts } from './parts.ts'

const ROOT = join(import.meta.dirname, '../..')
const BUILT = join(ROOT, 'dist/site')
/** Source files and folders of the pages. */
export const siteSources = [
  'site',
  'clients/typescript',
  'schemas',
  'market',
  'docs',
  'stream/README.md',
  'CHANGELOG.md',
]

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * Puts the pages into their bucket, after building them if their sources are newer, with the address that they are served at,
 * and publishes a key for them. Rejects with SiteBuild.
 */
export async function publishSite(origin: string, { stopping }: Parts): Promise<void> {
  const { signal } = stopping
  if (await isOutdated()) await build(signal)
  const bucket = openBucket(SITE_BUCKET)
  const put = (name: string, bytes: Uint8Array) => {
    const file = siteFileOf(name)
    const contentType = file?.contentType ?? contentTypes[extname(name)] ?? 'application/octet-stream'
    return bucket.put(name, bytes, { contentType, cacheControl: file?.cacheControl ?? 'no-cache' })
  }
  const names = (await filesBelow(BUILT)).map((path) => relative(BUILT, path))
  // Pages last, after their assets.
  for (const isPage of [false, true]) {
    const some = names.filter((name) => siteFileOf(name)?.prefixes.includes('') === isPage)
    await Promise.all(
      some.map(async (name) => {
        const bytes = await readFile(join(BUILT, name))
        const isMarked = bytes.includes(ORIGIN_MARK)
        return put(name, isMarked ? Buffer.from(bytes.toString().replaceAll(ORIGIN_MARK, origin)) : bytes)
      }),
    )
  }
  const key = await siteKey(await publishedKey(bucket))
  await put(SITE_CONFIG_OBJECT, Buffer.from(JSON.stringify({ key })))
  signal.throwIfAborted()
}

/** The key that an earlier run published; its text is stored nowhere else. */
async function publishedKey(bucket: Bucket): Promise<string | undefined> {
  const object = await bucket.read(SITE_CONFIG_OBJECT)
  return object && (JSON.parse(Buffer.from(object.bytes).toString()) as { readonly key: string }).key
}

async function isOutdated(): Promise<boolean> {
  const builtAt = await changedAt(join(BUILT, SITE_ROOT_OBJECT)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return 0
    throw error
  })
  const files = await Promise.all(siteSources.map((source) => filesBelow(join(ROOT, source))))
  const times = await Promise.all(files.flat().map(changedAt))
  return times.some((time) => time > builtAt)
}

const changedAt = async (path: string): Promise<number> => (await stat(path)).mtimeMs

async function filesBelow(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** In a separate process, so that the bundler's memory is released. */
async function build(signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['dev/local/run.mjs', 'site'], {
    cwd: ROOT,
    signal,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (text: Buffer) => {
    output += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new OperatorFault('SiteBuild', `npm run build:site failed: ${output.trim()}`)
}

/** `npm run build:site`: the pages, in dist/site/. */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildSite, writeSite } from './build-site.ts'

const site = await buildSite()
await writeSite(site, join(import.meta.dirname, '../../dist/site'))
for (const [name, bytes] of site) {
  const kilobytes = (size: number) => (size / 1024).toFixed(1).padStart(7)
  process.stdout.write(
    `${kilobytes(bytes.length)} KB ${kilobytes(gzipSync(bytes).length)} KB gzip  ${name}\n`,
  )
}

/** `npm run build`: bundles of all that is deployed, in dist/. */
import { join } from 'node:path'
import { writeBundles } from './bundles.ts'

const folder = join(import.meta.dirname, '../../dist')
for (const { target, files } of await writeBundles(folder)) {
  for (const [place, bytes] of files) {
    if (!place.startsWith('bundles/')) continue
    process.stdout.write(`${(bytes.length / 1024).toFixed(1).padStart(8)} KB  ${place}  (${target.entry})\n`)
  }
}

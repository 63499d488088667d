/** `npm run build`: bundles of everything that is deployed, in dist/, and its third-party packages (sbom.json). */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forbiddenIn, materialsOf, writeBundles } from './bundles.ts'

const folder = join(import.meta.dirname, '../../dist')
const bundles = await writeBundles(folder)
for (const { target, files } of bundles) {
  for (const [place, bytes] of files) {
    if (!place.startsWith('bundles/')) continue
    process.stdout.write(`${(bytes.length / 1024).toFixed(1).padStart(8)} KB  ${place}  (${target.entry})\n`)
  }
}
const materials = materialsOf(bundles)
const forbidden = forbiddenIn(materials)
if (forbidden.length > 0) throw new Error(`licences that nobody has allowed: ${forbidden.join('; ')}`)
await writeFile(join(folder, 'sbom.json'), JSON.stringify(materials, null, 1))
process.stdout.write(`${materials.components.length} packages in dist/sbom.json\n`)

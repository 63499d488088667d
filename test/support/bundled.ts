/** Every function and service, bundled once in a run of the tests, for all of its processes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bundle, writeBundles } from '../../lambdas/build/bundles.ts'
import { onceInRun, runDir } from './run-dir.ts'

/** The bundles, by name, and the folder in which they stand as they are deployed. */
export async function bundled(): Promise<{
  readonly folder: string
  readonly bundles: ReadonlyMap<string, Bundle>
}> {
  const folder = join(runDir(), 'bundled')
  const text = await onceInRun('bundled.json', async () => {
    const all = await writeBundles(folder)
    return JSON.stringify(all.map((each) => ({ ...each, files: [...each.files.keys()] })))
  })
  const made = JSON.parse(text) as (Omit<Bundle, 'files'> & { readonly files: readonly string[] })[]
  const bundles = made.map((each) => {
    const files = new Map(each.files.map((place) => [place, readFileSync(join(folder, place))]))
    return [each.target.name, { ...each, files }] as const
  })
  return { folder, bundles: new Map(bundles) }
}

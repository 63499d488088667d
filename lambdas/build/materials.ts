/** What others wrote of what is deployed: a bill of materials (CycloneDX), and licences that allow it. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Bundle } from './bundles.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Licences that ask for no more than their own text. */
const ALLOWED = ['MIT', 'Apache-2.0', '0BSD', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0']

/** A package as CycloneDX names it, as far as it is read here. */
export type Component = {
  readonly name: string
  readonly version: string
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[]
}
export type Materials = { readonly bomFormat: 'CycloneDX'; readonly components: readonly Component[] }

/** Packages of which bundles hold a file. */
export function packagesIn(bundles: Iterable<Bundle>): ReadonlySet<string> {
  const files = [...bundles].flatMap(({ metafile }) => Object.keys(metafile.inputs))
  return new Set(files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))
}

/** What npm says of the installed packages, cut to those of the bundles. */
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

/** Packages whose licence is none of those allowed, each with what it says. */
export function forbiddenIn({ components }: Materials): readonly string[] {
  return components.flatMap(({ name, version, licenses = [] }) => {
    const said = licenses.map(({ license, expression }) => expression ?? license?.id ?? 'no licence')
    const isAllowed = said.length > 0 && said.every((licence) => ALLOWED.includes(licence))
    return isAllowed ? [] : [`${name}@${version}: ${said.join(', ') || 'no licence'}`]
  })
}

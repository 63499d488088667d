import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Lock = {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly integrity?: string
        readonly resolved?: string
        readonly inBundle?: boolean
        readonly link?: boolean
      }
    >
  >
}

/** Binaries of other platforms, whose digests the lock's registry does not have. */
const UNKNOWN = /^node_modules\/@foundry-rs\/anvil-(darwin|win32|linux-arm64)/

it.each(['', 'bench/', 'test/tools/'])(
  'every package that %spackage-lock.json installs has a digest, and none names a registry',
  (folder) => {
    const text = readFileSync(new URL(`../${folder}package-lock.json`, import.meta.url), 'utf8')
    const packages = Object.entries((JSON.parse(text) as Lock).packages)
    const known = packages.filter(
      ([path, { inBundle, link }]) =>
        path.includes('node_modules/') && !inBundle && !link && !UNKNOWN.test(path),
    )
    expect(known.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
    expect(packages.filter(([, { link, resolved }]) => !link && resolved !== undefined)).toEqual([])
  },
)

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isAllowedLicence } from '../lambdas/build/bundles.ts'

type Lock = {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly integrity?: string
        readonly resolved?: string
        readonly inBundle?: boolean
        readonly link?: boolean
        readonly dev?: boolean
        readonly license?: string
      }
    >
  >
}

/** Programs for other platforms, whose digests the lock's registry does not have: `cdk/README.md` names the four. */
const unknown = ['darwin-amd64', 'darwin-arm64', 'linux-arm64', 'win32-amd64'].map(
  (platform) => `node_modules/@foundry-rs/anvil-${platform}`,
)

function packagesIn(folder: string) {
  const text = readFileSync(new URL(`../${folder}package-lock.json`, import.meta.url), 'utf8')
  return Object.entries((JSON.parse(text) as Lock).packages)
}

it.each(['', 'dev/bench/', 'test/tools/', 'test/mutation/'])(
  'every package that %spackage-lock.json installs has a digest, and none names a registry',
  (folder) => {
    const packages = packagesIn(folder)
    const undigested = packages.flatMap(([path, { inBundle, link, integrity }]) =>
      !path.startsWith('../') &&
      path.includes('node_modules/') &&
      !inBundle &&
      !link &&
      !integrity?.startsWith('sha512-')
        ? [path]
        : [],
    )
    expect(undigested.sort()).toEqual(folder === '' ? unknown : [])
    expect(packages.filter(([, { link, resolved }]) => !link && resolved !== undefined)).toEqual([])
  },
)

it('nothing but packages for development has a licence that deployed code may not have', () => {
  const others = packagesIn('').filter(([, { dev, link, license }]) => !dev && !link && license !== undefined)
  expect(others.length).toBeGreaterThan(100)
  expect(others.filter(([, { license = '' }]) => !isAllowedLicence(license))).toEqual([])
})

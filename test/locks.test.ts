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

/** Programs for other platforms, whose digests the lock's registry does not have: `cdk/README.md` names the four. */
const unknown = ['darwin-amd64', 'darwin-arm64', 'linux-arm64', 'win32-amd64'].map(
  (platform) => `node_modules/@foundry-rs/anvil-${platform}`,
)

it.each(['', 'bench/', 'test/tools/', 'test/mutation/'])(
  'every package that %spackage-lock.json installs has a digest, and none names a registry',
  (folder) => {
    const text = readFileSync(new URL(`../${folder}package-lock.json`, import.meta.url), 'utf8')
    const packages = Object.entries((JSON.parse(text) as Lock).packages)
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

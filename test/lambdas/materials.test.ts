import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { forbiddenIn } from '../../lambdas/build/bundles.ts'

type Entry = {
  readonly version: string
  readonly integrity?: string
  readonly inBundle?: boolean
  readonly os?: readonly string[]
}
const lock: Readonly<Record<string, Entry>> = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages

describe('package-lock.json', () => {
  it('states the digest of each package; not of programs for other machines, which no registry here has', () => {
    const without = Object.entries(lock).filter(
      ([path, { integrity, inBundle }]) => path !== '' && !integrity && !inBundle,
    )
    for (const [path, { os }] of without) {
      expect(path).toMatch(/^node_modules\/@(biomejs\/cli|foundry-rs\/anvil)-/)
      expect([path, os?.length]).toEqual([path, 1])
    }
    expect(without.length).toBeLessThanOrEqual(12)
  })
})

describe('what is deployed', () => {
  it('is refused with a licence that is not allowed, or with none', () => {
    const components = [
      { name: 'a', version: '1.0.0', licenses: [{ license: { id: 'MIT' } }] },
      { name: 'b', version: '1.0.0', licenses: [{ license: { id: 'AGPL-3.0-only' } }] },
      { name: 'c', version: '1.0.0', licenses: [] },
      { name: 'd', version: '1.0.0', licenses: [{ expression: 'MIT OR GPL-2.0' }] },
    ]
    expect(forbiddenIn({ bomFormat: 'CycloneDX', components })).toEqual([
      'b@1.0.0: AGPL-3.0-only',
      'c@1.0.0: no licence',
      'd@1.0.0: MIT OR GPL-2.0',
    ])
  })
})

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bearerKey,
  edgeKeyText,
  hourEnd,
  includesTier,
  isKey,
  isTier,
  keyDigest,
  keyKinds,
  keyPrefix,
  newKey,
  readerTiers,
  tierNames,
  tiers,
  usageFrom,
  usageHourOf,
} from '../../schemas/api/access.ts'

const kinds = fc.constantFrom(...keyKinds)
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('a key', () => {
  it('has its kind, is unique, and its checksum detects any wrong letter', () => {
    fc.assert(
      fc.property(kinds, fc.nat(32), fc.constantFrom(...LETTERS), (kind, at, letter) => {
        const key = newKey(kind)
        expect(key).toMatch(new RegExp(`^z100_${kind}_[0-9A-Za-z]{33}$`))
        expect(isKey(key)).toBe(true)
        expect(newKey(kind)).not.toBe(key)
        const place = 10 + at
        const mistyped = key.slice(0, place) + letter + key.slice(place + 1)
        expect(isKey(mistyped)).toBe(mistyped === key)
      }),
    )
  })

  it('has 160 random bits or more', () => {
    const letters = new Set(Array.from({ length: 400 }, () => newKey('live').slice(10, 37)).join(''))
    expect(letters.size).toBe(62)
    expect(27 * Math.log2(62)).toBeGreaterThan(160)
    const key = newKey('live')
    expect(keyPrefix(key)).toBe(key.slice(0, 14))
  })

  it.each(['', 'z100_live_', 'z100_prod_', `z100_live_${'a'.repeat(33)}`, `z100_live_${'_'.repeat(33)}`])(
    'is not %j',
    (text) => expect(isKey(text)).toBe(false),
  )

  it('is stored as the digest of its text', () => {
    const key = newKey('test')
    expect(keyDigest(key)).toBe(createHash('sha256').update(key).digest('base64url'))
    expect(keyDigest(key)).toMatch(/^[\w-]{43}$/)
  })

  it.each([
    ['Bearer abc', 'abc'],
    ['bearer   abc ', 'abc'],
    ['BEARER abc', 'abc'],
    ['Basic abc', null],
    ['abc', null],
    ['Bearer abc, Bearer def', null],
    ['Bearer abc def', null],
    ['Bearer', null],
    ['', null],
  ])('of the header %j is %j', (header, key) => expect(bearerKey(header)).toBe(key))
})

describe('the edge and the log', () => {
  it('is parsed behind any prefix of CloudWatch', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,64}$/), fc.nat(999_999_999), (account, hour) => {
        const line = JSON.stringify({ z100: 'usage', account, hour })
        expect(usageFrom(`Q8x_-= ${line}\n`)).toEqual({ account, hour })
        const marked = line.replace('}', ',"key":"aB-_5678"}')
        expect(usageFrom(`Q8x_-= ${marked}\n`)).toEqual({ account, hour, mark: 'aB-_5678' })
      }),
    )
  })

  it.each(['', 'START DistributionID: E1', '{"z100":"usage","account":"a|b","hour":1}', '{"z100":"x"}'])(
    'is nothing in %j',
    (line) => expect(usageFrom(line)).toBeNull(),
  )

  it('has a key’s account, tier, state and expiry', () => {
    const key = { account: 'a1', tier: 'basic', state: 'active' } as const
    expect(edgeKeyText(key)).toBe('a1|basic|active')
    expect(edgeKeyText({ ...key, endsAt: 17 })).toBe('a1|basic|active|17')
    expect(edgeKeyText({ ...key, tierEndsAt: 18 })).toBe('a1|basic|active||18')
    expect(edgeKeyText({ ...key, endsAt: 17, tierEndsAt: 18 })).toBe('a1|basic|active|17|18')
  })
})

describe('tiers', () => {
  it('are ordered, each includes the lower ones', () => {
    expect(tierNames).toEqual(['site', ...readerTiers])
    expect(readerTiers).toEqual(['basic', 'professional', 'enterprise'])
    expect(tierNames.map((tier) => tiers[tier].limitPerHour)).toEqual([600, 100, 2_000, 20_000])
    expect(includesTier('enterprise', 'professional')).toBe(true)
    expect(includesTier('basic', 'professional')).toBe(false)
    expect(isTier('basic') && !isTier('toString')).toBe(true)
  })

  it('have the limits that admin/README.md states', () => {
    const stated = readerTiers.map((tier) => `${tier} ${tiers[tier].limitPerHour.toLocaleString('en-US')}`)
    expect(readFileSync('admin/README.md', 'utf8')).toContain(`UTC hour: ${stated.join(', ')} (`)
  })

  it("allow a burst of a whole hour's limit where it is counted exactly", () => {
    for (const { isCached, flood, limitPerHour } of Object.values(tiers)) {
      if (!isCached) expect(flood.burst).toBeGreaterThanOrEqual(limitPerHour)
    }
  })

  it('count whole UTC hours', () => {
    expect([usageHourOf(3_599.9), usageHourOf(3_600), hourEnd(1)]).toEqual([0, 1, 7_200])
  })
})

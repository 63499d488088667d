import { describe, expect, it } from 'vitest'
import { lookupSort } from '../../store/aws/launch-key.ts'
import { lookupPartitions, marketKeys, minuteOfSort, minuteSpan } from '../../store/aws/tables.ts'

const token = `0x${'ab'.repeat(20)}` as const

describe('keys of the Market table', () => {
  it('sort as their numbers do', () => {
    const numbers = [1, 9, 10, 999, 1_000, 123_456_789]
    const sorts = numbers.map((n) => marketKeys.logEntry(n).sk)
    expect(sorts.toSorted()).toEqual(sorts)
    const chunks = [0, 9, 10, 99, 100, 999, 1_000].map((n) => marketKeys.swaps(token, 29_000_000, n).sk)
    expect(chunks.toSorted()).toEqual(chunks)
    const launches = [
      [9, 50],
      [10, 7],
      [10, 12],
      [31_058_549, 0],
    ].map(([blockNumber = 0, logIndex = 0]) =>
      lookupSort({ address: token, launchedAt: { blockNumber, logIndex } }),
    )
    expect(launches.toSorted()).toEqual(launches)
  })

  it('hold every chunk of a span of minutes and none beside it', () => {
    const { from, to } = minuteSpan('S', 29_000_000, 29_000_001)
    const isIn = (minute: number) => {
      const { sk } = marketKeys.swaps(token, minute, 12)
      return sk >= from && sk <= to
    }
    expect([28_999_999, 29_000_000, 29_000_001, 29_000_002].map(isIn)).toEqual([false, true, true, false])
    expect(minuteOfSort(marketKeys.swaps(token, 29_000_001, 3).sk)).toBe(29_000_001)
    expect(minuteOfSort(marketKeys.minute(token, 29_000_001).sk)).toBe(29_000_001)
  })

  it('put a thousand entries of the feed into a partition', () => {
    expect(marketKeys.feedEntry(999).pk).toBe('F#0')
    expect(marketKeys.feedEntry(1_000).pk).toBe('F#1')
  })

  it('find texts that fold alike in one place, long ones by their digest', () => {
    expect(lookupPartitions.symbol('Straße')).toBe(lookupPartitions.symbol('STRASSE'))
    expect(lookupPartitions.symbol('a')).not.toBe(lookupPartitions.name('a'))
    const [long, longer] = ['Ω'.repeat(128), 'Ω'.repeat(129)]
    expect(lookupPartitions.name(long)).toBe(`X#n#${'ω'.repeat(128)}`)
    expect(lookupPartitions.name(longer)).toMatch(/^X#n#sha256:[0-9a-f]{64}$/)
  })
})

import { expect, it } from 'vitest'
import { effectiveEntries, type LogEntry } from '../../market/log.ts'

const sealed = (n: number, minute: number): LogEntry => ({
  n,
  is: 'sealed',
  minute,
  firstBlock: minute,
  last: { number: minute, hash: `0x${n}`, timestamp: minute * 60 },
  segment: { minute, key: `${n}`, sha256: '' },
})
const rewound = (n: number, minute: number | null): LogEntry => ({
  n,
  is: 'rewound',
  minute,
  last: null,
  orphaned: [],
})
const numbers = (entries: LogEntry[]) => effectiveEntries(entries).map(({ n }) => n)

it('the effective minutes are those that no later entry rolled back', () => {
  expect(numbers([])).toEqual([])
  expect(numbers([sealed(1, 10), sealed(2, 11)])).toEqual([1, 2])
  expect(numbers([sealed(1, 10), sealed(2, 12), sealed(3, 15), rewound(4, 10), sealed(5, 11)])).toEqual([
    1, 5,
  ])
})

it('an entry can roll back everything to before the first minute', () => {
  expect(numbers([sealed(1, 10), sealed(2, 11), rewound(3, null), sealed(4, 9)])).toEqual([4])
})

it('an entry can roll back a minute that replaced a rolled back one', () => {
  const entries = [sealed(1, 10), sealed(2, 11), rewound(3, 10), sealed(4, 11), rewound(5, 10), sealed(6, 13)]
  expect(numbers(entries)).toEqual([1, 6])
})

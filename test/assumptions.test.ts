/** docs/assumptions.md, of which each row names a place in code. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { alarms } from '../cdk/watch/alarms.ts'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/assumptions.md'), 'utf8')
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| assumed'))
  .map((line) => line.slice(2, -2).split(' | '))

test('there are rows of every part of the world', () => {
  expect(rows.length).toBeGreaterThan(30)
  for (const part of ['The chain', 'The protocol', 'Endpoints', 'AWS', 'Browsers and Node'])
    expect(text).toContain(`## ${part}\n`)
})

test.each(rows)('%s: in code, noticed, and with a cost', (_assumed, place = '', notice = '', cost = '') => {
  const [, file = '', name = ''] = /^`([^`]+)` `([^`]+)`$/.exec(place) ?? []
  expect(readFileSync(join(root, file), 'utf8')).toMatch(new RegExp(`(?<![\\w-])${name}(?![\\w-])`))
  expect(Math.min(notice.length, cost.length)).toBeGreaterThan(3)
  for (const [, alarm = ''] of notice.matchAll(/alarm `(\w+)`/g)) expect(alarms).toHaveProperty(alarm)
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatUsd } from '../../market/display.ts'
import * as rules from '../../market/rules.ts'
import { periods, timeframes } from '../../market/window.ts'

const text = readFileSync('market/README.md', 'utf8').replace(/\s+/g, ' ')

/** A rule as it is written in prose. */
function written(name: string, value: number | bigint): string {
  if (name.endsWith('_MICRO_USD')) return formatUsd(BigInt(value))
  return name.endsWith('_PERCENT') ? `${value} %` : String(value)
}

it('states every rule at its value, and no rule that does not exist', () => {
  const stated = [...text.matchAll(/\*\*([^*]+)\*\* \(`([A-Z0-9_]+)`\)/g)].map(([, value, name]) => [
    name,
    value,
  ])
  const actual = Object.entries(rules).map(([name, value]) => [name, written(name, value)])
  expect(stated.sort()).toEqual(actual.sort())
})

it('names the periods and timeframes that windows have', () => {
  expect(text).toContain(`the periods ${periods.join(', ')};`)
  expect(text).toContain(`trending lists know ${timeframes.join(', ')}.`)
})

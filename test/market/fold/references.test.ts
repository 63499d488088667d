import { describe, expect, it } from 'vitest'
import { closeReferences, fixedRate, unrated } from '../../../market/fold/references.ts'
import type { References } from '../../../market/segment.ts'
import { USD, ZORA } from '../../support/market/facts.ts'

/** Held rates after each close, in whole dollars. */
function heldAfter(start: References, closes: readonly (bigint | undefined)[]): bigint[] {
  let references = start
  return closes.map((close) => {
    references = closeReferences(references, close === undefined ? new Map() : new Map([[ZORA, close * USD]]))
    return (references.get(ZORA)?.heldUsdE36 ?? 0n) / USD
  })
}

const rated = (usd: bigint): References => new Map([[ZORA, fixedRate(usd * USD, 18)]])

describe('closeReferences', () => {
  it('takes the first price as it comes', () => {
    expect(heldAfter(new Map([[ZORA, unrated(18)]]), [undefined, 7n])).toEqual([0n, 7n])
  })
  it('follows moves of up to 20 %', () => {
    expect(heldAfter(rated(100n), [120n, 96n])).toEqual([120n, 96n])
  })
  it('holds a larger move until the third close in a row outside, in either direction', () => {
    expect(heldAfter(rated(100n), [121n, 300n, 40n, 41n])).toEqual([100n, 100n, 40n, 41n])
  })
  it('a close back inside starts the count again', () => {
    expect(heldAfter(rated(100n), [200n, 200n, 110n, 200n, 200n, 200n])).toEqual([
      100n,
      100n,
      110n,
      110n,
      110n,
      200n,
    ])
  })
  it('a minute without a trade closes at the last observed price', () => {
    expect(heldAfter(rated(100n), [200n, undefined, undefined])).toEqual([100n, 100n, 200n])
  })
})

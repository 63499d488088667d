import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyState } from '../../market/segment.ts'
import {
  candleBytes,
  feedEntryBytes,
  rangesBytes,
  stateBytes,
  swapsBytes,
  tokenText,
} from '../../store/bytes/codec.ts'
import {
  type SegmentStates,
  segmentBytes,
  segmentFrom,
  segmentStatesFrom,
} from '../../store/bytes/segment-bytes.ts'
import * as arbitrary from './segments.ts'

/** The same value with the keys of every object turned round, and maps filled the other way. */
function shuffled<T>(value: T): T {
  if (value instanceof Map) return new Map([...value].reverse().map(([k, v]) => [k, shuffled(v)])) as T
  if (Array.isArray(value)) return value.map(shuffled) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([k, v]) => [k, shuffled(v)]),
  ) as T
}

describe('the bytes of a segment', () => {
  it('give back any segment, hostile names included', () => {
    fc.assert(
      fc.property(arbitrary.segment, (segment) => {
        expect(segmentFrom(segmentBytes(segment))).toEqual(segment)
      }),
    )
  })

  it('give back what was active alone', () => {
    fc.assert(
      fc.property(arbitrary.segment, (segment) => {
        const { minute, tokens, owners, totals, references, rows } = segment
        const told = (some: SegmentStates['rows']) =>
          some.map(({ token, description, before, after }) => ({ token, description, before, after }))
        const active = segmentStatesFrom(segmentBytes(segment))
        expect({ ...active, rows: told(active.rows) }).toEqual({
          minute,
          tokens,
          owners,
          totals,
          references,
          rows: told(rows),
        })
      }),
    )
  })

  it('are the same for equal segments, whatever the order of keys', () => {
    fc.assert(
      fc.property(arbitrary.segment, (segment) => {
        const bytes = segmentBytes(segment)
        expect(Buffer.compare(segmentBytes(shuffled(segment)), bytes)).toBe(0)
        expect(Buffer.compare(segmentBytes(segmentFrom(bytes)), bytes)).toBe(0)
      }),
    )
  })
})

describe('the bytes of items', () => {
  it('give back states, ranges and candles', () => {
    fc.assert(
      fc.property(arbitrary.state, arbitrary.ranges, arbitrary.candle, (state, ranges, candle) => {
        expect(stateBytes.read(stateBytes.write(state))).toEqual(state)
        expect(rangesBytes.read(rangesBytes.write(ranges))).toEqual(ranges)
        expect(candleBytes.read(candleBytes.write(candle))).toEqual(candle)
      }),
    )
  })

  it('give back swaps, tokens and feed entries', () => {
    fc.assert(
      fc.property(
        fc.array(arbitrary.swap, { maxLength: 4 }),
        arbitrary.anyToken,
        arbitrary.feedEntry,
        (swaps, token, entry) => {
          expect(swapsBytes.read(swapsBytes.write(swaps))).toEqual(swaps)
          expect(tokenText.read(tokenText.write(token))).toEqual(token)
          expect(feedEntryBytes.read(feedEntryBytes.write(entry))).toEqual(entry)
        },
      ),
    )
  })

  it('are one byte a number that is 0', () => {
    expect(stateBytes.write(emptyState)).toHaveLength(Object.keys(emptyState).length)
  })

  it('of another number of fields are refused', () => {
    expect(() => stateBytes.read(stateBytes.write(emptyState).subarray(1))).toThrow('values where')
  })
})

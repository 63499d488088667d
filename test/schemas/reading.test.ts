import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidParameterError } from '../../schemas/api/errors.ts'
import { operationEntries, operations } from '../../schemas/api/operations.ts'
import { readQuery } from '../../schemas/api/request-query.ts'
import { streamParameters } from '../../schemas/api/stream.ts'
import { readNumber } from '../../schemas/values/number-syntax.ts'
import { cursorOf, isBefore, readBefore } from '../../schemas/values/swap-cursor.ts'
import { readTime } from '../../schemas/values/time-syntax.ts'
import { isBrokenId, readAddress, readSymbols, readTokenId } from '../../schemas/values/token-id.ts'

const noon = Date.UTC(2026, 0, 31, 12)
const ADDRESS = '0xabcdef0123456789abcdef0123456789abcdef01'
const POOL = `0x${'1a'.repeat(32)}`

/** Every way to write a time, and its milliseconds; null: it is refused. */
const times: readonly (readonly [string, number | null])[] = [
  ['2026-01-31', Date.UTC(2026, 0, 31)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2026-01-31T12:00:00Z', noon],
  ['2026-01-31T12:00:00', noon],
  ['2026-01-31T12:00', noon],
  ['2026-01-31t12:00:00z', noon],
  ['2026-01-31 12:00:00', noon],
  // Python, Go and Java.
  ['2026-01-31T12:00:00+00:00', noon],
  ['2026-01-31 12:00:00.123456+00:00', noon + 123],
  ['2026-01-31T14:00:00.123456+0200', noon + 123],
  ['2026-01-31T12:00:00.123456789Z', noon + 123],
  ['2026-01-31 12:00:00.5 +0000 UTC', noon + 500],
  ['2026-01-31T13:00+01:00[Europe/Paris]', noon],
  ['2026-01-31T12:00:00,25Z', noon + 250],
  ['2026-01-31T14:00:00+02', noon],
  ['2026-01-31T07:00:00-05:00', noon],
  ['2026-01-31T12:00:00-00:00', noon],
  // A plus sign that was not encoded.
  ['2026-01-31T14:00:00 02:00', noon],
  ['1769860800', noon],
  ['1769860800.25', noon + 250],
  ['1769860800000', noon],
  // Python's time_ns, and microseconds.
  ['1769860800250000000', noon + 250],
  ['1769860800250000', noon + 250],
  ['2026-02-31', null],
  ['2025-02-29', null],
  ['2026-01-31T24:00:00Z', null],
  ['2026-01-31T12:60:00Z', null],
  ['2026-01-31T12:00:60Z', null],
  ['2026-01-31T12:00:00+24:00', null],
  ['2026-01-31T12:00:00+2:00', null],
  ['31/01/2026', null],
  ['01-31-2026', null],
  ['2026-1-31', null],
  ['20260131', null],
  ['176986080', null],
  ['17698608000', null],
  ['now', null],
  ['', null],
]

/** Every way to write a token's id, and what it names; null: no id. */
const ids: readonly (readonly [string, string | null])[] = [
  [ADDRESS, ADDRESS],
  [ADDRESS.toUpperCase(), ADDRESS],
  [` ${ADDRESS} `, ADDRESS],
  [ADDRESS.slice(2), ADDRESS],
  [`base_${ADDRESS}`, ADDRESS],
  [`BASE_${ADDRESS}`, ADDRESS],
  [`base:${ADDRESS}`, ADDRESS],
  [`${ADDRESS}:8453`, ADDRESS],
  [`8453:${ADDRESS}`, ADDRESS],
  [`eip155:8453:${ADDRESS}`, ADDRESS],
  [`eip155:8453/erc20:${ADDRESS}`, ADDRESS],
  [POOL, POOL],
  [POOL.toUpperCase(), POOL],
  [`base_${POOL}`, POOL],
  [ADDRESS.slice(0, -1), null],
  [`${ADDRESS}0`, null],
  [`${ADDRESS.slice(0, -1)}g`, null],
  [`eth_${ADDRESS}`, null],
  [`${ADDRESS}:1`, null],
  [`eip155:1/erc20:${ADDRESS}`, null],
  [`zora:${ADDRESS}`, null],
  [`base ${ADDRESS}`, null],
  [`https://basescan.org/token/${ADDRESS}`, null],
  ['$ANN', null],
  ['', null],
]

/** What looks like an id and is none, and what does not. */
const broken: readonly (readonly [string, boolean])[] = [
  ...ids.flatMap(([text, named]) =>
    named === null && text !== '' && text !== '$ANN' ? [[text, true] as const] : [],
  ),
  ['0x1234', true],
  ['base_0x12', true],
  [`${POOL}ff`, true],
  [ADDRESS, false],
  ['0xBTC', false],
  ['0x', false],
  ['deadbeef', false],
  ['Ann', false],
]

const symbols: readonly (readonly [string, readonly string[]])[] = [
  ['ANN', ['ann']],
  ['$ANN', ['$ann', 'ann']],
  ['@ann', ['@ann', 'ann']],
  ['#Ann', ['#ann', 'ann']],
  [' ann ', ['ann']],
  ['ＡＮＮ', ['ann']],
  ['$', ['$']],
]

describe('a syntax and the value read', () => {
  it.each(times)('the time %j', (text, ms) => {
    expect(readTime(text)?.ms ?? null).toBe(ms)
  })

  it('a date without a time is a day, any other text a moment', () => {
    expect(readTime('2026-01-31')?.isDay).toBe(true)
    expect(times.filter(([text]) => text.length !== 10 && readTime(text)?.isDay)).toEqual([])
  })

  it.each(ids)('the id %j', (text, named) => {
    const id = readTokenId(text)
    expect(id?.address ?? id?.pool ?? null).toBe(named)
    expect(readAddress(text)).toBe(named === ADDRESS ? ADDRESS : null)
  })

  it.each(broken)('%j: whether it is a broken id', (text, isBroken) => {
    expect(isBrokenId(text)).toBe(isBroken)
  })

  it.each(symbols)('the symbol %j', (text, read) => {
    expect(readSymbols(text)).toEqual(read)
  })

  it('a time of any offset and precision equals the platform’s own reading', () => {
    const moment = fc.date({
      min: new Date('1970-01-01T00:00Z'),
      max: new Date('2100-01-01T00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(moment, fc.integer({ min: -1_439, max: 1_439 }), (date, shift) => {
        const local = new Date(date.getTime() + shift * 60_000).toISOString().slice(0, -1)
        const two = (value: number) => String(Math.trunc(value)).padStart(2, '0')
        const offset = `${shift < 0 ? '-' : '+'}${two(Math.abs(shift) / 60)}:${two(Math.abs(shift) % 60)}`
        expect(readTime(local + offset)?.ms).toBe(date.getTime())
      }),
    )
  })
})

/** Every way to write a number, and its plain digits; null: it is none. */
const numbers: readonly (readonly [string, string | null])[] = [
  ['5', '5'],
  ['005', '5'],
  ['+5', '5'],
  // A plus sign that was not encoded.
  [' 5', '5'],
  ['5.0', '5'],
  ['5.', '5'],
  ['.50', '0.5'],
  ['1e2', '100'],
  ['1E+2', '100'],
  ['1e 2', '100'],
  ['1.25e1', '12.5'],
  ['125e-1', '12.5'],
  ['1e-07', '0.0000001'],
  ['0e999', '0'],
  ['1e14', '1'.padEnd(15, '0')],
  ['1e15', null],
  ['1e-19', null],
  ['-5', null],
  ['0x5', null],
  ['1_000', null],
  ['1,000', null],
  ['½', null],
  ['٥', null],
  ['', null],
]

describe('a number', () => {
  it.each(numbers)('%j', (text, spelling) => {
    expect(readNumber(text)).toBe(spelling)
  })

  it('as this platform prints it is read as it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e14, noNaN: true }), (value) => {
        const text = value < 1e-3 ? String(Number(value.toFixed(18))) : String(value)
        const read = readNumber(text)
        // Beyond 18 decimals none is guessed.
        if (read === null) expect(text).toMatch(/e-|\.\d{19}/)
        else expect(Number(read)).toBe(Number(text))
      }),
    )
  })

  it('has one spelling wherever it stands, and is the default where it equals it', () => {
    for (const [name, { documentParameters, rest }] of operationEntries)
      for (const { names, syntax, fallback } of rest) {
        if (syntax === undefined || syntax.schema.type === 'string' || fallback === null) continue
        const [sign, digits] = fallback.startsWith('-') ? ['-', fallback.slice(1)] : ['', fallback]
        for (const text of [
          `${fallback}.0`,
          `${sign || '+'}${digits}`,
          `${fallback}e0`,
          `${sign}0${digits}`,
        ]) {
          const needed = { field: ['symbol'], value: ['ann'], q: ['ann'], [names[0]]: [text] }
          const asked = readQuery([...(documentParameters ?? []), ...rest], needed)
          expect([name, text, asked.query[names[0]]]).toEqual([name, text, fallback])
          expect(asked.changed).not.toHaveProperty(names[0])
        }
      }
  })
})

describe('a cursor', () => {
  const at = (blockNumber: number, logIndex: number, timestamp = blockNumber) => ({
    blockNumber,
    logIndex,
    timestamp,
  })

  it('names the place before which a list goes on', () => {
    const before = readBefore(cursorOf(at(7, 3)))!
    expect(isBefore(at(7, 2), before)).toBe(true)
    expect(isBefore(at(7, 3), before)).toBe(false)
    expect(isBefore(at(6, 9), before)).toBe(true)
    expect(isBefore(at(8, 0), before)).toBe(false)
    // Five blocks share a second.
    expect(isBefore(at(6, 9, 7), before)).toBe(true)
    expect(isBefore(at(8, 0, 7), before)).toBe(false)
  })

  it('may be a time instead, exclusive', () => {
    const before = readBefore('2026-01-31T12:00:00Z')!
    expect(isBefore(at(1, 0, noon / 1_000 - 1), before)).toBe(true)
    expect(isBefore(at(1, 0, noon / 1_000), before)).toBe(false)
    expect(readBefore('1.2')).toBeNull()
  })
})

describe('every parameter with a syntax', () => {
  const read = (parameters: Parameters<typeof readQuery>[0], name: string, value: string) => () =>
    readQuery(parameters, { [name]: [value], ...(name === 'value' ? { field: ['symbol'] } : {}) })
  const { historical, tokenSwaps, recentSwaps, snapshots } = operations

  it.each([
    ['from', historical.rest],
    ['to', historical.rest],
    ['to', snapshots.rest],
    ['before', tokenSwaps.rest],
    ['before', recentSwaps.rest],
  ] as const)(
    '%s takes every time of the table, and refuses the others with what is allowed',
    (name, rest) => {
      for (const [text, ms] of times) {
        if (ms === null && text !== '') expect(read(rest, name, text)).toThrow(InvalidParameterError)
        else expect(read(rest, name, text)).not.toThrow()
      }
    },
  )

  it.each([
    ['recent swaps', recentSwaps.rest],
    ['the stream', streamParameters],
  ] as const)('the token of %s takes every id and symbol, and refuses broken ids', (_, rest) => {
    for (const [text] of [...ids, ...symbols]) {
      if (text === '' || text === '$' || isBrokenId(text)) continue
      expect(read(rest, 'token', text), text).not.toThrow()
    }
    for (const [text, isBroken] of broken)
      if (isBroken) expect(read(rest, 'token', text), text).toThrow(InvalidParameterError)
  })

  it('a search accepts the beginning of an address, and refuses longer texts', () => {
    expect(read(operations.search.rest, 'q', '0x12ab')).not.toThrow()
    expect(read(operations.search.rest, 'q', `${ADDRESS}0`)).toThrow(InvalidParameterError)
  })
})

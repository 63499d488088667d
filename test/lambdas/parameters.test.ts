import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidParameterError } from '../../schemas/errors.ts'
import { openapiDocument } from '../../schemas/openapi.ts'
import { type Operation, type OperationName, operationEntries } from '../../schemas/operations.ts'
import type { Parameter } from '../../schemas/parameters.ts'
import { readQuery } from '../../schemas/request-form.ts'
import { type DescribedParameter, readDescribed } from '../support/described.ts'
import { rounds } from '../support/rounds.ts'

// What the description says of a parameter, and what the API does with it: never two answers.

/** Texts for each parameter of each operation. */
const ROUNDS = rounds('PARAMETER_ROUNDS', 50, 20_000)

const ajv = new Ajv2020()
const { operations } = readDescribed(JSON.parse(JSON.stringify(openapiDocument())))

/** Values that keep an operation's required parameters content while another one is tried. */
const needed: Readonly<Record<string, string>> = { field: 'symbol', value: 'ann', q: 'ann' }

const table: ReadonlyMap<OperationName, Operation> = new Map(operationEntries)

const parametersOf = ({ documentParameters, rest }: Operation): readonly Parameter[] => [
  ...(documentParameters ?? []),
  ...rest,
]

/** Whether the API takes a text under one of the names of an operation's parameters; null: nothing is sent. */
function isTaken(name: OperationName, under: string, text: string | null): boolean {
  const operation = table.get(name)!
  const others = parametersOf(operation).filter(
    ({ names, isRequired }) => isRequired && !names.includes(under),
  )
  const sent = others.map(({ names: [first] }) => [first, [needed[first]!]] as const)
  const own = text === null ? [] : [[under, [text]] as const]
  try {
    readQuery(parametersOf(operation), Object.fromEntries([...sent, ...own]))
    return true
  } catch (error) {
    if (error instanceof InvalidParameterError) return false
    throw error
  }
}

/** The value that a text stands for, as OpenAPI writes values into an address; any other text stands for itself. */
function meantBy({ schema }: DescribedParameter, { normal }: { readonly normal?: (text: string) => string }) {
  const numbers = schema['type'] === 'integer' ? /^-?\d+$/ : /^-?\d+(\.\d{1,18})?$/
  return (text: string): unknown => {
    const word = text.toLowerCase()
    if (schema['enum']) return word
    if (schema['type'] === 'boolean') return flags.get(word) ?? text
    if (schema['type'] === 'string') return (normal ?? ((same) => same))(text)
    return numbers.test(text) && !Object.is(Number(text), -0) ? Number(text) : text
  }
}
const flags: ReadonlyMap<string, boolean> = new Map([
  ...[['true', true] as const, ['1', true] as const],
  ...[['false', false] as const, ['0', false] as const],
])

/** Characters that are more, fewer or none once they are compared. */
const odd = fc.constantFrom(
  'ﬁ',
  'Ａ',
  '１',
  '\uFDFA',
  'e\u0301',
  'ß',
  '\u200B',
  ' ',
  '\u00A0',
  '¨',
  '𝔸',
  '@',
  '$',
  'a',
)
const oddText = fc.array(odd, { maxLength: 105 }).map((all) => all.join(''))
const digits = (max: number) => fc.stringMatching(new RegExp(`^\\d{1,${max}}$`))
const two = (max: number) => fc.nat(max).map((each) => String(each).padStart(2, '0'))
const days = fc
  .tuple(fc.constantFrom('2023', '2024', '1900', '2000', '0000', '9999', '12026'), two(13), two(32))
  .map((parts) => parts.join('-'))
const times = fc.tuple(two(25), two(61), two(61)).map((parts) => parts.join(':'))
const moments = fc.oneof(
  days,
  fc
    .tuple(days, fc.constantFrom('T', ' ', 't'), times, fc.constantFrom('', 'Z', '.5Z', '.1234', '+01:00'))
    .map((all) => all.join('')),
)

/** Texts at the bounds of what a schema allows, and its words. Empty is absent, whatever the schema. */
function knownTexts({ schema }: DescribedParameter): readonly string[] {
  const words = (schema['enum'] as string[] | undefined) ?? ['true', 'false', '1', '0', 'TRUE', '01']
  const spelt = words.flatMap((word) => [word, word.toUpperCase(), `${word} `, word.slice(1)])
  const bounds = [schema['minimum'], schema['maximum']].flatMap((bound) =>
    typeof bound === 'number' ? [bound - 1, bound, bound + 1, bound + 0.5].map(String) : [],
  )
  const lengths = [schema['minLength'], schema['maxLength']].flatMap((bound) =>
    typeof bound === 'number' ? [bound - 1, bound, bound + 1].map((each) => 'x'.repeat(each)) : [],
  )
  return [...spelt, ...bounds, ...lengths, ...malformed].filter((text) => text !== '')
}

const malformed = ['-0', '+1', '1e2', '0x1', '.5', '5.', 'NaN', 'Infinity', 'null', '२', '1_000']

const anyTexts = fc
  .oneof(
    { weight: 2, arbitrary: oddText },
    { weight: 2, arbitrary: moments },
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.integer({ min: -2, max: 110 }).map(String),
    fc.maxSafeInteger().map(String),
    digits(18),
    fc.tuple(digits(16), digits(19)).map((parts) => parts.join('.')),
    fc.double().map(String),
  )
  .filter((text) => text !== '')

const cases = operations.flatMap(({ name, parameters }) =>
  parameters.filter((each) => each.in === 'query').map((each) => ({ name: name as OperationName, each })),
)

describe('a parameter as it is described', () => {
  it('is each one that an operation has, under each of its names', () => {
    const described = cases.map(({ name, each }) => `${name} ${each.name}`)
    const known = [...table].flatMap(([name, operation]) =>
      parametersOf(operation).flatMap(({ names }) => names.map((each) => `${name} ${each}`)),
    )
    expect(described.sort()).toEqual(known.sort())
  })

  it.each(cases)('is taken and refused as the API does: $name $each.name', ({ name, each }) => {
    const parameter = parametersOf(table.get(name)!).find(({ names }) => names.includes(each.name))!
    const read = meantBy(each, parameter.form ?? {})
    const isAllowed = ajv.compile(each.schema)
    const agrees = (text: string) => isAllowed(read(text)) === isTaken(name, each.name, text)
    expect(knownTexts(each).filter((text) => !agrees(text))).toEqual([])
    fc.assert(fc.property(anyTexts, agrees), { numRuns: ROUNDS })
    expect([isTaken(name, each.name, null), isTaken(name, each.name, '')]).toEqual([
      !each.required,
      !each.required,
    ])
  })
})

describe('a text that is looked for', () => {
  const ligature = 'ﬁ' // fi
  const phrase = '\uFDFA' // eighteen characters
  const taken = [
    ...[ligature, 'ＡＢ', '㎏', phrase, phrase.repeat(5), 'ab', 'x'.repeat(100), ` ${'x'.repeat(100)} `],
    ...[`$${'ﬁ'.repeat(50)}`, 'e\u0301'.repeat(100), '\u200B'.repeat(200) + ligature],
  ]
  const refused = [
    ...['a', 'Ａ', '１', 'e\u0301', '\uFF04a', '@a', ' a ', 'a\u200B', '\u3000a', '\u200B\u200B', '$'],
    ...[phrase.repeat(6), 'ﬁ'.repeat(51), 'x'.repeat(101), `#${'x'.repeat(101)}`],
  ]

  it.each(taken)('is long enough and not too long as it is compared: %j', (text) => {
    expect(isTaken('search', 'q', text)).toBe(true)
  })
  it.each(refused)('is too short or too long as it is compared: %j', (text) => {
    expect(isTaken('search', 'q', text)).toBe(false)
  })
})

import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BoardRow, TrendingRow } from '../../market/row.ts'
import type { Address, Token } from '../../market/segment.ts'
import {
  type FieldTable,
  type JsonSchema,
  type RowForm,
  rowSchema,
  rowWriter,
  sortKeys,
  wireKeys,
} from '../../schemas/field.ts'
import { type Operation, operations } from '../../schemas/operations.ts'
import { boardFields, trendingFields } from '../../schemas/token-row.ts'
import { hashOf, tokenAt } from '../support/market-history.ts'

const ajv = new Ajv2020({ allowUnionTypes: true })

const usd = fc.bigInt({ min: 0n, max: 10n ** 20n })
const counts = fc.nat(4_000_000_000)
const price = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 42n }), fc.bigInt({ min: 1n, max: 10n ** 18n }))
const percent = fc.option(fc.bigInt({ min: -10_000n, max: 10n ** 24n }))
const address = fc
  .bigInt({ min: 0n, max: 2n ** 160n - 1n })
  .map((n): Address => `0x${n.toString(16).padStart(40, '0')}`)
const words = fc.string({ unit: 'grapheme', maxLength: 40 })
const token: fc.Arbitrary<Token> = fc
  .record({ address, creator: address, name: words, symbol: words, kind: fc.constantFrom('creator', 'post') })
  .map(({ kind, ...rest }) => ({
    ...tokenAt(1, 29_000_000),
    ...rest,
    kind: kind as Token['kind'],
    poolId: hashOf(7),
  }))
const change = fc.record({
  percentE2: percent,
  value: fc.option(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })),
  isUp: fc.option(fc.boolean()),
})

const figures = {
  rank: fc.integer({ min: 1, max: 100 }),
  position: fc.integer({ min: 1, max: 100 }),
  token,
  creatorToken: fc.option(token),
  nameFlags: fc.record({ isMixedScript: fc.boolean(), lookalikeOf: fc.option(address) }),
  effectiveMarketCap: fc.option(usd),
  liquidity: fc.option(usd),
  holders: counts,
  volume24h: usd,
  totalVolume: usd,
  trades24h: counts,
  change24hE2: percent,
  change7dE2: percent,
  volume: usd,
  trades: counts,
}

const boardRow: fc.Arbitrary<BoardRow> = fc.record({
  ...figures,
  priceUsdE36: price,
  marketCap: usd,
  supply: fc.bigInt({ min: 0n, max: 10n ** 30n }),
  circulatingSupply: fc.bigInt({ min: 0n, max: 10n ** 30n }),
  circulatingMarketCap: usd,
  portfolio: fc.option(
    fc.record({
      tokenMarketCap: usd,
      tokenCounted: usd,
      postsMarketCap: usd,
      postsCounted: usd,
      postsCount: counts,
    }),
  ),
  portfolioValue: usd,
  engagement: counts,
  scoreE6: usd,
  isNew: fc.boolean(),
  previousRank: fc.option(fc.integer({ min: 1, max: 100 })),
  periodStart: fc.integer({ min: 0, max: 2_000_000_000 }),
  baseline: fc.record({
    is: fc.constantFrom('launch' as const, 'period' as const),
    priceUsdE36: fc.option(price),
    marketCap: fc.option(usd),
    holders: counts,
    volume24h: usd,
  }),
  changes: fc.record({ price: change, marketCap: change, volume: change, holders: change }),
})

const trendingRow: fc.Arbitrary<TrendingRow> = fc.record({
  ...figures,
  rankVolume: usd,
  priceUsdE36: fc.option(price),
  marketCap: fc.option(usd),
  changeE2: percent,
})

function agrees<Row>(table: FieldTable<Row>, rows: fc.Arbitrary<Row>, form: RowForm): void {
  const isValid = ajv.compile(rowSchema(table, form))
  const write = rowWriter(table, form)
  const keys = wireKeys(table, form).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  fc.assert(
    fc.property(rows, (row) => {
      const text = write(row)
      const body = JSON.parse(text)
      expect(isValid(body) || isValid.errors).toBe(true)
      expect(Object.keys(body)).toEqual(keys)
      expect(text).not.toMatch(/:-?\d+(\.\d+)?e/i)
    }),
  )
}

describe('the table of fields', () => {
  it.each<RowForm>([{}, { without: 'change' }, { display: 'creator' }, { display: 'post' }])(
    'writes board rows that its schema accepts, every key in order: %o',
    (form) => agrees(boardFields, boardRow, form),
  )

  it('writes trending rows that its schema accepts', () => agrees(trendingFields, trendingRow, {}))

  it('gives a key one type in the whole API; change_24h is the one exception', () => {
    const typeOf = ({ type }: JsonSchema) =>
      Array.isArray(type) ? type.find((each) => each !== 'null') : type
    const types = new Map<string, Set<unknown>>()
    const note = (properties: Readonly<Record<string, JsonSchema>>): void => {
      for (const [key, schema] of Object.entries(properties)) {
        types.set(key, (types.get(key) ?? new Set()).add(typeOf(schema)))
        const inner = (schema['properties'] ?? (schema['items'] as JsonSchema | undefined)?.['properties']) as
          | Record<string, JsonSchema>
          | undefined
        if (inner) note(inner)
      }
    }
    for (const { body } of Object.values<Operation>(operations)) note({ body })
    types.delete('body')
    expect([...types].filter(([, of]) => of.size > 1).map(([key]) => key)).toEqual(['change_24h'])
  })

  it('leaves out exactly the change and historical keys', () => {
    const short = new Set(wireKeys(boardFields, { without: 'change' }).map(({ key }) => key))
    const dropped = wireKeys(boardFields).flatMap(({ key }) => (short.has(key) ? [] : [key]))
    expect(dropped).toEqual(changeKeys.split(/\s+/))
  })

  it('turns exactly the keys of the live example into display text', () => {
    const typesOf = (form: RowForm) =>
      wireKeys(boardFields, form).map(({ key, schema }) => [key, schema.type])
    const turned = (display: 'creator' | 'post') =>
      typesOf({ display })
        .filter(([, type], at) => type !== typesOf({})[at]![1])
        .map(([key]) => key)
    expect(turned('creator')).toEqual(['volume_24h', 'total_volume'])
    expect(turned('post')).toEqual(['market_cap', 'volume_24h', 'total_volume'])
  })

  it('sorts by the column of the period', () => {
    expect(sortKeys(boardFields)).toMatchObject({ volume: 'volume_period', holders: 'unique_holders' })
  })

  it('prints prices with 12 digits, dollars with 2 decimals, addresses in EIP-55 form', () => {
    const [sample] = fc.sample(boardRow, { numRuns: 1, seed: 1 })
    const row: BoardRow = {
      ...sample!,
      token: {
        ...sample!.token,
        kind: 'post',
        address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
        creator: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
      },
      creatorToken: null,
      priceUsdE36: 123_456_789_012_500_000_000_000n,
      marketCap: 1_250_005_000n,
      portfolio: null,
      circulatingSupply: 999_999_999_123_456_999_999_999_999n,
      change24hE2: -213n,
    }
    expect(JSON.parse(rowWriter(boardFields)(row))).toMatchObject({
      contract_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      handle: '0xfB69…d359',
      creator_name: null,
      market_cap: 1250.01,
      market_cap_formatted: '$1.3K',
      circulating_supply: 999999999.123456,
      change_24h: '-2.1%',
      change_24h_percent: -2.13,
      portfolio: null,
    })
    expect(rowWriter(boardFields)(row)).toContain('"price_usd":0.000000000000123456789012,')
  })
})

const changeKeys = `price_change_percent price_is_up market_cap_change_percent market_cap_change_value market_cap_is_up
volume_change_percent volume_is_up holders_change_percent holders_change_value holders_is_up historical_price
historical_market_cap historical_volume historical_holders historical_baseline`

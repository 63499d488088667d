import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { BoardRow, TrendingRow } from '../../market/board/row.ts'
import type { Operation } from '../../schemas/api/operation.ts'
import { operations } from '../../schemas/api/operations.ts'
import { boardFields, trendingFields } from '../../schemas/records/token-row.ts'
import {
  type FieldTable,
  type JsonSchema,
  type RowVariant,
  rowSchema,
  rowWriter,
  sortKeys,
  wireKeys,
} from '../../schemas/values/field.ts'
import { hash, nthAddress, tokenAt } from '../support/market/facts.ts'

const ajv = new Ajv2020({ allowUnionTypes: true })

const change = { percentE2: 10n ** 24n, value: -(10n ** 20n), isUp: true }
const unknownChange = { percentE2: null, value: null, isUp: null }
/** A row whose figures are all known, with numbers that JSON would write with an exponent. */
const known: BoardRow & TrendingRow = {
  rank: 1,
  position: 2,
  volume: 10n ** 20n,
  trades: 4,
  volume24h: 1n,
  trades24h: 3,
  closePrices: [null, 5n, 10n ** 20n],
  token: tokenAt(1, 29_000_000, {
    kind: 'post',
    symbol: '"\\\u2028',
    poolId: hash(7),
    address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    creator: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
  }),
  creatorToken: tokenAt(2, 29_000_000),
  nameFlags: { isMixedScript: true, lookalikeOf: nthAddress(3) },
  priceUsdE36: 123_456_789_012_500_000_000_000n,
  marketCap: 1_250_005_000n,
  effectiveMarketCap: 1n,
  liquidity: 10n ** 20n,
  holders: 4_000_000_000,
  totalVolume: 10n ** 20n,
  creatorEarnings24h: 1n,
  creatorEarnings: 10n ** 20n,
  rankVolume: 1n,
  change24hE2: -213n,
  change7dE2: 1n,
  change1hE2: 0n,
  changeE2: 1n,
  supply: 10n ** 30n,
  circulatingSupply: 999_999_999_123_456_999_999_999_999n,
  circulatingMarketCap: 1n,
  portfolio: {
    tokenMarketCap: 1n,
    tokenCounted: 1n,
    postsMarketCap: 0n,
    coverageFrom: null,
    postsCounted: 0n,
    postsCount: 2,
  },
  portfolioValue: 1n,
  engagement: 5,
  scoreE6: 1n,
  isNew: true,
  previousRank: 9,
  periodStart: 60,
  baseline: { is: 'launch', priceUsdE36: 10n ** 42n, marketCap: 1n, holders: 0, volume24h: 0n },
  changes: { price: change, marketCap: change, volume: change, holders: { ...change, value: -5n } },
}
/** The same of a token of which nothing is known that need not be. */
const unknown: BoardRow & TrendingRow = {
  ...known,
  creatorToken: null,
  nameFlags: { isMixedScript: false, lookalikeOf: null },
  effectiveMarketCap: null,
  liquidity: null,
  holders: null,
  totalVolume: null,
  creatorEarnings24h: null,
  creatorEarnings: null,
  change24hE2: null,
  change7dE2: null,
  change1hE2: null,
  changeE2: null,
  portfolio: null,
  previousRank: null,
  baseline: { is: 'period', priceUsdE36: null, marketCap: null, holders: null, volume24h: null },
  changes: { price: unknownChange, marketCap: unknownChange, volume: unknownChange, holders: unknownChange },
}

function agrees<Row>(table: FieldTable<Row>, rows: readonly Row[], variant: RowVariant): void {
  const isValid = ajv.compile(rowSchema(table, variant))
  const keys = wireKeys(table, variant).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  for (const row of rows) {
    const text = rowWriter(table, variant)(row)
    expect(isValid(JSON.parse(text)) || isValid.errors).toBe(true)
    expect(Object.keys(JSON.parse(text))).toEqual(keys)
    expect(text).not.toMatch(/:-?\d+(\.\d+)?e/i)
  }
}

describe('the table of fields', () => {
  it.each<RowVariant>([{}, { without: 'change' }, { display: 'creator' }, { display: 'post' }])(
    'writes board rows that its schema accepts, every key in order: %o',
    (variant) => agrees(boardFields, [known, unknown], variant),
  )

  it('writes trending rows that its schema accepts', () => {
    const unpriced = { ...unknown, priceUsdE36: null, marketCap: null }
    agrees(trendingFields, [known, unpriced], {})
  })

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
    expect([...types].filter(([, kinds]) => kinds.size > 1).map(([key]) => key)).toEqual(['change_24h'])
  })

  it('leaves out exactly the change and historical keys', () => {
    const short = new Set(wireKeys(boardFields, { without: 'change' }).map(({ key }) => key))
    const dropped = wireKeys(boardFields).flatMap(({ key }) => (short.has(key) ? [] : [key]))
    expect(dropped).toEqual(changeKeys.split(/\s+/))
  })

  it('turns exactly the keys of the live example into display text', () => {
    const typesOf = (variant: RowVariant) =>
      wireKeys(boardFields, variant).map(({ key, schema }) => [key, schema.type])
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
    const row = { ...known, creatorToken: null, portfolio: null }
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

import {
  manifestDocumentSchema,
  manifestSchema,
  snapshotFields,
  statusSchema,
  usageFields,
} from '../api/service.ts'
import { boardHistoryFields } from '../records/board-history.ts'
import { candleFields, priceStepFields } from '../records/candles.ts'
import {
  creatorEarningsFields,
  creatorFields,
  creatorTokenFields,
  earningsDayFields,
} from '../records/creator.ts'
import {
  foundFields,
  launchFields,
  matchFields,
  risingFields,
  risingPartFields,
  summaryFields,
} from '../records/discover-row.ts'
import { holderStepFields } from '../records/holder-history.ts'
import { allFields, bucketFields, statsFields, volumeFields } from '../records/market-totals.ts'
import { nameFlagFields } from '../records/name-flags.ts'
import { portfolioFields } from '../records/portfolio-fields.ts'
import { gapSpanFields, publishedDayFields, publishedHourFields } from '../records/published-day.ts'
import { rateFields, rateSourceFields } from '../records/rates.ts'
import {
  boardRecapFields,
  highFields,
  indexRecapFields,
  moveFields,
  newTokenFields,
  recapFields,
} from '../records/recap.ts'
import { screenerFields } from '../records/screener.ts'
import { sideFields, swapFields } from '../records/swap.ts'
import {
  distributionFields,
  holderFields,
  holdersFields,
  holderTypeFields,
  metricFields,
  metricsFields,
  migrationFields,
  tokenFields,
} from '../records/token-page.ts'
import { tokenSchema } from '../records/token-parts.ts'
import { boardFields, trendingFields } from '../records/token-row.ts'
import { holdingFields, traderFields, tradersFields, walletFields } from '../records/wallets.ts'
import {
  constituentFields,
  constituentsFields,
  indexBarFields,
  indexFields,
  indexHourFields,
  indexHoursFields,
} from '../records/z100-index.ts'
import {
  type Json,
  type JsonSchema,
  MADE_FROM,
  type RowVariant,
  rowSchema,
  wireKeys,
} from '../values/field.ts'

/** Every record that crosses the boundary, by the name it has in OpenAPI and in the types of the client. */
const records = {
  BoardRow: rowSchema(boardFields),
  NameFlags: rowSchema(nameFlagFields),
  Portfolio: rowSchema(portfolioFields),
  TrendingRow: rowSchema(trendingFields),
  RisingRow: rowSchema(risingFields),
  RisingParts: rowSchema(risingPartFields),
  LaunchRow: rowSchema(launchFields),
  TokenSummary: rowSchema(summaryFields),
  ScreenerRow: rowSchema(screenerFields),
  FoundToken: rowSchema(foundFields),
  Match: rowSchema(matchFields),
  TokenDetail: tokenSchema,
  TokenMigration: rowSchema(migrationFields),
  TokenMetrics: rowSchema(metricsFields),
  TokenName: rowSchema(tokenFields),
  TokenFigures: rowSchema(metricFields),
  TokenHolders: rowSchema(holdersFields),
  Distribution: rowSchema(distributionFields),
  HolderTypes: rowSchema(holderTypeFields),
  Holder: rowSchema(holderFields),
  HolderStep: rowSchema(holderStepFields),
  TokenTraders: rowSchema(tradersFields),
  Trader: rowSchema(traderFields),
  WalletHoldings: rowSchema(walletFields),
  Holding: rowSchema(holdingFields),
  CreatorPage: rowSchema(creatorFields),
  CreatorToken: rowSchema(creatorTokenFields),
  CreatorEarnings: rowSchema(creatorEarningsFields),
  EarningsDay: rowSchema(earningsDayFields),
  PriceStep: rowSchema(priceStepFields),
  Candle: rowSchema(candleFields.usd),
  Swap: rowSchema(swapFields),
  SwapSide: rowSchema(sideFields),
  Index: rowSchema(indexFields),
  IndexBar: rowSchema(indexBarFields),
  IndexHour: rowSchema(indexHourFields),
  IndexHours: rowSchema(indexHoursFields),
  PublishedDay: rowSchema(publishedDayFields),
  PublishedHour: rowSchema(publishedHourFields),
  UnpublishedSpan: rowSchema(gapSpanFields),
  Constituents: rowSchema(constituentsFields),
  Constituent: rowSchema(constituentFields),
  Boards: rowSchema(allFields),
  BoardDay: rowSchema(boardHistoryFields),
  WeekRecap: rowSchema(recapFields),
  BoardRecap: rowSchema(boardRecapFields),
  IndexRecap: rowSchema(indexRecapFields),
  RankMove: rowSchema(moveFields),
  NewHigh: rowSchema(highFields),
  NewToken: rowSchema(newTokenFields),
  MarketStats: rowSchema(statsFields),
  ReferenceRate: rowSchema(rateFields),
  RateSource: rowSchema(rateSourceFields),
  MarketVolume: rowSchema(volumeFields),
  VolumeBucket: rowSchema(bucketFields),
  Status: statusSchema,
  AccountUsage: rowSchema(usageFields),
  SnapshotRow: rowSchema(snapshotFields),
  Manifest: manifestSchema,
  ManifestDocument: manifestDocumentSchema,
} as const satisfies Record<string, JsonSchema>

/** Rows of the boards in other variants than the canonical one. */
const boardForms = {
  BoardRowWithoutChanges: boardRow({ without: 'change' }),
  CreatorRowDisplay: boardRow({ display: 'creator' }),
  PostRowDisplay: boardRow({ display: 'post' }),
} as const satisfies Record<string, JsonSchema>

/** Display text comes with or without the changes. */
function boardRow(variant: RowVariant): JsonSchema {
  const least = wireKeys(boardFields, { ...variant, without: 'change' })
  return { ...rowSchema(boardFields, variant), required: least.map(({ key }) => key) }
}

/** A name for the components that every language can write: `X-Request-Id` → `XRequestId`, `sort_by` → `SortBy`. */
export const componentName = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')

/** Something in the document's components. */
export const refTo = (
  part: 'schemas' | 'parameters' | 'headers' | 'responses',
  name: string,
): { readonly $ref: string } => ({ $ref: `#/components/${part}/${name}` })

/** A table with each of its values made into another. */
export const mapValues = <From, To>(
  table: Readonly<Record<string, From>>,
  make: (value: From, key: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, make(value, key)]))

const named: Readonly<Record<string, JsonSchema>> = { ...records, ...boardForms }

/** The names of records, by the tables that their schemas are made from. */
const namesByTable = new Map(
  Object.entries<JsonSchema>(records).flatMap(([name, { [MADE_FROM]: table }]) =>
    table ? [[table, name] as const] : [],
  ),
)

/**
 * A schema in which every known record is a reference. Its objects may have keys beside those that it lists: later versions
 * of the API add keys, and a reader that refuses them would break.
 */
export function withRefs(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withRefs)
  if (!isObject(schema)) return schema
  const { [MADE_FROM]: table, description, type } = schema
  const name = table && namesByTable.get(table)
  if (name === undefined) return opened(schema)
  const words = description === undefined ? {} : { description }
  const ref = refTo('schemas', name)
  return Array.isArray(type) ? { anyOf: [ref, { type: 'null' }], ...words } : { ...ref, ...words }
}

function opened(schema: JsonSchema): JsonSchema {
  const { additionalProperties, ...rest } = schema
  const isClosed = additionalProperties === undefined || additionalProperties === false
  return mapValues(isClosed ? rest : schema, withRefs)
}

function isObject(value: Json): value is JsonSchema {
  return value !== null && typeof value === 'object'
}

/** A schema in which rows of a board may have any of these variants. */
export function withVariants(schema: Json, variants: readonly string[]): Json {
  if (Array.isArray(schema)) return schema.map((each) => withVariants(each, variants))
  if (!isObject(schema)) return schema
  if (schema['$ref'] === refTo('schemas', 'BoardRow').$ref) {
    return { anyOf: variants.map((name) => refTo('schemas', name)) }
  }
  return mapValues(schema, (each) => withVariants(each, variants))
}

/** Meta of a list with `envelope=true`. */
const pageMeta: JsonSchema = {
  type: 'object',
  properties: {
    total: { type: 'integer', minimum: 0, description: 'Rows of the whole list, as in X-Total-Count' },
    page: { type: 'integer', minimum: 1, description: 'Number of this page, starting at 1' },
    per_page: { type: 'integer', minimum: 1, description: 'Rows of a page: the limit' },
    capped: {
      type: 'boolean',
      description:
        'Whether `total` is only what is known, as X-Total-Capped says; the list may go on at `next`',
    },
    next: { type: ['string', 'null'], description: 'The next page, as in Link; null: this is the last one' },
  },
  required: ['total', 'page', 'per_page', 'capped', 'next'],
}

/** A page of a list in its envelope. */
export const pageOf = (list: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { data: { ...list, description: 'The rows of the page' }, meta: refTo('schemas', 'PageMeta') },
  required: ['data', 'meta'],
})

/** Every record by its name. */
export const schemaComponents: Readonly<Record<string, Json>> = {
  ...mapValues(named, opened),
  PageMeta: pageMeta,
}

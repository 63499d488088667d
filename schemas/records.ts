import {
  foundFields,
  launchFields,
  matchFields,
  risingFields,
  risingPartFields,
  summaryFields,
} from './discover-row.ts'
import { type JsonSchema, type RowForm, rowSchema, wireKeys } from './field.ts'
import { constituentFields, constituentsFields } from './index-constituents.ts'
import { allFields, bucketFields, statsFields, volumeFields } from './market-totals.ts'
import { manifestDocumentSchema, manifestSchema, snapshotFields, statusSchema } from './service.ts'
import { sideFields, swapFields } from './swap.ts'
import {
  detailFields,
  distributionFields,
  holderFields,
  holdersFields,
  holderTypeFields,
  metricFields,
  metricsFields,
  priceStepFields,
  tokenFields,
} from './token-page.ts'
import { boardFields, portfolioFields, trendingFields } from './token-row.ts'
import { usageFields } from './usage.ts'
import { indexBarFields, indexFields } from './z100-index.ts'

/** Every record that crosses the boundary, by the name it has in OpenAPI and in the types of the client. */
export const records = {
  BoardRow: rowSchema(boardFields),
  Portfolio: rowSchema(portfolioFields),
  TrendingRow: rowSchema(trendingFields),
  RisingRow: rowSchema(risingFields),
  RisingParts: rowSchema(risingPartFields),
  LaunchRow: rowSchema(launchFields),
  TokenSummary: rowSchema(summaryFields),
  FoundToken: rowSchema(foundFields),
  Match: rowSchema(matchFields),
  TokenDetail: rowSchema(detailFields),
  TokenMetrics: rowSchema(metricsFields),
  TokenName: rowSchema(tokenFields),
  TokenFigures: rowSchema(metricFields),
  TokenHolders: rowSchema(holdersFields),
  Distribution: rowSchema(distributionFields),
  HolderTypes: rowSchema(holderTypeFields),
  Holder: rowSchema(holderFields),
  PriceStep: rowSchema(priceStepFields),
  Swap: rowSchema(swapFields),
  SwapSide: rowSchema(sideFields),
  Index: rowSchema(indexFields),
  IndexBar: rowSchema(indexBarFields),
  Constituents: rowSchema(constituentsFields),
  Constituent: rowSchema(constituentFields),
  Boards: rowSchema(allFields),
  MarketStats: rowSchema(statsFields),
  MarketVolume: rowSchema(volumeFields),
  VolumeBucket: rowSchema(bucketFields),
  Status: statusSchema,
  AccountUsage: rowSchema(usageFields),
  SnapshotRow: rowSchema(snapshotFields),
  Manifest: manifestSchema,
  ManifestDocument: manifestDocumentSchema,
} as const satisfies Record<string, JsonSchema>

/** A row of a board in another form than the canonical one, and the operation that says it. */
export const boardForms = {
  BoardRowWithoutChanges: boardRow({ without: 'change' }),
  CreatorRowDisplay: boardRow({ display: 'creator' }),
  PostRowDisplay: boardRow({ display: 'post' }),
} as const satisfies Record<string, JsonSchema>

/** Display text comes with or without the changes. */
function boardRow(form: RowForm): JsonSchema {
  const least = wireKeys(boardFields, { ...form, without: 'change' })
  return { ...rowSchema(boardFields, form), required: least.map(({ key }) => key) }
}

import { ServiceUnavailableError } from '../../schemas/api/errors.ts'
import { INCLUDED_ROWS, type TokenPart, tokenPartNames } from '../../schemas/records/token-parts.ts'
import { sharedReads } from '../../store/aws/shared-reads.ts'
import { type AppliedReads, type ReadableMinute, readApplied } from '../../store/log/applied-read.ts'
import { type ApiEndpoint, answerAt, type EndpointRequest, refuse } from '../api/endpoint.ts'
import { priceHistory } from './candles.ts'
import { topHolders } from './holders.ts'
import { newestTokenSwaps } from './swaps.ts'
import { tokenDetail, tokenFigures } from './token.ts'

type PartOf = { readonly endpoint: ApiEndpoint; readonly query: EndpointRequest['query'] }

const limit = String(INCLUDED_ROWS)
const parts: { readonly [Name in TokenPart]: PartOf } = {
  metrics: { endpoint: tokenFigures, query: {} },
  swaps: { endpoint: newestTokenSwaps, query: { limit, offset: '0' } },
  holders: { endpoint: topHolders, query: { limit } },
  price_history: { endpoint: priceHistory, query: { timeframe: '24h', fill: 'true' } },
}

/** GET /v1/tokens/{id}: the detail, and the parts named by `include`, all as of one minute. */
export const token: ApiEndpoint = async (asked, stores, asking) => {
  const names = partsIn(asked)
  if (names.length === 0) return tokenDetail(asked, stores, asking)
  const { at, value } = await readApplied(stores.log, async (now) => {
    const { table, past } = stores
    const own = { ...stores, table: sharedReads(table), past: sharedReads(past), log: logAt(now) }
    const textOf = async ({ endpoint, query }: PartOf): Promise<string> => {
      const answer = await endpoint({ id: asked.id, query }, own, asking)
      return 'text' in answer ? answer.text : answer.page.list
    }
    const [detail, ...texts] = await Promise.all([
      textOf({ endpoint: tokenDetail, query: {} }),
      ...names.map(async (name) => `"${name}":${await textOf(parts[name]).catch(noneIfTooMany)}`),
    ])
    return `${detail.slice(0, -1)},${texts.join(',')}}`
  })
  return answerAt(at, { text: value })
}

/** The parts that were asked for, each once. */
function partsIn({ query }: EndpointRequest): readonly TokenPart[] {
  const words = (query['include'] ?? '').split(',').map((word) => word.trim().toLowerCase())
  const names = [...new Set(words)].filter((word) => word !== '')
  const unknown = names.find((name) => !tokenPartNames.some((part) => part === name))
  if (unknown === undefined) return tokenPartNames.filter((part) => names.includes(part))
  const allowed = `any of ${tokenPartNames.join(', ')}, separated by commas`
  refuse('include', unknown, allowed)
}

/** Holders that are too many to be read now do not fail the rest. */
function noneIfTooMany(error: unknown): string {
  if (error instanceof ServiceUnavailableError) return '[]'
  throw error
}

/** The log as of an applied minute. */
function logAt({ n, minute, last }: ReadableMinute): AppliedReads {
  const applied = { n, minute, last, isLowered: false }
  return { applied: async () => applied, cached: async () => ({ applied, holds: () => true }) }
}

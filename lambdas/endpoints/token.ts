import type { TokenPage } from '../../market/token-page.ts'
import { type FieldTable, rowWriter } from '../../schemas/field.ts'
import { detailFields, metricsFields } from '../../schemas/token-page.ts'
import { readApplied } from '../../store/applied-read.ts'
import { openTokenHistory } from '../../store/token-history.ts'
import { answerAt, type Endpoint, type ReadStores } from './endpoint.ts'
import { readPage, readToken, type TokenReader } from './token-facts.ts'

/** GET /v1/tokens/{id}. */
export const token: Endpoint = pageEndpoint(detailFields)

/** GET /v1/tokens/{id}/metrics. */
export const metrics: Endpoint = pageEndpoint(metricsFields)

function pageEndpoint(fields: FieldTable<TokenPage>): Endpoint {
  const write = rowWriter(fields)
  return async ({ id }, stores) => {
    const { at, value } = await readApplied(stores.log, async (now) => {
      const reader = readerOf(stores)
      return readPage(reader, await readToken(reader, id, now), now)
    })
    return answerAt(at, { text: write(value) })
  }
}

/** Opened anew for each attempt of a read: nothing of an attempt that failed is kept. */
export const readerOf = ({ table, references }: ReadStores): TokenReader => ({
  history: openTokenHistory(table),
  references,
})

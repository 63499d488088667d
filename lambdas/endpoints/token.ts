import { distributionOf, isCounted, supplyPercentE4 } from '../../market/holders.ts'
import { marketCapMicroUsd } from '../../market/pool.ts'
import type { TokenPage } from '../../market/token-page.ts'
import { ServiceUnavailableError } from '../../schemas/errors.ts'
import { type FieldTable, rowWriter } from '../../schemas/field.ts'
import { detailFields, type HolderPage, holdersFields, metricsFields } from '../../schemas/token-page.ts'
import { readApplied } from '../../store/applied-read.ts'
import { type Balance, readBalances } from '../../store/balances.ts'
import { openTokenHistory } from '../../store/token-history.ts'
import { openTokens } from '../../store/tokens.ts'
import { type Asked, answerAt, type Endpoint, numberOf, type ReadStores } from './endpoint.ts'
import { readPage, readToken, type TokenReader } from './token-facts.ts'

/** GET /v1/tokens/{id}. */
export const token: Endpoint = pageEndpoint(detailFields)

/** GET /v1/tokens/{id}/metrics. */
export const metrics: Endpoint = pageEndpoint(metricsFields)

function pageEndpoint(fields: FieldTable<TokenPage>): Endpoint {
  const write = rowWriter(fields)
  return async ({ id }, stores) => {
    const reader = readerOf(stores)
    const { at, value } = await readApplied(stores.log, async (now) =>
      readPage(reader(), await readToken(reader(), id, now), now),
    )
    return answerAt(at, { text: write(value) })
  }
}

/** Histories anew for each attempt of a read: nothing of an attempt that failed is kept. */
export const readerOf =
  ({ table, references }: ReadStores) =>
  (): TokenReader => ({ history: openTokenHistory(table), references })

const writeHolders = rowWriter(holdersFields)

/** GET /v1/tokens/{id}/holders. */
export const holders: Endpoint = async (asked, stores) => {
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)()
    const found = await readToken(reader, asked.id, now)
    const [page, balances, hooks] = await Promise.all([
      readPage(reader, found, now),
      readBalances(stores.table, found.address, now.n),
      openTokens(stores.table).hooks(),
    ])
    if (!balances) throw new ServiceUnavailableError(60, 'This token has too many holders to be listed now.')
    const uncounted = new Set([...hooks, stores.poolManager])
    return holderPageOf(
      asked,
      page,
      balances.filter(({ holder }) => isCounted(holder, found.address, uncounted)),
    )
  })
  return answerAt(at, { text: writeHolders(value) })
}

function holderPageOf(asked: Asked, page: TokenPage, balances: readonly Balance[]): HolderPage {
  const { supply } = page.state
  const sorted = balances.toSorted(byBalance)
  return {
    page,
    distribution: distributionOf(
      sorted.map(({ amount }) => amount),
      supply,
    ),
    holders: sorted.slice(0, numberOf(asked, 'limit')).map(({ holder, amount }, index) => ({
      rank: index + 1,
      address: holder,
      balance: amount,
      percentE4: supplyPercentE4(amount, supply),
      value: page.priceUsdE36 === null ? null : marketCapMicroUsd(page.priceUsdE36, amount),
    })),
  }
}

/** Largest first, then by address. */
const byBalance = (a: Balance, b: Balance): number =>
  a.amount === b.amount ? (a.holder < b.holder ? -1 : 1) : a.amount > b.amount ? -1 : 1

import { verifiedCreator } from '../../market/authorship.ts'
import { isImported } from '../../market/coverage.ts'
import {
  type Balance,
  distributionOf,
  isCounted,
  largestFirst,
  supplyPercentE4,
} from '../../market/fold/holders.ts'
import { marketCapMicroUsd } from '../../market/pool.ts'
import { TOP_HOLDERS } from '../../market/rules.ts'
import type { Address, Token } from '../../market/segment.ts'
import { ServiceUnavailableError } from '../../schemas/api/errors.ts'
import { type HolderPage, holderFields, holdersFields } from '../../schemas/records/token-page.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { marketKeys } from '../../store/aws/tables.ts'
import { type HolderView, readBalances, readHolderView } from '../../store/items/holders.ts'
import { openTokens } from '../../store/items/tokens.ts'
import { type ReadableMinute, readApplied } from '../../store/log/applied-read.ts'
import { type ApiEndpoint, answerAt, numberOf, type ReadStores, rowsText } from '../api/endpoint.ts'
import { readerOf, readPage, readToken, type TokenReader } from './token.ts'

/** Maximum balances read for a token without a view; it gets one within ten minutes of its thousandth holder. */
const BALANCES_MAX = 1_500
const RETRY_SECONDS = 60

type Writer = (page: HolderPage) => string

const writeHolder = rowWriter(holderFields)

/**
 * GET /v1/tokens/{id}/holders: as of the applied minute; for a token with a holder view, as of the view's minute if
 * balances have changed since. An answer is always of one minute.
 */
export const holders: ApiEndpoint = holdersWrittenBy(rowWriter(holdersFields))

/** The largest holders alone, as a list. */
export const topHolders: ApiEndpoint = holdersWrittenBy((page) => rowsText(page.holders.map(writeHolder)))

function holdersWrittenBy(write: Writer): ApiEndpoint {
  return async (asked, stores) => {
    const { value } = await readApplied(stores.log, async (now) => {
      const reader = readerOf(stores)
      const token = await readToken(reader, asked.id, now)
      if (isImported(token)) {
        const unknown = { distribution: null, top: [], codes: new Map() }
        const page = await readPage(reader, token, now)
        return { at: now, text: write(pageFrom({ ...unknown, page, at: now }, 0)) }
      }
      const view = await readHolderView(stores.table, token.address)
      const spread =
        view && view.at.n <= now.n
          ? await spreadOfView(stores, token, { reader, view, now })
          : await spreadOfBalances(stores, token, { reader, at: now })
      return { at: spread.at, text: write(pageFrom(spread, numberOf(asked, 'limit'))) }
    })
    return answerAt(value.at, value)
  }
}

/** The distribution of a supply, and its time. */
type Spread = Pick<HolderPage, 'page' | 'distribution'> & {
  readonly at: ReadableMinute
  /** The largest first. */
  readonly top: readonly Balance[]
  /** Which of them are contracts; those not checked yet are left out. */
  readonly codes: ReadonlyMap<Address, boolean>
}

/** A view is valid until a later entry puts the token's state. */
async function spreadOfView(
  stores: ReadStores,
  token: Token,
  {
    reader,
    view,
    now,
  }: { readonly reader: TokenReader; readonly view: HolderView; readonly now: ReadableMinute },
): Promise<Spread> {
  const state = await stores.table.read(marketKeys.now(token.address))
  const at = Number(state?.['pos'] ?? 0) > view.at.n ? view.at : now
  return {
    at,
    page: await readPage(reader, token, at),
    distribution: view.distribution,
    top: view.top,
    codes: new Map(view.top.map(({ holder, isContract }) => [holder, isContract])),
  }
}

async function spreadOfBalances(
  stores: ReadStores,
  token: Token,
  { reader, at }: { readonly reader: TokenReader; readonly at: ReadableMinute },
): Promise<Spread> {
  const { table, poolManager } = stores
  const [page, read, hooks] = await Promise.all([
    readPage(reader, token, at),
    readBalances(table, token.address, { n: at.n, most: BALANCES_MAX }),
    openTokens(table).hooks(),
  ])
  if (!read) {
    const message = 'This token has too many holders to be listed now.'
    throw new ServiceUnavailableError(RETRY_SECONDS, message)
  }
  const uncounted = new Set([...hooks, poolManager])
  const counted = read.balances
    .filter(({ holder }) => isCounted(holder, token.address, uncounted))
    .sort(largestFirst)
  const amounts = counted.map(({ amount }) => amount)
  const top = counted.slice(0, TOP_HOLDERS)
  const distribution = distributionOf(amounts, page.state.supply)
  return { at, page, distribution, top, codes: await stores.codes.known(top.map(({ holder }) => holder)) }
}

function pageFrom({ page, distribution, top, codes }: Spread, limit: number): HolderPage {
  const contracts = [...codes.values()].filter((isContract) => isContract).length
  const types =
    !distribution || codes.size < top.length ? null : { contracts, others: codes.size - contracts }
  const { supply } = page.state
  const holders = top
    .slice(0, limit)
    .map(({ holder, amount }, index) => ({
      rank: index + 1,
      address: holder,
      balance: amount,
      percentE4: supplyPercentE4(amount, supply),
      value: page.priceUsdE36 === null ? null : marketCapMicroUsd(page.priceUsdE36, amount),
      isContract: codes.get(holder) ?? null,
      isCreator: holder === verifiedCreator(page.token),
    }))
  return { page, distribution, types, holders }
}

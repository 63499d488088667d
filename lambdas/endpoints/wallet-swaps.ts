import { hourOfMinute } from '../../market/calendar.ts'
import type { Address, Swap } from '../../market/segment.ts'
import { WalletNotFoundError } from '../../schemas/api/errors.ts'
import { type Before, isBefore } from '../../schemas/values/swap-cursor.ts'
import { readAddress } from '../../schemas/values/token-id.ts'
import { readWalletSwaps } from '../../store/items/hour-records.ts'
import { readApplied } from '../../store/log/applied-read.ts'
import { type ApiEndpoint, answerAt, numberOf } from '../api/endpoint.ts'
import { beforeIn, filtersIn, readSymbol, swapsPage } from './swaps.ts'
import { snapshotReaderOf } from './token.ts'

/** Swaps looked through for a page, in chunks of completed hours: a filter may admit few of them. */
const LOOKED_MAX = 1_000
/** Currencies of a page, half a read unit each. */
const CURRENCIES_MAX = 36

/**
 * GET /v1/wallets/{id}/swaps: newest first. Swaps of completed hours are read from the wallet's own items, those of the
 * open hour, confirmed or not, from the live feed.
 */
export const walletSwaps: ApiEndpoint = async (asked, stores) => {
  const wallet = readAddress(asked.id)
  if (!wallet) throw new WalletNotFoundError(asked.id)
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = snapshotReaderOf(stores)
    const before = beforeIn(asked)
    const open = hourOfMinute(now.minute)
    const { swaps: live, names } = await stores.recentSwaps.read()
    const ofFeed = live.filter((swap) => swap.trader === wallet && swap.timestamp >= open * 3_600)
    const hasSymbol = await readSymbol(reader, asked, now.last.number)
    const tests = filtersIn(asked)
    const limit = numberOf(asked, 'limit')
    const admitted = (swap: Swap) => tests.every((admits) => admits(swap, hasSymbol))
    const found = await newestOf(stores, { wallet, ofFeed, before, last: open - 1 }, { admitted, limit })
    const namesOf = async (addresses: readonly Address[]) =>
      new Map([...names, ...(await reader.history.tokens(addresses))])
    return swapsPage(reader, asked, { ...found, applied: now.minute, namesOf })
  })
  return answerAt(at, { page: value })
}

type Wanted = {
  readonly wallet: Address
  readonly ofFeed: readonly Swap[]
  readonly before: Before
  /** The last completed hour. */
  readonly last: number
}

/** The newest swaps of a page, and the last one looked at if there may be more. */
async function newestOf(
  table: Parameters<typeof readWalletSwaps>[0],
  { wallet, ofFeed, before, last }: Wanted,
  { admitted, limit }: { readonly admitted: (swap: Swap) => boolean; readonly limit: number },
): Promise<{ readonly rows: readonly Swap[]; readonly lookedAt: Swap | null }> {
  const rows: Swap[] = []
  const currencies = new Set<Address>()
  let looked = 0
  const take = (swap: Swap): boolean => {
    looked += 1
    if (admitted(swap)) {
      rows.push(swap)
      currencies.add(swap.token).add(swap.quote)
    }
    return rows.length >= limit || looked >= LOOKED_MAX || currencies.size >= CURRENCIES_MAX
  }
  for (const swap of ofFeed) if (isBefore(swap, before) && take(swap)) return { rows, lookedAt: swap }
  const hour = Number.isFinite(before.seconds) ? Math.ceil(before.seconds / 3_600) - 1 : last
  for await (const swaps of readWalletSwaps(table, wallet, Math.min(hour, last)))
    for (const swap of swaps) if (isBefore(swap, before) && take(swap)) return { rows, lookedAt: swap }
  return { rows, lookedAt: null }
}

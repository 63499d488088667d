import type { LaunchRow } from '../../market/board/discovery.ts'
import type { TokenPage } from '../../market/board/token-page.ts'
import { DAY_SECONDS } from '../../market/calendar.ts'
import { divideHalfAway } from '../../market/display.ts'
import { DISCOVER_SIZE, NEW_LAUNCH_DAYS } from '../../market/rules.ts'
import type { Address, Token, TokenState } from '../../market/segment.ts'
import { asOf, changeOf } from '../../market/window.ts'
import { launchFields } from '../../schemas/records/discover-row.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { shifted } from '../../schemas/values/number-syntax.ts'
import { type Before, cursorOf, readBefore } from '../../schemas/values/swap-cursor.ts'
import { chunked } from '../../store/aws/parallel.ts'
import { lookupPartitions } from '../../store/aws/tables.ts'
import { launchedBefore } from '../../store/items/lookups.ts'
import { readApplied } from '../../store/log/applied-read.ts'
import {
  type ApiEndpoint,
  type EndpointRequest,
  numberOf,
  type ReadStores,
  refuse,
  rowsText,
} from '../api/endpoint.ts'
import { readBudget, withCountedReads } from '../api/read-budget.ts'
import { launches as publishedLaunches } from './from-document.ts'
import { readBoardSnapshot, readSummary } from './summary-rows.ts'
import { flagsBeside, snapshotReaderOf, type TokenReader } from './token.ts'

/** Tokens read at once. */
const AT_ONCE = 4

/** GET /v1/discover/new-launches: the published list, or, from a cursor or with a filter, read by the page. */
export const launchPages: ApiEndpoint = (asked, stores, asking) => {
  const own = ['kind', 'min_trades', 'min_buyers', 'min_volume']
  const isPlain =
    asked.query['cursor'] === undefined &&
    own.every((name) => ['all', '0'].includes(asked.query[name] ?? '0'))
  return isPlain ? listedLaunches(asked, stores, asking) : pagedLaunches(asked, stores, asking)
}

/** The published list has the newest launches only: its last page goes on with those that it has not. */
const listedLaunches: ApiEndpoint = async (asked, stores, asking) => {
  const answer = await publishedLaunches(asked, stores, asking)
  if (!('page' in answer) || answer.page.total < DISCOVER_SIZE) return answer
  const { page } = answer
  if (page.offset + page.limit < page.total) return answer
  const last = (JSON.parse(page.list) as { readonly cursor: string }[]).at(-1)
  return last ? { ...answer, page: { ...page, isCapped: true, next: { cursor: last.cursor } } } : answer
}

const write = rowWriter(launchFields)

const pagedLaunches: ApiEndpoint = async (asked, allStores) => {
  const { offset = '0', snapshot } = asked.query
  if (offset !== '0')
    refuse('offset', offset, 'nothing with a filter or `cursor`: follow the link to the next page')
  if (snapshot !== undefined)
    refuse('snapshot', snapshot, 'nothing with a filter or `cursor`, which are about the newest snapshot')
  const { value } = await readApplied(allStores.log, async (applied) => {
    const { stores, units } = withCountedReads(allStores)
    const reader = snapshotReaderOf(stores)
    const snapshot = await readBoardSnapshot(stores, applied)
    const flagsOf = flagsBeside(snapshot.boards.values(), stores)
    const limit = numberOf(asked, 'limit')
    const admits = filterOf(asked)
    const texts: string[] = []
    let lookedAt: Token | null = null
    const isFull = () => texts.length >= limit || units() + AT_ONCE * readBudget.eachToken > readBudget.units
    for await (const some of newestTokens(stores, reader, {
      asked,
      seconds: asOf(snapshot.minute),
      lastBlock: snapshot.last.number,
    })) {
      for (const token of some) {
        if (lookedAt && isFull()) return answer(texts, lookedAt)
        lookedAt = token
        const state = await reader.history.stateAt(token.address, snapshot.minute)
        if (!admits(token, state)) continue
        const page = await readSummary({ reader, snapshot, flagsOf }, token)
        texts.push(write(rowOf(page, texts.length + 1, asOf(snapshot.minute))))
      }
    }
    return answer(texts, null)

    function answer(rows: readonly string[], last: Token | null) {
      const page = {
        list: rowsText(rows),
        total: rows.length,
        isCapped: last !== null,
        offset: 0,
        limit,
        onward: last && { cursor: cursorOf(last.launchedAt) },
      }
      return { at: snapshot.at, page }
    }
  })
  return value
}

const rowOf = (page: TokenPage, rank: number, seconds: number): LaunchRow => ({
  ...page,
  rank,
  position: rank,
  ageSeconds: seconds - page.token.launchedAt.timestamp,
  launchPriceUsdE36: page.token.launch.priceUsdE36,
  changeSinceLaunchE2: changeOf(page.token.launch.priceUsdE36, page.priceUsdE36).percentE2,
  tradesSinceLaunch: page.state.cumTrades,
  buyersSinceLaunch: page.state.cumEngagement,
})

function filterOf({ query }: EndpointRequest) {
  const { kind = 'all', min_trades: trades = '0', min_buyers: buyers = '0', min_volume: volume = '0' } = query
  return (token: Token, state: TokenState): boolean =>
    (kind === 'all' || token.kind === kind) &&
    state.cumTrades >= Number(trades) &&
    state.cumEngagement >= Number(buyers) &&
    // In cents, as it is printed.
    Number(divideHalfAway(state.cumVolumeMicroUsd, 10_000n)) >= shifted(volume, 2)
}

/** Tokens launched before the place or time asked for, within the days of new launches, newest first, some at a time. */
async function* newestTokens(
  { past }: ReadStores,
  { history }: TokenReader,
  {
    asked,
    seconds,
    lastBlock,
  }: { readonly asked: EndpointRequest; readonly seconds: number; readonly lastBlock: number },
): AsyncGenerator<readonly Token[]> {
  const before: Before = readBefore(asked.query['cursor'] ?? '') ?? { place: null, seconds }
  const oldest = seconds - NEW_LAUNCH_DAYS * DAY_SECONDS
  const place = before.place ?? { blockNumber: lastBlock + 1, logIndex: 0 }
  const [first, last] = [
    Math.floor(oldest / DAY_SECONDS),
    Math.ceil(Math.min(before.seconds, seconds) / DAY_SECONDS) - 1,
  ]
  const isWanted = ({ launchedAt }: Token) =>
    launchedAt.timestamp >= oldest &&
    launchedAt.timestamp < before.seconds &&
    launchedAt.blockNumber <= lastBlock
  for (let day = last; day >= first; day--) {
    let some: Address[] = []
    for await (const { token } of launchedBefore(past, lookupPartitions.launches(day), place)) {
      some.push(token)
      if (some.length < AT_ONCE) continue
      yield await tokensOf(some)
      some = []
    }
    for (const rest of chunked(some, AT_ONCE)) yield await tokensOf(rest)
  }

  async function tokensOf(addresses: Parameters<typeof history.current>[0]): Promise<readonly Token[]> {
    const known = await history.current(addresses)
    return addresses.flatMap((address) => known.get(address) ?? []).filter(isWanted)
  }
}

import { supplyPercentE4 } from '../../market/fold/holders.ts'
import { TOKEN_DECIMALS } from '../../market/rules.ts'
import type { Address, MicroUsd } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { InvalidParameterError, WalletNotFoundError } from '../../schemas/api/errors.ts'
import { type Holding, walletFields } from '../../schemas/records/wallets.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import {
  type HoldingPlace,
  holdingCursorOf,
  holdingCursorSyntax,
  readHoldingCursor,
} from '../../schemas/values/holding-cursor.ts'
import { readAddress } from '../../schemas/values/token-id.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { addressOf, marketKeys } from '../../store/aws/tables.ts'
import { MovedOnError, type ReadableMinute, readApplied } from '../../store/log/applied-read.ts'
import type { TokenPrice } from '../../store/published/prices.ts'
import { type ApiEndpoint, answerAt, numberOf, type ReadStores, refuse } from '../api/endpoint.ts'
import { readBudget, withAllReadsCounted } from '../api/read-budget.ts'
import { postsFrom } from './creator.ts'
import { readBoardSnapshot } from './summary-rows.ts'
import { snapshotReaderOf, type TokenReader } from './token.ts'

/** Tokens held now or before that are read and ordered together: at most 30 units. */
const GROUP = 2_000
/** What the description and the state of a row's token cost at most, in read units. */
const ROW_UNITS = 2
const PARALLEL_ROWS = 4

const write = rowWriter(walletFields)

/** A balance, its value, and its place among the others. */
type Held = HoldingPlace & {
  readonly balance: bigint
  readonly value: MicroUsd | null
  readonly price: TokenPrice | undefined
}

/** GET /v1/wallets/{id}: balances as of the applied minute, at the prices of a snapshot. */
export const wallet: ApiEndpoint = async (asked, allStores) => {
  const address = readAddress(asked.id)
  // The pool manager's balances are in the pools of the tokens: it holds them for others.
  if (!address || address === allStores.poolManager) throw new WalletNotFoundError(asked.id)
  const { cursor: text } = asked.query
  const cursor = text === undefined ? null : readHoldingCursor(text)
  const priced = await allStores.prices(cursor?.snapshot).catch(refuseOldCursor(text))
  const { at, value } = await readApplied(allStores.log, async (now) => {
    const { stores, units } = withAllReadsCounted(allStores)
    const reader = snapshotReaderOf(stores)
    const { group = '', after = null } = cursor ?? {}
    const { held, next } = await readGroup(stores, { address, group, prices: priced.prices }, now)
    const left = after ? held.filter((each) => inOrder(after, each) < 0) : held
    const limit = numberOf(asked, 'limit')
    const [snapshot, creatorToken] = await Promise.all([
      readBoardSnapshot(stores, now),
      reader.history.oldestCreatorToken(address),
    ])
    const creator = creatorToken && (await reader.history.tokens([creatorToken])).get(creatorToken)
    const holdings: Holding[] = []
    let shown = 0
    while (shown < Math.min(limit, left.length)) {
      const some = left.slice(shown, Math.min(limit, shown + PARALLEL_ROWS))
      if (shown > 0 && units() + some.length * ROW_UNITS > readBudget.units) break
      holdings.push(...(await rowsOf(reader, some, { now, position: holdings.length })))
      shown += some.length
    }
    const last = left[shown - 1]
    const more = shown < left.length ? { group, after: last ?? null } : next && { group: next, after: null }
    const isWhole = group === '' && next === null
    return {
      wallet: address,
      holdings,
      count: isWhole ? held.length : null,
      value: isWhole
        ? held.reduce((sum, { tier, value }) => sum + (tier === 0 ? (value ?? 0n) : 0n), 0n)
        : null,
      next: more && holdingCursorOf({ snapshot: priced.at.id, ...more }),
      creatorToken: creator ?? null,
      pricesAt: asOf(priced.at.minute),
      coverageFrom: postsFrom(snapshot),
      asOf: asOf(now.minute),
    }
  })
  return answerAt(at, { text: write(value) })
}

/** The snapshot of a cursor is not kept any more. */
const refuseOldCursor = (text: string | undefined) => (error: unknown) => {
  if (text !== undefined && error instanceof InvalidParameterError)
    refuse('cursor', text, `${holdingCursorSyntax.allowed}, of the last 15 minutes`)
  throw error
}

type Group = {
  readonly address: Address
  readonly group: string
  readonly prices: ReadonlyMap<Address, TokenPrice>
}

/** The holdings of a group in their order, and where the next group begins. Throws MovedOnError if a later minute has changed one. */
async function readGroup(
  { past }: ReadStores,
  { address, group, prices }: Group,
  now: ReadableMinute,
): Promise<{ readonly held: readonly Held[]; readonly next: string | null }> {
  const { pk } = marketKeys.holding(address, address)
  const items = await allOf(
    past.query({ pk, ...(group && { from: group }), limit: GROUP + 1, withTombs: true }),
  )
  if (items.some(({ pos }) => Number(pos ?? 0) > now.n)) throw new MovedOnError()
  const live = items.slice(0, GROUP).filter((item) => item['tomb'] !== true)
  const held = live.map((item): Held => {
    const token = addressOf(item.sk)
    const balance = BigInt(String(item['balance']))
    const price = prices.get(token)
    const value = price ? worthOf(balance, price.usd) : null
    return {
      token,
      balance,
      price,
      value,
      cents: (value ?? 0n) / 10_000n,
      tier: price ? Number(price.isThin) : 2,
    }
  })
  return { held: held.sort(inOrder), next: items[GROUP]?.sk ?? null }
}

/** Micro-dollars of an amount at a price. */
const worthOf = (balance: bigint, usd: number): MicroUsd =>
  BigInt(Math.round((Number(balance) / 10 ** TOKEN_DECIMALS) * usd * 1e6))

/** By what is printed, then by address. */
function inOrder(a: HoldingPlace, b: HoldingPlace): number {
  if (a.tier !== b.tier) return a.tier - b.tier
  if (a.cents !== b.cents) return a.cents > b.cents ? -1 : 1
  return a.token === b.token ? 0 : a.token < b.token ? -1 : 1
}

async function rowsOf(
  { history }: TokenReader,
  held: readonly Held[],
  { now, position }: { readonly now: ReadableMinute; readonly position: number },
): Promise<readonly Holding[]> {
  const tokens = await history.current(held.map(({ token }) => token))
  const rows = await Promise.all(
    held.map(async ({ token: address, balance, value, price }) => {
      const token = tokens.get(address)
      if (!token) return []
      const { supply } = await history.stateAt(address, now.minute)
      return [
        { token, balance, value, isThin: price?.isThin ?? null, percentE4: supplyPercentE4(balance, supply) },
      ]
    }),
  )
  return rows.flat().map((row, at) => ({ ...row, position: position + at + 1 }))
}

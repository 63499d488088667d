import { hourOfMinute } from '../../market/calendar.ts'
import { noPosts, partsOf, withOwnSums } from '../../market/fold/post-owners.ts'
import type { PriorToken } from '../../market/prior.ts'
import type { Address, Hash, Minute, PostOwner, Token } from '../../market/segment.ts'
import type { Item, Reads } from '../aws/table.ts'
import { addressOf, marketKeys } from '../aws/tables.ts'
import { ownerText, tokenText } from '../bytes/codec.ts'
import { MissingStateError } from '../log/applied-read.ts'
import { type Now, nowFrom } from './rows.ts'

/** Tokens, pools and hooks as of the log's tail. Unknown ones are left out of answers. */
export type TokenStore = {
  tokens(addresses: readonly Address[]): Promise<ReadonlyMap<Address, Token>>
  pools(ids: readonly Hash[]): Promise<ReadonlyMap<Hash, PoolToken>>
  /**
   * The state of tokens before `minute` that a fold needs, except for wallet hours, which only segments contain. The log
   * must be materialized up to its tail; throws StaleReadError if a token was active in this minute or later, and
   * MissingStateError.
   */
  known(addresses: readonly Address[], minute: Minute): Promise<ReadonlyMap<Address, PriorToken>>
  /** The posts and creator tokens of these addresses. */
  owners(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PostOwner>>
  hooks(): Promise<ReadonlySet<Address>>
}

/** The token of a pool and the hook that reports its swaps. */
export type PoolToken = { readonly token: Address; readonly hook: Address }

export function openTokens(table: Reads): TokenStore {
  return {
    tokens: async (addresses) => tokensIn(await table.readMany(addresses.map(marketKeys.token))),
    async pools(ids) {
      const items = await table.readMany(ids.map(marketKeys.pool))
      return new Map(items.map((item) => [poolIdOf(item), poolTokenFrom(item)]))
    },
    async known(addresses, minute) {
      const { tokens, nows } = await readCurrent(table, addresses)
      for (const [token, now] of nows) assertBefore(token, now, minute)
      return new Map(
        [...tokens].map(([address, token]) => [address, knownFrom(token, nows.get(address), minute)]),
      )
    },
    async owners(addresses) {
      const [items, nows] = await Promise.all([
        table.readMany(addresses.map(marketKeys.postOwner)),
        table.readMany(addresses.map(marketKeys.now)),
      ])
      const owners = new Map(items.map((item) => [addressOf(item.pk.slice(2)), ownerOfItem(item)] as const))
      for (const [token, { posts }] of nowsIn(nows))
        if (posts) owners.set(token, withOwnSums(owners.get(token) ?? noPosts, posts))
      return owners
    },
    async hooks() {
      const hooks = new Set<Address>()
      for await (const item of table.query({ pk: 'HOOKS' })) hooks.add(addressOf(item.sk))
      return hooks
    },
  }
}

/** Tokens and their newest states, in one request. */
export async function readCurrent(table: Pick<Reads, 'readMany'>, addresses: readonly Address[]) {
  const items = await table.readMany(
    addresses.flatMap((address) => [marketKeys.token(address), marketKeys.now(address)]),
  )
  return { tokens: tokensIn(items), nows: nowsIn(items) }
}

function tokensIn(items: readonly Item[]): ReadonlyMap<Address, Token> {
  const texts = items.flatMap(({ token }) => (token === undefined ? [] : [String(token)]))
  return new Map(texts.map(tokenText.read).map((token) => [token.address, token]))
}

const nowsIn = (items: readonly Item[]): ReadonlyMap<Address, Now> =>
  new Map(
    items.filter(({ state }) => state).map((item) => [addressOf(item.pk.slice(2)), nowFrom(item)] as const),
  )

function knownFrom(token: Token, now: Now | undefined, minute: Minute): PriorToken {
  if (!now) throw new MissingStateError(token.address)
  return { token, state: now.state, ranges: now.ranges, hour: hourOfMinute(minute), wallets: new Map() }
}

/** Reads an owner from an item of `marketKeys.postOwner`; the sums of posts quoted in the owner itself are in that token's own item. */
export const ownerOfItem = (item: Item): PostOwner =>
  partsOf(addressOf(item.pk.slice(2)), ownerText.read(String(item['owner']))).rest

const poolIdOf = (item: Item): Hash => `0x${item.pk.slice('X#p#'.length)}`
const poolTokenFrom = (item: Item): PoolToken => ({
  token: item['token'] as Address,
  hook: item['hook'] as Address,
})

/** A9 */
function assertBefore(token: Address, { minute: active }: Now, minute: Minute): void {
  if (active !== null && active >= minute) throw new StaleReadError(token, active, minute)
}

/** The state before a minute was requested, but a token's state is of that minute or later: the caller is behind the log. */
export class StaleReadError extends Error {
  override readonly name = 'StaleReadError'
  constructor(token: Address, active: Minute, minute: Minute) {
    super(`${token} was active in minute ${active}, and minute ${minute} was to be folded before it`)
  }
}

import { noPosts, type PostOwner, partsOf, withOwnSums } from '../market/post-owners.ts'
import {
  type Address,
  emptyState,
  type Hash,
  type Known,
  type Minute,
  type Token,
} from '../market/segment.ts'
import { hourOfMinute } from '../market/window.ts'
import { ownerText, tokenText } from './codec.ts'
import { type Now, nowFrom } from './rows.ts'
import type { Item, Reads } from './table.ts'
import { addressOf, marketKeys } from './tables.ts'

/** What is known of tokens, pools and hooks as of the log's tail. What was never seen is left out of every answer. */
export type TokenStore = {
  tokens(addresses: readonly Address[]): Promise<ReadonlyMap<Address, Token>>
  pools(ids: readonly Hash[]): Promise<ReadonlyMap<Hash, PoolOwner>>
  /**
   * What a fold of `minute` needs to know of the tokens before it, but for their wallets of the hour, which only segments tell.
   * The log must be materialized up to its tail; throws StaleReadError when a token has been active in this minute or after it.
   */
  known(addresses: readonly Address[], minute: Minute): Promise<ReadonlyMap<Address, Known>>
  /** What these addresses own of posts and creator tokens. */
  owners(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PostOwner>>
  hooks(): Promise<ReadonlySet<Address>>
}

/** The token of a pool and the hook that reports its swaps. */
export type PoolOwner = { readonly token: Address; readonly hook: Address }

export function openTokens(table: Reads): TokenStore {
  return {
    tokens: async (addresses) => tokensIn(await table.readMany(addresses.map(marketKeys.token))),
    async pools(ids) {
      const items = await table.readMany(ids.map(marketKeys.pool))
      return new Map(items.map((item) => [poolIdOf(item), poolOwnerFrom(item)]))
    },
    async known(addresses, minute) {
      const { tokens, nows } = await readStanding(table, addresses)
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

/** What tokens are, and their newest states, in one request. */
export async function readStanding(table: Pick<Reads, 'readMany'>, addresses: readonly Address[]) {
  const items = await table.readMany(addresses.flatMap((of) => [marketKeys.token(of), marketKeys.now(of)]))
  return { tokens: tokensIn(items), nows: nowsIn(items) }
}

const tokensIn = (items: readonly Item[]): ReadonlyMap<Address, Token> => {
  const texts = items.flatMap(({ token }) => (token === undefined ? [] : [String(token)]))
  return new Map(texts.map(tokenText.read).map((token) => [token.address, token]))
}

const nowsIn = (items: readonly Item[]): ReadonlyMap<Address, Now> =>
  new Map(
    items.filter(({ state }) => state).map((item) => [addressOf(item.pk.slice(2)), nowFrom(item)] as const),
  )

const knownFrom = (token: Token, now: Now | undefined, minute: Minute): Known => ({
  token,
  state: now?.state ?? emptyState,
  ranges: now?.ranges ?? [],
  hour: hourOfMinute(minute),
  wallets: new Map(),
})

/** Of an item of `marketKeys.postOwner` what is known of the owner, but for the posts that are quoted in itself: version 2 had them here, too. */
export const ownerOfItem = (item: Item): PostOwner =>
  partsOf(addressOf(item.pk.slice(2)), ownerText.read(String(item['owner']))).rest

const poolIdOf = (item: Item): Hash => `0x${item.pk.slice('X#p#'.length)}`
const poolOwnerFrom = (item: Item): PoolOwner => ({
  token: item['token'] as Address,
  hook: item['hook'] as Address,
})

function assertBefore(token: Address, { minute: active }: Now, minute: Minute): void {
  if (active !== null && active >= minute) throw new StaleReadError(token, active, minute)
}

/** A minute was to be folded over the state of that minute or a later one: the caller's place in the log is stale. */
export class StaleReadError extends Error {
  override readonly name = 'StaleReadError'
  constructor(token: Address, active: Minute, minute: Minute) {
    super(`${token} was active in minute ${active}, and minute ${minute} was to be folded before it`)
  }
}

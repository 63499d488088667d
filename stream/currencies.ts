import { LRUCache } from 'lru-cache'
import type { Address, FeedEntry } from '../market/segment.ts'
import { currencyOf, type SwapCurrency } from '../schemas/swap.ts'
import type { TokenStore } from '../store/tokens.ts'

/** Tokens whose names are kept at hand, and for how long: a token may be renamed. */
const KEPT_TOKENS = 20_000
const KEPT_MS = 60_000

/** What swaps are paid in, by address. */
export type Currencies = {
  /** Names both sides of the entries' swaps: at most one look-up of those that are not at hand. */
  read(entries: readonly FeedEntry[]): Promise<(address: Address) => SwapCurrency>
}

/** Opens the names of tokens, beside the currencies where paths end. Of a token that is not stored yet the entry itself tells. */
export function openCurrencies(
  tokens: Pick<TokenStore, 'tokens'>,
  references: readonly SwapCurrency[],
): Currencies {
  const known = new LRUCache<Address, SwapCurrency>({ max: KEPT_TOKENS, ttl: KEPT_MS })
  const fixed = new Map(references.map((currency) => [currency.address, currency]))
  return {
    async read(entries) {
      const blocks = entries.filter((entry) => entry.is === 'block')
      const named = new Map<Address, SwapCurrency>()
      const missing: Address[] = []
      for (const address of new Set(
        blocks.flatMap(({ swaps }) => swaps.flatMap(({ token, quote }) => [token, quote])),
      )) {
        const found = fixed.get(address) ?? known.get(address)
        if (found) named.set(address, found)
        else missing.push(address)
      }
      if (missing.length > 0) {
        for (const [address, token] of await tokens.tokens(missing)) {
          const currency = currencyOf(token)
          known.set(address, currency)
          named.set(address, currency)
        }
      }
      const told = new Map(blocks.flatMap(({ names = [] }) => names.map((token) => [token.address, token])))
      return (address) =>
        named.get(address) ?? currencyOf(told.get(address) ?? { address, symbol: null, name: null })
    },
  }
}

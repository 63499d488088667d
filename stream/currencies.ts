import { LRUCache } from 'lru-cache'
import type { Address, Swap } from '../market/segment.ts'
import { currencyOf, type SwapCurrency } from '../schemas/swap.ts'
import type { TokenStore } from '../store/tokens.ts'

/** Tokens whose names are kept at hand, and for how long: a token may be renamed. */
const KEPT_TOKENS = 20_000
const KEPT_MS = 60_000

/** What swaps are paid in, by address. */
export type Currencies = {
  /** Names both sides of the swaps: at most one look-up of those that are not at hand. */
  read(swaps: readonly Swap[]): Promise<(address: Address) => SwapCurrency>
}

/** Opens the names of tokens, beside the currencies where paths end. A token that is not stored yet has empty names. */
export function openCurrencies(
  tokens: Pick<TokenStore, 'tokens'>,
  references: readonly SwapCurrency[],
): Currencies {
  const known = new LRUCache<Address, SwapCurrency>({ max: KEPT_TOKENS, ttl: KEPT_MS })
  const fixed = new Map(references.map((currency) => [currency.address, currency]))
  return {
    async read(swaps) {
      const named = new Map<Address, SwapCurrency>()
      const missing: Address[] = []
      for (const address of new Set(swaps.flatMap(({ token, quote }) => [token, quote]))) {
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
      return (address) => named.get(address) ?? currencyOf({ address, symbol: '', name: '' })
    },
  }
}

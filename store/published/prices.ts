/** The price of every active token, in one object of a snapshot, from which what wallets hold is valued. */
import type { TokenPrices } from '../../market/board/token-prices.ts'
import type { Address } from '../../market/segment.ts'
import { addressOfLine } from '../bytes/codec.ts'
import { unversioned, versioned } from '../bytes/format.ts'

/** Begins the names of these objects. */
export const PRICES = 'prices-'

const ADDRESS_BYTES = 20
const TOKEN_BYTES = ADDRESS_BYTES + 8

/** The object's bytes: an address and a price for each token. */
export function writePrices({ descriptions, prices }: TokenPrices): Uint8Array {
  const bytes = Buffer.alloc(prices.length * TOKEN_BYTES)
  for (const [at, price] of prices.entries()) {
    bytes.write(addressOfLine(descriptions[at] ?? '').slice(2), at * TOKEN_BYTES, 'hex')
    bytes.writeDoubleLE(price, at * TOKEN_BYTES + ADDRESS_BYTES)
  }
  return versioned(bytes)
}

/** US dollars of a whole token; `isThin`: its market cap is more than its liquidity carries. */
export type TokenPrice = { readonly usd: number; readonly isThin: boolean }

/** Reads such an object. Throws UnknownFormatError. */
export function readPrices(bytes: Uint8Array): ReadonlyMap<Address, TokenPrice> {
  const tokens = unversioned(bytes)
  const prices = new Map<Address, TokenPrice>()
  for (let at = 0; at < tokens.length; at += TOKEN_BYTES) {
    const price = tokens.readDoubleLE(at + ADDRESS_BYTES)
    const address: Address = `0x${tokens.toString('hex', at, at + ADDRESS_BYTES)}`
    prices.set(address, { usd: Math.abs(price), isThin: price < 0 })
  }
  return prices
}

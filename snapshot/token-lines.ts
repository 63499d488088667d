import type { Address, Token } from '../market/segment.ts'
import { tokenFrom, tokenText } from '../store/codec.ts'

/** Tokens put into one string together: a million of them are longer than a string may be. */
const PIECE = 10_000
const NEWLINE = 0x0a

/** Descriptions of tokens, one a line, in pieces. */
export function tokenLines(tokens: readonly Token[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let from = 0; from < tokens.length; from += PIECE) {
    const lines = tokens.slice(from, from + PIECE).map((token) => `${tokenText(token)}\n`)
    pieces.push(Buffer.from(lines.join('')))
  }
  return pieces
}

/** The tokens that `tokenLines` wrote, its pieces put together. */
export function tokensFrom(bytes: Uint8Array): Token[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const known = new Map<Address, Address>()
  const tokens: Token[] = []
  for (let from = 0; from < view.length; ) {
    const to = view.indexOf(NEWLINE, from)
    tokens.push(sharing(tokenFrom(view.toString('utf8', from, to)), known))
    from = to + 1
  }
  return tokens
}

/** The token with one text for all who name the same address: a text of its own takes 56 bytes, and time at each collection of garbage. */
function sharing(token: Token, known: Map<Address, Address>): Token {
  const shared = (address: Address): Address => {
    const standing = known.get(address)
    if (standing === undefined) known.set(address, address)
    return standing ?? address
  }
  const { address, creator, quote, hook } = token
  shared(address)
  return { ...token, creator: shared(creator), quote: shared(quote), hook: shared(hook) }
}

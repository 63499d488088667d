/** Which creator an id means. */
import { isVerified, verifiedCreator } from '../../market/authorship.ts'
import { isImported } from '../../market/coverage.ts'
import type { Address, Token } from '../../market/segment.ts'
import { textIn } from '../../schemas/values/list-text.ts'
import { readAddress, readSymbols } from '../../schemas/values/token-id.ts'
import { lookupPartitions } from '../../store/aws/tables.ts'
import type { BoardSnapshot } from './summary-rows.ts'
import { readCreatorToken, readPath, type TokenReader } from './token.ts'

/** Tokens of a handle among which its creator token is looked for. */
const NAMESAKES = 20

/**
 * A creator's address and token, null where there is none or it is not known. `isKnown`: they launched the token that
 * was asked for, even if nothing else is theirs.
 */
export type FoundCreator = {
  readonly address: Address | null
  readonly token: Token | null
  readonly isKnown: boolean
}

/** The creator of an address, of a handle, or of a token, whose row names the same creator. */
export async function findCreator(
  reader: TokenReader,
  id: string,
  snapshot: BoardSnapshot,
): Promise<FoundCreator> {
  const address = readAddress(id)
  if (!address) return creatorOfHandle(reader, id, snapshot)
  const { history } = reader
  const own = await ownToken(reader, address, snapshot)
  if (own) return { address, token: own, isKnown: true }
  const token = (await history.tokens([address])).get(address)
  if (!token || token.launchedAt.blockNumber > snapshot.last.number)
    return { address, token: null, isKnown: false }
  // A post in another's name belongs to its launcher, as its handle says.
  const isStrangers = token.kind === 'post' && isVerified(token) === false
  const creatorToken = isStrangers
    ? null
    : await readCreatorToken(reader, await readPath(reader, token), snapshot)
  if (creatorToken) return creatorOf(creatorToken)
  const { launchedBy: maker } = token
  return {
    address: maker,
    token: maker && (await ownToken(reader, maker, snapshot)),
    isKnown: maker !== null,
  }
}

/** The oldest creator token that an address launched as its own. */
async function ownToken(
  { history }: TokenReader,
  creator: Address,
  { last }: BoardSnapshot,
): Promise<Token | null> {
  const own = await history.oldestCreatorToken(creator)
  const token = own && (await history.tokens([own])).get(own)
  return token && token.launchedAt.blockNumber <= last.number ? token : null
}

/** The creator of a handle: whose token is on the board, else who launched the oldest one of that symbol as their own, else the oldest. */
export async function creatorOfHandle(
  { history }: TokenReader,
  id: string,
  snapshot: BoardSnapshot,
): Promise<FoundCreator> {
  const symbols = readSymbols(id)
  const listed = [...snapshot.boards].find(
    ([, row]) =>
      textIn(row, 'type') === 'creator' &&
      readSymbols(textIn(row, 'symbol')).some((one) => symbols.includes(one)),
  )
  const namesakes = listed
    ? [listed[0]]
    : (await history.lookup(symbols.map(lookupPartitions.symbol), snapshot.last.number, NAMESAKES))
        .filter(({ kind }) => kind === 'creator')
        .map(({ token }) => token)
  const tokens = await history.tokens(namesakes)
  const known = namesakes.flatMap((address) => tokens.get(address) ?? [])
  const token = known.find((each) => verifiedCreator(each)) ?? known[0]
  return token ? creatorOf(token) : { address: null, token: null, isKnown: false }
}

const creatorOf = (token: Token): FoundCreator => ({
  address: isImported(token) ? null : token.creator,
  token,
  isKnown: true,
})

/** The tokens of a generated chain: all that is known of one without its trades follows from its number. */
import { encodeAbiParameters, keccak256 } from 'viem'
import { chains } from '../../ingest/chains.ts'
import type { Address, Hash, TokenKind } from '../../market/segment.ts'

export type GeneratedToken = {
  readonly index: number
  readonly kind: TokenKind
  /** Where it was launched. */
  readonly block: number
  readonly address: Address
  readonly creator: Address
  readonly name: string
  readonly symbol: string
  readonly quote: Address
  /** Of a post: the number of the creator token that it is priced in. */
  readonly quoteIndex: number
  readonly isCurrency0: boolean
  readonly poolId: Hash
  readonly supply: bigint
  /** What the token's contract holds itself. */
  readonly selfHeld: bigint
  readonly pooledAtLaunch: bigint
  /** The opening price. */
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
}

/** The one hook. */
export const GENERATED_HOOK: Address = '0x00000000000000000000000000000000d0000040'
/** The one range of every pool is from -TICK to TICK. */
export const TICK = 199_000
export const TICK_SPACING = 200
const GROUP = 10
const Q96 = 2n ** 96n
const WHOLE = 10n ** 18n

const addressOf = (index: number): Address => `0x10${index.toString(16).padStart(38, '0')}`

/** One in ten is a creator token; the nine after it are posts that are priced in it. */
export function generatedToken(index: number, block: number): GeneratedToken {
  const kind = index % GROUP === 0 ? 'creator' : 'post'
  const quoteIndex = index - (index % GROUP)
  const address = addressOf(index)
  const zora = chains.devnet.references[0]?.address ?? '0x'
  const quote = kind === 'creator' ? zora : addressOf(quoteIndex)
  const isCurrency0 = address < quote
  const supply = 10n ** 9n * WHOLE
  const selfHeld = kind === 'creator' ? supply / 2n : 0n
  // A token costs a ten-thousandth of a ZORA, a post a thousandth of its creator's token.
  const root = kind === 'creator' ? 100n : 32n
  const parts = {
    ...({ index, kind, block, address, quote, quoteIndex, isCurrency0, supply, selfHeld } as const),
    creator: `0x30${quoteIndex.toString(16).padStart(38, '0')}` as Address,
    name: `Token ${index}`,
    symbol: `T${index}`,
    pooledAtLaunch: kind === 'creator' ? supply / 2n : (supply * 99n) / 100n,
    sqrtPriceX96: isCurrency0 ? Q96 / root : Q96 * root,
    liquidity: 10n ** 24n,
  }
  return { ...parts, poolId: poolIdOf(generatedPoolKey(parts)) }
}

/** What a pool is named by. */
export type GeneratedPoolKey = {
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address
}

export function generatedPoolKey({
  address,
  quote,
  isCurrency0,
}: Pick<GeneratedToken, 'address' | 'quote' | 'isCurrency0'>): GeneratedPoolKey {
  const [currency0, currency1] = isCurrency0 ? [address, quote] : [quote, address]
  return { currency0, currency1, fee: 0x800000, tickSpacing: TICK_SPACING, hooks: GENERATED_HOOK }
}

const poolIdOf = (key: GeneratedPoolKey): Hash =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }],
      [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks],
    ),
  )

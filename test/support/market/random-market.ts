import type { Random } from '../../../dev/devnet/random.ts'
import type { Address, References, Token, TokenState } from '../../../market/segment.ts'
import { nthAddress, ONE_X96, rate, stateWith, tokenAt, ZORA } from './facts.ts'

/** A whole number of at most so many bits, as likely small as large. */
function upTo(random: Random, bits: number): bigint {
  const width = random.below(bits + 1)
  let value = 0n
  for (let at = 0; at < width; at += 24) value = (value << 24n) | BigInt(random.below(2 ** 24))
  return value & ((1n << BigInt(width)) - 1n)
}

const DOLLARS: Address = `0x${'22'.repeat(20)}`
const UNRATED: Address = `0x${'33'.repeat(20)}`

export const randomReferences = (random: Random): References =>
  new Map([
    [ZORA, rate(random.pick([10n ** 34n, 10n ** 36n, 123_456_789n * 10n ** 26n, 1n]), 18)],
    [DOLLARS, rate(10n ** 36n, 6)],
    [UNRATED, rate(0n, 18)],
  ])

/** How far apart a market's numbers lie: few values give ties, the whole range gives what no market has. */
export type Spread = 'few' | 'usual' | 'any'

const roots = {
  few: (random: Random) => random.pick([0n, ONE_X96, 2n * ONE_X96]),
  usual: (random: Random) => ONE_X96 / 10n ** 4n + upTo(random, 100),
  any: (random: Random) => upTo(random, 160),
}
const amounts = {
  few: (random: Random) => random.pick([0n, 10n ** 18n, 10n ** 27n]),
  usual: (random: Random) => 10n ** 20n + upTo(random, 90),
  any: (random: Random) => upTo(random, 256),
}
const volumes = {
  few: (random: Random) => random.pick([0n, 0n, 5_000_000n]),
  usual: (random: Random) => upTo(random, 40),
  any: (random: Random) => upTo(random, 128),
}
const counts = {
  few: (random: Random) => random.pick([0, 0, 1]),
  usual: (random: Random) => Math.floor(random.next() ** 3 * 200),
  any: (random: Random) => random.below(2 ** 32),
}

export const randomState = (random: Random, spread: Spread): TokenState =>
  stateWith({
    sqrtPriceX96: roots[spread](random),
    supply: amounts[spread](random),
    reserveQuote: amounts[spread](random),
    reserveToken: amounts[spread](random),
    cumVolumeMicroUsd: volumes[spread](random),
    cumRankVolumeMicroUsd: volumes[spread](random),
    cumTrades: counts[spread](random),
    cumEngagement: counts[spread](random),
    holders: counts[spread](random),
  })

/** A token among `count`: priced in a reference currency, in any of the others, or in something unknown; a few creators. */
export function randomToken(
  random: Random,
  number: number,
  { count, minute }: { count: number; minute: number },
): Token {
  const kind = random.chance(0.4) ? ('creator' as const) : ('post' as const)
  const reference = random.pick([ZORA, ZORA, ZORA, DOLLARS, UNRATED])
  const other = nthAddress(random.below(count + 2))
  const someone = () => nthAddress(100_000 + random.below(1 + count / 8))
  const creator = someone()
  const token = tokenAt(number, minute, {
    // Most are launched by whom they name, some by another creator, and of some nobody knows.
    kind,
    creator,
    launchedBy: random.pick([creator, creator, creator, someone(), null]),
    quote: random.chance(kind === 'creator' ? 0.9 : 0.2) ? reference : other,
    isCurrency0: random.chance(0.5),
    launch: {
      priceUsdE36: random.pick([null, 0n, 10n ** 36n, 3n * 10n ** 22n]),
      supply: amounts.usual(random),
    },
  })
  return { ...token, launchedAt: { ...token.launchedAt, logIndex: random.below(1e6) } }
}

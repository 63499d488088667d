/** The screener: its rows, and what they are filtered and ordered by. */
import type { ScreenedFigures, ScreenerRow } from '../../market/board/screener.ts'
import { type FieldTable, fieldsOf, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { decimal, NUMBER_MAX, signedDecimal } from '../values/parameter-syntax.ts'
import { type Parameter, sortBy, text, word } from '../values/parameters.ts'
import { summaryFields } from './discover-row.ts'

const row = fieldsOf<ScreenerRow>()

/** Rows of the screener: those of other lists, and what only it is about. */
export const screenerFields: FieldTable<ScreenerRow> = {
  ...summaryFields,
  rank_volume_24h: row(orNull(kind.usd), (each) => each.rankVolume24h, {
    description:
      'Growth of the largest net position of each (wallet, UTC hour) in 24 hours, USD; buying and selling again adds nothing. The tokens with most of it are screened, and `rank` is by it',
  }),
  age_seconds: row(orNull(kind.count), (each) => each.ageSeconds, {
    description: 'Seconds since the creation block; null if coverage_from is set',
  }),
}

/** A figure that tokens are screened by: where it is, its decimal places as a whole number, those that are printed, and what it is. */
export type Screen = {
  readonly figure: keyof ScreenedFigures
  readonly scale: number
  readonly places: number
  readonly what: string
  /** It may be below zero. */
  readonly isSigned?: true
}

const usd = { scale: 6, places: 2 } as const
const whole = { scale: 0, places: 0 } as const

/** Each has `min_…` and `max_…` parameters, compared with what is printed, and an order. */
export const screens = {
  market_cap: { figure: 'marketCap', ...usd, what: 'Market cap, US dollars' },
  liquidity: { figure: 'liquidity', ...usd, what: 'Liquidity of its pool, US dollars' },
  volume_24h: { figure: 'volume24h', ...usd, what: 'Volume of 24 hours, US dollars' },
  trades_24h: { figure: 'trades24h', ...whole, what: 'Swaps of 24 hours' },
  holders: { figure: 'holders', ...whole, what: 'Holders' },
  age: { figure: 'launchedAt', ...whole, what: 'Age, seconds' },
  change_24h: {
    figure: 'change24hE2',
    scale: 2,
    places: 2,
    what: 'Price change of 24 hours, percent',
    isSigned: true,
  },
} as const satisfies Record<string, Screen>
export type ScreenName = keyof typeof screens
export const screenNames = Object.keys(screens) as readonly ScreenName[]

/** Bounds that leave no token out, not even one of which the figure is unknown. */
export const widest = ({ isSigned }: Screen) => ({
  min: isSigned ? `-${NUMBER_MAX}` : '0',
  max: String(NUMBER_MAX),
})

function bound(name: ScreenName, edge: 'min' | 'max', limit: string): Parameter {
  const screen: Screen = screens[name]
  return text(`${edge}_${name}`, `${screen.what}: ${limit}. Tokens without this figure are left out`, {
    syntax: screen.isSigned ? signedDecimal : decimal,
    fallback: widest(screen)[edge],
  })
}

/** The parameters of the screener besides those of every list. */
export const screenerParameters: readonly Parameter[] = [
  word(['kind'], 'Only creator tokens or only posts', [['all', 'creator', 'post'], 'all']),
  word(['thin_liquidity'], 'Only tokens whose market cap is, or is not, more than their liquidity carries', [
    ['all', 'true', 'false'],
    'all',
  ]),
  ...screenNames.flatMap((name) => [bound(name, 'min', 'at least'), bound(name, 'max', 'at most')]),
  sortBy(['rank', ...screenNames], 'rank', ['rank_volume']),
]

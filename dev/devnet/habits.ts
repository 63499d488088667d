/** How the traders of a market behave, and at what prices its tokens are launched. */
import { type Curve, creatorCurve, postCurve, zoraPostCurve } from './actions.ts'

/** US dollars, log-normal. */
type Amount = { readonly median: number; readonly spread: number }

export type Habits = {
  readonly curves: Readonly<Record<'creator' | 'post' | 'zoraPost', Curve>>
  /** Of the first buy after a launch, of one later, and of everybody else's trades, which have an upper bound. */
  readonly firstBuy: Amount
  /** Share of launches whose first buy is a hundredth of that: nobody noticed them. */
  readonly unnoticed: number
  readonly laterBuy: Amount
  readonly trade: Amount & { readonly largest: number }
  /** US dollars of a trade in the main pool of ZORA that moves its price. */
  readonly rateTrade: { readonly least: number; readonly most: number }
  /** How often a seller sells all, and else the least and the most percent. */
  readonly sells: { readonly all: number; readonly least: number; readonly most: number }
  /** Whether a history has what every public chain has sooner or later (oddities.ts). */
  readonly hasOddities: boolean
}

const HIGHEST_TICK = 887_200
const ONE = 10n ** 18n
const MILLION = 1_000_000n * ONE

/** One range from the launch price up: buying for its worth at that price doubles the root of the price. */
const deep = (startTick: number, millions: bigint): Curve => ({
  startTick,
  ranges: [[startTick, HIGHEST_TICK]],
  amounts: [millions * MILLION],
})

/**
 * `odd`: prices that multiply with the first dollars, as at the platform's own launch price, and every oddity:
 * what tests look for. `calm`: pools that are deep for their trades, so that a day moves most prices by some percent and
 * few market caps exceed what their liquidity carries.
 */
export const habits = {
  odd: {
    curves: { creator: creatorCurve, post: postCurve, zoraPost: zoraPostCurve },
    firstBuy: { median: 60, spread: 1 },
    unnoticed: 0,
    laterBuy: { median: 20, spread: 1.2 },
    trade: { median: 25, spread: 1.4, largest: 5_000 },
    rateTrade: { least: 50_000, most: 400_000 },
    sells: { all: 0.3, least: 5, most: 75 },
    hasOddities: true,
  },
  calm: {
    curves: { creator: deep(-82_000, 500n), post: deep(-14_000, 990n), zoraPost: deep(-82_000, 990n) },
    firstBuy: { median: 700, spread: 0.8 },
    unnoticed: 0.2,
    laterBuy: { median: 25, spread: 1 },
    trade: { median: 25, spread: 1.2, largest: 2_000 },
    rateTrade: { least: 10_000, most: 100_000 },
    sells: { all: 0.1, least: 10, most: 60 },
    hasOddities: false,
  },
} as const satisfies Readonly<Record<string, Habits>>

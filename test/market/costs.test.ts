/** What ranks cost to fake, by the fees of a trade and the rules: the table of market/README.md. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  CAP_PER_LIQUIDITY,
  INDEX_CAP_MIN_MICRO_USD,
  LIQUIDITY_MIN_MICRO_USD,
  RISING_OFFSET_MICRO_USD,
} from '../../market/rules.ts'

const text = readFileSync('market/README.md', 'utf8')

/** Of a dollar traded: the pool's fee; in one's own pool, measured with the real protocol, what is lost and what the creator earns. */
const FEE = 0.01
const LOST = 0.000_381
const EARNED = 0.002_56
/** Of a fee: what the protocol and Doppler take, and what becomes liquidity; the rest is the launcher's, half of the fee as creator. */
const TAKEN = 0.06
const REMINTED = 0.2
const OF_CREATOR = 0.5

const usdOf = (microUsd: bigint): number => Number(microUsd) / 1e6
const dollars = (usd: number): string =>
  usd < 10 && !Number.isInteger(usd) ? `$${usd.toFixed(2)}` : `$${Math.round(usd).toLocaleString('en-US')}`
const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`

/** What a row's trades cost: in another's pool, in one's own. */
const traded = (usd: number): [string, string] => [dollars(usd * FEE), dollars(usd * LOST)]
const inAndOut = (usd: number): [string, string] => traded(2 * usd)
const shares: [string, string] = [percent(2 * FEE), percent(2 * LOST)]

const pool = usdOf(LIQUIDITY_MIN_MICRO_USD)
const backing = (usd: number): number => usd / Number(CAP_PER_LIQUIDITY)
const pumped = (Math.sqrt(10) - 1) * pool
const rising = 99 * usdOf(RISING_OFFSET_MICRO_USD)
const donated = 1_000 / OF_CREATOR

it.each<[string, [string, string]]>([
  ['creators, `portfolio_value`', inAndOut(backing(1_000_000))],
  ['posts, `engagement`', traded(100)],
  ['trending by volume', traded(1_000_000)],
  ['`earnings`, by rounds', traded(1_000 / EARNED)],
  ['`earnings`, by `donate`', [dollars(donated), dollars(donated * (TAKEN + REMINTED))]],
  ['trending by rank volume', inAndOut(1_000_000)],
  ['trending by change, `top_gainer`', inAndOut(pumped)],
  ['the same, up to a billion percent', ['–', inAndOut(pool)[1]]],
  ['trending by market cap', inAndOut(backing(1_000_000))],
  ['rising', inAndOut(rising)],
  ['a seat in the index', inAndOut(backing(usdOf(INDEX_CAP_MIN_MICRO_USD)))],
  ['a rival’s seat', shares],
  ['a rival post’s seat', shares],
  ['the index, 10 % of it', shares],
])('the price of %s is what fees, depth and rules make it', (row, [another, own]) => {
  const line = text.split('\n').find((each) => each.startsWith(`| ${row} |`)) ?? ''
  const cells = line.split(' | ')
  expect(priceIn(cells.at(-2))).toBe(another)
  expect(priceIn(cells.at(-1))).toBe(own)
})

/** The price that a cell begins with. */
const priceIn = (cell = ''): string | undefined =>
  /^(?:–|\$[\d,]+(?:\.\d+)?(?!\d)|[\d.]+ %)/.exec(cell)?.[0].replace(/,$/, '')

it('the shares that the prices come from are stated', () => {
  for (const share of [FEE, LOST, EARNED, TAKEN, REMINTED])
    expect(text).toContain(`${Number((share * 100).toPrecision(3))} %`)
})

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
/** In the second of a launch: the fee, and, measured with the real protocol, what is lost of it in one's own pool. */
const LAUNCH_FEE = 0.99
const LOST_AT_LAUNCH = 0.236
/** Dollars of a unit of gas, the gas of a transfer to a new holder, and the most that a transaction may use (EIP-7825). */
const USD_PER_GAS = 0.01 * 1e-9 * 3_000
const TRANSFER_GAS = 51_000
const TRANSACTION_GAS = 2 ** 24

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
const atLaunch = donated / LAUNCH_FEE

function gas(units: number): [string, string] {
  const usd = dollars(units * USD_PER_GAS)
  return [usd, usd]
}

type Attack = readonly [row: string, prices: [string, string] | null, file: string, test: string]

const earnings = [
  'market/fold/earnings',
  'equal a recheck of what the hooks of two versions paid, in whatever currency and to whomever',
] as const
const adding = [
  'market/fold/fold',
  'a fold adds up: growth is the sum of the swaps, rank volume each',
] as const
const seats = [
  'market/index/index-seats',
  'are at most three of a root and of a creator, over both boards, creators first',
] as const

/** Each row of the table with its two prices (null: another test computes them), and the test that makes the attack. */
const attacks: readonly Attack[] = [
  [
    'creators, `portfolio_value`',
    inAndOut(backing(1_000_000)),
    'market/board/board',
    'counts a hundred posts on one pool no more than one, at any price',
  ],
  [
    'posts, `engagement`',
    traded(100),
    'market/fold/fold-launch',
    'counts a (wallet, hour) pair once, again in the next hour, and only from ten cents',
  ],
  ['trending by volume', traded(1_000_000), ...adding],
  ['`earnings`, by rounds', traded(1_000 / EARNED), ...earnings],
  ['`earnings`, by a launch', [dollars(donated), dollars(donated * LOST_AT_LAUNCH)], ...earnings],
  ['`earnings`, by `donate`', [dollars(donated), dollars(donated * (TAKEN + REMINTED))], ...earnings],
  ['trending by rank volume', inAndOut(1_000_000), ...adding],
  [
    'trending by holders',
    gas(3_000 * TRANSFER_GAS),
    'market/fold/holders',
    'holdersDelta equals counting the balances again, over any sequence of transfers',
  ],
  [
    'trending by change, `top_gainer`',
    inAndOut(pumped),
    'snapshot/authorship',
    'is compared with its price an hour after the launch from then on',
  ],
  [
    'the same, up to a billion percent',
    ['–', inAndOut(pool)[1]],
    'snapshot/authorship',
    'has a percent only up to a billion',
  ],
  [
    'trending by market cap',
    inAndOut(backing(1_000_000)),
    'snapshot/authorship',
    'leads no list by market cap or by change',
  ],
  ['rising', inAndOut(rising), 'market/board/discovery', 'the rising score of $%i in the last hour and'],
  [
    'a seat in the index',
    inAndOut(backing(usdOf(INDEX_CAP_MIN_MICRO_USD))),
    'market/index/index-members',
    'a review admits tokens with a price, a day old, traded within a week, and noted at every close',
  ],
  ['a rival’s seat', shares, ...seats],
  ['a rival post’s seat', shares, ...seats],
  [
    "every figure in USD, through ZORA's rate",
    null,
    'market/fold/references',
    'is what market/README says: two of three sources',
  ],
  [
    'the index, 10 % of it',
    shares,
    'market/index/z100-index',
    'gives no root more than a tenth of the counted total',
  ],
  [
    "a victim's click",
    gas(TRANSACTION_GAS),
    'system/authorship',
    'a stranger’s tokens in an author’s name take neither posts nor handle nor name',
  ],
  [
    "another's name or looks",
    gas(TRANSACTION_GAS),
    'snapshot/authorship',
    'is flagged if it looks like the author’s',
  ],
  [
    'traders that are made up',
    gas(TRANSACTION_GAS),
    'market/fold/fold',
    'names the trader given by a trusted router, else the recipient of the last transfer, else tx.from',
  ],
]

const section = text.slice(text.indexOf('\n## What a rank would cost'), text.indexOf('\n## Change'))
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .slice(1)

it('every row of the table is an attack with a price, and every attack has a row', () => {
  expect(rows.map(([name]) => name)).toEqual(attacks.map(([name]) => name))
})

it.each(attacks)(
  'the price of %s is what fees, depth and rules make it, and a test makes the attack',
  (row, prices, file, test) => {
    const cells = rows.find(([name]) => name === row) ?? []
    if (prices) expect(cells.slice(-2).map(priceIn)).toEqual(prices)
    expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(test)
  },
)

it('what a buy in the second of a launch takes is stated', () =>
  expect(rows.find(([name]) => name === '`earnings`, by a launch')?.join()).toContain(dollars(atLaunch)))

/** The price that a cell begins with. */
const priceIn = (cell = ''): string | undefined =>
  /^(?:–|\$[\d,]+(?:\.\d+)?(?!\d)|[\d.]+ %)/.exec(cell)?.[0].replace(/,$/, '')

it('the shares that the prices come from are stated', () => {
  for (const share of [FEE, LOST, EARNED, TAKEN, REMINTED, LAUNCH_FEE, LOST_AT_LAUNCH])
    expect(text).toContain(`${Number((share * 100).toPrecision(3))} %`)
})

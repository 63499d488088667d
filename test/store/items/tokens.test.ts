import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Segment, Swap, Token } from '../../../market/segment.ts'
import { overlaid } from '../../../store/aws/memory.ts'
import { openTable } from '../../../store/aws/table.ts'
import { itemsOf, itemsOfRewind } from '../../../store/items/projection.ts'
import { openTokens, StaleReadError } from '../../../store/items/tokens.ts'
import { useDynalite } from '../../support/aws/dynalite.ts'
import * as arbitrary from '../segments.ts'
import { storedSwaps } from '../swaps-in.ts'

/** 12:00 UTC of some day. */
const NOON = 20_000 * 1_440 + 720
const sample = <T>(values: fc.Arbitrary<T>, seed: number): T =>
  fc.sample(values, { numRuns: 1, seed })[0] as T
const token: Token = sample(arbitrary.anyToken, 1)
const wallets = fc.sample(arbitrary.anyAddress, { numRuns: 9, seed: 2 })

const swapsAt = (minute: number, count: number): Swap[] =>
  fc
    .sample(arbitrary.swap, { numRuns: count, seed: minute })
    .map((swap, at) => ({
      ...swap,
      blockNumber: minute,
      logIndex: at,
      token: token.address,
      poolId: token.poolId,
      quote: token.quote,
      blockHash: token.poolId,
      trader: wallets[at % wallets.length] ?? swap.trader,
      volumeMicroUsd: swap.volumeMicroUsd % 300_000n,
    }))

const minuteOf = (minute: number, swaps: readonly Swap[], more: Partial<Segment> = {}): Segment => ({
  ...sample(arbitrary.segment, minute),
  tokens: [],
  minute,
  swaps,
  rows: [{ ...sample(arbitrary.row, minute), token: token.address, description: token }],
  hooks: [],
  ...more,
})

await useDynalite('tokens')
const minutes = [
  minuteOf(NOON - 1, swapsAt(NOON - 1, 3), { tokens: [{ before: null, after: token }], hooks: [token.hook] }),
  minuteOf(NOON, swapsAt(NOON, 5)),
  // More than 600 KB, if it were not for chunks.
  minuteOf(NOON + 7, swapsAt(NOON + 7, 3_100)),
  minuteOf(NOON + 9, swapsAt(NOON + 9, 6)),
]

const table = openTable('tokens', { clock: () => NOON * 60 })
for (const [at, segment] of minutes.entries()) {
  for (const item of itemsOf(segment)) await table.put({ ...item, pos: at + 1 }, { olderThan: at + 1 })
}

describe('what is known of a token', () => {
  it('is its newest state', async () => {
    const known = (await openTokens(table).known([token.address, wallets[0]!], NOON + 10)).get(token.address)
    const { after, ranges } = minutes[3]!.rows[0]!
    expect(known).toEqual({ token, state: after, ranges, hour: NOON / 60, wallets: new Map() })
  })

  it('is refused for a minute before its newest state', async () => {
    await expect(openTokens(table).known([token.address], NOON + 9)).rejects.toThrow(StaleReadError)
  })

  it('has its pool and its hook; strangers are left out', async () => {
    const tokens = openTokens(table)
    const owner = { token: token.address, hook: token.hook }
    const stranger = sample(arbitrary.anyHash, 5)
    expect(await tokens.pools([token.poolId, stranger])).toEqual(new Map([[token.poolId, owner]]))
    expect(await tokens.hooks()).toEqual(new Set([token.hook]))
    expect(await tokens.tokens([wallets[0]!])).toEqual(new Map())
    expect(await tokens.known([wallets[0]!], NOON)).toEqual(new Map())
  })

  it('gives back a span of swaps in chain order', async () => {
    const read = await storedSwaps(table, token.address, { from: NOON, to: NOON + 9 })
    expect(read).toEqual(minutes.slice(1).flatMap(({ swaps }) => swaps))
  })

  it('is known in the first minute of an hour after a rewind to before it', async () => {
    const rewind = itemsOfRewind(minutes.slice(1).reverse())
    const view = openTokens(overlaid(table, rewind))
    const known = (await view.known([token.address], NOON)).get(token.address)
    expect(known).toMatchObject({ hour: NOON / 60, wallets: new Map(), state: minutes[1]!.rows[0]!.before })
  })
})

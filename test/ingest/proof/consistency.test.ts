import { describe, expect, it, test } from 'vitest'
import type { PoolTransaction } from '../../../ingest/decode/decode-context.ts'
import { findBrokenBalance, suspectTransactionsIn } from '../../../ingest/proof/consistency.ts'
import type { Fact } from '../../../market/fold/fact.ts'
import { NOBODY } from '../../../market/fold/holders.ts'
import type { Address } from '../../../market/segment.ts'
import {
  address,
  block,
  blockOf,
  coin,
  HOOK,
  hash,
  initialized,
  type Loose,
  launched,
  MANAGER,
  moved,
  provided,
  renamed,
  swapped,
  transferred,
} from '../../support/market/facts.ts'

const creator = coin({ address: address(0xa1) })
const post = coin({ address: address(0xa2), kind: 'post', quote: creator.address })
const alice = address(0xa)
const bob = address(0xb)

type Move = readonly [from: Address, to: Address, amount: bigint, fromBalance: bigint, toBalance: bigint]
const move = ([from, to, ...amounts]: Move, token = creator) => transferred(token, [from, to], amounts)
const out = (token = creator) => move([MANAGER, alice, 1n, 0n, 1n], token)
const into = (token = creator) => move([alice, MANAGER, 1n, 0n, 1n], token)
const buy = (token = creator) => swapped({ token })
const sale = (token = creator) => swapped({ token, isBuy: false })
/** A hook sells its fees: nothing leaves the pool manager. */
const feeSale = (token = creator) => swapped({ token, isBuy: false, sender: HOOK })
const priced = moved(creator)
const named = renamed(creator, 'Name')
const opened = initialized(creator)
const filled = provided(creator, 1n)
const created = launched(creator)
const launch = [named, move([NOBODY, alice, 5n, 0n, 5n]), opened, filled, move([alice, MANAGER, 5n, 0n, 5n])]

const trace = (part: Partial<PoolTransaction>): PoolTransaction => ({
  transactionHash: hash(9),
  blockNumber: 9,
  hasPlatformLog: false,
  hasUnreportedTrade: false,
  ...part,
})
const factsOf = (facts: readonly Loose[]): readonly Fact[] => blockOf(block(9, 60), facts).facts

const none = undefined
test.each<[string, readonly Loose[], PoolTransaction | undefined, string | undefined]>([
  ['a purchase', [priced, buy(), out()], none, none],
  ['a sale', [priced, sale(), into()], none, none],
  ['a launch', [...launch, created], none, none],
  ['a transfer between people', [move([alice, bob, 1n, 0n, 1n])], none, none],
  ['fees collected in a trade, which change no range', [buy(), out()], trace({ hasPlatformLog: true }), none],
  [
    'a post bought with a creator token that is bought first',
    [priced, buy(), buy(post), out(post)],
    none,
    none,
  ],
  [
    'a post sold into a creator token that is sold at once',
    [priced, sale(post), into(post), sale()],
    none,
    none,
  ],
  ['fees sold by a hook, without a transfer', [priced, buy(post), out(post), into(), feeSale()], none, none],
  ['no transfer beside fees of the same token', [priced, buy(), feeSale()], none, 'the transfer of a trade'],
  [
    'three trades and the sales of their fees',
    [priced, ...[buy(), buy(), buy()].flatMap((one) => [one, feeSale()]), out()],
    none,
    none,
  ],
  ['nothing at the pool manager', [buy(), out()], none, 'logs of the pool manager for a trade'],
  ['no trade for its transfer', [out()], none, 'the trade of a transfer'],
  ['no trade for a move of the price', [priced], none, 'a trade, a creation or a migration'],
  ['nothing of the platform where it traded', [], trace({}), 'a trade, a creation or a migration'],
  [
    'a trade of others',
    [priced, buy(), out()],
    trace({ hasUnreportedTrade: true }),
    'a trade that the pool manager tells of',
  ],
  ['no transfer', [priced, buy()], none, 'the transfer of a trade'],
  ['no transfer of the last of two', [priced, buy(), buy(post), out()], none, 'the transfer of a trade'],
  [
    'no transfer of the price',
    [priced, buy(post), out(post)],
    none,
    'the transfer of what a trade was paid in',
  ],
  ['many trades', [priced, buy(), buy(), buy(), buy(), out()], none, 'one of many trades'],
  ['no name', [...launch.slice(1), created], none, 'the name of a launch'],
  [
    'no opening price',
    [...launch.filter((one) => one !== opened), created],
    none,
    'the opening price of a launch',
  ],
  ['no liquidity', [...launch.filter((one) => one !== filled), created], none, 'the liquidity of a launch'],
  ['no deposit', [...launch.slice(0, -1), created], none, 'a transfer of a launch'],
])('logs that a transaction seems to lack: %s', (_name, facts, traced, lacks) => {
  const tokens = new Set([creator.address, post.address])
  const doubts = suspectTransactionsIn(factsOf(facts), traced ? [traced] : [], {
    poolManager: MANAGER,
    tokens,
    hooks: new Set([HOOK]),
  })
  expect(doubts.map((doubt) => doubt.missing)).toEqual(lacks ? [lacks] : [])
})

describe('balances', () => {
  const broken = (moves: readonly Move[], stored: Readonly<Record<Address, bigint>> = {}) => {
    const balances = new Map(Object.entries(stored).map(([holder, held]) => [creator.address + holder, held]))
    const found = findBrokenBalance(factsOf(moves.map((one) => move(one))), balances)
    return found && { holder: found.holder, known: found.known, before: found.before }
  }

  it('continue the stored ones, and those after the previous transfer', () => {
    expect(
      broken(
        [
          [alice, bob, 2n, 3n, 2n],
          [bob, alice, 1n, 1n, 4n],
        ],
        { [alice]: 5n },
      ),
    ).toBeNull()
  })
  it('of holders that are not stored are zero', () => {
    expect(broken([[NOBODY, alice, 5n, 0n, 5n]])).toBeNull()
    expect(broken([[NOBODY, alice, 5n, 0n, 6n]])).toEqual({ holder: alice, known: 0n, before: 1n })
  })
  it('show that a transfer is missing', () => {
    expect(broken([[alice, bob, 2n, 3n, 9n]], { [alice]: 5n })).toEqual({
      holder: bob,
      known: 0n,
      before: 7n,
    })
    expect(broken([[alice, bob, 2n, 1n, 2n]], { [alice]: 5n })).toEqual({
      holder: alice,
      known: 5n,
      before: 3n,
    })
  })
  it('do not change in a transfer to oneself', () => {
    expect(broken([[alice, alice, 2n, 5n, 5n]], { [alice]: 5n })).toBeNull()
  })
})

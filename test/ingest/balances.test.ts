import { describe, expect, it } from 'vitest'
import { openBalances } from '../../ingest/balances.ts'
import { MissingTransferError } from '../../ingest/faults.ts'
import type { Fact } from '../../market/fact.ts'
import type { Address } from '../../market/segment.ts'
import { address, hash } from '../support/facts.ts'

const token = address(0xa1)
const nobody = address(0)
const [ann, bob, eve] = [address(1), address(2), address(3)]

/** Transfers of a ledger that is kept here, one a block from block 1 on: [from, to, amount]. */
function transfers(moves: readonly (readonly [Address, Address, bigint])[], first = 1): Fact[] {
  const held = new Map<Address, bigint>()
  const add = (holder: Address, amount: bigint) => {
    if (holder !== nobody) held.set(holder, (held.get(holder) ?? 0n) + amount)
  }
  return moves.map(([from, to, amount], at) => {
    add(from, -amount)
    add(to, amount)
    return {
      ...{ blockNumber: first + at, logIndex: 0, transactionHash: hash(at), is: 'transferred', token },
      ...{ from, to, amount, fromBalance: held.get(from) ?? 0n, toBalance: held.get(to) ?? 0n },
    }
  })
}

const moves = [
  [nobody, ann, 10n],
  [ann, bob, 4n],
  [bob, bob, 4n],
  [bob, eve, 4n],
  [eve, ann, 1n],
  [ann, nobody, 7n],
  [nobody, bob, 5n],
] as const
const facts = transfers(moves)
const without = (place: number) => facts.filter((_, at) => at !== place)

describe('a balance', () => {
  it('ties to the transfer before it, in one range and from range to range', () => {
    openBalances().tie(facts, 1)
    const balances = openBalances()
    for (const [at, fact] of facts.entries()) balances.tie([fact], at + 1)
  })

  it.each([1, 3, 4])('does not tie where the transfer of block %i + 1 is left out', (place) => {
    expect(() => openBalances().tie(without(place), 1)).toThrow(MissingTransferError)
    const balances = openBalances()
    const oneByOne = () => {
      for (const fact of without(place)) balances.tie([fact], fact.blockNumber)
    }
    expect(oneByOne).toThrow(MissingTransferError)
  })

  it('says between which blocks a transfer is missing', () => {
    const thrown = (() => {
      try {
        openBalances().tie(without(1), 1)
      } catch (error) {
        return error
      }
    })()
    // Ann had 10 after block 1; block 5 says that she had 6.
    expect(thrown).toMatchObject({ name: 'MissingTransferError', retryable: true, from: 1, to: 5 })
  })

  it('that is seen for the first time is taken as it is', () => {
    openBalances().tie(facts.slice(3), 4)
  })

  it('of blocks that are read again is forgotten first', () => {
    const balances = openBalances()
    balances.tie(facts, 1)
    balances.tie(facts.slice(3), 4)
    // Another fork from block 4 on: Bob keeps what he has.
    balances.tie(transfers([...moves.slice(0, 3), [bob, ann, 1n]]).slice(3), 4)
  })

  it('of a range that does not tie is not kept', () => {
    const balances = openBalances()
    balances.tie(facts.slice(0, 1), 1)
    expect(() => balances.tie(facts.slice(4), 2)).toThrow(MissingTransferError)
    balances.tie(facts.slice(1), 2)
  })
})

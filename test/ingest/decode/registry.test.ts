import { beforeEach, describe, expect, it } from 'vitest'
import { noOldTokens } from '../../../ingest/decode/old-tokens.ts'
import { type KnownPool, openRegistry, type Registry } from '../../../ingest/decode/registry.ts'
import type { Address, Hash } from '../../../market/segment.ts'
import { mockChain } from '../../support/chain/mock-chain.ts'
import { address, hash } from '../../support/market/facts.ts'

const [alice, bob, hook, otherHook] = [address(1), address(2), address(3), address(4)] as [
  Address,
  Address,
  Address,
  Address,
]
const poolId = hash(9)

let reads: { tokens: Address[][]; pools: Hash[][]; hooks: number }
let stored: { tokens: Set<Address>; pools: Map<Hash, KnownPool>; hooks: Set<Address> }
let registry: Registry
/** What happens while the store is read. */
let meanwhile = (): void => {}

beforeEach(() => {
  reads = { tokens: [], pools: [], hooks: 0 }
  stored = { tokens: new Set(), pools: new Map(), hooks: new Set() }
  meanwhile = () => {}
  const store = {
    tokens: async (asked: readonly Address[]) => {
      reads.tokens.push([...asked])
      const found = new Map(asked.filter((one) => stored.tokens.has(one)).map((one) => [one, {}]))
      meanwhile()
      return found
    },
    pools: async (asked: readonly Hash[]) => {
      reads.pools.push([...asked])
      return new Map(
        asked.flatMap((id) => {
          const pool = stored.pools.get(id)
          return pool ? [[id, pool] as const] : []
        }),
      )
    },
    hooks: async () => {
      reads.hooks += 1
      const found = new Set(stored.hooks)
      meanwhile()
      return found
    },
    allTokens: async () => {
      const found = [...stored.tokens]
      meanwhile()
      return found
    },
  }
  registry = openRegistry(store, { ...mockChain, internalSenders: [address(0)] }, noOldTokens)
})

const registered = { token: alice, poolId, hook, blockNumber: 10 }

describe('the registry', () => {
  it('reads many entries from the store at once, and caches presence and absence', async () => {
    stored.tokens.add(alice)
    expect(await registry.tokens([alice, bob, alice])).toEqual(new Set([alice]))
    expect(await registry.tokens([bob, alice])).toEqual(new Set([alice]))
    expect(reads.tokens).toEqual([[alice, bob]])
  })

  it('returns a registration at once, even if the store had cached its absence', async () => {
    expect(await registry.tokens([alice])).toEqual(new Set())
    expect(await registry.pools([poolId])).toEqual(new Map())
    registry.register(registered)
    expect(await registry.tokens([alice])).toEqual(new Set([alice]))
    expect(await registry.pools([poolId])).toEqual(new Map([[poolId, { token: alice, hook }]]))
    expect(await registry.hooks()).toEqual(new Set([hook]))
    expect(await registry.senders()).toEqual([address(0), hook])
  })

  it('forgets the registrations after a block, and no others', async () => {
    registry.register(registered)
    registry.register({ token: bob, poolId: hash(8), hook: otherHook, blockNumber: 11 })
    registry.forgetAfter(10)
    expect(await registry.tokens([alice, bob])).toEqual(new Set([alice]))
    expect([...(await registry.pools([poolId, hash(8)])).keys()]).toEqual([poolId])
    expect(await registry.hooks()).toEqual(new Set([hook]))
  })

  it('keeps an earlier registration when a later block repeats it', async () => {
    registry.register({ ...registered, blockNumber: 12 })
    registry.register(registered)
    registry.register({ ...registered, blockNumber: 14 })
    registry.forgetAfter(10)
    expect(await registry.tokens([alice])).toEqual(new Set([alice]))
    expect(await registry.hooks()).toEqual(new Set([hook]))
  })

  it('reads settled entries from the store once', async () => {
    registry.register(registered)
    await registry.hooks()
    registry.settle(10)
    expect(await registry.tokens([alice])).toEqual(new Set([alice]))
    expect(await registry.pools([poolId])).toEqual(new Map([[poolId, { token: alice, hook }]]))
    expect(await registry.hooks()).toEqual(new Set([hook]))
    expect(reads).toEqual({ tokens: [], pools: [], hooks: 1 })
  })

  it('reads the store again after a rollback, since the store has changed, too', async () => {
    registry.register(registered)
    registry.settle(10)
    expect(await registry.tokens([bob])).toEqual(new Set())
    stored.tokens.add(bob)
    stored.hooks.add(otherHook)
    registry.forgetAfter(9)
    expect(await registry.tokens([alice, bob])).toEqual(new Set([bob]))
    expect(await registry.pools([poolId])).toEqual(new Map())
    expect(await registry.hooks()).toEqual(new Set([otherHook]))
  })

  it('forgets the registrations of an abandoned range, but not those of a completed one', async () => {
    registry.register(registered)
    registry.complete(10)
    registry.register({ token: bob, poolId: hash(8), hook: otherHook, blockNumber: 11 })
    registry.abandon(11)
    expect(await registry.tokens([alice, bob])).toEqual(new Set([alice]))
    // A repeated reading that fails forgets nothing.
    registry.abandon(5)
    expect(await registry.tokens([alice])).toEqual(new Set([alice]))
    expect(await registry.hooks()).toEqual(new Set([hook]))
    // After a rollback, block 10 is not completed any more.
    registry.forgetAfter(9)
    registry.register(registered)
    registry.abandon(10)
    expect(await registry.hooks()).toEqual(new Set())
  })

  it.each([
    ['a token', () => registry.tokens([alice]), alice],
    ['a hook', () => registry.hooks(), hook],
    ['every token', () => registry.allTokens(), alice],
  ])('knows %s that is registered and stored while the store is read', async (_, read, registeredOne) => {
    meanwhile = () => {
      registry.register(registered)
      registry.settle(10)
    }
    await read()
    expect(await read()).toContain(registeredOne)
  })

  it('stays bounded', async () => {
    const many = Array.from({ length: 60_000 }, (_, at) => address(1_000 + at))
    await registry.tokens(many)
    await registry.tokens(many)
    // Of 60,000 answers the last 50,000 are kept.
    expect(reads.tokens.map(({ length }) => length)).toEqual([60_000, 10_000])
  })
})

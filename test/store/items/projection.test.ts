import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importedAt } from '../../../market/coverage.ts'
import { fold } from '../../../market/fold/fold.ts'
import type { PriorState } from '../../../market/prior.ts'
import type { Hash, Minute, Segment, Token } from '../../../market/segment.ts'
import { foldText } from '../../../market/text.ts'
import { lookupSort } from '../../../store/aws/launch-key.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import { allOf } from '../../../store/aws/parallel.ts'
import { type Item, isExpired, type Table } from '../../../store/aws/table.ts'
import { holdingOf, keptSeconds, lookupPartitions, marketKeys } from '../../../store/aws/tables.ts'
import { itemsOf, itemsOfRewind } from '../../../store/items/projection.ts'
import { isChanged, rowsOf } from '../../../store/items/rows.ts'
import { openTokenHistory } from '../../../store/items/token-history.ts'
import { openTokens } from '../../../store/items/tokens.ts'
import {
  address,
  block,
  blockOf,
  coin,
  known,
  type Loose,
  minuteOf,
  prior,
  rate,
  swapped,
  ZORA,
} from '../../support/market/facts.ts'
import {
  type LedgerWorld,
  ledgerHolders,
  ledgerNames,
  noWorld,
  type Step,
  sealed,
  steps,
  tokenAddresses,
} from '../../support/market/ledger-history.ts'
import { isWhole, rounds } from '../../support/rounds.ts'
import { storedSwaps } from '../swaps-in.ts'

async function put(table: Table, items: readonly Item[], n: number): Promise<void> {
  for (const item of items) await table.put({ ...item, pos: n }, { olderThan: n })
}

type InForce = { readonly segment: Segment; readonly world: LedgerWorld }

/** The log's entries as items, in order, and what is in force at the end. */
function played(history: readonly Step[]): { entries: Item[][]; inForce: InForce[] } {
  const inForce: InForce[] = []
  const entries: Item[][] = []
  for (const step of history) {
    if (step.is === 'seal') {
      const next = sealed(inForce.at(-1)?.world ?? noWorld, step)
      inForce.push(next)
      entries.push(itemsOf(next.segment))
    } else if (inForce.length > 0) {
      const orphaned = inForce.splice(-step.depth).reverse()
      entries.push(itemsOfRewind(orphaned.map(({ segment }) => segment)))
    }
  }
  return { entries, inForce }
}

const withoutPos = ({ pos: _, ...item }: Item) => item

/** All that readers can learn of the ledger. */
async function seen(table: Table, asked: { pools: readonly Hash[]; next: Minute }) {
  const tokens = openTokens(table)
  const partitions = [
    ...ledgerNames.flatMap((name) => [lookupPartitions.symbol(name), lookupPartitions.name(name)]),
    ...ledgerHolders.map(lookupPartitions.creator),
    ...tokenAddresses.map((token) => marketKeys.balance(token, token).pk),
    marketKeys.reference(ZORA, 0).pk,
  ]
  const listed = await Promise.all(partitions.map((pk) => allOf(table.query({ pk }))))
  const span = { from: 0, to: asked.next }
  return {
    known: await tokens.known(tokenAddresses, asked.next),
    tokens: await tokens.tokens(tokenAddresses),
    pools: await tokens.pools(asked.pools),
    hooks: await tokens.hooks(),
    owners: await tokens.owners([...tokenAddresses, ...ledgerHolders]),
    withState: (await table.readMany(tokenAddresses.map(marketKeys.now))).map(({ pk }) => pk).sort(),
    listed: listed.flat().map(withoutPos),
    rows: await Promise.all(tokenAddresses.map((token) => allOf(rowsOf(table, token, span)))),
    swaps: await Promise.all(tokenAddresses.map((token) => storedSwaps(table, token, span))),
  }
}

describe('the projection of the log', () => {
  it('with minutes rolled back equals that of the minutes in force', async () => {
    const property = fc.asyncProperty(
      steps,
      fc.array(fc.nat(20), { maxLength: 8 }),
      async (history, late) => {
        const { entries, inForce } = played(history)
        const [ledger, plain] = [openMemoryTable(), openMemoryTable()]
        for (const [at, items] of entries.entries()) await put(ledger, items, at + 1)
        // A writer that wakes up late materializes old entries again; the guard passes them over.
        for (const at of late) await put(ledger, entries[at] ?? [], at + 1)
        for (const [at, { segment }] of inForce.entries()) await put(plain, itemsOf(segment), at + 1)
        const pools = [...ledger.items.values()]
          .filter(({ pk }) => pk.startsWith('X#p#'))
          .map(({ pk }): Hash => `0x${pk.slice(4)}`)
        for (const minute of [1, 45]) {
          const next = (inForce.at(-1)?.world.minute ?? noWorld.minute) + minute
          expect(await seen(ledger, { pools, next })).toEqual(await seen(plain, { pools, next }))
        }
      },
    )
    await fc.assert(property, { numRuns: rounds(isWhole ? 80 : 30, 1_000) })
  })

  it('shows readers what the minutes in force came to', async () => {
    const property = fc.asyncProperty(steps, async (history) => {
      const { entries, inForce } = played(history)
      const ledger = openMemoryTable()
      for (const [at, items] of entries.entries()) await put(ledger, items, at + 1)
      const world = inForce.at(-1)?.world ?? noWorld
      const { tokens, known, hooks, owners, rows, swaps } = await seen(ledger, {
        pools: [],
        next: world.minute + 1,
      })
      const launched = [...world.prior.tokens.values()].map(({ token }) => token)
      expect(tokens).toEqual(new Map(launched.map((token) => [token.address, token])))
      expect(hooks).toEqual(world.hooks)
      expect(owners).toEqual(world.prior.owners)
      for (const [address, { state, ranges }] of known) {
        const folded = world.prior.tokens.get(address)!
        expect({ state, ranges }).toEqual({ state: folded.state, ranges: folded.ranges })
      }
      for (const [at, token] of tokenAddresses.entries()) {
        const own = inForce.flatMap(({ segment: { rows, balances } }) =>
          rows.filter(
            (row) => row.token === token && (isChanged(row) || balances.some((b) => b.token === token)),
          ),
        )
        expect(rows[at]?.map(({ row }) => row)).toEqual(
          own.map(({ token, before, after, candle }) => ({ token, before, after, candle })),
        )
        const traded = inForce.flatMap(({ segment }) => segment.swaps.filter((swap) => swap.token === token))
        expect(swaps[at]).toEqual(traded)
      }
      for (const name of ledgerNames)
        for (const field of ['symbol', 'name'] as const) {
          const own = launched.filter((token) => foldText(token[field]) === foldText(name))
          const found = await allOf(ledger.query({ pk: lookupPartitions[field](name) }))
          expect(found.map(({ sk }) => sk)).toEqual(own.map(lookupSort).sort())
        }
      const stored = (kind: string) => [...ledger.items.values()].filter(({ pk }) => pk.startsWith(kind))
      expect(new Set(stored('P#'))).toEqual(new Set(stored('B#').map(holdingOf)))
      const balances = await collectBalances(ledger)
      expect(balances).toEqual(new Map([...world.balances].filter(([, amount]) => amount > 0n)))
    })
    await fc.assert(property, { numRuns: rounds(isWhole ? 30 : 12, 1_000) })
  })

  it('keeps what the posts of a creator token come to with its state, also where the minute did not touch it', async () => {
    const creator = coin({ address: address(0xa) })
    const post = coin({ address: address(0xb), kind: 'post', quote: creator.address })
    const foldAt = (before: PriorState, at: number, facts: readonly Loose[]) =>
      fold(before, minuteOf(blockOf(block(10 + at, 600 + 60 * at), facts)))
    const first = foldAt(prior([known({ coin: creator }), known({ coin: post })]), 0, [
      swapped({ token: creator }),
      swapped({ token: post }),
    ])
    const second = foldAt(first.after, 1, [swapped({ token: post })])
    const table = openMemoryTable()
    const sumsIn = async () => (await openTokens(table).owners([creator.address])).get(creator.address)?.posts
    await put(table, itemsOf(first.segment), 1)
    const before = await sumsIn()
    expect(before).toMatchObject([{ quote: creator.address, lastSwapMinute: 10 }])
    await put(table, itemsOf(second.segment), 2)
    expect(await sumsIn()).toEqual(second.after.owners.get(creator.address)?.posts)
    expect(await sumsIn()).not.toEqual(before)
    const history = openTokenHistory(table)
    for (const minute of [10, 11])
      expect(await history.stateAt(creator.address, minute)).toEqual(
        first.after.tokens.get(creator.address)?.state,
      )
    await put(table, itemsOfRewind([second.segment]), 3)
    expect(await sumsIn()).toEqual(before)
  })

  it('has no balance of a holder who gave away the least amount', async () => {
    const give = (world: LedgerWorld, n: number) =>
      sealed(world, { is: 'seal', gap: 1, acts: [{ does: 'give', token: 0, n }] })
    const first = give(noWorld, 3)
    const second = give(first.world, 0)
    const table = openMemoryTable()
    await put(table, itemsOf(first.segment), 1)
    expect([...(await collectBalances(table)).values()]).toEqual([1n])
    await put(table, itemsOf(second.segment), 2)
    expect(await collectBalances(table)).toEqual(new Map())
  })

  it('has no rows that have expired, and all else', () => {
    const creator = coin({ address: address(0xa) })
    const minute = minuteOf(blockOf(block(10, 600), [swapped({ token: creator })]))
    const { segment } = fold(prior([known({ coin: creator })]), minute)
    const all = itemsOf(segment)
    const ends = all.flatMap(({ sk, ttl }) => (sk.startsWith('C') ? [Number(ttl)] : []))
    expect(ends.length).toBeGreaterThan(0)
    for (const now of [Math.min(...ends) - 1, Math.min(...ends)])
      expect(itemsOf(segment, now).filter((item) => !isExpired(item, now))).toEqual(
        all.filter((item) => !isExpired(item, now)),
      )
    expect(itemsOf(segment, Math.min(...ends)).length).toBe(all.length - ends.length)
  })

  /** A minute without a log, to which a test adds what it is about. */
  const emptySegment = () =>
    fold(prior([]), { minute: 10, firstBlock: 10, last: block(10, 600), blocks: [] }).segment

  it('lists a launch under its UTC day and its creator, a token older than the log under neither', () => {
    const { token } = known({ coin: coin({ address: address(0xa) }) })
    const listed = (launchedAt: Partial<Token['launchedAt']>) => {
      const after = { ...token, launchedAt: { ...token.launchedAt, ...launchedAt } }
      const items = itemsOf({ ...emptySegment(), tokens: [{ before: null, after }] })
      return items.flatMap(({ pk }) => (/^X#[lc]#/.test(pk) ? [pk] : [])).sort()
    }
    const creator = lookupPartitions.creator(token.creator)
    expect(listed({ timestamp: 3 * 86_400 })).toEqual([creator, lookupPartitions.launches(3)])
    expect(listed({ timestamp: 3 * 86_400 - 1 })).toEqual([creator, lookupPartitions.launches(2)])
    expect(listed(importedAt(block(10, 600), 0))).toEqual([])
  })

  it('has a balance as a number while DynamoDB’s 38 digits hold it, else as text', () => {
    const stored = (after: bigint) => {
      const [token, holder] = [address(0xa), address(0xb)]
      const items = itemsOf({ ...emptySegment(), balances: [{ token, holder, before: 0n, after }] })
      return items.flatMap(({ balance }) => (balance === undefined ? [] : [balance]))
    }
    // By token and by holder.
    const twice = <V>(value: V) => [value, value]
    expect(stored(10n ** 38n - 1n)).toEqual(twice(10n ** 38n - 1n))
    expect(stored(10n ** 38n)).toEqual(twice(`1${'0'.repeat(38)}`))
  })

  it('has the rates of each minute; rolled back, their hour and day are no longer rolled up', () => {
    const { reference: seconds } = keptSeconds
    for (const minute of [60_058, 60_059]) {
      const before = { ...prior([]), references: new Map([[ZORA, rate(7n)]]) }
      const { segment } = fold(before, minuteOf(blockOf(block(minute, minute * 60), [])))
      const kept = itemsOf(segment)
        .filter((item) => item['heldUsdE36'] !== undefined)
        .map(({ pk, sk, ttl }) => ({ pk, sk, ttl }))
      expect(kept).toEqual([{ ...marketKeys.reference(ZORA, minute), ttl: minute * 60 + seconds }])
      const hour = marketKeys.prices({ currency: ZORA }, 'hour', Math.floor(minute / 60))
      const days = marketKeys.prices({ currency: ZORA }, 'days', Math.floor(minute / 1_440))
      expect(itemsOfRewind([segment]).filter(({ tomb }) => tomb)).toEqual(
        expect.arrayContaining([expect.objectContaining(hour), expect.objectContaining(days)]),
      )
    }
  })

  it('names every key once, so that the order of its puts does not matter', () => {
    fc.assert(
      fc.property(steps, (history) => {
        for (const items of played(history).entries) {
          const ids = items.map(({ pk, sk }) => JSON.stringify([pk, sk]))
          expect(new Set(ids).size).toBe(ids.length)
        }
      }),
    )
  })
})

async function collectBalances(table: Table): Promise<Map<string, bigint>> {
  const balances = new Map<string, bigint>()
  for (const token of tokenAddresses) {
    for await (const item of table.query({ pk: marketKeys.balance(token, token).pk })) {
      balances.set(`${token}/0x${item.sk}`, BigInt(item['balance'] as bigint))
    }
  }
  return balances
}

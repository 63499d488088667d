/** Tokens older than the log, from their first log on, in writers that lose what they have in memory. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { chains } from '../../../ingest/client/chains.ts'
import type { Rpc } from '../../../ingest/client/rpc.ts'
import { openPending, type Pending } from '../../../ingest/writer/pending.ts'
import { tailStateBefore } from '../../../ingest/writer/tail-state.ts'
import { importedAt } from '../../../market/coverage.ts'
import { NOBODY } from '../../../market/fold/holders.ts'
import type { PriorToken } from '../../../market/prior.ts'
import type { Segment, Token } from '../../../market/segment.ts'
import { marketKeys } from '../../../store/aws/tables.ts'
import { segmentBytes } from '../../../store/bytes/segment-bytes.ts'
import { openTokenHistory } from '../../../store/items/token-history.ts'
import { MissingStateError } from '../../../store/log/applied-read.ts'
import { memoryStores } from '../../support/aws/ingest-stores.ts'
import { olderTokensOf } from '../../support/chain/older-tokens.ts'
import { openCommits } from '../../support/market/commits.ts'
import {
  address,
  block,
  blockOf,
  coin,
  hash,
  known,
  type Loose,
  MANAGER,
  moved,
  ONE_X96,
  renamed,
  swapped,
  transferred,
  WHOLE,
} from '../../support/market/facts.ts'
import { isWhole, rounds } from '../../support/rounds.ts'

// Entries that each cache holds: with one, what was just read is evicted by the next.
const cache = vi.hoisted(() => ({ entries: 1 }))
vi.mock('lru-cache', async (original) => {
  const { LRUCache } = await original<typeof import('lru-cache')>()
  return {
    LRUCache: class extends LRUCache<object, object, unknown> {
      constructor() {
        super({ max: cache.entries })
      }
    },
  }
})

const START = block(100, 26_000_000 * 60)
/** A creator token, two posts priced in it, a post of the same creator priced otherwise, and another creator's token. */
const older: readonly PriorToken[] = [
  { kind: 'creator' },
  { kind: 'post', quote: address(0xa0) },
  { kind: 'post', quote: address(0xa0) },
  { kind: 'post' },
  { kind: 'creator', creator: address(0xc1) },
].map((part, at) => {
  const pools = part.quote ? 1 : 0
  const own = coin({
    address: address(0xa0 + at),
    ...part,
    hook: address(0x40 + at),
    launchedAt: importedAt(START, pools),
  } as Parameters<typeof coin>[0])
  const state = { sqrtPriceX96: ONE_X96 * BigInt(at + 1), supply: 1_000n * WHOLE, pooled: 700n * WHOLE }
  return { ...known({ coin: own, state, launch: { priceUsdE36: null, supply: state.supply } }), isNew: true }
})
const byAddress = new Map(older.map((one) => [one.token.address, one]))
const oldTokens = olderTokensOf(byAddress)

type Act = { readonly does: keyof typeof acts; readonly token: number; readonly n: number }

/** The kinds of logs that a token's first one can be; most leave its state as it is. */
const acts = {
  rename: (token: Token, n: number): Loose => renamed(token, `Name ${n}`, `S${n}`),
  /** To its own name: not even its description changes. */
  renameToSame: (token: Token): Loose => renamed(token, token.name, token.symbol),
  move: (token: Token, n: number): Loose => moved(token, ONE_X96 * BigInt(n + 1)),
  moveInAnotherPool: (token: Token, n: number): Loose => moved({ ...token, poolId: hash(0x9_000 + n) }),
  transferNothing: (token: Token, n: number): Loose =>
    transferred(token, [address(n + 1), address(n + 2)], [0n, 0n, 0n]),
  burn: (token: Token): Loose => transferred(token, [address(7), NOBODY], [WHOLE, WHOLE, 0n]),
  trade: (token: Token, n: number): Loose =>
    swapped({ token, isBuy: n % 2 === 0, sqrtPriceX96: ONE_X96 * BigInt(n + 1), trader: address(0x70 + n) }),
}

type Step = { readonly acts: readonly Act[]; readonly isLost: boolean }
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    isLost: fc.boolean(),
    acts: fc.array(
      fc.record({
        does: fc.constantFrom(...(Object.keys(acts) as Act['does'][])),
        token: fc.nat(older.length - 1),
        n: fc.nat(4),
      }),
      { maxLength: 3 },
    ),
  }),
  { minLength: 1, maxLength: 6 },
)

/** A writer over stores of its own: it seals and materializes a minute, and can lose all that it has in memory. */
async function openOne(entries: number) {
  const stores = memoryStores()
  const commits = openCommits(stores.table, stores.segments)
  let pending: Pending
  const forget = async () => {
    cache.entries = entries
    const deps = {
      ...stores,
      rpc: {} as Rpc,
      chain: { ...chains.devnet, poolManager: MANAGER, references: [] },
    }
    const n = ((await stores.log.tail())?.n ?? 0) + 1
    pending = openPending(stores.tokens, await tailStateBefore({ ...deps, start: START }, n), 101, oldTokens)
  }
  await forget()
  return {
    stores,
    forget,
    async seal(at: number, own: readonly Act[]): Promise<Segment> {
      const last = block(101 + at, START.timestamp + 60 * (at + 1))
      const facts = own.flatMap(({ does, token, n }) => acts[does](older[token]!.token, n))
      const [minute] = await pending.add([blockOf(last, facts)])
      const { segment } = minute!
      pending.seal(1)
      const entry = await commits.commit(segment)
      pending.committedFirst()
      expect(pending.unmaterialized()).toEqual([minute])
      pending.materialized(entry.minute)
      expect(pending.unmaterialized()).toEqual([])
      return segment
    },
  }
}

test('tokens older than the log have the same states in a writer that loses its memory at any moment', async () => {
  const property = fc.asyncProperty(steps, async (history) => {
    const [steady, forgetful] = [await openOne(1_000), await openOne(1)]
    for (const [at, { acts: own, isLost }] of history.entries()) {
      if (isLost) await forgetful.forget()
      cache.entries = 1
      const [expected, found] = [await steady.seal(at, own), await forgetful.seal(at, own)]
      expect(Buffer.from(segmentBytes(found)).equals(Buffer.from(segmentBytes(expected)))).toBe(true)
      expect(found.rows).toEqual(expected.rows)
      await expectDescribedWithState(forgetful.stores, found)
    }
  })
  await fc.assert(property, { numRuns: rounds(isWhole ? 60 : 25, 3_000) })
})

test('a description without a state stops a fold and a reader, and no state is invented', async () => {
  const writer = await openOne(1)
  await writer.seal(0, [{ does: 'rename', token: 4, n: 1 }])
  const { table, tokens } = writer.stores
  const { address: token } = older[4]!.token
  await table.put({ ...marketKeys.now(token), tomb: true, pos: 2 }, { olderThan: 2 })
  await writer.forget()
  await expect(writer.seal(1, [{ does: 'trade', token: 4, n: 1 }])).rejects.toThrow(MissingStateError)
  await expect(tokens.known([token], START.timestamp)).rejects.toThrow(`${token} is described, but`)
  const history = openTokenHistory(table)
  await expect(history.stateAt(token, START.timestamp / 60 + 1)).rejects.toThrow(MissingStateError)
})

/** Every description in the tables stands beside a state, and readers find it, after this minute and before it. */
async function expectDescribedWithState(
  { items, table }: ReturnType<typeof memoryStores>,
  { rows, minute }: Segment,
): Promise<void> {
  const at = new Set((await items()).map(({ pk, sk }) => `${pk}/${sk}`))
  for (const { pk, sk, token } of await items()) {
    if (token === undefined || !pk.startsWith('T#')) continue
    expect(sk).toBe('M')
    expect(at.has(`${pk}/NOW`)).toBe(true)
  }
  const history = openTokenHistory(table)
  for (const { token, after, before } of rows) {
    expect(await history.stateAt(token, minute)).toEqual(after)
    expect(await history.stateAt(token, minute - 1)).toEqual(before)
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RpcUnavailableError } from '../../../ingest/client/faults.ts'
import { type HolderDeps, openHolderViews, REFRESH_MINUTES } from '../../../ingest/writer/holder-views.ts'
import { distributionOf, isCounted } from '../../../market/fold/holders.ts'
import type { SealedEntry } from '../../../market/log.ts'
import type { Address, Segment } from '../../../market/segment.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import { openAddressCodes, readHolderView } from '../../../store/items/holders.ts'
import { readHolderSamples } from '../../../store/items/hour-records.ts'
import { openLog } from '../../../store/log/log.ts'
import { memoryBucket } from '../../support/aws/memory-stores.ts'
import { loneRpc } from '../../support/chain/json-rpc.ts'
import { openCommits } from '../../support/market/commits.ts'
import { nthAddress, segmentOf, stateWith, tokenAt } from '../../support/market/facts.ts'
import {
  type LedgerWorld,
  noWorld,
  type Step,
  sealed,
  steps,
  tokenAddresses,
} from '../../support/market/ledger-history.ts'
import { rounds } from '../../support/rounds.ts'

const POOL_MANAGER = nthAddress(900)
const MINUTE = 29_000_000

/** Stores in memory, and a chain that knows some contracts. */
function openStores(contracts: ReadonlyMap<Address, string> = new Map()) {
  const [table, bucket] = [openMemoryTable(), memoryBucket()]
  const log = openLog(table, bucket)
  const asked: Address[] = []
  const state = { isDown: false }
  const codeOf = (address: Address) => {
    asked.push(address)
    return contracts.get(address) ?? '0x'
  }
  const rpc = loneRpc(async ({ params }) => {
    if (state.isDown) throw new RpcUnavailableError('chain', 'down')
    return codeOf(params[0] as Address)
  })
  const deps: HolderDeps = { table, log, rpc, chain: { poolManager: POOL_MANAGER } }
  return { table, log, deps, asked, state, ...openCommits(table, bucket) }
}

const token = tokenAt(1, MINUTE)
const supply = 1_000_000n
const amountOf = (number: number): bigint => BigInt(1 + ((number * 7_919) % 500))

/** A minute in which so many came to hold the token. */
const given = (
  minute: number,
  balances: readonly (readonly [holder: Address, before: bigint, after: bigint])[],
) =>
  segmentOf(minute, {
    born: minute === MINUTE ? [token] : [],
    rows: [[token.address, stateWith({ supply, holders: balances.length })]],
    balances: balances.map(([holder, before, after]) => ({ token: token.address, holder, before, after })),
  })
const crowd = (count: number) =>
  Array.from({ length: count }, (_, at) => [nthAddress(5_000 + at), 0n, amountOf(at)] as const)

describe('a holder view', () => {
  it('distinguishes contracts from accounts, including delegated ones', async () => {
    const [contract, delegated, plain] = [nthAddress(5_000), nthAddress(5_001), nthAddress(5_002)]
    const codes = new Map([
      [contract, '0x6001'],
      [delegated, `0xEF0100${'ab'.repeat(20)}`],
    ])
    const stores = openStores(codes)
    const views = openHolderViews(stores.deps)
    const entry = await stores.commit(given(MINUTE, crowd(3)))
    expect(await views.refresh(entry)).toEqual({ tokens: 1, fault: null })
    const known = await openAddressCodes(stores.table).known([contract, delegated, plain, nthAddress(1)])
    expect([...known].sort()).toEqual([
      [contract, true],
      [delegated, false],
      [plain, false],
    ])
    expect(await readHolderView(stores.table, token.address)).toBeUndefined()
  })

  it('names the largest 100 holders and counts all', async () => {
    const stores = openStores(new Map([[nthAddress(5_000 + 63), '0x00']]))
    const entry = await stores.commit(given(MINUTE, [...crowd(1_200), [POOL_MANAGER, 0n, 9_999n]]))
    await openHolderViews(stores.deps).refresh(entry)
    const view = (await readHolderView(stores.table, token.address))!
    const sorted = crowd(1_200)
      .map(([, , amount]) => amount)
      .sort((a, b) => Number(b - a))
    expect(view.distribution).toEqual(distributionOf(sorted, supply))
    expect(view.top.map(({ amount }) => amount)).toEqual(sorted.slice(0, 100))
    expect(view.at).toEqual({ n: 1, minute: MINUTE, last: entry.last })
    expect(stores.asked).toHaveLength(100)
  })

  it('flags no contracts if more addresses held the token than are counted', async () => {
    const stores = openStores()
    const deps = { ...stores.deps, viewFrom: 10, viewMax: 20 }
    const views = openHolderViews(deps)
    const viewAfter = async (segment: Segment) => {
      const entry = await stores.commit(segment)
      views.note(segment)
      expect(await views.refresh(entry)).toEqual({ tokens: 1, fault: null })
      return (await readHolderView(stores.table, token.address))!
    }
    expect((await viewAfter(given(MINUTE, crowd(20)))).distribution).toMatchObject({ holders: 20 })
    const looked = stores.asked.length
    const more = given(MINUTE + REFRESH_MINUTES, [[nthAddress(4_999), 0n, 1n]])
    expect(await viewAfter(more)).toMatchObject({ distribution: null, top: [] })
    expect(stores.asked).toHaveLength(looked)
  })

  it('is refreshed every ten minutes at most, and reads the code of an address once', async () => {
    const stores = openStores()
    const views = openHolderViews(stores.deps)
    await views.refresh(await stores.commit(given(MINUTE, crowd(2))))
    for (let after = 1; after <= REFRESH_MINUTES; after++) {
      const segment = given(MINUTE + after, [[nthAddress(5_000), amountOf(0), BigInt(1_000 + after)]])
      const entry = await stores.commit(segment)
      views.note(segment)
      expect(await views.refresh(entry)).toEqual(after < REFRESH_MINUTES ? null : { tokens: 1, fault: null })
    }
    expect(stores.asked).toHaveLength(2)
    expect(await views.refresh(stores.tail())).toBeNull()
  })

  it('puts the share of an hour again after a rollback has voided it', async () => {
    const stores = openStores()
    const views = openHolderViews(stores.deps)
    const hour = Math.floor(MINUTE / 60)
    const shares = () =>
      readHolderSamples(stores.table, token.address, { first: hour, last: hour, n: stores.tail().n })
    const first = await stores.commit(given(MINUTE, crowd(2)))
    const moved = (minute: number) => given(minute, [[nthAddress(5_000), amountOf(0), amountOf(0) + 1n]])
    await stores.commit(moved(MINUTE + 1))
    views.note(moved(MINUTE + 1))
    await views.refresh(stores.tail())
    const [share] = await shares()
    expect(share).toBeDefined()
    await stores.rollBackAfter(first.last.number)
    views.reread()
    expect(await shares()).toEqual([])
    await stores.commit(moved(MINUTE + 1 + REFRESH_MINUTES))
    views.note(moved(MINUTE + 1 + REFRESH_MINUTES))
    expect(await views.refresh(stores.tail())).toEqual({ tokens: 1, fault: null })
    expect(await shares()).toEqual([share])
  })

  it('waits for an endpoint that is down, and for a process that is ahead', async () => {
    const stores = openStores()
    const views = openHolderViews(stores.deps)
    stores.state.isDown = true
    const first = await stores.commit(given(MINUTE, crowd(2)))
    expect((await views.refresh(first))?.fault).toBeInstanceOf(RpcUnavailableError)
    stores.state.isDown = false
    expect(await views.refresh(first)).toBeNull()
    const second = await stores.commit(given(MINUTE + 1, [[nthAddress(5_001), amountOf(1), 0n]]))
    // As of the first entry, of which a balance is gone.
    await openHolderViews(stores.deps).refresh(first)
    expect(stores.asked).toEqual([])
    expect(await views.refresh(second)).toEqual({ tokens: 1, fault: null })
    expect(stores.asked).toEqual([nthAddress(5_000)])
  })

  it('is as of the effective minutes, after any rollback and with any late process', async () => {
    const property = fc.asyncProperty(steps, fc.array(fc.boolean(), { maxLength: 14 }), (history, looks) =>
      play(history, looks),
    )
    // A minute that moves no balance is rolled back, too.
    const traded: Step[] = [
      { is: 'seal', gap: 1, acts: [{ does: 'give', token: 0, n: 3 }] },
      { is: 'seal', gap: 1, acts: [{ does: 'trade', token: 0, n: 0 }] },
      { is: 'rewind', depth: 1 },
    ]
    await fc.assert(property, { numRuns: rounds(6, 500), examples: [[traded, []]] })
  })
})

type InForce = { readonly entry: SealedEntry; readonly world: LedgerWorld }

/** Plays a history; after some of its steps the holders are looked at, by one process or by a new one. */
async function play(history: readonly Step[], looks: readonly boolean[]): Promise<void> {
  const stores = openStores()
  const deps = { ...stores.deps, viewFrom: 0 }
  let inForce: InForce[] = []
  let views = openHolderViews(deps)
  const worlds = new Map<number, LedgerWorld>()
  for (const [at, step] of history.entries()) {
    if (step.is === 'seal') {
      const { segment, world } = sealed(inForce.at(-1)?.world ?? noWorld, step)
      const entry = await stores.commit(segment)
      inForce.push({ entry, world })
      worlds.set(entry.n, world)
    } else if (inForce.length > step.depth) {
      inForce = inForce.slice(0, -step.depth)
      const kept = inForce.at(-1)!
      const entry = await stores.rollBackAfter(kept.entry.last.number)
      worlds.set(entry.n, kept.world)
    } else continue
    // A new process looks at once, one that goes on only when it is time.
    if (looks[at] !== false) views = openHolderViews(deps)
    await views.refresh(stores.tail())
    for (const address of tokenAddresses) await assertView(stores.table, address, { worlds, inForce })
  }
}

async function assertView(
  table: ReturnType<typeof openStores>['table'],
  token: Address,
  { worlds, inForce }: { worlds: ReadonlyMap<number, LedgerWorld>; inForce: readonly InForce[] },
): Promise<void> {
  const view = await readHolderView(table, token)
  if (!view) return
  const world = worlds.get(view.at.n)!
  const amounts = [...world.balances]
    .filter(([id, amount]) => {
      const holder = id.split('/')[1] as Address
      return id.startsWith(token) && amount > 0n && isCounted(holder, token, new Set(world.hooks))
    })
    .map(([, amount]) => amount)
    .sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  expect(view.top.map(({ amount }) => amount)).toEqual(amounts)
  expect(view.distribution).toEqual(
    distributionOf(amounts, world.prior.tokens.get(token)?.state.supply ?? 0n),
  )
  expect(view.at.minute).toBe(world.minute)
  // Never of a block that was rolled back.
  expect(inForce.map(({ entry }) => entry.last.hash)).toContain(view.at.last.hash)
}

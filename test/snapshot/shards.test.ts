import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SealedEntry, SegmentReference } from '../../market/log.ts'
import type { Address, Token } from '../../market/segment.ts'
import { windowNames } from '../../market/window.ts'
import { builders, type Snapshot, snapshotOf, storedDocuments } from '../../snapshot/documents.ts'
import { advance, type Engine, emptyEngine, marketsAt } from '../../snapshot/engine.ts'
import { mergedSnapshot, snapshotPartOf } from '../../snapshot/merged-snapshot.ts'
import { advanceShards, type Shards, shardsOf } from '../../snapshot/shards.ts'
import type { SegmentStates } from '../../store/segment-bytes.ts'
import { type MemoryLog, memoryLog } from '../support/memory-stores.ts'
import { isWhole, rounds } from '../support/rounds.ts'
import { contentOf, gaps, sealRandom } from './engine-histories.ts'
import { sealDay, sealNext } from './index-histories.ts'

const SHARDS = 4
const origin = { chain: null, codeVersion: null }

const textsOf = (snapshot: Snapshot) =>
  storedDocuments.map(({ name, operation, parameterValues }) => [
    name,
    builders[operation](snapshot, parameterValues),
  ])

/** A token by its address, as a shard that has it describes it. */
function tokenIn({ engines }: Shards, address: Address): Token | undefined {
  const found = engines.find(({ market }) => market.byAddress.has(address))
  return found && marketsAt(found)(0).tokenOf(found.market.byAddress.get(address) as number)
}

/** The merged snapshot of parts that have been written and read again, as other processes would. */
function mergedOf(shards: Shards): Snapshot {
  const parts = shards.engines.map((engine) => structuredClone(snapshotPartOf(engine, origin)))
  const given = new Map(
    parts.flatMap(({ places }) => places.creatorTokens.map((address) => [address, tokenIn(shards, address)])),
  )
  return mergedSnapshot(parts, (address) => given.get(address))
}

/** Both advance by each minute of a log, and must have the same documents after those that `isCompared`. */
async function follow(
  log: MemoryLog,
  { one, shards }: { readonly one: Engine; readonly shards: Shards },
  isCompared: (n: number) => boolean,
): Promise<void> {
  const all = log.entries.filter((entry): entry is SealedEntry => entry.is === 'sealed')
  const sealed = all.filter(({ n }) => n > one.n)
  const segments = new Map<string, SegmentStates>()
  for (const { segment } of all) segments.set(segment.key, await log.readSegmentStates(segment))
  const read = ({ key }: SegmentReference) => segments.get(key) as SegmentStates
  for (const entry of sealed) {
    advance(one, entry, read)
    advanceShards(shards, entry, read)
    if (isCompared(entry.n)) expect(textsOf(mergedOf(shards))).toEqual(textsOf(snapshotOf(one, origin)))
  }
}

/** Every token is in exactly one shard, with what the whole engine knows of it. */
function expectDivided(one: Engine, { engines }: Shards): void {
  const whole = contentOf(one)
  const parts = engines.map(contentOf)
  for (const at of windowNames.keys()) {
    const tokens = parts.flatMap((part) => part[at]!.tokens)
    expect(tokens.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(whole[at]!.tokens)
  }
  for (const { index } of engines) {
    expect(index.index).toEqual(one.index.index)
    expect(index.points).toEqual(one.index.points)
  }
  const needed = engines.flatMap(({ index }) => [...index.needed])
  expect(needed.toSorted()).toEqual([...one.index.needed].toSorted())
}

/** An engine after so many entries of a log, and shards that were divided from another one there. */
async function divided(log: MemoryLog, entries: number) {
  const early = { ...log, entries: log.entries.slice(0, entries) } as MemoryLog
  const [one, other] = [emptyEngine(), shardsOf(emptyEngine(), 1)]
  await follow(early, { one, shards: other }, () => false)
  const shards = shardsOf(other.engines[0]!, SHARDS)
  expectDivided(one, shards)
  return { one, shards }
}

const numRuns = rounds('SHARD_RUNS', isWhole ? 5 : 2, 1_000)

it('four shards make the documents of one engine, over any history in which tokens change their quotes and sleep', async () => {
  const minute = fc.record({ gap: gaps, seed: fc.nat(1_000_000) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(minute, { minLength: 5, maxLength: 40 }),
      fc.nat(20),
      fc.constantFrom(0, 0.1, 1),
      async (minutes, before, requoted) => {
        const log = memoryLog()
        for (const each of minutes) await sealRandom(log, { ...each, requoted })
        const { one, shards } = await divided(log, before)
        await follow(log, { one, shards }, (n) => n % 4 === 0 || n === minutes.length)
        expectDivided(one, shards)
      },
    ),
    { numRuns, interruptAfterTimeLimit: 60_000 + numRuns * 2_000 },
  )
})

it('four shards give the index the same members, seats and points as one engine does', async () => {
  const log = memoryLog()
  await sealDay(log)
  for (let at = 0; at < 40; at++) await sealNext(log, { gap: at < 20 ? 30 : 700, seed: at * 7_919 })
  const { one, shards } = await divided(log, 20)
  await follow(log, { one, shards }, (n) => n % 5 === 0 || n === log.entries.length)
  expectDivided(one, shards)
  expect(one.index.index.members.size).toBeGreaterThan(20)
  expect(shards.engines.filter(({ index }) => index.needed.size > 0).length).toBeGreaterThan(1)
})

it('parts of different minutes make no snapshot', async () => {
  const log = memoryLog()
  await sealDay(log)
  const parts = [20, 21].map(async (entries) => snapshotPartOf((await divided(log, entries)).one, origin))
  const [earlier, later] = await Promise.all(parts)
  expect(() => mergedSnapshot([earlier!, later!], () => undefined)).toThrow(RangeError)
})

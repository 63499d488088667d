// Whole form only.
/** Newer rules catch up beside the service, readers go over to them, and back: no reader sees an older time, or figures that are neither release's. */
import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../dev/devnet/random.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { openMemoryBucket, openMemoryTable } from '../../store/aws/memory.ts'
import { figuresOf } from '../support/aws/ingest-stores.ts'
import { generateChain } from '../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../support/chain/generated-node.ts'
import type { SharedWorld } from '../support/chain/release.ts'
import { openNewerRelease, openRelease, type Release } from '../support/chain/releases.ts'
import { rounds } from '../support/rounds.ts'

const MINUTES = 30
const chain = generateChain({ seed: 5, minutes: MINUTES + 12, creations: 30, swapsAMinute: 8 })
const headAt = (minute: number): number => chain.first + 30 * (minute + 1)

const old = await openRelease()
const young = await openNewerRelease()

function openWorld(): SharedWorld {
  const node = openGeneratedNode(chain)
  return {
    table: openMemoryTable(),
    segments: openMemoryBucket(),
    published: openMemoryBucket(),
    chain,
    node,
    now: () => chain.timestampOf(node.head) + 10,
  }
}

/** Lets a writer go on until the chain has nothing new for it, at most so many steps. */
async function step(ingest: AsyncGenerator<{ readonly is: string }>, most = 1_000): Promise<void> {
  for (let left = most; left > 0; left--) {
    const { value, done } = await ingest.next()
    if (done || value.is === 'idle') return
  }
}

const nameOf = (key: string, time: string | undefined): string => `${key} ${time}`
const isDocument = (key: string): boolean => key.startsWith('v1/') && key !== 'v1/status'

/** Figures by document and time that a release publishes alone. */
async function figuresAlone(release: Release): Promise<Map<string, string>> {
  const world = openWorld()
  const figures = new Map<string, string>()
  const published: Bucket = {
    ...world.published,
    async put(key, bytes, options) {
      if (isDocument(key)) figures.set(nameOf(key, options?.metadata?.['time']), figuresOf({ bytes }))
      return world.published.put(key, bytes, options)
    },
  }
  const ingest = await release.startIngest(world)
  const warm = {}
  for (let minute = 0; minute < MINUTES + 10; minute++) {
    world.node.head = headAt(minute)
    await step(ingest)
    await release.publish({ ...world, published }, warm)
  }
  return figures
}

/** Notes what readers of the bucket would have seen: times that go back, and figures of neither release. */
function watched(world: SharedWorld, faults: string[]) {
  const newest = new Map<string, string>()
  const seen = { old: 0, young: 0 }
  const put: Bucket['put'] = async (key, bytes, options) => {
    const time = options?.metadata?.['time'] ?? ''
    if (isDocument(key)) {
      if (time < (newest.get(key) ?? '')) faults.push(`${key} went back to ${time}`)
      newest.set(key, time)
      const figures = figuresOf({ bytes })
      const [isOld, isYoung] = [ofOld, ofYoung].map((known) => known.get(nameOf(key, time)) === figures)
      if (isOld && !isYoung) seen.old += 1
      if (isYoung && !isOld) seen.young += 1
      if (!isOld && !isYoung) faults.push(`${key} of ${time} has the figures of neither release`)
    }
    return world.published.put(key, bytes, options)
  }
  return { seen, published: { ...world.published, put } }
}

/** Notes what readers of the API would have seen. */
function readerOf(world: SharedWorld, faults: string[]) {
  let newest = 0
  return async () => {
    const documents = await old.answers(world)
    const snapshot = await documents.newest()
    if (!snapshot) return
    if (snapshot.minute < newest) faults.push(`the API went back to minute ${snapshot.minute}`)
    newest = snapshot.minute
  }
}

/** What the two logs have, by key: without positions in a log, registers, feed and documents. */
async function itemsOf({ table }: SharedWorld) {
  const found = { old: new Map<string, object>(), young: new Map<string, object>() }
  for await (const { pk, sk, pos: _, minute, ...content } of table.scan()) {
    const [, log, own = ''] = /^(@[^#]+#)?(.*)$/.exec(pk) ?? []
    if (/^(SYS|LOGS?|PUBLISHERS|F#|DOC#)/.test(own)) continue
    // Where a rollback restored a state, its minute is only known to be earlier.
    found[log ? 'young' : 'old'].set(`${own} ${sk}`, sk === 'NOW' ? content : { ...content, minute })
  }
  return found
}

/** The minutes of a log's rows, one for each, in order. */
const rowMinutes = (items: ReadonlyMap<string, object>): readonly number[] =>
  [...items.keys()]
    .flatMap((key) => (/ C#\d+$/.test(key) ? [Number(key.slice(-8))] : []))
    .sort((a, b) => a - b)

class Died extends Error {}

/** The world as a process has it that dies at its n-th write: it and all later ones do not happen. */
function mortal(world: SharedWorld, n: number): SharedWorld {
  let left = n
  const dies = () => {
    left -= 1
    if (left <= 0) throw new Died()
  }
  const ofBucket = (bucket: Bucket): Bucket => ({
    ...bucket,
    async put(key, bytes, options) {
      dies()
      return bucket.put(key, bytes, options)
    },
  })
  return {
    ...world,
    table: {
      ...world.table,
      async put(item, condition) {
        dies()
        return world.table.put(item, condition)
      },
    },
    segments: ofBucket(world.segments),
    published: ofBucket(world.published),
  }
}

function untilDeath(error: unknown): void {
  if (!(error instanceof Died)) throw error
}

/** What each release publishes of each minute when it is alone from the first block on: figures by document and time. */
const [ofOld, ofYoung] = [await figuresAlone(old), await figuresAlone(young)]

describe('newer rules', () => {
  it('are other rules: both releases publish the same documents with other figures', () => {
    expect(ofOld.size).toBeGreaterThan(100)
    const differing = [...ofOld].filter(([name, figures]) => ofYoung.get(name) !== figures)
    expect(differing.length).toBeGreaterThan(10)
  })

  it('catch up beside the service and take over; one command goes back, and forth again', async () => {
    const faults: string[] = []
    const world = openWorld()
    const { seen, published } = watched(world, faults)
    const shown = { ...world, published }
    const read = readerOf(world, faults)
    const ingest = await old.startIngest(shown)
    const [warm, warmYoung] = [{}, {}]
    let next: Awaited<ReturnType<Release['startIngest']>> | undefined
    const lives: string[] = []
    for (let minute = 0; minute < MINUTES + 10; minute++) {
      world.node.head = headAt(minute)
      await step(ingest)
      await old.publish(shown, warm)
      await read()
      if (minute >= 15) {
        next ??= await young.startIngest(shown)
        // It is slower than it would be, so that it catches up over several minutes.
        await step(next, minute < MINUTES ? 4 : undefined)
        await young.publish(shown, warmYoung)
        await read()
      }
      const logs = old.logs(world)
      const live = await logs.live()
      lives.push(live.publisher)
      if (minute === MINUTES + 3 || minute === MINUTES + 6) {
        expect(live.publisher).toBe(minute === MINUTES + 3 ? young.publisher : old.publisher)
        const other = (await logs.publishers()).find(({ publisher }) => publisher !== live.publisher)!
        await logs.putLive({ ...live, log: other.log, publisher: other.publisher }, live)
        await read()
      }
    }
    expect(faults).toEqual([])
    expect(seen.old).toBeGreaterThan(10)
    expect(seen.young).toBeGreaterThan(10)
    expect(lives.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => old.publisher))
    expect(lives.at(-1)).toBe(young.publisher)
  })

  it('are refused by a deployed writer until readers follow them, and those before are continued', async () => {
    const world = openWorld()
    let puts = 0
    const table: SharedWorld['table'] = {
      ...world.table,
      put(item, condition) {
        puts += 1
        return world.table.put(item, condition)
      },
    }
    const shown = { ...world, table }
    const deployed = (release: Release) => release.startIngest(shown, { isBeside: false })
    world.node.head = headAt(8)
    await step(await deployed(old))
    await old.publish(world)
    puts = 0
    const refusal = {
      name: 'RulesNotLiveError',
      message: expect.stringMatching(/rules (\d+\.\d+), .* beside/),
    }
    await expect(deployed(young)).rejects.toMatchObject(refusal)
    const next = await young.startIngest(world)
    await expect(deployed(young)).rejects.toMatchObject(refusal)
    expect(puts).toBe(0)
    await step(next)
    await young.publish(world)
    expect((await old.logs(world).live()).publisher).toBe(young.publisher)
    for (const release of [young, old]) await step(await deployed(release))
  })

  it('fold again only as far back as figures reach, and continue from the states before', async () => {
    const faults: string[] = []
    const world = { ...openWorld(), refoldedMinutes: 6 }
    const { seen, published } = watched(world, faults)
    const shown = { ...world, published }
    // With the same numbers, so that the figures are those of the older rules wherever the copy was right.
    const same = await openNewerRelease({ changes: () => ({}) })
    const ingest = await old.startIngest(shown)
    for (let minute = 0; minute < 15; minute++) {
      world.node.head = headAt(minute)
      await step(ingest)
      await old.publish(shown)
    }
    const next = await same.startIngest(shown)
    const copies = await itemsOf(world)
    // What would be rolled back at once is not copied.
    const [before, copied] = ['old', 'young'].map((name) => rowMinutes(copies[name as 'old']))
    expect(copied).toEqual(before!.filter((minute) => minute <= before!.at(-1)! - 6))
    expect(copied!.length).toBeGreaterThan(10)
    for (let minute = 15; minute < 20; minute++) {
      world.node.head = headAt(minute)
      for (const writer of [ingest, next]) await step(writer)
      await same.publish(shown)
    }
    const logs = same.logs(world)
    const { copiedTo } = (await logs.ofRules(same.rules))!
    const newest = (await (await same.answers(world)).newest())!.minute
    expect(newest - (copiedTo ?? 0)).toBe(6 + 5)
    expect((await logs.live()).publisher).toBe(same.publisher)
    expect([faults, seen.young]).toEqual([[], 0])
    const items = await itemsOf(world)
    expect(items.young.size).toBeGreaterThan(200)
    expect(items.young).toEqual(items.old)
  })

  it.each(Array.from({ length: rounds(1, 3) }, (_, seed) => seed))(
    'lose nothing by the death of any process at any write (seed %i)',
    async (seed) => {
      const random = randomFrom(seed, 7)
      const faults: string[] = []
      const world = openWorld()
      const { published } = watched(world, faults)
      const shown = { ...world, published }
      const read = readerOf(world, faults)
      const processes = { old: undefined, young: undefined } as Record<
        'old' | 'young',
        Awaited<ReturnType<Release['startIngest']>> | undefined
      >
      const run = async (name: 'old' | 'young', isCalm: boolean) => {
        const release = name === 'old' ? old : young
        const own = () => (isCalm ? shown : mortal(shown, 1 + random.below(random.below(2) ? 40 : 1_500)))
        try {
          processes[name] ??= await release.startIngest(own())
          await step(processes[name], isCalm ? undefined : 1 + random.below(12))
        } catch (error) {
          untilDeath(error)
          processes[name] = undefined
        }
        await release.publish(own()).catch(untilDeath)
        await read()
      }
      for (let minute = 0; minute < 18; minute++) {
        world.node.head = headAt(minute)
        await run('old', minute < 8)
        if (minute >= 8) await run('young', false)
      }
      for (const name of ['old', 'young'] as const) processes[name] = undefined
      for (let minute = 18; minute < 21; minute++) {
        world.node.head = headAt(minute)
        await run('old', true)
        await run('young', true)
      }
      expect(faults).toEqual([])
      expect((await old.logs(world).live()).publisher).toBe(young.publisher)
      const documents = world.published as unknown as {
        objects: Map<string, { bytes: Uint8Array; metadata: Record<string, string> }>
      }
      for (const [key, object] of documents.objects) {
        if (!isDocument(key)) continue
        expect([key, ofYoung.get(nameOf(key, object.metadata['time']))]).toEqual([key, figuresOf(object)])
      }
    },
  )
})

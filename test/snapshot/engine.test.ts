import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectiveEntries } from '../../market/log.ts'
import { listCheckpoints, saveCheckpoint } from '../../snapshot/engine/checkpoint.ts'
import type { Engine } from '../../snapshot/engine/engine.ts'
import { cachedSegments, followLog } from '../../snapshot/engine/follow.ts'
import { type MemoryLog, memoryBucket, memoryLog } from '../support/aws/memory-stores.ts'
import { rewind, withoutCheckpoints } from '../support/market/market-history.ts'
import { isWhole, rounds } from '../support/rounds.ts'
import {
  contentOf,
  crash,
  type EngineStep,
  engineSteps,
  everyStep,
  expectExact,
  expectExactLists,
  followAll,
  recorded,
  sealRandom,
} from './engine-histories.ts'
import { expectExactCloses } from './exact-lists.ts'

/** `ENGINE_RUNS=5000 npx vitest run test/snapshot/engine.test.ts --testTimeout 3600000` for the long form. */
const numRuns = rounds(isWhole ? 7 : 3, 3_000)

const isSealed = ({ entries }: MemoryLog) => effectiveEntries(entries).length > 0

describe('engine', () => {
  it('equals brute force over any history: warm, from every checkpoint, from segments alone and from zero, with crashes, gaps and rewinds, and tokens that sleep for longer than 30 days', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(engineSteps, { minLength: 4, maxLength: 45 }), async (history) => {
        const log = memoryLog()
        const saved = memoryBucket()
        let engine: Engine | undefined
        for (const step of [...history, { is: 'run', how: 'warm', saves: true } as EngineStep]) {
          if (step.is === 'seal') await sealRandom(log, step)
          if (step.is === 'rewind') {
            const kept = effectiveEntries(log.entries).at(-1 - step.back)
            if (log.entries.length > 0) await rewind(log, kept?.minute ?? null)
          }
          if (step.is === 'run' && isSealed(log)) {
            const buckets = {
              warm: () => saved,
              cold: () => saved,
              'from zero': memoryBucket,
              'segments alone': () => withoutCheckpoints(saved),
            }
            engine = await followAll(step.how === 'warm' ? engine : undefined, {
              log,
              bucket: buckets[step.how](),
            })
            expect([engine.n, engine.target]).toEqual([log.entries.length, null])
            await expectExact(log, engine)
            await expectExactLists(log, engine)
            await expectExactCloses(log, engine)
            if (step.saves) await saveCheckpoint(engine, saved)
          }
          if (step.is === 'crash') engine = await crash(engine, { log, bucket: saved, reads: step.reads })
          if (step.is === 'stop' && isSealed(log)) {
            const to = log.position?.n ?? 0
            const following = { log, bucket: saved, read: cachedSegments(log), to, isOver: () => true }
            engine = await recorded(await followLog(engine, following), saved)
            if (!engine.target) await expectExact(log, engine)
            if (step.saves) await saveCheckpoint(engine, saved)
          }
        }
        if (!engine || !isSealed(log)) return
        for (const { key } of await listCheckpoints(saved)) {
          const bucket = withoutCheckpoints(saved)
          bucket.objects.set(key, saved.objects.get(key)!)
          expect(contentOf(await followAll(undefined, { log, bucket }))).toEqual(contentOf(engine))
        }
      }),
      // A failure is reported with its history, even if shrinking that took too long.
      { numRuns, examples: [[everyStep]], interruptAfterTimeLimit: 60_000 + numRuns * 1_000 },
    )
  })

  it('reads no segment twice within a run, however many window starts it passes', async () => {
    const log = memoryLog()
    for (let at = 0; at < 100; at++) await sealRandom(log, { gap: 30, seed: at })
    log.reads = 0
    await followAll(undefined, { log, bucket: memoryBucket() })
    expect(log.reads).toBe(100)
  })

  it('ignores a damaged checkpoint', async () => {
    const log = memoryLog()
    const bucket = memoryBucket()
    await sealRandom(log, { gap: 1, seed: 3 })
    const first = await followAll(undefined, { log, bucket })
    await saveCheckpoint(first, bucket)
    await sealRandom(log, { gap: 1, seed: 4 })
    await saveCheckpoint(await followAll(first, { log, bucket }), bucket)
    const [newest] = await listCheckpoints(bucket)
    const object = bucket.objects.get(newest!.key)!
    bucket.objects.set(newest!.key, { ...object, bytes: object.bytes.slice(0, 60) })
    await expectExact(log, await followAll(undefined, { log, bucket }))
  })

  it('is loaded from segments alone where the minute before the longest window follows one that was rolled back', async () => {
    const log = memoryLog()
    const whole = memoryBucket()
    for (const seed of [1, 2]) await sealRandom(log, { gap: 1, seed })
    await rewind(log, effectiveEntries(log.entries)[0]?.minute ?? null)
    await sealRandom(log, { gap: 50_000, seed: 3 })
    await expectExact(log, await followAll(undefined, { log, bucket: whole }))
    await expectExact(log, await followAll(undefined, { log, bucket: withoutCheckpoints(whole) }))
  })

  it('is loaded from segments alone over several runs, each of which saves a checkpoint', async () => {
    const log = memoryLog()
    const whole = memoryBucket()
    for (let at = 0; at < 200; at++) await sealRandom(log, { gap: 240, seed: at })
    const expected = contentOf(await followAll(undefined, { log, bucket: whole }))
    const bucket = withoutCheckpoints(whole)
    let runs = 0
    for (let engine: Engine | undefined; engine?.n !== 200; runs++) {
      let minutes = 0
      const isOver = () => {
        minutes += 1
        return minutes > 1
      }
      engine = await followLog(undefined, { log, bucket, read: cachedSegments(log), to: 200, isOver })
      await saveCheckpoint(engine, bucket)
      if (engine.n === 200) expect(contentOf(engine)).toEqual(expected)
      expect(runs).toBeLessThan(50)
    }
    expect(runs).toBeGreaterThan(2)
  })
})

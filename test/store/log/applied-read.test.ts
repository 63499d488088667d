import { describe, expect, it, vi } from 'vitest'
import { materializeEntry } from '../../../ingest/writer/materialize.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import {
  keepApplied,
  MissingStateError,
  NothingReadableError,
  REWIND_WAIT_MS,
  readApplied,
} from '../../../store/log/applied-read.ts'
import { type Applied, openLog } from '../../../store/log/log.ts'
import { memoryBucket } from '../../support/aws/memory-stores.ts'

const last = { number: 9, hash: '0x9', timestamp: 18 } as const
const at = (n: number, minute: number): Applied => ({ n, minute, last, isLowered: false })

/** A log whose APPLIED and clock (milliseconds) the test sets; `reads` counts. */
function openWorld() {
  const world = { now: 1_000_000, applied: at(3, 103) as Applied | undefined, reads: 0 }
  const read = async () => {
    world.reads += 1
    return world.applied
  }
  return { world, log: keepApplied(read, () => world.now) }
}

describe('a cached read of APPLIED', () => {
  it('is reused for 250 ms by any number of answers', async () => {
    const { world, log } = openWorld()
    for (let answer = 0; answer < 25; answer++) {
      expect((await readApplied(log, async ({ minute }) => minute)).value).toBe(103)
      world.now += 10
    }
    expect(world.reads).toBe(1)
    world.applied = at(4, 104)
    expect((await readApplied(log, async ({ minute }) => minute)).value).toBe(104)
    expect(world.reads).toBe(2)
  })

  it('is checked again after a long read, which starts over if minutes were rolled back', async () => {
    const { world, log } = openWorld()
    let begun = 0
    const { value } = await readApplied(log, async ({ minute }) => {
      begun += 1
      if (begun === 1) {
        world.now += 1_500
        world.applied = at(5, 101)
      }
      return minute
    })
    expect([value, begun]).toEqual([101, 2])
  })

  it('is not reused after the clock was set back, nor after a failure', async () => {
    const { world, log } = openWorld()
    await log.cached()
    world.now -= 60_000
    await log.cached()
    expect(world.reads).toBe(2)
    const failing = keepApplied(
      async () => {
        world.reads += 1
        if (world.reads === 3) throw new Error('throttled')
        return world.applied
      },
      () => world.now,
    )
    await expect(readApplied(failing, async () => 1)).rejects.toThrow('throttled')
    expect((await readApplied(failing, async () => 1)).value).toBe(1)
  })

  it('answers wait for the end of a rollback, and share the reads of APPLIED meanwhile', async () => {
    let [applied, reads]: [Applied, number] = [{ ...at(5, 101), isLowered: true }, 0]
    const log = keepApplied(async () => {
      reads += 1
      return applied
    })
    setTimeout(() => {
      applied = at(5, 101)
    }, REWIND_WAIT_MS + 1_000)
    const answers = Array.from({ length: 200 }, () => readApplied(log, async ({ minute }) => minute))
    for (const { value } of await Promise.all(answers)) expect(value).toBe(101)
    expect(reads).toBeLessThan(20)
  })

  it('reports that nothing is readable only after a second read', async () => {
    const { world, log } = openWorld()
    world.applied = undefined
    setTimeout(() => {
      world.now += 250
    }, 50)
    await expect(readApplied(log, async () => 1)).rejects.toThrow(NothingReadableError)
    expect(world.reads).toBe(2)
  })
})

it('a description without a state is read again for some seconds, and then is an error of its own', async () => {
  vi.useFakeTimers()
  try {
    const token = `0x${'a'.repeat(40)}` as const
    let attempts = 0
    const read = readApplied(openWorld().log, async () => {
      attempts += 1
      throw new MissingStateError(token)
    })
    const failed = expect(read).rejects.toThrow(`${token} is described`)
    await vi.runAllTimersAsync()
    await failed
    expect(attempts).toBeGreaterThan(10)
  } finally {
    vi.useRealTimers()
  }
})

describe('a rollback', () => {
  it('lowers APPLIED, waits until readers are gone, and only then changes a row', async () => {
    const seen: string[] = []
    const ledger = openMemoryTable()
    const log = openLog(ledger, memoryBucket())
    const entry = { n: 2, is: 'rewound', minute: null, last: null, orphaned: [] } as const
    const readersGone = async () => {
      seen.push((await log.applied())?.isLowered ? 'waits below' : 'waits too early')
    }
    await materializeEntry({ ...log, readersGone }, entry, null)
    seen.push((await log.applied())?.isLowered ? 'lowered' : 'done')
    expect(seen).toEqual(['waits below', 'done'])
  })

  it('waits as long as the log was opened with', async () => {
    let isOver = false
    const wait = openLog(openMemoryTable(), memoryBucket(), { rewindWaitMs: 20 })
      .readersGone()
      .then(() => {
        isOver = true
      })
    await openLog(openMemoryTable(), memoryBucket()).readersGone()
    expect(isOver).toBe(false)
    await wait
  })
})

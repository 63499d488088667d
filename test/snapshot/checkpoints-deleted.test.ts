import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../local/devnet/random.ts'
import { NOBODY } from '../../market/holders.ts'
import { listCheckpoints } from '../../snapshot/checkpoint.ts'
import { listRecords } from '../../snapshot/index-record.ts'
import { rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { address, coin, swapped } from '../support/facts.ts'
import {
  type FoldedChain,
  type Listed,
  launchFacts,
  sqrtX96,
  startFoldedChain,
} from '../support/folded-chain.ts'
import { memoryBucket } from '../support/memory-stores.ts'
import { isLong, rounds } from '../support/rounds.ts'

const HOUR = 60
const LAUNCH = HOUR * 480_000
/** Minutes that were sealed before the service is asked: one every six hours for longer than the longest window; in the long form for a year. */
const PAST = 4 * rounds('PAST_DAYS', 33, 365)

/** Every so many minutes a snapshot is compared. */
const COMPARED = isLong ? 1 : 4

const tokens = Array.from({ length: 30 }, (_, at): Listed => {
  const launchedAt = {
    blockNumber: LAUNCH * 30,
    logIndex: at,
    transactionHash: NOBODY,
    timestamp: LAUNCH * 60,
  }
  const words = { address: address(0x1_0000 + at), creator: address(0x5000 + at), launchedAt }
  return { coin: coin(words), floor: 1e-6, price: 3e-4, stake: 20_000 }
})

/** A rebuild of a process with buckets of its own; what it published, by the digests of the documents. */
function startService({ log }: FoldedChain) {
  const [segments, published] = [memoryBucket(), memoryBucket()]
  let warm: Warm = {}
  return {
    segments,
    async digests(minute: number) {
      const manifest = await rebuild(
        { log, segments, published },
        { clock: () => 0, now: () => minute * 60, warm },
      )
      const documents = Object.entries(manifest?.documents ?? {})
      return documents.map(([name, { sha256 }]) => `${name} ${sha256}`)
    },
    restart() {
      warm = {}
    },
    async deleteCheckpoints() {
      const checkpoints = await listCheckpoints(segments)
      for (const { key } of checkpoints) segments.objects.delete(key)
      return checkpoints.length
    },
  }
}

describe('all checkpoints deleted while the service runs', () => {
  it('changes no document: of a process that goes on, of one that starts again, and after minutes are rolled back', async () => {
    const random = randomFrom(16)
    const chain = startFoldedChain()
    const [undisturbed, robbed] = [startService(chain), startService(chain)]
    let minute = LAUNCH
    const trade = (minutes: number) => {
      minute += minutes
      const { coin, price } = random.pick(tokens)
      return chain.seal(minute, [
        swapped({ token: coin, sqrtPriceX96: sqrtX96(price * (0.5 + random.next())) }),
      ])
    }
    const expectEqual = async () => {
      const digests = await undisturbed.digests(minute)
      expect(digests.length).toBeGreaterThan(30)
      expect(await robbed.digests(minute)).toEqual(digests)
    }
    await chain.seal(LAUNCH, tokens.flatMap(launchFacts))
    for (let at = 0; at < PAST; at++) await trade(6 * HOUR)
    await expectEqual()
    expect((await listRecords(robbed.segments, chain.log.entries.length)).length).toBeGreaterThan(30)
    for (const doing of ['go on', 'start again', 'roll back', 'go on', 'start again'] as const) {
      expect(await robbed.deleteCheckpoints()).toBeGreaterThan(0)
      if (doing === 'start again') robbed.restart()
      if (doing === 'roll back') {
        minute -= 5
        await chain.rewind(minute)
      }
      for (let at = 0; at < 12; at++) {
        await trade(1)
        if (at % COMPARED === COMPARED - 1) await expectEqual()
      }
    }
  }, 600_000)
})

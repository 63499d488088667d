// Whole form only.
/** A chain that stands still for two hours, and goes on with blocks of its own time: no endpoint is blamed, and no gap invented. */
import { describe, expect, it } from 'vitest'
import { followChain } from '../../../ingest/writer/writer.ts'
import { allOf } from '../../../store/aws/parallel.ts'
import { openGapStore } from '../../../store/published/stored-status.ts'
import { depsOver, memoryStores, untilIdle, verifying } from '../../support/aws/ingest-stores.ts'
import { generateChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import type { BlockPace } from '../../support/chain/paces.ts'
import { startProxies } from '../../support/chain/strict-endpoint.ts'

const HALT_AT = 150
const plan = { seed: 5, minutes: 128, creations: 20, swapsAMinute: 8 }
/** Two hours from the middle of the third minute on. */
const paces = (everyMs: number): readonly BlockPace[] => [
  { fromSeconds: 0, everyMs },
  { fromSeconds: HALT_AT, everyMs, haltSeconds: 7_200 },
]

describe.each([
  ['two seconds', 2_000],
  ['200 ms', 200],
])('a chain with blocks of %s that stands still for two hours', (_, everyMs) => {
  it.each([
    ['known to the schedule', true],
    ['unknown to it', false],
  ])('is followed over the halt, %s', async (_halt, isKnown) => {
    const chain = generateChain({ ...plan, paces: paces(everyMs) })
    const [first, second] = chain.rules.schedule
    const rules = { ...chain.rules, schedule: isKnown ? chain.rules.schedule : [first!] }
    const node = openGeneratedNode(chain)
    const { rpc, stop } = await startProxies([node.answer, node.answer])
    const stores = memoryStores()
    const verification = verifying(stores, { retryMs: 1 })
    const writer = followChain(depsOver(stores, { rpc, chain: rules, verification }))
    node.head = second!.fromBlock - 1
    const seen = await untilIdle(writer)
    const before = await stores.log.tail()
    // Whoever asks in these two hours finds the same block.
    for (let times = 0; times < 5; times += 1) expect(await untilIdle(writer)).toEqual([])
    expect(await stores.log.tail()).toEqual(before)
    for (node.head += 1; node.head < chain.last; node.head = Math.min(chain.last, node.head + 100))
      seen.push(...(await untilIdle(writer)))
    seen.push(...(await untilIdle(writer)))
    await writer.return(undefined)
    await stop()

    expect(seen).not.toContain('gap')
    expect(seen).not.toContain('retracted')
    expect(await openGapStore(stores.table).read()).toBeUndefined()
    for (const { endpoint } of rpc.each()) {
      expect([endpoint.distrustedUntil, endpoint.silentUntil]).toEqual([0, 0])
    }
    const minutes = (await allOf(stores.log.entriesAfter(0))).map(({ minute }) => Number(minute))
    const from = minutes[0] ?? 0
    // The minute that the halt begins in, and that in which it ends; there is none between them.
    expect(minutes.map((minute) => minute - from)).toEqual([0, 1, 2, 122, 123, 124, 125, 126])
  })
})

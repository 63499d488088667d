// Whole form only.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { chains } from '../../ingest/client/chains.ts'
import { topicOf } from '../../ingest/decode/events.ts'
import { effectiveEntries, type LogEntry } from '../../market/log.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { type IngestStores, memoryStores } from '../support/aws/ingest-stores.ts'
import type { NodeLog } from '../support/chain/json-rpc.ts'
import { fiveASecond } from '../support/chain/paces.ts'
import { BLOCKS_A_STEP, isAlone, openFollower } from './lying-round.ts'
import { recordMarket, relayChain, serveRecorded } from './recorded-chain.ts'

/** What was sealed without some of its logs, before this release or long ago, is found, rolled back and sealed anew. */

/** The log is behind the chain by so many blocks of the recorded chain when what was left out is there again. */
const BEHIND = 24

const recorded = await recordMarket(12, { blocks: 12, trades: 20 })
const fast = relayChain(recorded, fiveASecond)
/** The chain as it was recorded, and with a block every 200 ms. */
const settings = [
  ['blocks as the devnet has them', recorded, { rules: chains.devnet, step: BLOCKS_A_STEP.devnet }],
  ['blocks of 200 ms', fast, { rules: fast.rules, step: BLOCKS_A_STEP.fiveASecond }],
] as const

describe.each(settings)('%s', async (_, chain, { rules, step }) => {
  const endpoint = await serveRecorded(chain)
  afterAll(endpoint.stop)
  beforeEach(() => {
    endpoint.lie = (logs) => logs
  })

  /** The chain's newest block by the time of the recorded block that is so many after the one at which the log stays behind. */
  const behind = (more = 0): number => {
    const time = recorded.timestampOf(recorded.last - BEHIND + more)
    let block = last()
    while (chain.timestampOf(block) > time) block -= 1
    return block
  }
  const last = () => chain.last
  const entriesOf = (stores: IngestStores): Promise<readonly LogEntry[]> => allOf(stores.log.entriesAfter(0))
  const sealedIn = async (stores: IngestStores) =>
    effectiveEntries(await entriesOf(stores)).map(({ segment }) => segment.sha256)
  const causesIn = async (stores: IngestStores) =>
    (await entriesOf(stores)).flatMap((entry) => (entry.is === 'rewound' ? [entry.cause] : []))

  /** Follows the chain block by block to this one; `isVerified`: as this release does. */
  async function goOnTo(stores: IngestStores, to: number, isVerified = true): Promise<void> {
    const follower = openFollower(stores, [endpoint.url], { isVerified, rules })
    endpoint.head = Math.min(to, behind())
    for (; endpoint.head < to; endpoint.head = Math.min(to, endpoint.head + step)) await follower.goOn()
    await follower.goOn()
    await follower.goOn()
    await follower.stop()
  }

  const whole = memoryStores()
  await goOnTo(whole, last())
  const clean = await sealedIn(whole)

  const leaveOut = (isLeftOut: (log: NodeLog) => boolean) => {
    endpoint.lie = (logs) => logs.filter((log) => !isLeftOut(log))
  }

  test('a trade that was left out days ago is found at the next of its pool, and the log goes back to its minute', async () => {
    const manager = `0x${chains.devnet.poolManager.slice(2).padStart(64, '0')}`
    const traded = chain.logs.filter(
      ({ topics: [topic, ...parties] }) => topic === topicOf.coinTransfer && parties.includes(manager),
    )
    const isRecent = ({ blockNumber }: NodeLog) => Number(blockNumber) > behind()
    const recent = new Set(traded.filter(isRecent).map(({ address }) => address))
    // The last trade before of the token that had rested longest.
    const before = [...recent].flatMap(
      (token) => traded.findLast((log) => log.address === token && !isRecent(log)) ?? [],
    )
    const left = before.sort((a, b) => Number(a.blockNumber) - Number(b.blockNumber))[0]!
    leaveOut(({ transactionHash }) => transactionHash === left.transactionHash)
    const stores = memoryStores()
    await goOnTo(stores, behind(), false)
    expect(await sealedIn(stores)).not.toEqual(clean.slice(0, (await sealedIn(stores)).length))
    endpoint.lie = (logs) => logs
    await goOnTo(stores, last())
    expect(await causesIn(stores)).toEqual(expect.arrayContaining(['omission']))
    expect(await sealedIn(stores)).toEqual(clean)
  })

  test('a transfer that nothing else refers to is found when its minute is counted again', async () => {
    const left = chain.logs.findLast(
      (log) =>
        log.topics[0] === topicOf.coinTransfer && isAlone(log, chain) && Number(log.blockNumber) <= behind(4),
    )!
    leaveOut((log) => log === left)
    const stores = memoryStores()
    const follower = openFollower(stores, [endpoint.url], { rules })
    const honestFrom = behind(8)
    for (endpoint.head = behind(); endpoint.head < last(); endpoint.head += step) {
      await follower.goOn()
      if (endpoint.head >= honestFrom) endpoint.lie = (logs) => logs
    }
    endpoint.head = last()
    await follower.goOn()
    await follower.stop()
    expect(await causesIn(stores)).toEqual(['omission'])
    expect(await sealedIn(stores)).toEqual(clean)
  })
})

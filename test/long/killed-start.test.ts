import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { allOf } from '../../store/aws/parallel.ts'
import { openTable } from '../../store/aws/table.ts'
import { openLog } from '../../store/log/log.ts'
import { inLog, LOG_MARK, openLogs } from '../../store/log/logs.ts'
import { startStores } from '../support/aws/ingest-stores.ts'
import { startDevnetMarket } from '../support/chain/devnet-market.ts'
import { refusal, startFaultyProxy } from '../support/chain/faulty-proxy.ts'
import { startIngest } from '../support/chain/ingest-child.ts'
import { expectAsFromZero } from '../support/from-zero.ts'

// The first catch-up writes its log in bulk, which nobody reads until it is whole. The process is killed at random moments of
// it; each life is given the logs of a few more minutes than the one before, so that none can come to the end.
const KILLS = 20
const MINUTES = 6 * KILLS
/** How long a life that seals nothing may last, in ms. */
const LIFE_MS = 30_000

const tooWide = refusal(-32_602, 'eth_getLogs is limited to a 5 blocks range')

type Range = { readonly fromBlock: string; readonly toBlock: string }

test(`${KILLS} times kill -9 during the first catch-up leave what a run without an end leaves`, async () => {
  const [market, stores] = await Promise.all([startDevnetMarket(31), startStores()])
  const proxy = await startFaultyProxy(market.rpcUrl)
  let child: ReturnType<typeof startIngest> | undefined
  try {
    for (let minute = 0; minute < MINUTES; minute += 1) await market.mine(60, 1 + market.random.below(2))
    const { number: head } = await market.mine(60)
    let served = 0
    proxy.fault = (calls) => {
      // What asks for a topic that no log has only wants to know how many blocks a call may have.
      const ranges = calls
        .filter(
          ({ method, params }) =>
            method === 'eth_getLogs' && !JSON.stringify(params).includes('0'.repeat(64)),
        )
        .map(({ params: [range] }) => range as Range)
      if (ranges.some(({ fromBlock }) => Number(fromBlock) > served)) return 'silence'
      return ranges.some(({ toBlock }) => !(Number(toBlock) <= served)) ? tooWide : undefined
    }
    const whole = openTable('market')
    const logs = openLogs(whole)
    const start = () => startIngest({ ...stores.env, CHAIN: 'devnet', RPC_URLS: proxy.url })
    const sealedMinutes: number[] = []
    for (let kills = 0; kills < KILLS; kills += 1) {
      served = market.begin + Math.floor(((kills + 1) * (head - market.begin)) / (KILLS + 1))
      child = start()
      await Promise.race([child.sealed(), sleep(LIFE_MS)])
      await sleep(market.random.below(200))
      await child.kill()
      expect(await logs.live()).toMatchObject({ switches: 0 })
      const unfinished = (await logs.unfinished()) ?? ''
      const log = openLog(inLog(whole, unfinished), stores.segments)
      sealedMinutes.push((await allOf(log.entriesAfter(0))).length)
    }
    // Lives went on where the ones before had ended.
    expect(sealedMinutes).toEqual([...sealedMinutes].sort((a, b) => a - b))
    expect(new Set(sealedMinutes).size).toBeGreaterThan(KILLS / 2)
    served = Number.POSITIVE_INFINITY
    child = start()
    const isWhole = async () =>
      (await logs.live()).switches > 0 && (await stores.log.applied())?.last?.number === head - 1
    await expect
      .poll(
        async () => {
          child?.assertAlive()
          return isWhole()
        },
        { timeout: 180_000 },
      )
      .toBe(true)
    // Each life writes a log of its own, and takes over what the one before had sealed: no reader follows those of ended ones.
    const items = async () => (await stores.items()).filter(({ pk }) => !pk.startsWith(LOG_MARK))
    await expectAsFromZero({ ...stores, items }, market)
  } finally {
    await child?.kill().catch(() => {})
    await Promise.all([market.stop(), stores.stop(), proxy.stop()])
  }
})

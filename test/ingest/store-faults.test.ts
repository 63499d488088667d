import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import type { IngestEvent } from '../../ingest/report.ts'
import { runIngest } from '../../ingest/run.ts'
import { startStores } from '../support/aws/ingest-stores.ts'
import { startDevnetMarket } from '../support/chain/devnet-market.ts'
import { expectAsFromZero } from '../support/from-zero.ts'
import { openWay } from '../support/stream-clients.ts'

/** The tables and the bucket of ingest are lost and come back: it waits, says why, and its log is that of an undisturbed run. */

const CUTS = 10
const [market, stores] = await Promise.all([
  startDevnetMarket(31, { blocks: 8, trades: 12, creators: 2, posts: 3 }),
  startStores(),
])
afterAll(() => Promise.all([market.stop(), stores.stop()]))

it(`outlasts ${CUTS} lost connections to its tables and its bucket, and a time without them`, async () => {
  const { AWS_ENDPOINT_URL_DYNAMODB: tables = '', AWS_ENDPOINT_URL_S3: bucket = '' } = stores.env
  const ways = await Promise.all([tables, bucket].map(openWay))
  const direct = { AWS_ENDPOINT_URL_DYNAMODB: tables, AWS_ENDPOINT_URL_S3: bucket }
  const [wayOfTables, wayOfBucket] = ways
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: wayOfTables?.url,
    AWS_ENDPOINT_URL_S3: wayOfBucket?.url,
  })
  const stopping = new AbortController()
  const events: IngestEvent[] = []
  const env = { ...stores.env, CHAIN: 'devnet', RPC_URLS: market.rpcUrl, POLL_MS: '100' }
  const ended = runIngest(env as unknown as Parameters<typeof runIngest>[0], {
    signal: stopping.signal,
    onEvent: (event) => events.push(event),
    patience: { retryMs: 20 },
  })
  const isIdleAfter = async (from: number) =>
    expect.poll(() => events.slice(from).some(({ is }) => is === 'idle')).toBe(true)
  await isIdleAfter(0)
  for (let cut = 0; cut < CUTS; cut++) {
    await market.mine(30, 2)
    for (const way of ways) way.cut()
    await sleep(20 * (cut % 4))
    for (const way of ways) way.cut()
  }
  // Nobody listens at this port.
  for (const way of ways) {
    way.turnTo('http://127.0.0.1:9')
    way.cut()
  }
  const from = events.length
  await market.mine(60, 2)
  await expect
    .poll(() => events.slice(from).find(({ is }) => is === 'retry'))
    .toMatchObject({ wait: { endpoint: 'the store' }, fault: { name: 'StoreUnavailableError' } })
  wayOfTables?.turnTo(tables)
  wayOfBucket?.turnTo(bucket)
  await market.mineMinute()
  const back = events.length
  await expect.poll(() => events.slice(back).some(({ is }) => is === 'sealed')).toBe(true)
  await isIdleAfter(events.length)
  stopping.abort()
  await ended
  Object.assign(process.env, direct)
  await Promise.all(ways.map((way) => way.stop()))
  await expectAsFromZero(stores, market, {})
})

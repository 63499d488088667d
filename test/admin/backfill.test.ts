// Whole form only.
/** The past, read by an operator's machine into the tables that a service has. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, readyDir } from '../support/admin.ts'
import { startStores, startWriter, untilIdle } from '../support/aws/ingest-stores.ts'
import { type DevnetMarket, startDevnetMarket } from '../support/chain/devnet-market.ts'
import { expectAsFromZero } from '../support/from-zero.ts'
import { tempDir } from '../support/temp-dir.ts'

const dir = tempDir()
let stores: Awaited<ReturnType<typeof startStores>>
let market: DevnetMarket

beforeAll(async () => {
  ;[market, stores] = await Promise.all([
    startDevnetMarket(29, { blocks: 6, trades: 10, creators: 2, posts: 3 }),
    startStores(),
  ])
  readyDir(dir, { ...stores.env, CHAIN: 'devnet', RPC_URLS: market.rpcUrl })
})
afterAll(async () => {
  await Promise.all([market?.stop(), stores?.stop()])
})

test('a log that has begun goes on to the head, and the writer of the service goes on from there', async () => {
  const service = startWriter(stores, market.rpcUrl)
  await untilIdle(service)
  const { last } = (await stores.log.tail())!
  for (let block = 0; block < 6; block += 1) await market.mine(70, 2)
  const { code, out, err } = await admin('backfill', '--data-dir', dir)
  expect({ code, err: err.includes('Error') }).toEqual({ code: 0, err: false })
  expect(err).toMatch(
    new RegExp(`^ingest reads [67] blocks from ${last!.number + 1} on: about \\d+ calls`, 'm'),
  )
  expect(out).toMatch(/^[1-9]\d* minutes were sealed/)
  await market.mine(70, 2)
  await untilIdle(service)
  await expectAsFromZero(stores, market)
})

test('a backfill refuses an invalid start with a message', async () => {
  const { code, err } = await admin('backfill', '--data-dir', dir, '--since', 'yesterday')
  expect(code).toBe(2)
  expect(err).toMatch(/give hours or days/)
})

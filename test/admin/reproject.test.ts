import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, expect, test } from 'vitest'
import { reproject } from '../../ingest/writer/reproject.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import type { Item } from '../../store/aws/table.ts'
import { openChain } from '../protocol/chain.ts'
import { openRandom } from '../protocol/random.ts'
import { depsOf } from '../protocol/trial.ts'
import { admin, readyDir } from '../support/admin.ts'
import { startStores, untilIdle } from '../support/aws/ingest-stores.ts'
import { tempDir } from '../support/temp-dir.ts'

const dir = tempDir()
const stores = await startStores()

/** What the log means: all items but the log itself, the feed, and how far both are read. */
const projected = async (): Promise<readonly Item[]> =>
  (await stores.items())
    .filter(({ pk }) => !/^(LOG|SYS|F#|FP#)/.test(pk))
    .sort((a, b) => (`${a.pk}/${a.sk}` < `${b.pk}/${b.sk}` ? -1 : 1))

/** A log with minutes rolled back, by a chain that changes its mind. */
async function sealSome(): Promise<void> {
  const chain = openChain(openRandom(11))
  const writer = followChain(depsOf(chain, { ...stores, operate: (act) => Promise.resolve(act()) }))
  for (let turn = 0; turn < 12; turn++) {
    chain.grow(3)
    chain.turn()
    await untilIdle(writer)
  }
}

/** Deletes a third of the items, and spoils another. */
async function damage(items: readonly Item[]): Promise<void> {
  const client = new DynamoDBClient({})
  for (const [at, item] of items.entries()) {
    const Key = { pk: { S: item.pk }, sk: { S: item.sk } }
    if (at % 3 === 0) await client.send(new DeleteItemCommand({ TableName: stores.env['MARKET_TABLE'], Key }))
    if (at % 3 === 1) {
      const { pk, sk, pos } = item
      await stores.table.put(
        { pk, sk, pos, state: new Uint8Array([1, 2]), token: 'spoilt' },
        { olderThan: 1e9 },
      )
    }
  }
  client.destroy()
}

await sealSome()
readyDir(dir, { ...stores.env, CHAIN: 'devnet' })
afterAll(() => stores.stop())

test('the tables are as they were, after items were deleted and spoilt, and again when it is repeated', async () => {
  const before = await projected()
  expect(before.filter(({ sk }) => sk.startsWith('C#')).length).toBeGreaterThan(10)
  expect(before.filter((item) => item['tomb'] === true).length).toBeGreaterThan(0)
  await damage(before)
  expect(await projected()).not.toEqual(before)
  for (let round = 0; round < 2; round++) {
    const steps: [number, number][] = []
    const onEntry = (...step: [number, number]) => steps.push(step)
    expect(await reproject({ log: stores.log, now: 0, onEntry })).toBeGreaterThan(before.length - 1)
    expect(await projected()).toEqual(before)
    const { n = 0 } = (await stores.log.tail()) ?? {}
    expect(steps.at(-1)).toEqual([n, n])
  }
})

test('the command rewrites all items except expired ones: the chain of this test is years old', async () => {
  const lasting = (await projected()).filter(({ ttl }) => ttl === undefined)
  await damage(lasting)
  const run = await admin('reproject', '--data-dir', dir)
  expect(run).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ items put as the log says/) })
  expect((await projected()).filter(({ ttl }) => ttl === undefined)).toEqual(lasting)
})

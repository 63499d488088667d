// Whole form only.
/** What verify finds in a service whose log begins later than the chain, once somebody has planted it. */
import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { beforeAll, expect, test } from 'vitest'
import { hookAddresses } from '../../dev/devnet/contracts.ts'
import { topicOf } from '../../ingest/decode/events.ts'
import { isImported } from '../../market/coverage.ts'
import { effectiveEntries, type SealedEntry } from '../../market/log.ts'
import { emptyState, type Segment, type Token } from '../../market/segment.ts'
import { toAttributes } from '../../store/aws/attributes.ts'
import { allOf } from '../../store/aws/parallel.ts'
import type { Item } from '../../store/aws/table.ts'
import { marketKeys } from '../../store/aws/tables.ts'
import { stateBytes } from '../../store/bytes/codec.ts'
import { startFaultyProxy } from '../support/chain/faulty-proxy.ts'
import { usePublishedHistory } from './published-history.ts'

const { history, verify: verifyThese } = usePublishedHistory(22, 4)
const verify = (...argv: string[]) => verifyThese('--last', '1', ...argv)
let sealed: readonly { readonly entry: SealedEntry; readonly segment: Segment }[]
/** A token older than the log. */
let old: Token

beforeAll(async () => {
  const entries = effectiveEntries(await allOf(history().log.entriesAfter(0)))
  const read = async (entry: SealedEntry) => ({
    entry,
    segment: await history().log.readSegment(entry.segment),
  })
  sealed = await Promise.all(entries.map(read))
  old = sealed.flatMap(({ segment }) => segment.tokens).find(({ after }) => isImported(after))!.after
})

test('nothing is found where nothing was planted', async () => {
  expect(await verify()).toMatchObject({ code: 0, findings: [] })
})

test('a description without a state, and an empty state, are found', async () => {
  const client = new DynamoDBClient({})
  const TableName = history().env['MARKET_TABLE']
  const { pk, sk } = marketKeys.now(old.address)
  const item = (await history().table.read({ pk, sk }))!
  const put = (one: Item) => client.send(new PutItemCommand({ TableName, Item: toAttributes(one) }))
  const subject = `token ${old.address}`
  try {
    await client.send(new DeleteItemCommand({ TableName, Key: toAttributes({ pk, sk }) }))
    expect(await verify()).toMatchObject({
      code: 1,
      findings: [
        { is: 'different', subject, description: 'it is described, but the tables have no state of it' },
      ],
    })
    await put({ ...item, state: stateBytes.write(emptyState) })
    expect(await verify()).toMatchObject({
      code: 1,
      findings: [
        {
          is: 'different',
          subject,
          description: expect.stringMatching(/^sqrtPriceX96: stored 0, rebuilt \d+$/),
        },
      ],
    })
  } finally {
    await put(item)
    client.destroy()
  }
})

type RawLog = { readonly topics: readonly string[]; readonly blockNumber: string; readonly logIndex: string }
type Answer = { readonly id: unknown; readonly result?: unknown }

test('a sale of fees that was counted as a trade is found', async () => {
  const { entry, segment } = sealed.findLast((one) => one.segment.swaps.length > 0)!
  const sale = segment.swaps.at(-1)!
  const hook = `0x${hookAddresses()[0]!.slice(2).padStart(64, '0')}`
  // On the chain that verify reads, a hook is the sender of that trade.
  const soldBy = (log: RawLog): RawLog => {
    const isSale =
      log.topics?.[0] === topicOf.swapped &&
      Number(log.blockNumber) === sale.blockNumber &&
      Number(log.logIndex) === sale.logIndex
    return isSale ? { ...log, topics: log.topics.map((topic, at) => (at === 1 ? hook : topic)) } : log
  }
  const changed = (answer: Answer): Answer =>
    Array.isArray(answer.result) ? { ...answer, result: answer.result.map(soldBy) } : answer
  const proxy = await startFaultyProxy(history().market.rpcUrl)
  proxy.fault =
    () =>
    async ({ passed }) => {
      const given = JSON.parse(await passed()) as Answer | readonly Answer[]
      return {
        status: 200,
        text: JSON.stringify(Array.isArray(given) ? given.map(changed) : changed(given as Answer)),
      }
    }
  const { code, findings } = await verify('--rpc-url', proxy.url).finally(proxy.stop)
  expect(code).toBe(1)
  const findingsOf = (subject: string) => findings.filter((one) => one.subject === subject)
  expect(findingsOf(entry.segment.key)).toMatchObject([
    { is: 'different', description: expect.stringContaining(`minute ${entry.minute}: the log says `) },
  ])
  expect(findingsOf(`token ${sale.token}`)[0]?.description).toMatch(
    /^cumVolumeMicroUsd: stored \d+, rebuilt \d+$/,
  )
})

test('a zero where older history is needed is found', async () => {
  const { published } = history()
  const name = 'v1/z100/creators/24h'
  const { bytes, metadata } = (await published.read(name))!
  const text = Buffer.from(bytes).toString()
  const planted = text
    .replace('"total_volume":null', '"total_volume":0')
    .replace('"is_new":null', '"is_new":false')
  expect(planted).not.toBe(text)
  await published.put(name, Buffer.from(planted), { metadata })
  const { code, findings } = await verify().finally(() => published.put(name, bytes, { metadata }))
  expect(code).toBe(1)
  expect(findings.map(({ description }) => description).join()).toMatch(
    /row \d+ \(0x\w{40}\), (total_volume|is_new): published (0|false), rebuilt null/,
  )
})

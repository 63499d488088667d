/** Tokens older than the log that move to another pool in the very minute in which the log takes them in: the chain read again gives the same log. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reindexChain } from '../../admin/proof/reindex.ts'
import { migrate } from '../../dev/devnet/actions.ts'
import type { BookToken } from '../../dev/devnet/book.ts'
import { hookAddresses } from '../../dev/devnet/contracts.ts'
import { buy, type Wish } from '../../dev/devnet/traders.ts'
import { chains } from '../../ingest/client/chains.ts'
import { readHeader } from '../../ingest/client/headers.ts'
import { openRpc } from '../../ingest/client/rpc.ts'
import { isImported } from '../../market/coverage.ts'
import { effectiveEntries, type SealedEntry } from '../../market/log.ts'
import type { Block } from '../../market/segment.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { memoryStores, startWriter, untilIdle } from '../support/aws/ingest-stores.ts'
import { type DevnetMarket, startDevnetMarket } from '../support/chain/devnet-market.ts'
import { withoutState } from '../support/chain/json-rpc.ts'

const stores = memoryStores()
let market: DevnetMarket
let start: Block
let sealed: readonly SealedEntry[]

const [oldHook, newHook = '0x'] = hookAddresses()
const onCreator =
  (n: number, draft: (token: BookToken, ...market: Parameters<Wish>) => ReturnType<Wish>): Wish =>
  async (market) => {
    // Those of hooks before 2.5.0 aside, of which the market has one.
    const token = market.book.tokens('creator').filter(({ key }) => [oldHook, newHook].includes(key.hooks))[n]
    return token ? draft(token, market) : 'later'
  }
const bought = (n: number) =>
  onCreator(n, async (token, { book, wallets: [wallet = '0x'] }) => buy(book, { wallet, token, usd: 40 }))
const moved = (n: number) => onCreator(n, async (token) => migrate(token, newHook))

beforeAll(async () => {
  market = await startDevnetMarket(8, { isArchive: true })
  const { number, timestamp } = await market.mine(1)
  const rpc = openRpc([market.rpcUrl])
  start = (await readHeader(rpc, number))!
  // A minute with a trade in the pool that is left and one in the pool that is moved to; one with the move alone; one without a move.
  await market.mine(60 - (timestamp % 60), [bought(0)])
  await market.mine(15, [moved(0)])
  await market.mine(15, [bought(0)])
  await market.mine(30, [moved(1)])
  await market.mine(60, [bought(3)])
  await market.mine(60, 2)
  await market.mine(60, 2)
  await untilIdle(startWriter(stores, market.rpcUrl, start))
  sealed = effectiveEntries(await allOf(stores.log.entriesAfter(0)))
})
afterAll(() => market?.stop())

test('the log takes them in as they were, and has them in the new pool after the minute', async () => {
  const first = await Promise.all(sealed.slice(0, 3).map(({ segment }) => stores.log.readSegment(segment)))
  const imported = first.map(({ tokens }) =>
    tokens.filter(({ before, after }) => !before && isImported(after)).map(({ after }) => after.hook),
  )
  expect(imported).toEqual([[newHook], [newHook], [oldHook]])
  expect(first[0]?.swaps.map(({ poolId }) => poolId)).toHaveLength(2)
  expect(new Set(first[0]?.swaps.map(({ poolId }) => poolId)).size).toBe(2)
})

test.each([
  ['the state that the chain had', (rpc: ReturnType<typeof openRpc>) => rpc, false],
  ['the log’s own word of them, where no endpoint keeps state that old', withoutState, true],
] as const)('the same is made again from %s', async (_, ofEndpoint, isBelieved) => {
  const believed: string[] = []
  const again = await reindexChain({
    rpc: ofEndpoint(openRpc([market.rpcUrl])),
    chain: chains.devnet,
    from: start.number + 1,
    to: sealed.at(-1)!.last.number,
    onBlock: () => {},
    recorded: stores.log,
    onRecorded: (token) => believed.push(token),
  })
  expect(again.entries).toEqual(sealed)
  expect(believed.length > 2).toBe(isBelieved)
})

/** What ingest writes to DynamoDB: units of ReturnConsumedCapacity per swap, by kind of item, on a market followed block by block. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { chains } from '../../ingest/client/chains.ts'
import { openRpc } from '../../ingest/client/rpc.ts'
import { openHolderViews } from '../../ingest/writer/holder-views.ts'
import { type Item, openTable, type Table } from '../../store/aws/table.ts'
import { openTokens } from '../../store/items/tokens.ts'
import { openFeed } from '../../store/log/feed.ts'
import { openLog } from '../../store/log/log.ts'
import { countedClient } from '../../test/support/aws/counted-client.ts'
import {
  feedOf,
  type IngestStores,
  startStores,
  startWriter,
  untilIdle,
} from '../../test/support/aws/ingest-stores.ts'
import { type DevnetMarket, startDevnetMarket } from '../../test/support/chain/devnet-market.ts'
import { atMost, say, table } from './measuring.ts'

const GOAL_UNITS = 4
const BLOCK_SECONDS = 6
/** Where the market begins (Unix milliseconds): five minutes before the end of an hour, whose items are counted as well, and at a full minute: one that it shares with its past would make a row too many of each token. */
const FULL_MINUTE = 1_767_272_100_000

/** A market's pace; only the gate can be missed. */
const paces = [
  { name: '1 trade/s (Zora on Base at its peak)', tradesPerBlock: 6, blocks: 120, isGate: true },
  { name: '0.06 trades/s (the live devnet)', tradesPerBlock: 0.36, blocks: 100, isGate: false },
] as const

/** What an item is, by its key: the first that fits. */
const kinds: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['token minute (C)', /^T#.*\/C#/],
  ['token minute, more swaps (S)', /^T#.*\/S#/],
  ['token now', /\/NOW$/],
  ['prices of an hour (H)', /^(T#.*\/H\d#|HOURS)/],
  ['token, look-ups, pool, hook', /^(T#.*\/M$|X#|HOOKS)/],
  ['holder balance', /^B#/],
  ['holding of a wallet (P)', /^P#/],
  ['holders and earnings of an hour (Q)', /^T#.*\/Q\d#/],
  ['ten largest holders (K)', /^T#.*\/K\d#/],
  ['traders of an hour (V)', /^T#.*\/V\d#/],
  ['swaps of a wallet (W)', /^W#/],
  ['feed entry', /^FP?#/],
  ['feed tail', /^SYS\/FEED$/],
  ['log entry', /^LOG/],
  ['APPLIED', /^SYS\/APPLIED$/],
  ['reference rate', /^R#/],
  ['holder view', /\/HS$/],
  ['posts of a creator', /^O#.*\/POSTS$/],
  ['whether an address is a contract', /^A#/],
]

/** Measures every pace; the goals missed. */
export async function measureWriteUnits(): Promise<readonly string[]> {
  const missed: string[] = []
  for (const [index, pace] of paces.entries()) {
    const past = { creators: 50, posts: 80, trades: 150, blocks: 60 }
    const market = await startDevnetMarket(41 + index, past, () => FULL_MINUTE)
    const stores = await startStores()
    try {
      const perSwap = await measure(pace, market, stores)
      if (pace.isGate) missed.push(...atMost('write units per swap', perSwap, GOAL_UNITS))
    } finally {
      await Promise.all([market.stop(), stores.stop()])
    }
  }
  return missed
}

type Spent = Map<string, { puts: number; units: number }>

async function measure(
  { name, tradesPerBlock, blocks }: (typeof paces)[number],
  market: DevnetMarket,
  stores: IngestStores,
): Promise<number> {
  await endMinute(market)
  const deps = { rpc: openRpc([market.rpcUrl]), chain: chains.devnet }
  await untilIdle(startWriter({ ...stores, holders: openHolderViews({ ...deps, ...stores }) }, market.rpcUrl))
  const swapsBefore = swapsIn(await feedOf(stores))
  const spent: Spent = new Map()
  const counted = countedTable('market', spent)
  const parts = { table: counted, log: openLog(counted, stores.segments), feed: openFeed(counted) }
  const holders = openHolderViews({ ...deps, ...parts })
  const writer = startWriter({ ...stores, ...parts, tokens: openTokens(counted), holders }, market.rpcUrl)
  for (let block = 0; block < blocks; block += 1) {
    await market.mine(BLOCK_SECONDS, market.random.count(tradesPerBlock))
    await untilIdle(writer)
  }
  await endMinute(market)
  await untilIdle(writer)
  const swaps = swapsIn(await feedOf(stores)) - swapsBefore
  say(`\nwrite units at ${name}: ${swaps} swaps in ${blocks} blocks of ${BLOCK_SECONDS} s`)
  const rows = [...spent].sort(([, a], [, b]) => b.units - a.units)
  const lines = rows.map(
    ([kind, { puts, units }]) => [kind, String(puts), units / puts, units / swaps] as const,
  )
  const total = rows.reduce((sum, [, { units }]) => sum + units, 0) / swaps
  say(table([['', 'puts', 'units a put', 'units a swap'], ...lines, ['all', '', '', total]]))
  return total
}

/** What was traded so far is sealed by the next look at the chain. */
async function endMinute(market: DevnetMarket): Promise<void> {
  for (let block = 0; block < 2; block += 1) await market.mine(60)
}

const swapsIn = (feed: Awaited<ReturnType<typeof feedOf>>): number =>
  feed.reduce((sum, entry) => sum + (entry.is === 'block' ? entry.swaps.length : 0), 0)

/** A table whose puts are counted by what they put. */
function countedTable(name: string, spent: Spent): Table {
  const putting = new AsyncLocalStorage<string>()
  const client = countedClient((units, is) => {
    const kind = putting.getStore()
    if (is !== 'write' || kind === undefined) return
    const sum = spent.get(kind) ?? { puts: 0, units: 0 }
    spent.set(kind, { puts: sum.puts + 1, units: sum.units + units })
  })
  const counted = openTable(name, { client })
  return {
    ...counted,
    put: (item, condition) => putting.run(kindOf(item), () => counted.put(item, condition)),
  }
}

function kindOf({ pk, sk }: Item): string {
  return kinds.find(([, pattern]) => pattern.test(`${pk}/${sk}`))?.[0] ?? `${pk}/${sk}`
}

import { expect, it } from 'vitest'
import { startDevnetMarket } from '../support/devnet-market.ts'
import { memoryStores, startWriter, untilIdle } from '../support/ingest-stores.ts'
import { rounds } from '../support/rounds.ts'
import { follow, openWay, startTask, until } from '../support/stream-clients.ts'

/** Times that a reader's connection is cut. */
const CUTS = rounds('STREAM_CUTS', 6, 100)

it(
  `a reader that is cut ${CUTS} times while the development chain trades and forks has every trade of the chain, once`,
  async () => {
    const market = await startDevnetMarket(71)
    const stores = memoryStores()
    const writer = startWriter(stores, market.rpcUrl)
    await untilIdle(writer)
    const task = await startTask(stores)
    const way = await openWay(task.url)
    const client = follow(`${way.url}/stream/swaps?last_event_id=0.0`)
    let mined = 0
    for (let cut = 0; cut < CUTS; cut++) {
      const isFork = mined > 3 && market.random.next() < 0.4
      if (isFork) {
        const depth = 1 + market.random.below(3)
        await market.rollback(depth)
        mined -= depth
      }
      // A fork is seen once it is as long as what it replaced.
      for (let blocks = isFork ? 4 : 1 + market.random.below(2); blocks > 0; blocks--, mined++)
        await market.mine(2, 1 + market.random.below(3))
      await untilIdle(writer)
      way.cut()
    }
    const last = (await stores.feed.read(await stores.feed.tail()))!
    // The last of its events, which may come in several pieces.
    const head = `${last.seq}.${last.is === 'block' ? Math.max(0, last.swaps.length - 1) : 0}`
    await until(() => client.lastId() === head, head)
    client.close()
    const trades = (await market.trades()).map(({ blockNumber, logIndex }) => `${blockNumber}.${logIndex}`)
    await Promise.all([way.stop(), task.stop(), market.stop()])
    expect(client.faults).toEqual([])
    expect(client.resyncs).toEqual([])
    const told = client.book.places().filter((place) => Number(place.split('.')[0]) >= market.begin)
    expect([...told].sort()).toEqual([...trades].sort())
    expect(trades.length).toBeGreaterThan(CUTS / 2)
    expect(client.book.retractions).toBeGreaterThan(0)
  },
  120_000 + CUTS * 2_000,
)

import { Ajv2020 } from 'ajv/dist/2020.js'
import { EventSource } from 'eventsource'
import { afterAll, describe, expect, it } from 'vitest'
import { randomFrom } from '../../dev/devnet/random.ts'
import { launchEventFields } from '../../schemas/api/stream.ts'
import { rowSchema } from '../../schemas/values/field.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import { openWay, startTask, until } from '../support/stream-clients.ts'

const stores = memoryStores()
const chain = await openFeedChain(stores.feed)
const task = await startTask(stores)
afterAll(() => task.stop())

type Sent = { readonly name: string; readonly id: string; readonly row: Readonly<Record<string, unknown>> }

/** Follows the stream: all that is sent, and `block:log` of what is in force. */
function read(url: string) {
  const source = new EventSource(url)
  const sent: Sent[] = []
  const inForce = { message: new Set<string>(), launch: new Set<string>() }
  for (const name of ['message', 'launch', 'retract', 'position'] as const) {
    source.addEventListener(name, ({ data, lastEventId: id }) => {
      const row = JSON.parse(data) as Sent['row']
      sent.push({ name, id, row })
      if (name === 'message' || name === 'launch') {
        const place = `${row['block_hash']}:${row['log_index']}`
        if (inForce[name].has(place)) throw new Error(`${place} came twice`)
        inForce[name].add(place)
      }
      if (name === 'retract')
        for (const places of Object.values(inForce))
          for (const place of [...places]) if (place.startsWith(`${row['block_hash']}:`)) places.delete(place)
    })
  }
  return { sent, inForce, lastId: () => sent.at(-1)?.id ?? '', close: () => source.close() }
}

const address = (query: string, url = task.url) => `${url}/stream/swaps?last_event_id=0.0&${query}`
const sorted = (places: Iterable<string>) => [...places].sort()

describe('launches on the stream', () => {
  it('reach those who ask, each once and in the order of the logs, over cuts and reorganisations', async () => {
    const random = randomFrom(3)
    const way = await openWay(task.url)
    const all = read(address('events=swap,launch', way.url))
    const launches = read(address('events=launch', way.url))
    const swaps = read(address('', way.url))
    for (let step = 0; step < 40; step++) {
      if (random.chance(0.2)) await chain.fork(1 + random.below(2))
      else await chain.trade(random.below(3), random.below(3))
      if (random.chance(0.3)) way.cut()
    }
    await chain.trade(1, 1)
    const head = `${await stores.feed.tail()}`
    await until(() => [all, launches, swaps].every(({ lastId }) => lastId().startsWith(`${head}.`)))
    await until(() => all.lastId() === `${head}.1` && launches.lastId() === `${head}.1`)
    for (const reader of [all, launches, swaps]) reader.close()
    await way.stop()
    expect(sorted(all.inForce.message)).toEqual(sorted(chain.canonical()))
    expect(sorted(all.inForce.launch)).toEqual(sorted(chain.launched()))
    expect(sorted(launches.inForce.launch)).toEqual(sorted(chain.launched()))
    expect(sorted(swaps.inForce.message)).toEqual(sorted(chain.canonical()))
    expect([launches.inForce.message.size, swaps.inForce.launch.size]).toEqual([0, 0])
    const ofBlocks = all.sent.filter(({ name }) => name !== 'retract' && name !== 'position')
    for (const [at, { row }] of ofBlocks.entries()) {
      const before = ofBlocks[at - 1]?.row
      if (before?.['block_hash'] === row['block_hash'])
        expect(Number(row['log_index'])).toBeGreaterThan(Number(before?.['log_index']))
    }
  })

  it('are as described, and of the token that a reader asks for', async () => {
    await chain.trade(2, 2)
    const head = await stores.feed.tail()
    const one = read(address('events=launch,swap&token=new4'))
    await until(() => one.lastId() === `${head}.3`)
    one.close()
    const isValid = new Ajv2020({ allowUnionTypes: true }).compile(rowSchema(launchEventFields))
    const rows = one.sent.filter(({ name }) => name === 'launch').map(({ row }) => row)
    expect(rows.at(-1)).toMatchObject({ symbol: 'NEW4', log_index: 4, confirmed: false })
    for (const row of rows) expect([isValid(row), row['symbol']]).toEqual([true, 'NEW4'])
    expect(one.sent.filter(({ name }) => name === 'message')).toEqual([])
  })

  it('refuses an event that there is not, and goes on after a launch', async () => {
    expect((await fetch(`${task.url}/stream/swaps?events=launches`)).status).toBe(400)
    await chain.trade(1, 2)
    const head = await stores.feed.tail()
    const after = read(`${task.url}/stream/swaps?events=swap,launch&last_event_id=${head}.1`)
    await until(() => after.lastId() === `${head}.2`)
    after.close()
    expect(after.sent.map(({ name, id }) => [name, id])).toEqual([['launch', `${head}.2`]])
  })
})

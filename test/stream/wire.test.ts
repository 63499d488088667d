import { afterAll, describe, expect, it } from 'vitest'
import { askedOf } from '../../stream/http.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import { readSocket, startTask, until } from '../support/stream-clients.ts'

const stores = memoryStores()
const chain = await openFeedChain(stores.feed)
const task = await startTask(stores, { heartbeatMs: 0 })
afterAll(() => task.stop())

/** The blocks of a body, as a decoder that hands out every block sees them: comments are no lines of a block. */
const blocksOf = (text: string): readonly string[] =>
  text
    .slice(text.indexOf('\r\n\r\n') + 4)
    .replace(/^:.*\n/gm, '')
    .split('\n\n')
    .slice(0, -1)

describe('every block that is sent has data', () => {
  it('of all swaps, of some and of none, idle and with swaps', async () => {
    // Readers at once, since each waits for marks that come in seconds.
    const readers = ['', '?type=buy', '?token=nobody'].map((query) => {
      const raw = readSocket(task.url, `/stream/swaps${query}`)
      const marks = () => raw.text().split(query ? 'event: position\n' : '\n:\n').length
      return { raw, marks }
    })
    await until(() => readers.every(({ marks }) => marks() > 2))
    await chain.trade(3)
    await chain.fork(1)
    const before = readers.map(({ marks }) => marks())
    await until(() => readers.every(({ marks }, at) => marks() > before[at]! + 1))
    for (const { raw } of readers) {
      raw.socket.destroy()
      const blocks = blocksOf(raw.text())
      expect(blocks.filter((block) => !/^data: \{.*\}$/m.test(block))).toEqual([])
      expect(blocks[0]).toMatch(/^retry: 10\nevent: ready\n/)
    }
    expect(readers[0]?.raw.text()).toContain('event: retract')
  })

  it('until its end, which states when to come back', async () => {
    const own = await startTask(stores)
    const raw = readSocket(own.url)
    await until(() => raw.events().length > 0)
    await own.stop()
    await raw.ended
    expect(raw.text()).toMatch(/\}\n\nretry: \d+\n$/)
  })
})

describe('the id to continue after', () => {
  const asked = (query: string, headers = {}) => askedOf({ headers }, new URLSearchParams(query))

  it.each(['last_event_id', 'lastEventId', 'Last-Event-ID', 'last-event-id', 'lastEventID', 'LASTEVENTID'])(
    'is read as %s',
    (name) => {
      expect(asked(`${name}=7.1`)).toMatchObject({ lastId: '7.1', ignored: [] })
    },
  )

  it('is the furthest of several, since a client adds the newer one to an address', () => {
    expect(asked('last_event_id=5.0&lastEventId=9.2').lastId).toBe('9.2')
    expect(asked('lastEventId=9.10&lastEventId=9.2').lastId).toBe('9.10')
    expect(asked('last_event_id=lost&lastEventId=3.0').lastId).toBe('3.0')
    expect(asked('last_event_id=lost').lastId).toBe('lost')
    expect(asked('last_event_id=').lastId).toBeNull()
  })

  it('is that of the header if it is sent', () => {
    expect(asked('lastEventId=5.0', { 'last-event-id': '4.0' }).lastId).toBe('4.0')
  })
})

import { describe, expect, it } from 'vitest'
import { ReplayAllowance, StreamAdmission } from '../../stream/admission.ts'
import { Channel } from '../../stream/channel.ts'
import { openCurrencies } from '../../stream/events.ts'
import { Metrics } from '../../stream/metrics.ts'
import { Replay } from '../../stream/replay.ts'
import { StreamServer } from '../../stream/server.ts'
import { Tail } from '../../stream/tail.ts'
import { memoryStores } from '../support/ingest-stores.ts'
import { readSocket, until } from '../support/stream-clients.ts'

const HOUR = 3_600_000
const READERS = 40

describe('a connection', () => {
  it('lasts its time, up to an eighth of it less or more, each one otherwise', async () => {
    const { feed, tokens, log } = memoryStores()
    const rooms = { feed, currencies: openCurrencies(tokens, []), applied: log.applied }
    const quiet = { onEntries: () => {}, onFault: () => {} }
    const tail = await Tail.open(rooms, { pollMs: 250, clock: Date.now, ...quiet })
    const channel = new Channel()
    const served = {
      ...{
        tail,
        channel,
        replay: new Replay({ tail, channel, allowance: new ReplayAllowance(), onReplayed: () => {} }),
        metrics: new Metrics(),
      },
      admission: new StreamAdmission({ perTask: READERS, perAddress: READERS, perSite: READERS }),
    }
    const times = { retryMs: 10, heartbeatMs: HOUR, connectionMs: HOUR }
    const server = new StreamServer(served, { proxies: 0, onFault: () => {}, ...times })
    const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`
    const began = Date.now()
    const clients = Array.from({ length: READERS }, () => readSocket(url))
    await until(() => server.readers.size === READERS)
    const shares = [...server.readers].map(({ endsAt }) => (endsAt - began) / HOUR)
    const [least, most] = [Math.min(...shares), Math.max(...shares)]
    expect(least).toBeGreaterThanOrEqual(0.875)
    expect(most).toBeLessThan(1.13)
    expect(most - least).toBeGreaterThan(0.1)
    for (const { socket } of clients) socket.destroy()
    server.close()
  })
})

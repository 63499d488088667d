import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { readerAddress } from '../../stream/admission.ts'
import { Metrics } from '../../stream/metrics.ts'
import { lifetime } from '../../stream/reader.ts'

const asked = (forwarded: string | undefined, peer = '::ffff:10.0.0.9') =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: peer },
  }) as unknown as IncomingMessage

it.each([
  ['no proxy is trusted', '1.1.1.1', 0, '10.0.0.9'],
  ['one: its last word', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['two: the last but one', '6.6.6.6, 1.1.1.1, 130.176.0.1', 2, '1.1.1.1'],
  ['a proxy was passed by', '1.1.1.1', 2, '10.0.0.9'],
  ['nothing was said', undefined, 2, '10.0.0.9'],
  ['an empty word', '6.6.6.6, ', 1, '10.0.0.9'],
  ['a network', '2001:DB8:0001:0002:a:b:c:d', 1, '2001:db8:1:2'],
  ['a network, shortened', '2001:db8::1', 1, '2001:db8:0:0'],
  ['a network, shortened behind it', '2001:db8:1:2:3::', 1, '2001:db8:1:2'],
  ['a network, shortened within', '1::3:4:5:6:7:8', 1, '1:0:3:4'],
  ['the machine itself', '::1', 1, '0:0:0:0'],
])('the address of a reader %s', (_, forwarded, proxies, address) => {
  expect(readerAddress(asked(forwarded), proxies)).toBe(address)
})

it('the lifetime of a connection is up to an eighth shorter or longer, and differs between connections', () => {
  const lifetimes = Array.from({ length: 40 }, () => lifetime(1_000))
  const [least, most] = [Math.min(...lifetimes), Math.max(...lifetimes)]
  expect(least).toBeGreaterThanOrEqual(875)
  expect(most).toBeLessThanOrEqual(1_125)
  expect(most - least).toBeGreaterThan(100)
})

it('metrics are one line of the embedded format per period, then start from zero', () => {
  const metrics = new Metrics()
  metrics.add('Sent', 40)
  metrics.add('Sent', 2)
  metrics.lag(812.4)
  for (const name of ['Dropped', 'Resynced', 'Refused'] as const) metrics.add(name)
  metrics.add('Replayed', 7)
  const line = JSON.parse(metrics.line(3, 1_700_000_000_000))
  expect(line).toMatchObject({ service: 'stream', Readers: 3, Sent: 42, Dropped: 1, Replayed: 7 })
  expect(line).toMatchObject({ Resynced: 1, Refused: 1, Lag: [812] })
  const [directive] = line._aws.CloudWatchMetrics
  for (const { Name } of directive.Metrics) expect(line).toHaveProperty(Name)
  expect(directive.Dimensions).toEqual([['service']])
  const next = JSON.parse(metrics.line(3, 1_700_000_060_000))
  expect(next).toMatchObject({ Sent: 0, Dropped: 0 })
  expect(next).not.toHaveProperty('Lag')
})

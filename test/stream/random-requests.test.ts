import { connect } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { ErrorCode } from '../../schemas/api/errors.ts'
import { streamParameters } from '../../schemas/api/stream.ts'
import { errorSchema } from '../../schemas/described/openapi-refusals.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { fragment } from '../support/described/fuzz-requests.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import { rounds } from '../support/rounds.ts'
import { startTask } from '../support/stream-clients.ts'

// Whatever is sent to the stream, its answer is the stream, or an error in the one shape with a status that is described.
const ROUNDS = rounds(200, 20_000)
const STATUSES = [200, 204, 400, 404, 405, 429, 503]
const CODES: readonly ErrorCode[] = [
  'INVALID_PARAMETER',
  'RESOURCE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
]
const isError = new Ajv2020({ allowUnionTypes: true }).compile(errorSchema(CODES))

const stores = memoryStores()
const chain = await openFeedChain(stores.feed)
for (let block = 0; block < 10; block++) await chain.trade(3)
const task = await startTask(stores, { proxies: 1 })
afterAll(() => task.stop())

const text = fc.oneof(fragment, fc.constantFrom('0.0', '3.1', 'buy', 'all'))
const name = fc.constantFrom(...streamParameters.flatMap(({ names }) => names), '__proto__', 'x')
const query = fc.array(
  fc.tuple(name, text).map(([key, value]) => `${key}=${value}`),
  { maxLength: 4 },
)
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/stream/swaps', '/v1/stream/swaps', '/stream/swaps/') },
  { weight: 1, arbitrary: text.map((part) => `/stream/${part}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/', '*', '//', '/stream', '/health', 'http://a/stream/swaps', '/%'),
  },
)
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'DELETE', 'TRACE', 'get', 'G\u0000T', ''),
  },
)
const header = fc.oneof(
  fc.tuple(fc.constantFrom('last-event-id', 'accept', 'accept-encoding', 'origin', 'range'), text),
  fc.constantFrom<[string, string]>(
    ['last-event-id', '4.1'],
    ['accept-encoding', 'gzip;q=0'],
    ['x', 'y'.repeat(17_000)],
    ['content-length', 'x'],
    ['transfer-encoding', 'nonsense'],
    ['bad name', 'z'],
    ['expect', '100-continue'],
  ),
)
const sent = fc
  .record({ method, path, query, headers: fc.array(header, { maxLength: 3 }), address: fc.ipV4() })
  .map(({ method, path, query, headers, address }) => {
    const target = query.length > 0 ? `${path}?${query.join('&')}` : path
    const lines = [['host', 'a'], ['x-forwarded-for', address], ...headers].map((pair) => pair.join(': '))
    return {
      isHead: method === 'HEAD',
      bytes: `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
    }
  })

/** What is answered: all of an error, of the stream what comes up to its first event. */
function answerTo(bytes: string, isHead: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(task.url).port), '127.0.0.1')
    let answer = ''
    // Some answers stay open: they are over when nothing more comes. A busy machine may be long in beginning one.
    let [looks, before] = [0, '']
    const late = setInterval(() => {
      looks += 1
      if (looks === 30 || (answer !== '' && answer === before)) socket.destroy(new Error('no answer'))
      before = answer
    }, 2_000)
    socket.on('data', (part) => {
      answer = (answer + part.toString('latin1')).replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '')
      const [head = '', body] = answer.split('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      const isWhole =
        body !== undefined && (isHead || /^HTTP\/1.1 204/.test(head) || body.length >= Number(length))
      if (isWhole || answer.includes('event: ready') || /content-encoding: gzip/i.test(head)) socket.destroy()
    })
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined))
    socket.on('close', () => {
      clearInterval(late)
      resolve(answer)
    })
    socket.write(bytes)
  })
}

it('the answer to any request is the stream or an error in the one shape', async () => {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(sent, async ({ bytes, isHead }) => {
      const answer = await answerTo(bytes, isHead)
      const status = Number(/^HTTP\/1.1 (\d{3})/.exec(answer)?.[1])
      seen.set(status, (seen.get(status) ?? 0) + 1)
      expect(STATUSES).toContain(status)
      const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
      if (status >= 400 && body !== '') {
        expect(isError(JSON.parse(body)), body).toBe(true)
        expect(answer).toMatch(/x-request-id: /i)
      } else if (status === 200 && /text\/event-stream/.test(answer) && !/content-encoding/i.test(answer)) {
        for (const line of body.split('\n')) expect(line).toMatch(/^((id|event|data|retry): .*|:.*)?$/)
      }
    }),
    { numRuns: ROUNDS },
  )
  // Both kinds were met.
  expect(seen.get(200)).toBeGreaterThan(ROUNDS / 20)
  expect(seen.get(400)).toBeGreaterThan(ROUNDS / 20)
})

import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { parseAbi } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Emulator, listen } from '../../../dev/emulators/listening.ts'
import { endpointsOf } from '../../../ingest/client/endpoints.ts'
import {
  AddressRequiredError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  RpcRefusedError,
  RpcUnavailableError,
  WrongChainError,
} from '../../../ingest/client/faults.ts'
import type { Wait } from '../../../ingest/client/pacing.ts'
import { openRpc, type RpcOptions, servedChain } from '../../../ingest/client/rpc.ts'
import { viewsAt } from '../../../ingest/client/state-calls.ts'
import { readingSourcesAfter } from '../../../ingest/read/reading.ts'
import { hexQuantity } from '../../support/chain/json-rpc.ts'
import { address } from '../../support/market/facts.ts'

type Sent = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type Answer = {
  readonly status?: number
  readonly body?: unknown
  readonly afterMs?: number
  readonly cut?: true
  readonly isGzip?: true
  readonly headers?: Readonly<Record<string, string>>
}

const endpoints: Emulator[] = []
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint.stop()
})

/** An endpoint that answers as told. */
async function startEndpoint(answer: (sent: Sent | Sent[], asked: number) => Answer) {
  const bodies: (Sent | Sent[])[] = []
  const sockets = new Set<unknown>()
  const server = createServer((request, response) => {
    sockets.add(request.socket)
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const sent = JSON.parse(text)
      bodies.push(sent)
      const { status = 200, body, afterMs = 0, cut, isGzip, headers } = answer(sent, bodies.length)
      const plain = typeof body === 'string' ? body : JSON.stringify(body)
      const wanted = request.headers['accept-encoding'] === 'gzip' && isGzip
      const written = wanted ? gzipSync(plain) : Buffer.from(plain)
      setTimeout(() => {
        response.writeHead(status, {
          'content-length': written.length,
          ...headers,
          ...(wanted && { 'content-encoding': 'gzip' }),
        })
        if (cut) response.write(written.subarray(0, 3), () => request.socket.destroy())
        else response.end(written)
      }, afterMs)
    })
  })
  const endpoint = await listen('rpc', server)
  endpoints.push(endpoint)
  return { url: `${endpoint.url}/v2/secret-key`, bodies, sockets, name: new URL(endpoint.url).host }
}

const told = ({ method, params }: Sent) => (method === 'get' ? `get(${params})` : 'ok')
const result = (sent: Sent | Sent[], value?: unknown) =>
  Array.isArray(sent)
    ? sent.map((one) => ({ jsonrpc: '2.0', id: one.id, result: told(one) }))
    : { jsonrpc: '2.0', id: sent.id, result: value === undefined ? told(sent) : value }

const error = (sent: Sent | Sent[], message: string, code = -32_000) => ({
  jsonrpc: '2.0',
  id: Array.isArray(sent) ? null : sent.id,
  error: { code, message },
})

const errorOnly = (message: string, code = -32_000) => ({ jsonrpc: '2.0', error: { code, message } })

const paramsOf = (sent: Sent | Sent[]) => [sent].flat().flatMap(({ params }) => params)

const quick: RpcOptions = { backoffMs: 1, timeoutMs: 2_000, refusalPauseMs: 30_000 }

const fine = (sent: Sent | Sent[]): Answer => ({ body: result(sent) })
const down = (): Answer => ({ status: 500, body: 'down' })
const giving = (value: unknown) => (sent: Sent | Sent[]) => ({ body: result(sent, value) })
const saying = (message: string, code?: number) => (sent: Sent | Sent[]) => ({
  body: error(sent, message, code),
})

/** An endpoint alone, and what asks it. */
async function startRpc(answer: Parameters<typeof startEndpoint>[0]) {
  const endpoint = await startEndpoint(answer)
  return { ...endpoint, rpc: openRpc([endpoint.url], quick) }
}

describe('a request', () => {
  it('is one JSON-RPC exchange over a keep-alive connection', async () => {
    const { rpc, ...endpoint } = await startRpc(giving({ number: '0x1' }))
    expect(await rpc.request('eth_getBlockByNumber', ['0x1', false])).toEqual({ number: '0x1' })
    await rpc.request('eth_chainId', [])
    expect(endpoint.bodies[0]).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getBlockByNumber',
      params: ['0x1', false],
    })
    expect(endpoint.sockets.size).toBe(1)
  })

  it('returns null if the chain has none', async () => {
    const { rpc } = await startRpc(giving(null))
    expect(await rpc.request('eth_getBlockByNumber', ['0xff', false])).toBeNull()
  })

  it.each<[string, (sent: Sent | Sent[]) => Answer]>([
    ['status 503', () => ({ status: 503, body: 'no healthy upstream' })],
    ['status 429 with an error in words', (sent) => ({ status: 429, body: error(sent, 'slow down') })],
    ['a rate limit in words', saying('rate limit exceeded', -32_005)],
    ['no JSON', () => ({ body: '<html>' })],
    ['neither result nor error', () => ({ body: {} })],
    ['an answer that is cut', (sent) => ({ body: result(sent), cut: true })],
    ['an error nobody knows', saying('oops')],
  ])('is tried again after %s', async (_what, failing) => {
    const endpoint = await startRpc((sent, asked) => (asked < 3 ? failing(sent) : { body: result(sent) }))
    expect(await endpoint.rpc.request('eth_chainId', [])).toBe('ok')
    expect(endpoint.bodies).toHaveLength(3)
  })

  it('falls back to the next endpoint, and stays there', async () => {
    const broken = await startEndpoint(down)
    const up = await startEndpoint(fine)
    const rpc = openRpc([broken.url, up.url], quick)
    await rpc.request('eth_chainId', [])
    await rpc.request('eth_chainId', [])
    expect([broken.bodies.length, up.bodies.length]).toEqual([1, 2])
  })

  it('falls back from an endpoint that refuses its key', async () => {
    const closed = await startEndpoint(() => ({ status: 401, body: 'Must be authenticated!' }))
    const open = await startEndpoint(fine)
    expect(await openRpc([closed.url, open.url], quick).request('eth_chainId', [])).toBe('ok')
  })

  it('fails after all attempts, without the key in the message', async () => {
    const endpoint = await startRpc(down)
    const failure = await endpoint.rpc.request('eth_chainId', []).catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(RpcUnavailableError)
    expect(failure).toMatchObject({ message: expect.stringContaining(endpoint.name), retryable: true })
    expect(String(failure)).not.toContain('secret')
    expect(endpoint.bodies).toHaveLength(4)
  })

  it('fails if the port is closed', async () => {
    await expect(openRpc(['http://127.0.0.1:9'], quick).request('eth_chainId', [])).rejects.toThrow(
      RpcUnavailableError,
    )
    await expect(openRpc([], quick).request('eth_chainId', [])).rejects.toThrow(RpcUnavailableError)
  })

  it('fails if the answer takes too long', async () => {
    const endpoint = await startEndpoint((sent) => ({ body: result(sent), afterMs: 300 }))
    const rpc = openRpc([endpoint.url], { ...quick, timeoutMs: 50, attempts: 1 })
    await expect(rpc.request('eth_chainId', [])).rejects.toThrow(RpcUnavailableError)
  })

  it('is not retried if the range is too large, by the message or in bytes', async () => {
    const wordy = await startEndpoint((sent) => ({ status: 400, body: error(sent, 'block range too large') }))
    await expect(openRpc([wordy.url], quick).request('eth_getLogs', [{}])).rejects.toThrow(
      BlockRangeTooLargeError,
    )
    expect(wordy.bodies).toHaveLength(1)
    const heavy = await startEndpoint(giving('x'.repeat(5_000)))
    await expect(
      openRpc([heavy.url], { ...quick, maxBytes: 1_000 }).request('eth_getLogs', [{}]),
    ).rejects.toThrow(BlockRangeTooLargeError)
  })

  it('accepts gzip, within the same limits', async () => {
    const value = 'x'.repeat(5_000)
    const endpoint = await startRpc((sent) => ({ body: result(sent, value), isGzip: true }))
    expect(await endpoint.rpc.request('eth_getLogs', [{}])).toBe(value)
    const bounded = openRpc([endpoint.url], { ...quick, maxBytes: 1_000 })
    await expect(bounded.request('eth_getLogs', [{}])).rejects.toThrow(BlockRangeTooLargeError)
    const torn = await startEndpoint((sent) => ({ body: result(sent), isGzip: true, cut: true }))
    await expect(openRpc([torn.url], quick).request('eth_chainId', [])).rejects.toThrow(RpcUnavailableError)
  })
})

describe('a batch', () => {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ method: 'get', params: [`0x${at}`] }))
  const expected = (count: number) => Array.from({ length: count }, (_, at) => `get(0x${at})`)

  it('returns the results in the order of the calls, with answers in any order', async () => {
    const endpoint = await startRpc((sent) => ({ body: [...(result(sent) as object[])].reverse() }))
    expect(await endpoint.rpc.batch(calls(5))).toEqual(expected(5))
    expect(endpoint.bodies).toHaveLength(1)
  })

  it('of no calls sends nothing', async () => {
    expect(await openRpc(['http://127.0.0.1:9'], quick).batch([])).toEqual([])
  })

  it('is split until the endpoint accepts it, and the size is remembered', async () => {
    const { rpc, ...endpoint } = await startRpc((sent) =>
      Array.isArray(sent) && sent.length > 10
        ? { body: error(sent, 'maximum 10 calls in 1 batch', -32_014) }
        : { body: result(sent) },
    )
    expect(await rpc.batch(calls(25))).toEqual(expected(25))
    const refused = endpoint.bodies.length
    expect(refused).toBe(4)
    expect(await rpc.batch(calls(10))).toEqual(expected(10))
    expect(endpoint.bodies.length - refused).toBe(1)
  })

  it('is split also if the endpoint answers each call with the refusal', async () => {
    const endpoint = await startRpc((sent) => ({
      body:
        Array.isArray(sent) && sent.length > 10
          ? sent.map((one) => error(one, 'maximum 10 calls in 1 batch'))
          : result(sent),
    }))
    expect(await endpoint.rpc.batch(calls(25))).toEqual(expected(25))
  })

  it('repeats calls without an answer or with a temporary error, and no others', async () => {
    const lacking = [
      (answers: readonly unknown[]) => answers.slice(1),
      (answers: readonly { id: number }[]) =>
        answers.map((one, at) => (at === 0 ? { id: one.id, ...errorOnly('internal error') } : one)),
    ]
    for (const lack of lacking) {
      const { rpc, ...endpoint } = await startRpc((sent) => ({
        body: Array.isArray(sent) ? lack(result(sent) as { id: number }[]) : result(sent),
      }))
      expect(await rpc.batch(calls(3))).toEqual(expected(3))
      expect(await rpc.pinned().batch(calls(3))).toEqual(expected(3))
      expect(endpoint.bodies.map(paramsOf)).toEqual([
        ['0x0', '0x1', '0x2'],
        ['0x0'],
        ['0x0', '0x1', '0x2'],
        ['0x0'],
      ])
    }
  })

  it('keeps its good answers over failed attempts', async () => {
    let failures = 0
    const endpoint = await startRpc((sent) => {
      if (Array.isArray(sent)) return { body: (result(sent) as object[]).slice(1) }
      failures += 1
      return failures <= 3 ? { status: 500, body: 'down' } : { body: result(sent) }
    })
    expect(await endpoint.rpc.pinned().batch(calls(4))).toEqual(expected(4))
    const asked = endpoint.bodies.map(paramsOf)
    expect(asked.filter((params) => params.includes('0x3'))).toHaveLength(1)
  })

  it('fails if a call is never answered', async () => {
    const { rpc } = await startRpc((sent) => ({
      body: Array.isArray(sent) ? (result(sent) as object[]).slice(1) : {},
    }))
    await expect(rpc.batch(calls(3))).rejects.toThrow(RpcUnavailableError)
  })

  it('slows down for calls that are refused by rate, and keeps the others', async () => {
    let refused = 2
    const endpoint = await startEndpoint((sent) => {
      if (!Array.isArray(sent) || refused === 0) return { body: result(sent) }
      const answers = result(sent) as { id: number }[]
      refused -= 1
      return {
        body: answers.map((one, at) =>
          at < 2 ? { ...errorOnly('rate limit exceeded', 429), id: one.id } : one,
        ),
      }
    })
    const waits: unknown[] = []
    const rpc = openRpc([endpoint.url], { ...quick, onWait: (wait) => waits.push(wait) })
    expect(await rpc.batch(calls(5))).toEqual(expected(5))
    expect(waits).not.toEqual([])
    expect(endpoint.bodies.map(paramsOf).filter((params) => params.includes('0x4'))).toHaveLength(1)
  })

  it.each<[string, (sent: Sent[]) => Answer]>([
    ['refuses them in words', saying('batch requests are not supported', -32_600)],
    ['refuses them as invalid', (sent) => ({ status: 400, body: error(sent, 'invalid request', -32_600) })],
    ['answers their first call only', (sent) => ({ body: result(sent[0] as Sent) })],
    ['answers them with HTTP 500', () => ({ status: 500, body: 'oops' })],
    ['answers them with a page', () => ({ body: '<!doctype html>' })],
    ['says that the answer is too large', () => ({ body: 'x'.repeat(20_000) })],
  ])('becomes single calls at an endpoint that %s', async (_what, refuse) => {
    const endpoint = await startEndpoint((sent) =>
      Array.isArray(sent) ? refuse(sent) : { body: result(sent) },
    )
    const rpc = openRpc([endpoint.url], { ...quick, maxBytes: 10_000 })
    // Without a reason, a batch is halved after each second failure.
    const ask = async (): Promise<readonly unknown[]> => rpc.pinned().batch(calls(3)).catch(ask)
    expect(await ask()).toEqual(expected(3))
    expect(await rpc.request('get', ['0x9'])).toBe('get(0x9)')
  })
})

describe('an endpoint that refuses while a run goes on', () => {
  const page = '<html><title>Attention Required! | Cloudflare</title>'
  const refusals: [string, Answer][] = [
    ['HTTP 403', { status: 403, body: page }],
    ['HTTP 401', { status: 401, body: 'Must be authenticated!' }],
    [
      'a method that is not whitelisted',
      { status: 403, body: errorOnly('rpc method is not whitelisted', -32_601) },
    ],
  ]

  it.each(refusals)(
    'with %s is not asked before its pause is over, and others are',
    async (_what, refusal) => {
      let isRefusing = false
      const first = await startEndpoint((sent) => (isRefusing ? refusal : { body: result(sent) }))
      const second = await startEndpoint(fine)
      const waits: Wait[] = []
      const rpc = openRpc([first.url, second.url], { ...quick, onWait: (wait) => waits.push(wait) })
      const alone = openRpc([first.url], quick)
      const asked = () => rpc.request('eth_chainId', [])
      for (const one of [asked, () => alone.request('eth_chainId', [])]) expect(await one()).toBe('ok')
      isRefusing = true
      const before = first.bodies.length
      for (let times = 0; times < 3; times += 1) expect(await asked()).toBe('ok')
      expect(first.bodies.length - before).toBe(1)
      expect(waits).toMatchObject([
        { endpoint: first.name, times: 1, cause: expect.stringContaining('refused') },
      ])
      // Alone it is waited for, in a fault that can be retried.
      await expect(alone.request('eth_chainId', [])).rejects.toMatchObject({
        name: 'EndpointClosedError',
        retryable: true,
        message: expect.stringMatching(/refused: eth_chainId: .*not asked again for 30 s/),
      })
    },
  )

  it('has ever longer pauses, until it answers', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      let isRefusing = false
      const endpoint = await startEndpoint((sent) =>
        isRefusing ? { status: 403, body: page } : { body: result(sent) },
      )
      const waits: Wait[] = []
      const rpc = openRpc([endpoint.url], { ...quick, attempts: 1, onWait: (wait) => waits.push(wait) })
      const asked = () => rpc.request('eth_chainId', []).catch(({ name }) => name)
      const pauses: number[] = []
      await asked()
      isRefusing = true
      for (let times = 0; times < 7; times += 1) {
        expect(await asked()).toBe('EndpointClosedError')
        const until = waits.at(-1)?.until ?? 0
        pauses.push((until - Date.now()) / 1_000)
        vi.setSystemTime(until + 1)
      }
      expect(pauses.map(Math.round)).toEqual([30, 60, 120, 240, 480, 900, 900])
      isRefusing = false
      expect(await asked()).toBe('ok')
      isRefusing = true
      expect(await asked()).toBe('EndpointClosedError')
      expect(Math.round(((waits.at(-1)?.until ?? 0) - Date.now()) / 1_000)).toBe(30)
      // It does not last longer where the machine's clock was set back.
      isRefusing = false
      expect(await asked()).toBe('EndpointClosedError')
      vi.setSystemTime(Date.now() - 3_600_000)
      expect(await asked()).toBe('ok')
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    [
      'until the day or month ends, an hour at most',
      { status: 403 },
      'Monthly capacity limit exceeded',
      3_600,
    ],
    ['until the day ends', { status: 429 }, 'daily request count exceeded, request rate limited', 600],
    ['as long as it says, a minute at least', { status: 429, retryAfterS: 5 }, 'quota exceeded', 60],
    ['for an hour', {}, "You've reached the usage limit for your current plan.", 3_600],
  ])(
    'whose quota is used up is not asked %s; no width and no rate is learnt from it',
    async (_what, { status, retryAfterS }: { status?: number; retryAfterS?: number }, message, seconds) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 27, 23, 50) })
      try {
        let isSpent = false
        const first = await startEndpoint((sent) =>
          isSpent
            ? {
                ...(status && { status }),
                ...(retryAfterS && { headers: { 'retry-after': String(retryAfterS) } }),
                body: error(sent, message),
              }
            : { body: result(sent, []) },
        )
        const second = await startEndpoint(giving([]))
        const waits: Wait[] = []
        const rpc = openRpc([first.url, second.url], { ...quick, onWait: (wait) => waits.push(wait) })
        const pinned = rpc.pinned()
        const logs = () => [{ fromBlock: '0x1', toBlock: '0x64' }]
        await rpc.request('eth_getLogs', logs())
        isSpent = true
        const asked = first.bodies.length
        for (let times = 0; times < 3; times += 1) {
          await expect(pinned.request('eth_getLogs', logs())).rejects.toMatchObject({
            name: 'EndpointClosedError',
            retryable: true,
          })
          expect(await rpc.request('eth_getLogs', logs())).toEqual([])
        }
        expect(first.bodies.length - asked).toBe(1)
        expect(pinned.endpoint.width.blocks()).toBe(1_000)
        expect(waits).toMatchObject([
          {
            for: 'quota',
            endpoint: first.name,
            times: 1,
            cause: expect.stringContaining(`the quota of ${first.name} is used up`),
          },
        ])
        const [{ until } = { until: 0 }] = waits
        expect((until - Date.now()) / 1_000).toBe(seconds)
        vi.setSystemTime(until + 1)
        isSpent = false
        expect(await pinned.request('eth_getLogs', logs())).toEqual([])
      } finally {
        vi.useRealTimers()
      }
    },
  )

  it('from its very first answer on is waited for if its quota is used up', async () => {
    const { rpc } = await startRpc((sent) => ({
      status: 429,
      body: error(sent, 'daily request limit reached'),
    }))
    await expect(rpc.request('eth_chainId', [])).rejects.toMatchObject({
      name: 'EndpointClosedError',
      retryable: true,
    })
  })

  it('if it is the only one is asked again after a second, and its short pauses are waited out', async () => {
    let refused = 0
    const endpoint = await startEndpoint((sent, asked) => {
      if (asked === 1 || refused > 2) return { body: result(sent) }
      refused += 1
      return { status: 403, body: page }
    })
    const rpc = openRpc([endpoint.url], { ...quick, refusalPauseMs: 20 })
    for (const one of [rpc, rpc.pinned()]) {
      await rpc.request('eth_chainId', [])
      refused = 0
      expect(await one.request('eth_chainId', [])).toBe('ok')
      expect(await one.batch([{ method: 'get', params: [] }])).toEqual(['get()'])
    }
  })

  it('from the start ends the run only if no other one can be waited for, and says what to do', async () => {
    const closed = await startEndpoint(() => ({ status: 401, body: 'Must be authenticated!' }))
    const ended = (urls: string[]) => openRpc(urls, quick).request('eth_chainId', [])
    await expect(ended([closed.url])).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('check its URL, key and plan, or give another endpoint'),
    })
    const silent = await startEndpoint(down)
    await expect(ended([silent.url, closed.url])).rejects.toMatchObject({ retryable: true })
  })

  it('that refuses one method still gets the others', async () => {
    const endpoint = await startEndpoint((sent) =>
      (sent as Sent).method === 'eth_getCode'
        ? { body: error(sent, 'the method eth_getCode does not exist', -32_601) }
        : { body: result(sent) },
    )
    const rpc = openRpc([endpoint.url], { ...quick, attempts: 1 })
    expect(await rpc.request('eth_chainId', [])).toBe('ok')
    await expect(rpc.request('eth_getCode', [])).rejects.toThrow('not asked again')
    expect(await rpc.request('eth_chainId', [])).toBe('ok')
  })

  it('serves another chain, by its answers now: it is put aside like any that refuses', async () => {
    const right = await startEndpoint(giving('0x7'))
    const wrong = await startEndpoint(giving('0x8'))
    const rpc = openRpc([right.url, wrong.url], { ...quick, chainId: 7 })
    await rpc.request('eth_blockNumber', [])
    await expect(rpc.next().request('eth_blockNumber', [])).rejects.toMatchObject({
      name: 'EndpointClosedError',
      message: expect.stringContaining('serves chain 8, expected 7'),
    })
    await expect(openRpc([wrong.url], { ...quick, chainId: 7 }).request('eth_x', [])).rejects.toThrow(
      WrongChainError,
    )
  })

  it('is not taken for another chain when its answer is no number', async () => {
    for (const answer of [null, {}, 'soon', '']) {
      const endpoint = await startRpc(giving(answer))
      await expect(openRpc([endpoint.url], { ...quick, chainId: 7 }).request('eth_x', [])).rejects.toThrow(
        RpcUnavailableError,
      )
      await expect(servedChain(endpoint.rpc)).rejects.toThrow(RpcUnavailableError)
    }
  })
})

it('the chain that is served is that of the first endpoint that answers; one that can be waited for is not given up for one that refuses', async () => {
  const useless = await startEndpoint(giving(null))
  const closed = await startEndpoint(() => ({ status: 403, body: 'no' }))
  const base = await startEndpoint(giving('0x2105'))
  expect((await servedChain(openRpc([useless.url, closed.url, base.url], quick))).name).toBe('base')
  await expect(servedChain(openRpc([closed.url, useless.url], quick))).rejects.toThrow(RpcUnavailableError)
  await expect(servedChain(openRpc([closed.url, closed.url], quick))).rejects.toThrow(RpcRefusedError)
})

it.each([null, {}, 'soon', '0x', '0x00', `0x${'0'.repeat(128)}`])(
  'an answer of no use to eth_call is no state: %j',
  async (value) => {
    const rpc = (await startRpc(giving(value))).rpc.pinned()
    const abi = parseAbi(['function name() view returns (string)'])
    const view = { abi, functionName: 'name' } as const
    await expect(viewsAt({ rpc, block: 1 }, view, [{ address: address(1), args: [] }])).rejects.toThrow(
      RpcUnavailableError,
    )
  },
)

it.each([1, 3])(
  'an answer of no use to one of %i calls of a batch is asked for again, and is no state',
  async (count) => {
    const calls = Array.from({ length: count }, () => ({ method: 'eth_call', params: [] }))
    let left = 1
    const endpoint = await startRpc((sent) => {
      const answers = [sent]
        .flat()
        .map((one) => ({ jsonrpc: '2.0', id: one.id, result: left-- > 0 ? null : '0x01' }))
      return { body: Array.isArray(sent) ? answers : answers[0] }
    })
    expect(await endpoint.rpc.batch(calls)).toEqual(calls.map(() => '0x01'))
    left = Number.POSITIVE_INFINITY
    await expect(endpoint.rpc.batch(calls)).rejects.toThrow(RpcUnavailableError)
  },
)

describe('logs of several blocks', () => {
  const span = (from: number, to: number) => [{ fromBlock: hexQuantity(from), toBlock: hexQuantity(to) }]
  const failures: [string, (sent: Sent | Sent[]) => Answer][] = [
    ['an unknown error', saying('something never seen', 1)],
    ['an unknown refusal', saying('invalid argument', -32_602)],
    ['HTTP 500', () => ({ status: 500, body: 'oops' })],
    ['HTTP 504', () => ({ status: 504, body: 'gateway timeout' })],
    ['a page', () => ({ body: '<!doctype html>' })],
    ['null', giving(null)],
    ['no list', giving({ logs: [] })],
    ['nothing in time', (sent) => ({ body: result(sent, []), afterMs: 1_000 })],
  ]

  it.each(failures)(
    'are asked for again after %s, and if it repeats there are too many',
    async (_what, failing) => {
      let failed = 0
      const endpoint = await startEndpoint((sent, asked) => {
        if (asked === 1) return { body: result(sent) }
        failed += 1
        return failed < 3 ? failing(sent) : { body: result(sent, []) }
      })
      const options = { ...quick, timeoutMs: 100 }
      const rpc = openRpc([endpoint.url], options).pinned()
      await rpc.request('eth_chainId', [])
      expect(await rpc.request('eth_getLogs', span(1, 9))).toEqual([])
      failed = Number.NEGATIVE_INFINITY
      await expect(rpc.request('eth_getLogs', span(1, 9))).rejects.toMatchObject({
        name: 'BlockRangeTooLargeError',
        isCertain: false,
      })
      // Of one block there cannot be too many.
      await expect(rpc.request('eth_getLogs', span(9, 9))).rejects.not.toMatchObject({ allowedBlocks: 1 })
    },
  )

  it('up to the newest block are refused only in this mode, and other endpoints are used', async () => {
    const { rpc } = await startRpc((sent) => {
      const [filter] = (sent as Sent).params as [{ toBlock?: string }?]
      return filter?.toBlock === 'latest'
        ? { body: error(sent, 'invalid argument', -32_602) }
        : { body: result(sent, []) }
    })
    await rpc.request('eth_chainId', [])
    await expect(rpc.request('eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest' }])).rejects.toThrow(
      BlockRangeTooLargeError,
    )
    expect(await rpc.request('eth_getLogs', span(1, 9))).toEqual([])
  })

  it('are asked for in the same width while an endpoint says that it is busy, and in a smaller one only if that lasts', async () => {
    const endpoint = await startRpc((sent) => ({
      status: 408,
      body: error(sent, 'Request timeout on the free tier', 30),
    }))
    const ask = () => endpoint.rpc.pinned().request('eth_getLogs', span(1, 100))
    for (let times = 0; times < 2; times += 1)
      await expect(ask()).rejects.toMatchObject({ name: 'RpcUnavailableError' })
    await expect(ask()).rejects.toMatchObject({ name: 'BlockRangeTooLargeError', isCertain: false })
  })

  it('of one block cannot be too many for an unknown error', async () => {
    const { rpc } = await startRpc(saying('something never seen', 1))
    await expect(rpc.request('eth_getLogs', span(9, 9))).rejects.toThrow(RpcUnavailableError)
  })

  it('of an unknown error take the number in it as a hint', async () => {
    const endpoint = await startRpc(saying('we serve 40 blocks, friend (15)', 15))
    await expect(endpoint.rpc.pinned().request('eth_getLogs', span(1, 100))).rejects.toMatchObject({
      allowedBlocks: 40,
      isCertain: false,
    })
  })
})

describe('an endpoint that requires addresses', () => {
  const wanting = (sent: Sent | Sent[]) => {
    const { address } = (sent as Sent).params[0] as { address?: readonly string[] }
    if (!address) return { body: error(sent, 'Please specify an address in your request', -32_602) }
    return address.length > 3
      ? { body: error(sent, 'Please specify less number of addresses') }
      : { body: result(sent) }
  }

  it('is remembered as such, with the number of addresses that it accepts', async () => {
    const { rpc } = await startRpc(wanting)
    const ask = (filter: object) => rpc.pinned().request('eth_getLogs', [filter])
    await expect(ask({ topics: [] })).rejects.toThrow(AddressRequiredError)
    const sixteen = Array.from({ length: 16 }, () => '0x')
    await expect(ask({ address: sixteen })).rejects.toThrow(FilterTooLargeError)
    expect(rpc.endpoint).toMatchObject({ takesTopicsAlone: false, addressesAFilter: 8 })
    expect(await ask({ address: ['0x'] })).toBe('ok')
  })

  it('refuses for good if no other mode is left', async () => {
    const { rpc } = await startRpc(saying('specify an address'))
    await expect(rpc.request('eth_getLogs', [{ address: ['0x'] }])).rejects.toThrow(RpcRefusedError)
  })
})

it('each endpoint has its own name; the preferred one stays the same', async () => {
  const urls = ['http://one.test/key', 'http://two.test/key', 'http://one.test/other']
  const rpc = openRpc(urls, quick)
  expect(rpc.endpoint.name).toBe('one.test')
  expect(rpc.each().map(({ endpoint }) => endpoint.name)).toEqual(['one.test', 'two.test', 'one.test (2)'])
  expect(rpc.endpoint.name).toBe('one.test')
})

it('an endpoint that does not answer ranks after the others for a multiple of the time that was waited for it', async () => {
  const good = await startEndpoint(fine)
  const silent = await startEndpoint((sent) => ({ body: result(sent), afterMs: 5_000 }))
  const rpc = openRpc([good.url, silent.url], { ...quick, timeoutMs: 50 })
  const first = new Set([good.name])
  const order = () => endpointsOf(rpc, first).map(({ endpoint }) => endpoint.name)
  const readingSources = () =>
    readingSourcesAfter(rpc, first).map((one) => `${one.rpc.endpoint.name} ${one.mode}`)
  expect(order()).toEqual([silent.name, good.name])
  expect(readingSources()[0]).toBe(`${silent.name} usual`)
  await expect(endpointsOf(rpc, first)[0]?.request('eth_chainId', [])).rejects.toThrow(RpcUnavailableError)
  expect(order()).toEqual([good.name, silent.name])
  expect(readingSources()).toEqual([
    `${good.name} other`,
    `${good.name} usual`,
    `${silent.name} usual`,
    `${silent.name} other`,
  ])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  expect(order()).toEqual([silent.name, good.name])
  vi.useRealTimers()
})

describe('a pinned endpoint', () => {
  it('is asked three times and never left, except by the caller', async () => {
    const broken = await startEndpoint(down)
    const up = await startEndpoint(fine)
    const rpc = openRpc([broken.url, up.url], quick)
    await expect(rpc.pinned().request('eth_chainId', [])).rejects.toThrow(RpcUnavailableError)
    expect([broken.bodies.length, up.bodies.length]).toEqual([3, 0])
    const next = rpc.next()
    expect(await next.request('eth_chainId', [])).toBe('ok')
    expect(await next.batch([{ method: 'get', params: [] }])).toEqual(['get()'])
    expect(await rpc.pinned().request('eth_chainId', [])).toBe('ok')
    expect([broken.bodies.length, up.bodies.length]).toEqual([3, 3])
  })

  it('throws a refusal', async () => {
    const { rpc } = await startRpc(saying('invalid argument', -32_602))
    await expect(rpc.pinned().request('eth_x', [])).rejects.toThrow(RpcRefusedError)
  })
})

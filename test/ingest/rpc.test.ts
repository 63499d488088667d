import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endpointsOf } from '../../ingest/endpoints.ts'
import {
  AddressRequiredError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  RpcRefusedError,
  RpcUnavailableError,
} from '../../ingest/faults.ts'
import { witnessesAfter } from '../../ingest/reading.ts'
import { openRpc, type RpcOptions } from '../../ingest/rpc.ts'

type Sent = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type Answer = {
  readonly status?: number
  readonly body?: unknown
  readonly afterMs?: number
  readonly cut?: true
  readonly isGzip?: true
}

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

/** An endpoint that answers as told. */
const startEndpoint = async (answer: (sent: Sent | Sent[], asked: number) => Answer) => {
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
      const { status = 200, body, afterMs = 0, cut, isGzip } = answer(sent, bodies.length)
      const plain = typeof body === 'string' ? body : JSON.stringify(body)
      const wanted = request.headers['accept-encoding'] === 'gzip' && isGzip
      const written = wanted ? gzipSync(plain) : Buffer.from(plain)
      setTimeout(() => {
        response.writeHead(status, {
          'content-length': written.length,
          ...(wanted && { 'content-encoding': 'gzip' }),
        })
        if (cut) response.write(written.subarray(0, 3), () => request.socket.destroy())
        else response.end(written)
      }, afterMs)
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v2/secret-key`, bodies, sockets, name: `127.0.0.1:${port}` }
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

const quick: RpcOptions = { backoffMs: 1, timeoutMs: 2_000 }

describe('a request', () => {
  it('is one JSON-RPC exchange over a keep-alive connection', async () => {
    const endpoint = await startEndpoint((sent) => ({ body: result(sent, { number: '0x1' }) }))
    const rpc = openRpc([endpoint.url], quick)
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
    const endpoint = await startEndpoint((sent) => ({ body: result(sent, null) }))
    expect(await openRpc([endpoint.url], quick).request('eth_getBlockByNumber', ['0xff', false])).toBeNull()
  })

  it.each<[string, (sent: Sent | Sent[]) => Answer]>([
    ['status 503', () => ({ status: 503, body: 'no healthy upstream' })],
    ['status 429 with an error in words', (sent) => ({ status: 429, body: error(sent, 'slow down') })],
    ['a rate limit in words', (sent) => ({ body: error(sent, 'rate limit exceeded', -32_005) })],
    ['no JSON', () => ({ body: '<html>' })],
    ['neither result nor error', () => ({ body: {} })],
    ['an answer that is cut', (sent) => ({ body: result(sent), cut: true })],
    ['an error nobody knows', (sent) => ({ body: error(sent, 'oops') })],
  ])('is tried again after %s', async (_what, failing) => {
    const endpoint = await startEndpoint((sent, asked) =>
      asked < 3 ? failing(sent) : { body: result(sent) },
    )
    expect(await openRpc([endpoint.url], quick).request('eth_chainId', [])).toBe('ok')
    expect(endpoint.bodies).toHaveLength(3)
  })

  it('falls back to the next endpoint, and stays there', async () => {
    const down = await startEndpoint(() => ({ status: 500, body: 'down' }))
    const up = await startEndpoint((sent) => ({ body: result(sent) }))
    const rpc = openRpc([down.url, up.url], quick)
    await rpc.request('eth_chainId', [])
    await rpc.request('eth_chainId', [])
    expect([down.bodies.length, up.bodies.length]).toEqual([1, 2])
  })

  it('falls back from an endpoint that refuses its key', async () => {
    const closed = await startEndpoint(() => ({ status: 401, body: 'Must be authenticated!' }))
    const open = await startEndpoint((sent) => ({ body: result(sent) }))
    expect(await openRpc([closed.url, open.url], quick).request('eth_chainId', [])).toBe('ok')
  })

  it('fails after all attempts, without the key in the message', async () => {
    const endpoint = await startEndpoint(() => ({ status: 500, body: 'down' }))
    const failure = await openRpc([endpoint.url], quick)
      .request('eth_chainId', [])
      .catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(RpcUnavailableError)
    expect(failure).toMatchObject({ message: expect.stringContaining(endpoint.name), retryable: true })
    expect(String(failure)).not.toContain('secret')
    expect(endpoint.bodies).toHaveLength(4)
  })

  it('fails if nobody listens', async () => {
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
    const heavy = await startEndpoint((sent) => ({ body: result(sent, 'x'.repeat(5_000)) }))
    await expect(
      openRpc([heavy.url], { ...quick, maxBytes: 1_000 }).request('eth_getLogs', [{}]),
    ).rejects.toThrow(BlockRangeTooLargeError)
  })

  it('accepts gzip, within the same limits', async () => {
    const value = 'x'.repeat(5_000)
    const endpoint = await startEndpoint((sent) => ({ body: result(sent, value), isGzip: true }))
    expect(await openRpc([endpoint.url], quick).request('eth_getLogs', [{}])).toBe(value)
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

  it('returns the results in the order of the calls, whatever the order of the answers', async () => {
    const endpoint = await startEndpoint((sent) => ({ body: [...(result(sent) as object[])].reverse() }))
    expect(await openRpc([endpoint.url], quick).batch(calls(5))).toEqual(expected(5))
    expect(endpoint.bodies).toHaveLength(1)
  })

  it('of no calls sends nothing', async () => {
    expect(await openRpc(['http://127.0.0.1:9'], quick).batch([])).toEqual([])
  })

  it('is split until the endpoint accepts it, and the size is remembered', async () => {
    const endpoint = await startEndpoint((sent) =>
      Array.isArray(sent) && sent.length > 10
        ? { body: error(sent, 'maximum 10 calls in 1 batch', -32_014) }
        : { body: result(sent) },
    )
    const rpc = openRpc([endpoint.url], quick)
    expect(await rpc.batch(calls(25))).toEqual(expected(25))
    const refused = endpoint.bodies.length
    expect(await rpc.batch(calls(6))).toEqual(expected(6))
    expect(endpoint.bodies.length - refused).toBe(1)
  })

  it('is split also if the endpoint answers each call with the refusal', async () => {
    const endpoint = await startEndpoint((sent) => ({
      body:
        Array.isArray(sent) && sent.length > 10
          ? sent.map((one) => error(one, 'maximum 10 calls in 1 batch'))
          : result(sent),
    }))
    expect(await openRpc([endpoint.url], quick).batch(calls(25))).toEqual(expected(25))
  })

  it('fails if one call has no answer', async () => {
    const endpoint = await startEndpoint((sent) => ({ body: (result(sent) as object[]).slice(1) }))
    await expect(openRpc([endpoint.url], quick).batch(calls(3))).rejects.toThrow(RpcUnavailableError)
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
    const endpoint = await startEndpoint(wanting)
    const rpc = openRpc([endpoint.url], quick)
    const ask = (filter: object) => rpc.pinned().request('eth_getLogs', [filter])
    await expect(ask({ topics: [] })).rejects.toThrow(AddressRequiredError)
    const sixteen = Array.from({ length: 16 }, () => '0x')
    await expect(ask({ address: sixteen })).rejects.toThrow(FilterTooLargeError)
    expect(rpc.endpoint).toMatchObject({ takesTopicsAlone: false, addressesAFilter: 8 })
    expect(await ask({ address: ['0x'] })).toBe('ok')
  })

  it('refuses for good if no other form is left', async () => {
    const endpoint = await startEndpoint((sent) => ({ body: error(sent, 'specify an address') }))
    await expect(
      openRpc([endpoint.url], quick).request('eth_getLogs', [{ address: ['0x'] }]),
    ).rejects.toThrow(RpcRefusedError)
  })
})

describe('each endpoint', () => {
  it('has its own name; the preferred one stays the same', async () => {
    const urls = ['http://one.test/key', 'http://two.test/key', 'http://one.test/other']
    const rpc = openRpc(urls, quick)
    expect(rpc.endpoint.name).toBe('one.test')
    expect(rpc.each().map(({ endpoint }) => endpoint.name)).toEqual(['one.test', 'two.test', 'one.test (2)'])
    expect(rpc.endpoint.name).toBe('one.test')
  })
})

describe('an endpoint that does not answer', () => {
  it('is asked after the others for a multiple of the time it was waited for', async () => {
    const good = await startEndpoint((sent) => ({ body: result(sent) }))
    const silent = await startEndpoint((sent) => ({ body: result(sent), afterMs: 5_000 }))
    const rpc = openRpc([good.url, silent.url], { ...quick, timeoutMs: 50 })
    const first = new Set([good.name])
    const order = () => endpointsOf(rpc, first).map(({ endpoint }) => endpoint.name)
    const witnesses = () => witnessesAfter(rpc, first).map((one) => `${one.rpc.endpoint.name} ${one.form}`)
    expect(order()).toEqual([silent.name, good.name])
    expect(witnesses()[0]).toBe(`${silent.name} usual`)
    await expect(endpointsOf(rpc, first)[0]?.request('eth_chainId', [])).rejects.toThrow(RpcUnavailableError)
    expect(order()).toEqual([good.name, silent.name])
    expect(witnesses()).toEqual([
      `${good.name} other`,
      `${good.name} usual`,
      `${silent.name} usual`,
      `${silent.name} other`,
    ])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(order()).toEqual([silent.name, good.name])
    vi.useRealTimers()
  })
})

describe('a pinned endpoint', () => {
  it('is asked alone, twice, and left only by the caller', async () => {
    const down = await startEndpoint(() => ({ status: 500, body: 'down' }))
    const up = await startEndpoint((sent) => ({ body: result(sent) }))
    const rpc = openRpc([down.url, up.url], quick)
    await expect(rpc.pinned().request('eth_chainId', [])).rejects.toThrow(RpcUnavailableError)
    expect([down.bodies.length, up.bodies.length]).toEqual([2, 0])
    const next = rpc.next()
    expect(await next.request('eth_chainId', [])).toBe('ok')
    expect(await next.batch([{ method: 'get', params: [] }])).toEqual(['get()'])
    expect(await rpc.pinned().request('eth_chainId', [])).toBe('ok')
    expect([down.bodies.length, up.bodies.length]).toEqual([2, 3])
  })

  it('throws a refusal', async () => {
    const endpoint = await startEndpoint((sent) => ({ body: error(sent, 'invalid argument', -32_602) }))
    await expect(openRpc([endpoint.url], quick).pinned().request('eth_x', [])).rejects.toThrow(
      RpcRefusedError,
    )
  })
})

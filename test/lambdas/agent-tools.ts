/** The tools for agents (clients/mcp/) with the SDK's own client: as a program, and over HTTP through the edge. */
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '../../clients/mcp/tools.ts'
import { createClient } from '../../clients/typescript/index.ts'
import type { Emulator } from '../../dev/emulators/listening.ts'
import { KEY_PAGE } from '../../schemas/api/key-way.ts'
import { MCP_METHODS, MCP_PATH } from '../../schemas/api/mcp.ts'
import { METHODOLOGY_TEXT } from '../../schemas/pages/site.ts'
import { bearer } from '../support/aws/access.ts'
import { startApiEdge } from '../support/aws/api-edge.ts'
import type { ApiStack } from '../support/aws/api-stack.ts'
import { isWhole } from '../support/rounds.ts'

/** Tokens of a text, at most: JSON has three characters a token or more. */
const tokensOf = (text: string) => text.length / 3
const textOf = (content: unknown) => (content as { text: string }[])[0]?.text ?? ''

type Of = () => { readonly api: ApiStack; readonly token: string }

/** A market behind the API, and a token of it. */
export const describeTools = (given: Of) =>
  describe('the tools for agents', () => {
    let edge: Emulator
    beforeAll(async () => {
      await given().api.published.put(METHODOLOGY_TEXT.slice(1), Buffer.from('# How it is computed'))
      edge = await startApiEdge(given().api, { now: Date.now, onLog: () => {} })
    })
    afterAll(() => edge.stop())

    /** Each way to them, with a key or without one. */
    const ways: Readonly<Record<string, (key: string) => { transport: Transport; mode: 'legacy' | 'auto' }>> =
      {
        'over HTTP': (key) => ({ transport: overHttp(edge.url, key), mode: 'auto' }),
        'over HTTP, by the protocol of 2025': (key) => ({
          transport: overHttp(edge.url, key),
          mode: 'legacy',
        }),
        'as a program': (key) => ({ transport: asProgram(edge.url, key), mode: 'legacy' }),
      }
    describe.each(Object.entries(ways))('%s', (name, way) => {
      // Each of them begins a process.
      const isDear = name === 'as a program' && !isWhole
      const connect = async (key: string) => {
        const { transport, mode } = way(key)
        const agent = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
        await agent.connect(transport)
        return agent
      }
      it('answer what the API answers, few rows in few tokens, with their snapshot', () =>
        itAnswers(given(), connect))
      it.skipIf(isDear)('verify a row, and explain the figures', () => itVerifies(given(), connect))
      it.skipIf(isDear)('tell what is wrong, and how to get a key', () => itRefuses(given(), connect))
    })
    itTakesMessagesAlone(given, () => edge.url)
  })

const overHttp = (url: string, key: string): Transport =>
  new StreamableHTTPClientTransport(new URL(MCP_PATH, url), {
    requestInit: { headers: key === '' ? {} : bearer(key) },
  })

const asProgram = (url: string, key: string): Transport =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['dev/local/run.mjs', 'mcp'],
    env: { ...(process.env as Record<string, string>), Z100_URL: url, Z100_API_KEY: key },
  })

type Connect = (key: string) => Promise<Client>

async function itAnswers({ api, token }: ReturnType<Of>, connect: Connect): Promise<void> {
  const agent = await connect(api.key)
  try {
    const listed = (await agent.listTools()).tools
    expect(listed.map(({ name }) => name)).toEqual([...Object.keys(tools), 'verify_row'])
    expect(listed.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    const [swap] = (await createClient({ baseUrl: api.url, apiKey: api.key }).get('/v1/market/recent-swaps'))
      .body
    const given: Record<string, unknown> = { id: token, q: 'an' }
    for (const [name, { fields, id = 'token' }] of Object.entries(tools)) {
      given['id'] = id === 'walletId' ? swap?.trader : token
      // As an agent that knows only the list, and fills in every default.
      const { properties = {} } = (listed.find((each) => each.name === name)?.inputSchema ?? {}) as {
        properties?: Readonly<Record<string, { readonly default?: unknown }>>
      }
      const needed = Object.fromEntries(
        Object.entries(properties).map(([key, { default: fallback }]) => [
          key,
          given[key] ?? fallback ?? null,
        ]),
      )
      const { content, structuredContent, isError } = await agent.callTool({ name, arguments: needed })
      const text = textOf(content)
      expect([name, isError ?? false, text]).toEqual([name, false, JSON.stringify(structuredContent)])
      expect([name, tokensOf(text) <= 2_000]).toEqual([name, true])
      const [first] = [(structuredContent as { data: object }).data].flat()
      // The index of a market as small as this one has not begun.
      if (name === 'get_index_history') expect(first).toBeUndefined()
      else {
        const keys = fields ? [...fields].sort() : expect.arrayContaining([expect.any(String)])
        expect([name, Object.keys(first ?? {}).sort()]).toEqual([name, keys])
      }
      expect([name, text]).toEqual([
        name,
        expect.stringMatching(
          /"snapshot_id":"[^"]+","data_block":\d+,"age_seconds":\d+,"untrusted":"Names[^"]+"\}$/,
        ),
      ])
    }
    const board = await agent.callTool({
      name: 'get_creators_board',
      arguments: { limit: 2, fields: ['rank', 'symbol'] },
    })
    expect(board.structuredContent).toMatchObject({
      data: [
        { rank: 1, symbol: expect.any(String) },
        { rank: 2, symbol: expect.any(String) },
      ],
    })
    for (const sort_by of ['change', 'rank_volume', 'holders']) {
      const { structuredContent } = await agent.callTool({ name: 'get_trending', arguments: { sort_by } })
      const rows = (structuredContent as { data: Readonly<Record<string, number>>[] }).data
      const values = rows.map((row) => row[sort_by === 'holders' ? 'holders_count' : sort_by])
      expect([sort_by, values.length > 1, values]).toEqual([
        sort_by,
        true,
        values.toSorted((a, b) => Number(b) - Number(a)),
      ])
    }
    const all = await agent.callTool({ name: 'get_posts_board', arguments: { limit: 1, fields: ['*'] } })
    const [row = {}] = (all.structuredContent as { data: object[] }).data
    expect(Object.keys(row).length).toBeGreaterThan(30)
  } finally {
    await agent.close()
  }
}

async function itVerifies({ api }: ReturnType<Of>, connect: Connect): Promise<void> {
  const agent = await connect(api.key)
  try {
    const rows = (await createClient({ baseUrl: api.url, apiKey: api.key }).boards.posts({ limit: 1 })).body
    const verify = async (token: string) =>
      (await agent.callTool({ name: 'verify_row', arguments: { board: 'posts', token } })).structuredContent
    expect(await verify(rows[0]?.contract_address ?? '')).toMatchObject({
      verified: true,
      row: { contract_address: rows[0]?.contract_address },
    })
    expect(await verify('nobody')).toMatchObject({ verified: true, row: null })
    const read = async (uri: string) => textOf((await agent.readResource({ uri })).contents)
    for (const [name, path] of [
      ['guide', '/v1/llms.txt'],
      ['openapi', '/v1/openapi.json'],
      ['status', '/v1/status'],
    ])
      expect(new URL(await read(`z100://${name}`)).pathname).toBe(path)
  } finally {
    await agent.close()
  }
}

async function itRefuses({ api }: ReturnType<Of>, connect: Connect): Promise<void> {
  const [nobody, somebody] = [await connect(''), await connect(api.key)]
  try {
    expect((await nobody.listTools()).tools.length).toBeGreaterThan(10)
    const refused = await nobody.callTool({ name: 'get_index', arguments: {} })
    expect([refused.isError, textOf(refused.content)]).toEqual([true, expect.stringContaining(KEY_PAGE)])
    const wrong = await somebody.callTool({ name: 'get_token', arguments: { id: 'nobody' } })
    expect([wrong.isError, textOf(wrong.content)]).toEqual([
      true,
      expect.stringMatching(/not found.*RESOURCE_NOT_FOUND.*search_tokens/),
    ])
  } finally {
    await nobody.close()
    await somebody.close()
  }
}

/** What comes to their address and is no message. */
function itTakesMessagesAlone(given: Of, url: () => string): void {
  const send = (body: string, headers: Record<string, string> = {}) =>
    fetch(url() + MCP_PATH, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    })
  const message = (method: string, params: object = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

  it('count each request for the key that came with the message', async () => {
    const { key } = await given().api.access.keyOf('professional')
    const path = `/v1/tokens/${given().token}`
    const left = async () =>
      Number((await given().api.ask(path, { headers: bearer(key) })).headers.get('x-ratelimit-remaining'))
    const before = await left()
    const body = message('tools/call', { name: 'get_token', arguments: { id: given().token } })
    expect(await (await send(body, bearer(key))).text()).toContain(given().token)
    // The message's request, and the second look.
    expect(before - (await left())).toBe(2)
  })

  it('take messages by POST alone, from pages of any origin', async () => {
    const read = await fetch(url() + MCP_PATH)
    expect([read.status, read.headers.get('allow')]).toEqual([405, MCP_METHODS])
    expect(await read.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } })
    const asked = await fetch(url() + MCP_PATH, { method: 'OPTIONS' })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-methods')).toBe(MCP_METHODS)
  })

  it('refuse lists of messages and long ones, and a wait for changes that never come', async () => {
    const list = await send(`[${message('tools/list')},${message('tools/list')}]`)
    expect([list.status, await list.json()]).toMatchObject([400, { error: { code: 'INVALID_PARAMETER' } }])
    expect((await send(message('ping', { of: 'a'.repeat(20_000) }))).status).toBe(413)
    const agent = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await agent.connect(overHttp(url(), ''))
    const waiting = agent.request({ method: 'subscriptions/listen', params: {} } as never)
    await expect(waiting).rejects.toThrow()
    await agent.close()
  })
}

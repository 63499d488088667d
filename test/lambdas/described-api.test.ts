import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError, createClient } from '../../client/index.ts'
import { tools } from '../../mcp/tools.ts'
import { knownOf } from '../openapi/examples.ts'
import { bearer } from '../support/access.ts'
import type { ApiStack } from '../support/api-stack.ts'
import { type Described, readDescribed } from '../support/described.ts'
import type { RequestContext } from '../support/described-requests.ts'
import { fuzz, walk } from '../support/described-walk.ts'
import { startDevnetApi } from '../support/devnet-api.ts'
import { isLong, rounds, timeLimit } from '../support/rounds.ts'

// A market of the development chain behind the API, held against the description that the API itself serves. On a Monday,
// so that a week is over.
const NOW = Date.UTC(2026, 1, 2, 12, 0, 30) / 1_000
const history = { blocks: 12, days: 3, trades: 30, creators: 4, posts: 5 }
/** Requests that nobody should send. */
const ROUNDS = rounds('FUZZ_ROUNDS', 60, 20_000)

let api: ApiStack
let described: Described
let facts: RequestContext

beforeAll(async () => {
  api = await startDevnetApi({ seed: 2, now: NOW, history })
  described = readDescribed((await api.ask('/v1/openapi.json')).body as Record<string, unknown>)
  facts = { ...(await knownOf(api)), day: '2026-02-01', week: '2026-W05' }
})
afterAll(() => api.stop())

it('answers every operation with every parameter as it is described', async () => {
  const ask = (path: string) => api.ask(path)
  expect(await walk({ described, facts, ask, oneOf: isLong ? 1 : 3 })).toEqual([])
  expect(api.state.defects).toEqual([])
})

it(
  'refuses malformed requests in the one shape, with statuses that are described',
  async () => {
    await fuzz({ described, facts, base: api.url, headers: bearer(api.key), rounds: ROUNDS })
    expect(api.state.defects).toEqual([])
  },
  timeLimit(ROUNDS),
)

it('describes what it says of an id that nothing has', async () => {
  const named = described.operations.filter(({ path }) => path.includes('{id}'))
  expect(named.map(({ path }) => path)).toContain('/v1/creators/{id}')
  for (const operation of named) {
    const answer = await api.ask(operation.path.replace('{id}', '%20'))
    expect([operation.path, answer.status, described.faults(operation, answer)]).toEqual([
      operation.path,
      operation.path.startsWith('/v1/token-pages') ? expect.any(Number) : 404,
      [],
    ])
  }
})

it('is read through the client', async () => {
  const client = createClient({ baseUrl: api.url, key: api.key })
  const { body } = await client.get('/v1/tokens/{id}', { id: facts.token })
  expect([body.contract_address, body.type]).toEqual([facts.token, 'post'])
  const refused = await client.get('/v1/tokens/{id}', { id: 'nobody' }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND', details: { token: 'nobody' } })
})

/** Tokens of a text, at most: JSON has three characters a token or more. */
const tokensOf = (text: string) => text.length / 3

describe('the tools for agents', () => {
  const textOf = (content: unknown) => (content as { text: string }[])[0]?.text ?? ''
  const connect = async (env: Record<string, string>) => {
    const agent = new Client({ name: 'test', version: '1' })
    await agent.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--import', 'tsx', 'mcp/main.ts'],
        env: { ...(process.env as Record<string, string>), ...env },
      }),
    )
    return agent
  }

  it('answer what the API answers, few rows in few tokens, with their snapshot', async () => {
    const agent = await connect({ Z100_URL: api.url, Z100_KEY: api.key })
    try {
      const listed = (await agent.listTools()).tools
      expect(listed.map(({ name }) => name)).toEqual([...Object.keys(tools), 'verify_row'])
      expect(listed.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
      const given: Record<string, unknown> = { id: facts.token, q: 'an' }
      for (const [name, { parameters }] of Object.entries(tools)) {
        const needed = Object.fromEntries(
          parameters.filter((each) => each in given).map((each) => [each, given[each]]),
        )
        const { content, structuredContent, isError } = await agent.callTool({ name, arguments: needed })
        expect([name, isError ?? false, textOf(content)]).toEqual([
          name,
          false,
          JSON.stringify(structuredContent),
        ])
        expect([name, tokensOf(textOf(content)) <= 2_000]).toEqual([name, true])
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
        snapshot_id: expect.any(String),
        data_block: expect.any(Number),
      })
      const all = await agent.callTool({ name: 'get_posts_board', arguments: { limit: 1, fields: ['*'] } })
      expect(Object.keys((all.structuredContent as { data: object[] }).data[0] ?? {}).length).toBeGreaterThan(
        30,
      )
    } finally {
      await agent.close()
    }
  })

  it('verify a row, and say so when a token is not on the board', async () => {
    const agent = await connect({ Z100_URL: api.url, Z100_KEY: api.key })
    try {
      const rows = (await createClient({ baseUrl: api.url, key: api.key }).boards.posts({ limit: 1 })).body
      const verify = async (token: string) =>
        (await agent.callTool({ name: 'verify_row', arguments: { board: 'posts', token } })).structuredContent
      expect(await verify(rows[0]?.contract_address ?? '')).toMatchObject({
        verified: true,
        row: { contract_address: rows[0]?.contract_address },
      })
      expect(await verify('nobody')).toMatchObject({ verified: true, row: null })
    } finally {
      await agent.close()
    }
  })

  it('tell what is wrong, and how to get a key', async () => {
    const agent = await connect({ Z100_URL: api.url, Z100_KEY: '' })
    try {
      const refused = await agent.callTool({ name: 'get_index', arguments: {} })
      expect([refused.isError, textOf(refused.content)]).toEqual([true, expect.stringContaining('Z100_KEY')])
      const wrong = await agent.callTool({ name: 'get_index', arguments: { timeframe: '9h' } })
      expect(wrong.isError).toBe(true)
      const { contents } = await agent.readResource({ uri: 'z100://guide' })
      expect(textOf(contents)).toContain('z100')
    } finally {
      await agent.close()
    }
  })
})

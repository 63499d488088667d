import { afterAll, beforeAll, expect, it } from 'vitest'
import { ApiError, createClient } from '../../clients/typescript/index.ts'
import { knownOf } from '../openapi/examples.ts'
import { bearer } from '../support/aws/access.ts'
import type { ApiStack } from '../support/aws/api-stack.ts'
import { startDevnetApi } from '../support/aws/devnet-api.ts'
import { type Described, readDescribed } from '../support/described/described.ts'
import type { RequestContext } from '../support/described/described-requests.ts'
import { fuzz, walk } from '../support/described/described-walk.ts'
import { isLong, isWhole, rounds } from '../support/rounds.ts'
import { describeTools } from './agent-tools.ts'

// A market of the development chain behind the API, held against the description that the API itself serves. On a Monday,
// so that a week is over.
const NOW = Date.UTC(2026, 1, 2, 12, 0, 30) / 1_000
const history = { blocks: 12, days: 3, trades: 30, creators: 4, posts: 5 }
/** Requests that nobody should send. */
const ROUNDS = rounds(isWhole ? 60 : 20, 20_000)

let api: ApiStack
let described: Described
let facts: RequestContext

beforeAll(async () => {
  api = await startDevnetApi({ seed: 2, now: NOW, history })
  described = readDescribed((await api.ask('/v1/openapi.json')).body as Record<string, unknown>)
  facts = { ...(await knownOf(api)), day: '2026-02-01', week: '2026-W05' }
})
afterAll(() => api.stop())

it('the API answers every operation with every parameter as it is described', async () => {
  const ask = (path: string) => api.ask(path)
  expect(await walk({ described, facts, ask, oneOf: isLong ? 1 : isWhole ? 3 : 25 })).toEqual([])
  expect(api.state.defects).toEqual([])
})

it('the API refuses malformed requests in the one shape, with statuses that are described', async () => {
  await fuzz({ described, facts, base: api.url, headers: bearer(api.key), rounds: ROUNDS })
  expect(api.state.defects).toEqual([])
})

it('the answer to an unknown id is described', async () => {
  const named = described.operations.filter(({ path }) => path.includes('{id}'))
  expect(named.map(({ path }) => path)).toContain('/v1/creators/{id}')
  for (const operation of named) {
    const answer = await api.ask(operation.path.replace('{id}', '%20'))
    expect([operation.path, answer.status, described.faults(operation, answer)]).toEqual([
      operation.path,
      404,
      [],
    ])
  }
})

it('the client reads the API', async () => {
  const client = createClient({ baseUrl: api.url, apiKey: api.key })
  const { body } = await client.get('/v1/tokens/{id}', { id: facts.token })
  expect([body.contract_address, body.type]).toEqual([facts.token, 'post'])
  const refused = await client.get('/v1/tokens/{id}', { id: 'nobody' }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND', details: { token: 'nobody' } })
})

describeTools(() => ({ api, token: facts.token }))

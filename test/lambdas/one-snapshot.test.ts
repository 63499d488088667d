import { beforeEach, expect, it } from 'vitest'
import type { ReadStores } from '../../lambdas/api/endpoint.ts'
import { openStoredLists } from '../../lambdas/api/stored-lists.ts'
import { all } from '../../lambdas/endpoints/from-document.ts'
import { search } from '../../lambdas/endpoints/search.ts'
import { InvalidParameterError, ServiceUnavailableError } from '../../schemas/api/errors.ts'
import { snapshotId } from '../../schemas/api/service.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { openDocuments } from '../../store/published/documents.ts'
import { hash } from '../support/market/facts.ts'

// Answers that are made of several lists when one of the lists could not be made: they are of one snapshot all the same.

const MINUTE = 29_000_000
const lists = ['v1/z100/creators/24h', 'v1/z100/creators/7d', 'v1/z100/posts/24h', 'v1/z100/posts/7d']
const index = 'v1/z100/index/24h'
const asking = { caller: null, viewer: '', now: 0, site: '' }
const questions = {
  all: (stores: ReadStores, snapshot?: string) =>
    all({ id: '', query: { timeframe: '24h', snapshot } }, stores, asking),
  search: (stores: ReadStores) =>
    search({ id: '', query: { q: 'ann', limit: '10', offset: '0' } }, stores, asking),
}

let documents: ReturnType<typeof openDocuments>
let stores: ReadStores

beforeEach(() => {
  documents = openDocuments(openMemoryTable())
  stores = { lists: openStoredLists(documents) } as ReadStores
})

/** Publishes the lists of a minute, but for those of one kind. */
async function publish(minute: number, without = 'none'): Promise<string> {
  const last = { number: minute, hash: hash(minute), timestamp: minute * 60 }
  const id = snapshotId({ n: minute, minute, last })
  const snapshot = { id, n: minute, minute, blockNumber: minute, blockHash: hash(minute) }
  for (const name of [...lists, index].filter((each) => !each.includes(without)))
    await documents.putDocument({ name, snapshot, text: name === index ? '{}' : '[]' })
  await documents.putNewest(snapshot)
  return id
}

it.each(['creators', 'posts'])('an answer is of the last minute in which there were %s', async (failing) => {
  const whole = await publish(MINUTE)
  await publish(MINUTE + 1, failing)
  await publish(MINUTE + 2, failing)
  for (const ask of Object.values(questions)) expect((await ask(stores)).at?.id).toBe(whole)
  const healed = await publish(MINUTE + 3)
  for (const ask of Object.values(questions)) expect((await ask(stores)).at?.id).toBe(healed)
})

it('an answer is a 503 once no complete snapshot is stored', async () => {
  await publish(MINUTE)
  for (let at = 1; at <= 16; at++) await publish(MINUTE + at, 'posts')
  for (const ask of Object.values(questions))
    await expect(ask(stores)).rejects.toBeInstanceOf(ServiceUnavailableError)
})

it('the answer of a requested snapshot that is incomplete is a 400', async () => {
  await publish(MINUTE)
  const broken = await publish(MINUTE + 1, 'posts')
  await expect(questions.all(stores, broken)).rejects.toBeInstanceOf(InvalidParameterError)
})

import type { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { bulkTable } from '../../store/aws/bulk.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { newClient, openTable } from '../../store/aws/table.ts'
import { useDynalite } from '../support/aws/dynalite.ts'

const name = 'market'
await useDynalite(name)

it('bulk puts send 25 items a request, report each when it is done, and send again what was not processed', async () => {
  const client = newClient()
  const sizes: number[] = []
  // As DynamoDB does when it is busy: the first request is answered with two items that were not put.
  client.middlewareStack.add(
    (next) => async (call) => {
      const input = call.input as BatchWriteItemCommand['input']
      const requests = input.RequestItems?.[name] ?? []
      sizes.push(requests.length)
      if (sizes.length > 1) return next(call)
      const answer = await next({
        ...call,
        input: { ...input, RequestItems: { [name]: requests.slice(2) } } as typeof call.input,
      })
      Object.assign(answer.output, { UnprocessedItems: { [name]: requests.slice(0, 2) } })
      return answer
    },
    { step: 'initialize', priority: 'high' },
  )
  const table = bulkTable(name, openTable(name), client)
  const items = Array.from({ length: 60 }, (_, at) => ({ pk: 'T#1', sk: String(at).padStart(2, '0'), at }))
  await mapParallel(items, 60, async (item) => {
    expect(await table.put(item, 'absent')).toBe(true)
    expect(await table.read(item)).toEqual(item)
  })
  expect(sizes.toSorted((a, b) => a - b)).toEqual([2, 10, 25, 25])
  for (const at of [1, 2]) await table.put({ pk: 'T#2', sk: 'M', at }, 'absent')
  expect(await table.read({ pk: 'T#2', sk: 'M' })).toMatchObject({ at: 2 })
  // No request has a key twice.
  await Promise.all([3, 4].map((at) => table.put({ pk: 'T#2', sk: 'M', at }, 'absent')))
  expect(sizes.slice(-2)).toEqual([1, 1])
})

it('the puts of a request that fails are rejected', async () => {
  const missing = bulkTable('no-such-table', openTable(name))
  const puts = [1, 2].map((at) => missing.put({ pk: 'T#3', sk: String(at) }, 'absent'))
  for (const { status } of await Promise.allSettled(puts)) expect(status).toBe('rejected')
})

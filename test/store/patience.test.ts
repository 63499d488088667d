import { createServer } from 'node:http'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { listen } from '../../dev/emulators/listening.ts'
import { isTransient, outlastThrottling } from '../../store/aws/patience.ts'
import { openTable } from '../../store/aws/table.ts'

/** A table that refuses so many requests with an error, and then has an item. */
async function refusingTable(error: string, times: number) {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    const isRefused = requests <= times
    const body = isRefused
      ? { __type: `com.amazonaws.dynamodb.v20120810#${error}`, message: 'slow down' }
      : { Item: { pk: { S: 'p' }, sk: { S: 's' } } }
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' })
    response.end(JSON.stringify(body))
  })
  const { url, stop } = await listen('table', server)
  let pauses = 0
  const client = outlastThrottling(
    new DynamoDBClient({
      endpoint: url,
      region: 'us-east-1',
      maxAttempts: 1,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    }),
    () => void pauses++,
    0,
  )
  const table = openTable('market', { client })
  return { read: () => table.read({ pk: 'p', sk: 's' }), pauses: () => pauses, stop }
}

it.each(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'])(
  'a request is repeated until it is no longer throttled (%s)',
  async (error) => {
    const { read, pauses, stop } = await refusingTable(error, 50)
    expect(await read()).toEqual({ pk: 'p', sk: 's' })
    expect(pauses()).toBe(50)
    await stop()
  },
)

it('a request that fails for another reason rejects at once', async () => {
  const { read, pauses, stop } = await refusingTable('ValidationException', 1)
  await expect(read()).rejects.toThrow('slow down')
  expect(pauses()).toBe(0)
  await stop()
})

it.each<readonly [boolean, string, object]>([
  [true, 'a lost connection', { code: 'ECONNRESET' }],
  [true, 'a refused connection', { code: 'ECONNREFUSED' }],
  [true, 'a fault of the service', { $fault: 'server' }],
  [true, 'a status of 503', { $metadata: { httpStatusCode: 503 } }],
  [true, 'a request without an answer', { name: 'TimeoutError' }],
  [false, 'a table that does not exist', { name: 'ResourceNotFoundException', $fault: 'client' }],
  [false, 'a defect', {}],
])('%s: later the same request can succeed after %s', (isExpected, _, facts) => {
  expect(isTransient(Object.assign(new Error('x'), facts))).toBe(isExpected)
})

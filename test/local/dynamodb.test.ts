import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { startDynamodb, startDynamodbThread } from '../../dev/emulators/dynamodb.ts'
import { tempDir } from '../support/temp-dir.ts'

const TableName = 'market'
const Key = { pk: { S: 'LOG' } }

function clientOf(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
}

async function createTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName })
  await client.send(new PutItemCommand({ TableName, Item: { ...Key, n: { N: '1' } } }))
}

it('the emulator stores tables on disk, also in a worker thread, whose start rejects with its error', async () => {
  const path = tempDir()
  const faults: unknown[] = []
  const thread = await startDynamodbThread({ path }, (cause) => faults.push(cause))
  await createTable(clientOf(thread.url))
  await thread.stop()
  const after = await startDynamodb({ path })
  for (const { url } of [thread, after]) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const { Item } = await clientOf(after.url).send(new GetItemCommand({ TableName, Key }))
  expect(Item).toEqual({ ...Key, n: { N: '1' } })
  const port = Number(new URL(after.url).port)
  await expect(startDynamodbThread({ path, port }, () => {})).rejects.toThrow('EADDRINUSE')
  await after.stop()
  expect(faults).toEqual([])
})

it('the emulator names its folder if that holds no database', async () => {
  const path = join(tempDir(), 'dynamodb')
  await writeFile(path, '')
  const fault = new Promise((resolve) => {
    startDynamodbThread({ path }, resolve).then(({ url }) => createTable(clientOf(url)).catch(() => {}))
  })
  expect(await fault).toMatchObject({
    name: 'DamagedFile',
    message: `${path} is no database that can be opened; remove it, or start with --reset`,
  })
})

async function bytesIn(dir: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(dir)).map(async (name) => (await stat(join(dir, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

it('the emulator frees the disk space of overwritten values, also after a query', async () => {
  const path = tempDir()
  const dynamodb = await startDynamodb({ path })
  const client = clientOf(dynamodb.url)
  await createTable(client)
  const query = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': Key.pk },
  }
  for (const Limit of [1, undefined])
    await client.send(new QueryCommand({ ...query, ...(Limit && { Limit }) }))
  for (let round = 0; round < 150; round += 1) {
    const data = { B: randomBytes(200_000) } // 267 KB as it is stored
    await client.send(new PutItemCommand({ TableName, Item: { ...Key, data } }))
  }
  // LevelDB drops overwritten values when it compacts, which it does every few files of 2 MB.
  expect(await bytesIn(path)).toBeLessThan(25_000_000)
  await dynamodb.stop()
})

it('the emulator survives malformed requests', async () => {
  const dynamodb = await startDynamodb()
  const client = clientOf(dynamodb.url)
  await createTable(client)
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    authorization: 'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host, Signature=x',
    'x-amz-date': 'x',
  }
  const values = [null, 0, '', [], {}, [null], { S: null }, { S: 1 }, { NULL: false }, { M: null }, { L: 7 }]
  const names = ['TableName', 'Key', 'Item', 'KeyConditionExpression', 'ExpressionAttributeValues', 'Limit']
  for (const operation of ['PutItem', 'Query', 'BatchGetItem', 'No']) {
    const target = { ...headers, 'x-amz-target': `DynamoDB_20120810.${operation}` }
    const bodies = names.flatMap((name) => values.map((value) => ({ TableName, Key, [name]: value })))
    for (const body of [...values, ...bodies]) {
      const sent = { method: 'POST', headers: target, body: JSON.stringify(body) }
      await fetch(dynamodb.url, sent).then(
        (response) => response.text(),
        () => 'closed',
      )
    }
  }
  const broken = connect(Number(new URL(dynamodb.url).port), '127.0.0.1')
  broken.write('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\n{')
  await once(broken, 'connect')
  broken.destroy()
  const { Item } = await client.send(new GetItemCommand({ TableName, Key }))
  expect(Item).toEqual({ ...Key, n: { N: '1' } })
  await dynamodb.stop()
})

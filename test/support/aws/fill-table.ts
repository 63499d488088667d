import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { toAttributes } from '../../../store/aws/attributes.ts'
import type { Bucket } from '../../../store/aws/bucket.ts'
import { mapParallel } from '../../../store/aws/parallel.ts'
import type { Item } from '../../../store/aws/table.ts'

/** BatchWriteItem takes at most this many. */
const BATCH = 25

/** Puts many items over whatever stands there: a test that begins with thousands of them begins sooner. `pos`: the entry of the log that they are of. */
export async function fillTable(name: string, some: readonly Item[], pos?: number): Promise<void> {
  const client = new DynamoDBClient({})
  const items = pos === undefined ? some : some.map((item) => ({ ...item, pos }))
  const batches = Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) =>
    items.slice(BATCH * at, BATCH * (at + 1)),
  )
  await mapParallel(batches, 4, (batch) => {
    const puts = batch.map((item) => ({ PutRequest: { Item: toAttributes(item) } }))
    return client.send(new BatchWriteItemCommand({ RequestItems: { [name]: puts } }))
  })
  client.destroy()
}

/** Puts the objects of one bucket into another. */
export async function fillBucket(to: Bucket, from: Bucket): Promise<void> {
  for await (const { key } of from.list('')) {
    const { bytes, metadata } = (await from.read(key))!
    await to.put(key, bytes, { metadata })
  }
}

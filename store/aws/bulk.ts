import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import { toAttributes } from './attributes.ts'
import { pauseBefore } from './patience.ts'
import { type Item, newClient, type Table } from './table.ts'
import { keyText } from './tables.ts'

/** Maximum items of one BatchWriteItem. */
const BATCH_PUT_MAX = 25

type Waiting = {
  readonly item: Item
  readonly done: (isPut: true) => void
  readonly failed: (error: unknown) => void
}

/**
 * A table whose puts go 25 in a request, for a fifth of the CPU, and whose conditions always hold: only for keys that no
 * other process writes, as those of a log that nobody knows yet. A put is done when its request is answered.
 */
export function bulkTable(name: string, table: Table, client: DynamoDBClient = newClient()): Table {
  const waiting = new Map<string, Waiting>()
  const flush = async (): Promise<void> => {
    const puts = [...waiting.values()]
    waiting.clear()
    try {
      await putBatch(
        client,
        name,
        puts.map(({ item }) => item),
      )
      for (const { done } of puts) done(true)
    } catch (error) {
      for (const { failed } of puts) failed(error)
    }
  }
  return {
    ...table,
    put: (item) =>
      new Promise((done, failed) => {
        const key = keyText(item)
        // DynamoDB rejects a batch with duplicate keys.
        if (waiting.has(key)) void flush()
        waiting.set(key, { item, done, failed })
        if (waiting.size === BATCH_PUT_MAX) void flush()
        else if (waiting.size === 1) setImmediate(flush)
      }),
  }
}

/** Puts items; unprocessed ones are put again. */
async function putBatch(client: DynamoDBClient, name: string, items: readonly Item[]): Promise<void> {
  let requests = items.map((item) => ({ PutRequest: { Item: toAttributes(item) } }))
  for (let attempt = 0; requests.length > 0; attempt++) {
    if (attempt > 0) await pauseBefore(attempt)
    const command = new BatchWriteItemCommand({ RequestItems: { [name]: requests } })
    const answer: BatchWriteItemCommandOutput = await client.send(command)
    requests = (answer.UnprocessedItems?.[name] ?? []) as typeof requests
  }
}

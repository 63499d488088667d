import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ResourceInUseException,
  ScanCommand,
  type ScanCommandOutput,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { type Attribute, fromAttributes, toAttribute, toAttributes } from './attributes.ts'
import { chunked, mapParallel } from './parallel.ts'
import { pauseBefore } from './patience.ts'
import { type Key, keyText, tables } from './tables.ts'

export type { Key } from './tables.ts'

/** An item as stored. `pos` guards its puts, `ttl` (Unix seconds) is its expiry, `tomb` marks a tombstone. */
export type Item = Key & { readonly [attribute: string]: Attribute | undefined }

/** The condition of a put: the key was never written, or the stored item has a lower `pos` or none. */
export type Condition = 'absent' | { readonly olderThan: number | bigint }

/** The two operations that the log of minutes needs. */
export type Ledger = {
  /** The item of the key; tombstones and expired items count as absent. */
  read(key: Key): Promise<Item | undefined>
  /** Puts the item if the condition holds; false: it did not hold and nothing changed. Tombstones count as put. */
  put(item: Item, condition: Condition): Promise<boolean>
}

/** A range of one partition, inclusive; `limit` counts returned items, not skipped ones. */
export type ItemSpan = {
  readonly pk: string
  readonly from?: string
  readonly to?: string
  readonly isDescending?: boolean
  readonly limit?: number
  /** Returns tombstones too, for callers that must see deletions. */
  readonly withTombs?: true
}

/** A table. Reads never return tombstones or expired items, unless asked to. */
export type Table = Ledger & {
  query(span: ItemSpan): AsyncGenerator<Item>
  /** The items of the keys, unordered, without absent ones. */
  readMany(keys: readonly Key[], options?: Pick<ItemSpan, 'withTombs'>): Promise<readonly Item[]>
}

/** A table all of whose items can be read, in any order; without tombstones and expired ones. */
export type ScannedTable = Table & { scan(): AsyncGenerator<Item> }

/** The reads of a table. */
export type Reads = Pick<Table, 'read' | 'readMany' | 'query'>

export type TableOptions = {
  /** Unix seconds. @default the system's clock */
  readonly clock?: () => number
  /** 'eventual' reads cost half but may lag: for answers, never for a writer. @default 'strong' */
  readonly consistency?: 'strong' | 'eventual'
  /** Client shared by the tables of a process that must start fast. @default a new one */
  readonly client?: DynamoDBClient
}

/** A minute is materialized with 64 parallel puts; their connections are kept alive. */
const agent = { keepAlive: true, maxSockets: 64 }
/** Maximum keys of one BatchGetItem. */
const BATCH_GET_MAX = 100
const PARALLEL_REQUESTS = 16
/** Attempts for throttled requests and unprocessed keys, with growing pauses; a lost connection uses one. */
const MAX_ATTEMPTS = 8

/** A client for the tables. Region, credentials and endpoint come from the process's environment. */
export function newClient(): DynamoDBClient {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    // Otherwise the SDK resolves the middleware stack for every command.
    cacheMiddleware: true,
    requestHandler: { httpAgent: agent, httpsAgent: agent },
  })
  // Without the middleware for logging and the user agent: a sixth of a put's time.
  for (const name of ['loggerMiddleware', 'getUserAgentMiddleware']) client.middlewareStack.remove(name)
  return client
}

/** Opens a table by name. Region, credentials and endpoint come from the process's environment. */
export function openTable(name: string, options: TableOptions = {}): ScannedTable {
  const { clock = () => Date.now() / 1_000, consistency = 'strong', client = newClient() } = options
  const reading = { TableName: name, ConsistentRead: consistency === 'strong' }
  const isLive = (item: Item | undefined): item is Item =>
    item !== undefined && item['tomb'] !== true && !isExpired(item, clock())
  const wantedBy =
    ({ withTombs }: Pick<ItemSpan, 'withTombs'>) =>
    (item: Item): boolean =>
      isLive(item) || (withTombs === true && item['tomb'] === true)

  return {
    async read({ pk, sk }) {
      const answer = await client.send(new GetItemCommand({ ...reading, Key: toAttributes({ pk, sk }) }))
      const item = answer.Item && fromAttributes<Item>(answer.Item)
      return isLive(item) ? item : undefined
    },
    async put(item, condition) {
      const put = { TableName: name, Item: toAttributes(item), ...expressionOf(condition) }
      try {
        await client.send(new PutItemCommand(put))
        return true
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false
        throw error
      }
    },
    async *query(span) {
      // DynamoDB rejects a range whose end is before its start.
      if (span.from !== undefined && span.to !== undefined && span.from > span.to) return
      const isWanted = wantedBy(span)
      let left = span.limit ?? Number.POSITIVE_INFINITY
      let page: QueryCommandInput = { ...reading, ...queryOf(span) }
      while (left > 0) {
        const answer = await client.send(new QueryCommand(page))
        const items = (answer.Items ?? []).map((wire) => fromAttributes<Item>(wire)).filter(isWanted)
        yield* items.slice(0, left)
        left -= items.length
        if (!answer.LastEvaluatedKey) return
        page = { ...page, ExclusiveStartKey: answer.LastEvaluatedKey }
      }
    },
    async readMany(keys, options = {}) {
      const read = (batch: readonly Key[]) => batchGet(client, reading, batch)
      const found = (await mapParallel(batchesOf(keys), PARALLEL_REQUESTS, read)).flat()
      return found.map((wire) => fromAttributes<Item>(wire)).filter(wantedBy(options))
    },
    async *scan() {
      let ExclusiveStartKey: Wire | undefined
      do {
        const page: ScanCommandOutput = await client.send(
          new ScanCommand({ ...reading, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) }),
        )
        yield* (page.Items ?? []).map((wire) => fromAttributes<Item>(wire)).filter(isLive)
        ExclusiveStartKey = page.LastEvaluatedKey
      } while (ExclusiveStartKey)
    },
  }
}

/** Creates missing tables for a local run; on AWS the stacks do it. */
export async function ensureTables(names: readonly string[]): Promise<void> {
  const client = newClient()
  const { partitionKey, sortKey } = tables.market
  for (const TableName of names) {
    const command = new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: partitionKey, AttributeType: 'S' },
        { AttributeName: sortKey, AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
    })
    await client.send(command).catch((error: unknown) => {
      if (!(error instanceof ResourceInUseException)) throw error
    })
    await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName })
  }
  client.destroy()
}

/** Whether the item has expired. DynamoDB deletes expired items days late, so every read skips them. */
export const isExpired = (item: Item, nowSeconds: number): boolean =>
  typeof item['ttl'] === 'number' && item['ttl'] <= nowSeconds

/** The two conditions as DynamoDB expressions. */
function expressionOf(condition: Condition) {
  if (condition === 'absent') return { ConditionExpression: 'attribute_not_exists(pk)' }
  return {
    ConditionExpression: 'attribute_not_exists(pos) OR pos < :n',
    ExpressionAttributeValues: { ':n': toAttribute(condition.olderThan) },
  }
}

/** Upper bound of all sort keys: no key of ours has a character above '~'. */
const LAST = '\u{10FFFF}'

function queryOf({ pk, from, to, isDescending = false, limit = Number.POSITIVE_INFINITY }: ItemSpan) {
  const hasSpan = from !== undefined || to !== undefined
  return {
    KeyConditionExpression: hasSpan ? 'pk = :pk AND sk BETWEEN :from AND :to' : 'pk = :pk',
    ExpressionAttributeValues: toAttributes({
      ':pk': pk,
      ...(hasSpan ? { ':from': from ?? ' ', ':to': to ?? LAST } : {}),
    }),
    ScanIndexForward: !isDescending,
    ...(Number.isFinite(limit) ? { Limit: Math.max(1, limit) } : {}),
  }
}

/** Distinct keys in batches: DynamoDB rejects a batch with duplicate keys. */
const batchesOf = (keys: readonly Key[]) =>
  chunked([...new Map(keys.map((key) => [keyText(key), key])).values()], BATCH_GET_MAX)

type Wire = Record<string, AttributeValue>

/** The items of the keys; unprocessed keys are requested again. */
async function batchGet(
  client: DynamoDBClient,
  { TableName, ConsistentRead }: { readonly TableName: string; readonly ConsistentRead: boolean },
  batch: readonly Key[],
): Promise<readonly Wire[]> {
  const found: Wire[] = []
  let Keys: Wire[] | undefined = batch.map(({ pk, sk }) => toAttributes({ pk, sk }))
  for (let attempt = 0; Keys && Keys.length > 0; attempt++) {
    if (attempt > 0) await pauseBefore(attempt)
    const command = new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead } } })
    const answer: BatchGetItemCommandOutput = await client.send(command)
    found.push(...(answer.Responses?.[TableName] ?? []))
    Keys = answer.UnprocessedKeys?.[TableName]?.Keys
  }
  return found
}

/**
 * Deletes expired items and returns their number, for a local table, where DynamoDB's own expiry does not run. Scans the
 * whole table.
 */
export async function deleteExpired(name: string, nowSeconds: number): Promise<number> {
  const client = newClient()
  const expiry = {
    TableName: name,
    ExpressionAttributeNames: { '#ttl': tables.market.expiresAt },
    ExpressionAttributeValues: { ':now': toAttribute(Math.floor(nowSeconds)) },
  }
  // Conditional, since an item may have been replaced since the scan read it.
  const remove = async ({ pk, sk }: Wire): Promise<number> => {
    if (!pk || !sk) return 0
    const command = new DeleteItemCommand({ ...expiry, Key: { pk, sk }, ConditionExpression: '#ttl <= :now' })
    try {
      await client.send(command)
      return 1
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 0
      throw error
    }
  }
  let removed = 0
  let ExclusiveStartKey: Wire | undefined
  do {
    const page = await client.send(
      new ScanCommand({
        ...expiry,
        FilterExpression: '#ttl <= :now',
        ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}),
      }),
    )
    const counts = await mapParallel(page.Items ?? [], PARALLEL_REQUESTS, remove)
    removed += counts.reduce((sum, one) => sum + one, 0)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  client.destroy()
  return removed
}

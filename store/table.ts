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
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { type Attribute, fromAttributes, toAttribute, toAttributes } from './attributes.ts'
import { chunked, mapParallel } from './parallel.ts'
import { type Key, keyText, tables } from './tables.ts'

export type { Key } from './tables.ts'

/** What stands at a key. `pos` guards it, `ttl` (Unix seconds) ends it, `tomb` says that nothing stands here. */
export type Item = Key & { readonly [attribute: string]: Attribute | undefined }

/** When a put is made: if nothing was ever put at its key; if what stands there has a lower `pos` or none. */
export type Condition = 'absent' | { readonly olderThan: number | bigint }

/** The two operations that the log of minutes needs of a table. */
export type Ledger = {
  /** What stands at the key; a tombstone or an expired item is absent. */
  read(key: Key): Promise<Item | undefined>
  /** Puts the item if the condition holds; false: it did not, and nothing changed. A tombstone counts as put. */
  put(item: Item, condition: Condition): Promise<boolean>
}

/** A span of one partition, both ends included; `limit` counts the items given, not those passed over. */
export type ItemSpan = {
  readonly pk: string
  readonly from?: string
  readonly to?: string
  readonly isDescending?: boolean
  readonly limit?: number
  /** Tombstones are given, too: for who must see what was just taken away. */
  readonly withTombs?: true
}

/** A table as the rooms see it. Tombstones and expired items are absent from every read. */
export type Table = Ledger & {
  query(span: ItemSpan): AsyncGenerator<Item>
  /** The items that stand at the keys, in no order; absent ones are left out. */
  readMany(keys: readonly Key[]): Promise<readonly Item[]>
}

/** What a table answers to reads. */
export type Reads = Pick<Table, 'read' | 'readMany' | 'query'>

export type TableOptions = {
  /** Unix seconds. @default the system's clock */
  readonly clock?: () => number
  /** 'eventual' reads cost half and may be a moment behind: for answers, never for a writer. @default 'strong' */
  readonly consistency?: 'strong' | 'eventual'
  /** Shared by the tables of a process that must start fast. @default a new one */
  readonly client?: DynamoDBClient
}

/** A minute is materialized with 64 puts at once; their connections are kept. */
const agent = { keepAlive: true, maxSockets: 64 }
/** BatchGetItem takes at most this many keys. */
const BATCH_GET_MAX = 100
const PARALLEL_REQUESTS = 16
/** Throttled requests and unprocessed keys are tried again with growing pauses; a lost connection costs one try. */
const MAX_ATTEMPTS = 8

/** A client for the tables. Region, credentials and endpoint come from the process's environment. */
export function newClient(): DynamoDBClient {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    // Every command goes the same way, which the SDK else works out anew for each.
    cacheMiddleware: true,
    requestHandler: { httpAgent: agent, httpsAgent: agent },
  })
  // They prepare each request for a log that nobody keeps, and say anew what the SDK is called: a sixth of a put's time.
  for (const name of ['loggerMiddleware', 'getUserAgentMiddleware']) client.middlewareStack.remove(name)
  return client
}

/** Opens a table by name. Region, credentials and endpoint come from the process's environment. */
export function openTable(name: string, options: TableOptions = {}): Table {
  const { clock = () => Date.now() / 1_000, consistency = 'strong', client = newClient() } = options
  const reading = { TableName: name, ConsistentRead: consistency === 'strong' }
  const isLive = (item: Item | undefined): item is Item =>
    item !== undefined && item['tomb'] !== true && !isExpired(item, clock())

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
      // DynamoDB takes a span that ends before it begins for an error.
      if (span.from !== undefined && span.to !== undefined && span.from > span.to) return
      const isWanted = (item: Item) => isLive(item) || (span.withTombs === true && item['tomb'] === true)
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
    async readMany(keys) {
      const read = (batch: readonly Key[]) => batchGet(client, reading, batch)
      const found = (await mapParallel(batchesOf(keys), PARALLEL_REQUESTS, read)).flat()
      return found.map((wire) => fromAttributes<Item>(wire)).filter(isLive)
    },
  }
}

/** Creates the tables that do not exist: for a deployment on this machine; on AWS the stacks do. */
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

/** Due for deletion. DynamoDB removes expired items days late, so every read passes over them. */
export const isExpired = (item: Item, nowSeconds: number): boolean =>
  typeof item['ttl'] === 'number' && item['ttl'] <= nowSeconds

/** The two conditions, as DynamoDB decides them. */
function expressionOf(condition: Condition) {
  if (condition === 'absent') return { ConditionExpression: 'attribute_not_exists(pk)' }
  return {
    ConditionExpression: 'attribute_not_exists(pos) OR pos < :n',
    ExpressionAttributeValues: { ':n': toAttribute(condition.olderThan) },
  }
}

/** The greatest text a sort key is compared with: no key of ours has a character above '~'. */
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

/** Distinct keys in batches: DynamoDB refuses a batch that names a key twice. */
const batchesOf = (keys: readonly Key[]) =>
  chunked([...new Map(keys.map((key) => [keyText(key), key])).values()], BATCH_GET_MAX)

type Wire = Record<string, AttributeValue>

/** What stands at the keys; those that an answer left out are asked for again. */
async function batchGet(
  client: DynamoDBClient,
  { TableName, ConsistentRead }: { readonly TableName: string; readonly ConsistentRead: boolean },
  batch: readonly Key[],
): Promise<readonly Wire[]> {
  const found: Wire[] = []
  let Keys: Wire[] | undefined = batch.map(({ pk, sk }) => toAttributes({ pk, sk }))
  for (let attempt = 0; Keys && Keys.length > 0; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** Math.min(attempt, 6)))
    const command = new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead } } })
    const answer: BatchGetItemCommandOutput = await client.send(command)
    found.push(...(answer.Responses?.[TableName] ?? []))
    Keys = answer.UnprocessedKeys?.[TableName]?.Keys
  }
  return found
}

/** Removes what has expired and gives its number: for a table on this machine, where nobody else does. Reads the whole table. */
export async function deleteExpired(name: string, nowSeconds: number): Promise<number> {
  const client = newClient()
  const expiry = {
    TableName: name,
    ExpressionAttributeNames: { '#ttl': tables.market.expiresAt },
    ExpressionAttributeValues: { ':now': toAttribute(Math.floor(nowSeconds)) },
  }
  // The condition again on each: an item may have been put anew since the scan saw it.
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

import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { fromAttributes, toAttributes } from '../aws/attributes.ts'
import type { Item } from '../aws/table.ts'
import type { Key } from '../aws/tables.ts'

/** An increase of the attribute `used` of an item. */
type Increase = {
  readonly table: string
  readonly key: Key
  readonly by: number
  /** Nothing is counted once this is reached; null: always. */
  readonly limit: number | null
  /** Unix seconds. */
  readonly expiresAt: number
}

/** Counts in one conditional update, and returns the total: exact under concurrency. null: the limit is reached. */
export async function increaseCount(
  client: DynamoDBClient,
  { table, key, by, limit, expiresAt }: Increase,
): Promise<number | null> {
  const { ':limit': bound, ...values } = toAttributes({
    ':by': by,
    ':ttl': expiresAt,
    ':limit': limit ?? undefined,
  })
  const command = new UpdateItemCommand({
    TableName: table,
    Key: toAttributes(key),
    UpdateExpression: 'ADD used :by SET #ttl = :ttl',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: bound ? { ...values, ':limit': bound } : values,
    ...(bound ? { ConditionExpression: 'attribute_not_exists(used) OR used < :limit' } : {}),
    ReturnValues: 'UPDATED_NEW',
  })
  try {
    const { Attributes = {} } = await client.send(command)
    return Number(fromAttributes<Item>(Attributes)['used'] ?? 0)
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null
    throw error
  }
}

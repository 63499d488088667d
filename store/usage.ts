import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { hourEnd } from '../schemas/access.ts'
import { fromAttributes, toAttributes } from './attributes.ts'
import { type Item, newClient, openTable } from './table.ts'
import { keptSeconds, usageKeys } from './tables.ts'

/** Answers of one account in one UTC hour. */
export type AccountHour = { readonly account: string; readonly hour: number }

/** Answers of accounts by UTC hour. Exact under concurrency: each count is one conditional update. */
export type Usage = {
  /** Counts one answer and returns the total; null, and nothing is counted, if `limit` is reached. */
  take(of: AccountHour, limit: number): Promise<number | null>
  /** Counts a batch of answers and returns the total. A batch with the same name is counted once. */
  add(of: AccountHour, answers: number, batch: string): Promise<number>
  /** Answers counted in an hour. */
  used(of: AccountHour): Promise<number>
  /** Answers by hour, oldest first, without empty hours. */
  hours(account: string, from: number, to: number): Promise<readonly { hour: number; used: number }[]>
  /** Whether the edge was notified that this limit is reached in the hour. */
  isToldExhausted(of: AccountHour, limit: number): Promise<boolean>
  setToldExhausted(of: AccountHour, limit: number): Promise<void>
}

/** Opens the counters in the Usage table of this name. */
export function openUsage(name: string, client = newClient()): Usage {
  const table = openTable(name, { client })

  const increase = async (of: AccountHour, answers: number, limit: number | null): Promise<number> => {
    const { ':limit': bound, ...values } = toAttributes({
      ':answers': answers,
      ':ttl': hourEnd(of.hour) + keptSeconds.usage,
      ':limit': limit ?? undefined,
    })
    const command = new UpdateItemCommand({
      TableName: name,
      Key: toAttributes(usageKeys.hour(of.account, of.hour)),
      UpdateExpression: 'ADD used :answers SET #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: bound ? { ...values, ':limit': bound } : values,
      ...(bound ? { ConditionExpression: 'attribute_not_exists(used) OR used < :limit' } : {}),
      ReturnValues: 'UPDATED_NEW',
    })
    const { Attributes = {} } = await client.send(command)
    return usedOf(fromAttributes<Item>(Attributes))
  }
  const used = async ({ account, hour }: AccountHour) =>
    usedOf(await table.read(usageKeys.hour(account, hour)))

  return {
    take: (of, limit) =>
      increase(of, 1, limit).catch((error: unknown) => {
        if (error instanceof ConditionalCheckFailedException) return null
        throw error
      }),
    async add(of, answers, batch) {
      // The mark first: after an interruption between the two, a batch is lost rather than counted twice.
      const mark = { ...usageKeys.batch(of.account, batch), ttl: hourEnd(of.hour) + keptSeconds.batch }
      return (await table.put(mark, 'absent')) ? increase(of, answers, null) : used(of)
    },
    used,
    async hours(account, from, to) {
      const { pk, sk } = usageKeys.hour(account, from)
      const found: { hour: number; used: number }[] = []
      for await (const item of table.query({ pk, from: sk, to: usageKeys.hour(account, to).sk })) {
        found.push({ hour: Number(item.sk), used: usedOf(item) })
      }
      return found
    },
    isToldExhausted: async ({ account, hour }, limit) =>
      (await table.read(usageKeys.exhausted(account, hour, limit))) !== undefined,
    async setToldExhausted({ account, hour }, limit) {
      const ttl = hourEnd(hour) + keptSeconds.batch
      await table.put({ ...usageKeys.exhausted(account, hour, limit), ttl }, 'absent')
    },
  }
}

const usedOf = (item: Partial<Item> | undefined): number => Number(item?.['used'] ?? 0)

import { hourEnd } from '../../schemas/api/access.ts'
import { type Item, newClient, openTable } from '../aws/table.ts'
import { keptSeconds, usageKeys } from '../aws/tables.ts'
import { increaseCount } from './counter.ts'

/** Answers of one account in one UTC hour. */
export type AccountHour = { readonly account: string; readonly hour: number }

/** A key of an account, by its mark (schemas/api/access.ts). */
export type UsedKey = { readonly account: string; readonly mark: string }

/** Answers of accounts by UTC hour. Exact under concurrency: each count is one conditional update. */
export type Usage = {
  /** Counts one answer and returns the total; null, and nothing is counted, if `limit` is reached. */
  take(accountHour: AccountHour, limit: number): Promise<number | null>
  /** Counts a batch of answers and returns the total. A batch with the same name is counted once an hour. */
  add(accountHour: AccountHour, answers: number, batch: string): Promise<number>
  /** Answers counted in an hour. */
  used(accountHour: AccountHour): Promise<number>
  /** Answers by hour, oldest first, without empty hours. */
  hours(account: string, from: number, to: number): Promise<readonly { hour: number; used: number }[]>
  /** Whether the edge was notified that this limit is reached in the hour. */
  isExhaustionReported(accountHour: AccountHour, limit: number): Promise<boolean>
  setExhaustionReported(accountHour: AccountHour, limit: number): Promise<void>
  /** Notes that a key was used. */
  noteUse(key: UsedKey, hour: number): Promise<void>
  /** The newest such hour; null: none in the time that usage is kept for. */
  lastUse(key: UsedKey): Promise<number | null>
}

/** Opens the counters in the Usage table of this name. */
export function openUsage(name: string, client = newClient()): Usage {
  const table = openTable(name, { client })

  const increase = (
    accountHour: AccountHour,
    answers: number,
    limit: number | null,
  ): Promise<number | null> =>
    increaseCount(client, {
      table: name,
      key: usageKeys.hour(accountHour.account, accountHour.hour),
      by: answers,
      limit,
      expiresAt: hourEnd(accountHour.hour) + keptSeconds.usage,
    })
  const used = async ({ account, hour }: AccountHour) =>
    usedOf(await table.read(usageKeys.hour(account, hour)))

  return {
    take: (accountHour, limit) => increase(accountHour, 1, limit),
    async add(accountHour, answers, batch) {
      // The mark first: after an interruption between the two, a batch is lost rather than counted twice.
      const mark = {
        ...usageKeys.batch(accountHour.account, accountHour.hour, batch),
        ttl: hourEnd(accountHour.hour) + keptSeconds.batch,
      }
      const counted = (await table.put(mark, 'absent')) ? await increase(accountHour, answers, null) : null
      return counted ?? used(accountHour)
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
    isExhaustionReported: async ({ account, hour }, limit) =>
      (await table.read(usageKeys.exhausted(account, hour, limit))) !== undefined,
    async setExhaustionReported({ account, hour }, limit) {
      const ttl = hourEnd(hour) + keptSeconds.batch
      await table.put({ ...usageKeys.exhausted(account, hour, limit), ttl }, 'absent')
    },
    async noteUse(key, hour) {
      const ttl = hourEnd(hour) + keptSeconds.usage
      await table.put({ ...usageKeys.lastUse(key.account, key.mark), pos: hour, ttl }, { olderThan: hour })
    },
    async lastUse({ account, mark }) {
      const item = await table.read(usageKeys.lastUse(account, mark))
      return item ? Number(item['pos']) : null
    },
  }
}

const usedOf = (item: Partial<Item> | undefined): number => Number(item?.['used'] ?? 0)

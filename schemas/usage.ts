import { hourEnd, readerTiers, type Tier, tiers } from './access.ts'
import { type FieldTable, fieldsOf } from './field.ts'
import * as kind from './kinds.ts'

/** What an account used of an hour. */
export type AccountUsage = {
  readonly account: string
  readonly tier: Tier
  /** Hours since 1970. */
  readonly hour: number
  readonly used: number
}

const usage = fieldsOf<AccountUsage>()
const limitOf = ({ tier }: AccountUsage): number => tiers[tier].limitPerHour

/** Keys of v1/usage. */
export const usageFields: FieldTable<AccountUsage> = {
  account: usage(kind.text, ({ account }) => account, { says: 'Id of the account that the key is of' }),
  tier: usage(kind.choice(readerTiers), ({ tier }) => tier, { says: 'Its tier' }),
  limit: usage(kind.count, limitOf, { says: 'Answers in one UTC hour, over all keys of the account' }),
  used: usage(kind.count, (row) => row.used, {
    says: 'Counted answers of this hour; those of the edge’s cache are counted some seconds later',
  }),
  remaining: usage(kind.count, (row) => Math.max(0, limitOf(row) - row.used), { says: 'Answers left' }),
  reset_at: usage(kind.time, ({ hour }) => hourEnd(hour), { says: 'The hour’s end' }),
}

import { randomUUID } from 'node:crypto'
import { type AccountState, isTier, type Tier } from '../schemas/access.ts'
import { StoreFault } from './fault.ts'
import { type Item, openTable } from './table.ts'
import { accessKeys, keptSeconds, sha256Of } from './tables.ts'

/** A reader's account. `version` counts the changes; 0 means never stored. Times are Unix seconds. */
export type Account = {
  readonly id: string
  /** Name given by the operator. */
  readonly name: string
  readonly tier: Tier
  readonly state: AccountState
  /** The hidden gateway key that all of the account's keys are counted under; never shown to a reader. */
  readonly gatewayKey: string
  readonly createdAt: number
  /** Whether the gateway has the account; until then its creation is incomplete. */
  readonly isComplete: boolean
  readonly version: number
}

/** A key of an account. Only this is stored, never the key's text. */
export type AccessKey = {
  readonly digest: string
  /** The part of its text that may be shown. */
  readonly prefix: string
  /** The operator's label; empty: none. */
  readonly label: string
  readonly account: string
  readonly createdAt: number
  /** End of validity; null: none. */
  readonly endsAt: number | null
  /** Whether the edge has the key; until then its creation is incomplete and its text has not been shown. */
  readonly isComplete: boolean
  readonly version: number
}

/** An operator's action. `at` is ISO 8601. */
export type AuditEntry = {
  readonly at: string
  readonly actor: string
  readonly action: string
  /** The account or key concerned. */
  readonly subject: string
  readonly details: string
}

/** Accounts, their keys, and the operators' audit log. */
export type AccessStore = {
  account(id: string): Promise<Account | undefined>
  /** All accounts, by id. */
  accounts(): AsyncGenerator<Account>
  /** Stores a changed record. Throws ChangedMeanwhileError if it was not the newest version. */
  putAccount(account: Account): Promise<Account>
  /** Removes an account for good: its id is not used again. As putAccount. */
  removeAccount(account: Account): Promise<void>
  key(digest: string): Promise<AccessKey | undefined>
  /** All keys of an account including ended ones, oldest first. */
  keysOf(account: string): Promise<readonly AccessKey[]>
  /** As putAccount. */
  putKey(key: AccessKey): Promise<AccessKey>
  record(entry: AuditEntry): Promise<void>
  /** The newest audit entries, newest first. */
  audit(limit: number): AsyncGenerator<AuditEntry>
}

/** A key's id for operators: its account and the first digits of its digest. */
export const keyId = ({ account, digest }: Pick<AccessKey, 'account' | 'digest'>): string =>
  `${account}-${sha256Of(digest).slice(0, 8)}`

/** Whether a key is valid at a time (Unix seconds). */
export const isValidAt = ({ endsAt }: AccessKey, now: number): boolean => endsAt === null || now < endsAt

/** Opens the Access table of this name. */
export function openAccess(name: string): AccessStore {
  const table = openTable(name)
  const put = async <Record extends { readonly version: number }>(
    record: Record,
    what: string,
    itemOf: (record: Record) => Item,
  ): Promise<Record> => {
    const next = { ...record, version: record.version + 1 }
    if (await table.put(itemOf(next), { olderThan: next.version })) return next
    throw new StoreFault(
      'ChangedMeanwhileError',
      `${what} has been changed by someone else meanwhile; try again`,
    )
  }
  return {
    async account(id) {
      const item = await table.read(accessKeys.account(id))
      return item && accountFrom(item)
    },
    async *accounts() {
      for await (const item of table.query({ pk: accessKeys.account('').pk })) yield accountFrom(item)
    },
    putAccount: (account) => put(account, `account ${account.id}`, itemOfAccount),
    async removeAccount({ id, version }) {
      const itemOf = () => ({ ...accessKeys.account(id), pos: version + 1, tomb: true })
      await put({ version }, `account ${id}`, itemOf)
    },
    async key(digest) {
      const item = await table.read(accessKeys.key(digest))
      return item && keyFrom(item)
    },
    async keysOf(account) {
      const wanted = []
      for await (const { sk } of table.query({ pk: accessKeys.keyOf(account, '').pk })) {
        wanted.push(accessKeys.key(sk))
      }
      const keys = (await table.readMany(wanted)).map(keyFrom)
      return keys.sort((a, b) => a.createdAt - b.createdAt || (a.digest < b.digest ? -1 : 1))
    },
    async putKey(key) {
      if (key.version === 0) await table.put(accessKeys.keyOf(key.account, key.digest), 'absent')
      return put(key, `key ${keyId(key)}`, itemOfKey)
    },
    async record({ at, ...entry }) {
      const ttl = Math.floor(Date.parse(at) / 1_000) + keptSeconds.audit
      await table.put({ ...accessKeys.audit(at, randomUUID().slice(0, 8)), ...entry, ttl }, 'absent')
    },
    async *audit(limit) {
      const { pk } = accessKeys.audit('', '')
      for await (const item of table.query({ pk, isDescending: true, limit })) yield auditFrom(item)
    },
  }
}

/** `pos` is the version, so that it guards the put. */
const itemOfAccount = ({ id, version, ...rest }: Account): Item => ({
  ...accessKeys.account(id),
  ...rest,
  pos: version,
})

function accountFrom(item: Item): Account {
  const tier = String(item['tier'])
  if (!isTier(tier))
    throw new StoreFault('UnknownTierError', `account ${item.sk} has the unknown tier ${tier}`)
  return {
    id: item.sk,
    name: String(item['name']),
    tier,
    state: item['state'] === 'suspended' ? 'suspended' : 'active',
    gatewayKey: String(item['gatewayKey']),
    createdAt: Number(item['createdAt']),
    isComplete: item['isComplete'] === true,
    version: Number(item['pos']),
  }
}

const itemOfKey = ({ digest, version, endsAt, ...rest }: AccessKey): Item => ({
  ...accessKeys.key(digest),
  ...rest,
  digest,
  endsAt: endsAt ?? undefined,
  ttl: endsAt === null ? undefined : endsAt + keptSeconds.endedKey,
  pos: version,
})

const keyFrom = (item: Item): AccessKey => ({
  digest: String(item['digest']),
  prefix: String(item['prefix']),
  label: String(item['label'] ?? ''),
  account: String(item['account']),
  createdAt: Number(item['createdAt']),
  endsAt: item['endsAt'] === undefined ? null : Number(item['endsAt']),
  isComplete: item['isComplete'] === true,
  version: Number(item['pos']),
})

const auditFrom = ({ sk, actor, action, subject, details }: Item): AuditEntry => ({
  at: sk.split('#')[0] ?? '',
  actor: String(actor),
  action: String(action),
  subject: String(subject),
  details: String(details),
})

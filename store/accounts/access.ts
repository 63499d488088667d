import { randomUUID } from 'node:crypto'
import { type AccountState, isTier, type Tier } from '../../schemas/api/access.ts'
import { StoreFault } from '../aws/fault.ts'
import { type Item, openTable } from '../aws/table.ts'
import { accessKeys, keptSeconds, sha256Of } from '../aws/tables.ts'

/** A reader's account. `version` counts the changes; 0 means never stored. Times are Unix seconds. */
export type Account = {
  readonly id: string
  /** The operator's name for it, or the wallet's address. */
  readonly name: string
  readonly tier: Tier
  /** When the tier falls back to the first one; null: never. `tierAt` tells the tier of a time. */
  readonly tierEndsAt: number | null
  /** Unix ms of the newest event of the payment provider; 0: none. */
  readonly paidAtMs: number
  readonly state: AccountState
  /** The gateway key of its tier that the account's keys are throttled under; never shown to a reader. */
  readonly gatewayKey: string
  readonly createdAt: number
  /** Sessions that began at this time or before have ended; 0: none. */
  readonly signedOutAt: number
  readonly version: number
}

/** A key of an account. Only this is stored, never the key's text. */
export type AccessKey = {
  readonly digest: string
  /** The part of its text that may be shown. */
  readonly prefix: string
  /** What it is for, in its owner's or the operator's words; empty: none. */
  readonly label: string
  readonly account: string
  readonly createdAt: number
  /** End of validity; null: none. */
  readonly endsAt: number | null
  /** Whether the edge has the key; until then its creation is incomplete and its text has not been shown. */
  readonly isComplete: boolean
  readonly version: number
}

/** A change of an account or a key. `at` is ISO 8601. */
export type AuditEntry = {
  readonly at: string
  /** The operator's user name, or who signed in to the account page. */
  readonly actor: string
  /** The network that the actor came from; empty: on the operator's command line. */
  readonly network: string
  readonly action: string
  /** The account concerned; empty: all. */
  readonly account: string
  /** The account or key concerned. */
  readonly subject: string
  readonly details: string
}

/** Accounts, their keys, and the audit log. */
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
  /** The newest audit entries, newest first; with an account, only of this one. */
  audit(limit: number, account?: string): AsyncGenerator<AuditEntry>
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
      const mark = randomUUID().slice(0, 8)
      for (const account of new Set(['', entry.account]))
        await table.put({ ...accessKeys.audit(account, at, mark), ...entry, ttl }, 'absent')
    },
    async *audit(limit, account = '') {
      const { pk } = accessKeys.audit(account, '', '')
      for await (const item of table.query({ pk, isDescending: true, limit })) yield auditFrom(item)
    },
  }
}

/** `pos` is the version, so that it guards the put. */
const itemOfAccount = ({ id, version, tierEndsAt, ...rest }: Account): Item => ({
  ...accessKeys.account(id),
  ...rest,
  tierEndsAt: tierEndsAt ?? undefined,
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
    tierEndsAt: item['tierEndsAt'] === undefined ? null : Number(item['tierEndsAt']),
    paidAtMs: Number(item['paidAtMs'] ?? 0),
    state: item['state'] === 'suspended' ? 'suspended' : 'active',
    gatewayKey: String(item['gatewayKey']),
    createdAt: Number(item['createdAt']),
    signedOutAt: Number(item['signedOutAt'] ?? 0),
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

const auditFrom = ({ sk, actor, network, action, account, subject, details }: Item): AuditEntry => ({
  at: sk.split('#')[0] ?? '',
  actor: String(actor),
  network: String(network ?? ''),
  action: String(action),
  account: String(account ?? ''),
  subject: String(subject),
  details: String(details),
})

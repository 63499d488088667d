import {
  type AccountState,
  edgeKeys,
  edgeKeyText,
  isKey,
  type KeyKind,
  keyDigest,
  keyPrefix,
  newKey,
  randomLetters,
  SITE_TIER,
  type Tier,
} from '../schemas/access.ts'
import { readEnv } from '../schemas/env.ts'
import { isoTime } from '../schemas/kinds.ts'
import {
  type AccessKey,
  type AccessStore,
  type Account,
  isValidAt,
  keyId,
  openAccess,
} from '../store/access.ts'
import { type EdgeStore, openEdgeStore } from '../store/edge.ts'
import { type GatewayKeys, openGatewayKeys, usagePlansFrom } from '../store/gateway-keys.ts'
import { allOf } from '../store/parallel.ts'
import { openUsage, type Usage } from '../store/usage.ts'
import { labelFrom } from './names.ts'
import { OperatorFault } from './terminal.ts'

/** The stores of accounts and keys. A change is written to the table first, then to the gateway, then to the edge. */
export type AccessService = {
  readonly access: AccessStore
  readonly gateway: GatewayKeys
  readonly edge: EdgeStore
  readonly usage: Pick<Usage, 'hours'>
  /** Unix seconds. */
  readonly now: () => number
  /** Name of the operator in the audit log. */
  readonly actor: string
}

/** Opens the stores that the environment names. Throws InvalidEnvError, UsagePlansError. */
export function openAccessService(
  environment: Readonly<Record<string, string | undefined>>,
  actor: string,
): AccessService {
  const env = readEnv('adminAccess', environment)
  return {
    access: openAccess(env.ACCESS_TABLE),
    gateway: openGatewayKeys(usagePlansFrom(env.USAGE_PLANS)),
    edge: openEdgeStore(env.KEY_VALUE_STORE),
    usage: openUsage(env.USAGE_TABLE),
    now: () => Math.floor(Date.now() / 1_000),
    actor,
  }
}

/** Adds an entry to the audit log. Called before the change, so that an interrupted change is in it too. */
export const recordAction = (
  { access, now, actor }: AccessService,
  done: { readonly action: string; readonly subject: string; readonly details?: string },
): Promise<void> => access.record({ at: isoTime(now()), actor, details: '', ...done })

const ID_LETTERS = 10
/** The gateway takes 20 to 128 letters. */
const GATEWAY_KEY_LETTERS = 40

/** A name for an account that no other one has. Throws InvalidName, NameTaken. */
export async function freeName(service: AccessService, given: string): Promise<string> {
  const name = labelFrom(given)
  const named = await accountsNamed(service, name)
  // Where a command takes an account, an id would win over a name.
  const other = named[0] ?? (await service.access.account(name))
  if (other) throw new OperatorFault('NameTaken', `account ${other.id} has the name ${name} already`)
  return name
}

/** Makes an account without keys. Throws InvalidName, NameTaken. */
export async function createAccount(
  service: AccessService,
  { name: given, tier }: Pick<Account, 'name' | 'tier'>,
): Promise<Account> {
  const name = await freeName(service, given)
  const id = randomLetters(ID_LETTERS).toLowerCase()
  await recordAction(service, { action: 'account create', subject: id, details: `${tier} ${name}` })
  const account = await service.access.putAccount({
    id,
    name,
    tier,
    state: 'active',
    isComplete: false,
    version: 0,
    gatewayKey: randomLetters(GATEWAY_KEY_LETTERS),
    createdAt: service.now(),
  })
  return completeAccount(service, account)
}

/** Adds an account to the gateway and marks it complete; idempotent. */
export async function completeAccount(service: AccessService, account: Account): Promise<Account> {
  await service.gateway.put(account)
  return service.access.putAccount({ ...account, isComplete: true })
}

/** The accounts of a name: one at most, unless two operators made them at the same time. */
const accountsNamed = async ({ access }: AccessService, name: string): Promise<readonly Account[]> =>
  (await allOf(access.accounts())).filter((account) => account.name === name)

/** The account of a name; creates it where there is none. */
export async function accountNamed(
  service: AccessService,
  wanted: Pick<Account, 'name' | 'tier'>,
): Promise<Account> {
  const [account] = await accountsNamed(service, wanted.name)
  return account ?? createAccount(service, wanted)
}

/** An account by its id, or by a name that no other one has. Throws UnknownAccount, AmbiguousName. */
export async function accountOf(service: AccessService, given: string): Promise<Account> {
  const account = await service.access.account(given)
  if (account) return account
  const [named, ...others] = await accountsNamed(service, given)
  if (!named)
    throw new OperatorFault('UnknownAccount', `there is no account ${given}; account list names all of them`)
  if (others.length === 0) return named
  const ids = [named, ...others].map(({ id }) => id).join(', ')
  throw new OperatorFault('AmbiguousName', `several accounts have the name ${given}: ${ids}`)
}

/** Suspends or resumes an account. Throws UnknownAccount. */
export async function setState(service: AccessService, given: string, state: AccountState): Promise<Account> {
  const account = await accountOf(service, given)
  await recordAction(service, {
    action: state === 'active' ? 'account resume' : 'account suspend',
    subject: account.id,
  })
  return publishAccount(service, await service.access.putAccount({ ...account, state }))
}

/** Moves an account to another tier. Throws UnknownAccount. */
export async function setTier(service: AccessService, given: string, tier: Tier): Promise<Account> {
  const account = await accountOf(service, given)
  await recordAction(service, {
    action: 'account tier',
    subject: account.id,
    details: `${account.tier} to ${tier}`,
  })
  return publishAccount(service, await service.access.putAccount({ ...account, tier }))
}

/** Writes an account's tier and state to the gateway and the edge. */
async function publishAccount(service: AccessService, account: Account): Promise<Account> {
  await service.gateway.put(account)
  const keys = await service.access.keysOf(account.id)
  await service.edge.write({ puts: edgeEntriesOf(account, keys, service.now()) })
  return account
}

/** The edge's entries of an account's valid keys. */
export const edgeEntriesOf = (
  { id, tier, state }: Account,
  keys: readonly AccessKey[],
  now: number,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    keys
      .filter((key) => key.isComplete && isValidAt(key, now))
      .map(({ digest, endsAt }) => [edgeKeys.key(digest), edgeKeyText({ account: id, tier, state, endsAt })]),
  )

/** A new key and its text, which is stored nowhere: it is shown once. */
export type NewKey = { readonly text: string; readonly key: AccessKey }

/** Makes a key of an account. Throws UnknownAccount, InvalidName for the label. */
export async function createKey(
  service: AccessService,
  given: string,
  kind: KeyKind,
  label = '',
): Promise<NewKey> {
  const named = label === '' ? '' : labelFrom(label)
  const found = await accountOf(service, given)
  const owner = found.isComplete ? found : await completeAccount(service, found)
  const account = owner.id
  const text = newKey(kind)
  const digest = keyDigest(text)
  await recordAction(service, { action: 'key create', subject: keyId({ account, digest }) })
  const begun = await service.access.putKey({
    digest,
    account,
    prefix: keyPrefix(text),
    createdAt: service.now(),
    endsAt: null,
    isComplete: false,
    version: 0,
    label: named,
  })
  await service.edge.write({ puts: edgeEntriesOf(owner, [{ ...begun, isComplete: true }], service.now()) })
  const key = await service.access.putKey({ ...begun, isComplete: true })
  // Another operator who changed the account meanwhile may not have seen the key.
  const current = await accountOf(service, account)
  if (current.version !== owner.version) await publishAccount(service, current)
  return { text, key }
}

/** The account of the pages' key. */
const SITE_ACCOUNT = 'pages'

/** Makes a key for the pages. Throws WrongTier: without the limits of the pages' tier one visitor could use it up. */
export async function createSiteKey(service: AccessService): Promise<NewKey> {
  const { id, name, tier } = await accountNamed(service, { name: SITE_ACCOUNT, tier: SITE_TIER })
  if (tier === SITE_TIER) return createKey(service, id, 'site')
  throw new OperatorFault(
    'WrongTier',
    `account ${name} has the tier ${tier}: account tier ${id} ${SITE_TIER}`,
  )
}

/** Replaces a key (its id or its text), which stays valid for `overlapSeconds` more. Throws UnknownKey, KeyEnded. */
export async function rotateKey(
  service: AccessService,
  given: string,
  { overlapSeconds, kind }: { readonly overlapSeconds: number; readonly kind: KeyKind },
): Promise<NewKey & { readonly before: AccessKey }> {
  const before = await keyById(service, given)
  if (!isValidAt(before, service.now()))
    throw new OperatorFault('KeyEnded', `key ${keyId(before)} has ended; make a new one with key create`)
  const made = await createKey(service, before.account, kind, before.label)
  const endsAt = service.now() + overlapSeconds
  const [subject, details] = [keyId(before), `for ${keyId(made.key)}`]
  await recordAction(service, { action: 'key rotate', subject, details })
  return { ...made, before: await endKey(service, before, Math.min(endsAt, before.endsAt ?? endsAt)) }
}

/** Ends a key now: the API refuses it within 30 seconds, the edge as soon as it knows. Throws UnknownKey. */
export async function revokeKey(service: AccessService, id: string): Promise<AccessKey> {
  const key = await keyById(service, id)
  await recordAction(service, { action: 'key revoke', subject: keyId(key) })
  const now = service.now()
  return endKey(service, key, Math.min(now, key.endsAt ?? now))
}

/** Writes a key's end to the table and the edge. */
export async function endKey(service: AccessService, key: AccessKey, endsAt: number): Promise<AccessKey> {
  const ended = await service.access.putKey({ ...key, endsAt })
  const entry = edgeKeys.key(key.digest)
  const current = await service.edge.read(entry)
  const puts = edgeEntriesOf(await accountOf(service, key.account), [ended], service.now())
  if (entry in puts) await service.edge.write({ puts })
  else if (current !== undefined) await service.edge.write({ deletes: [entry] })
  return ended
}

/** A key by its id or its text: of a leaked key only the text may be known. Throws UnknownKey. */
export async function keyById({ access }: AccessService, given: string): Promise<AccessKey> {
  const account = given.split('-')[0] ?? ''
  const key = isKey(given)
    ? await access.key(keyDigest(given))
    : (await access.keysOf(account)).find((each) => keyId(each) === given)
  if (!key)
    throw new OperatorFault(
      'UnknownKey',
      `there is no key ${isKey(given) ? keyPrefix(given) : given}; key list names those of an account`,
    )
  return key
}

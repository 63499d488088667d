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
  type Tier,
} from '../schemas/access.ts'
import { readEnv } from '../schemas/env.ts'
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
import { OperatorFault } from './terminal.ts'

/** All that a change of accounts and keys is written to, in this order: the table first, then the gateway, then the edge. */
export type AccessDesk = {
  readonly access: AccessStore
  readonly gateway: GatewayKeys
  readonly edge: EdgeStore
  readonly usage: Pick<Usage, 'hours'>
  /** Unix seconds. */
  readonly now: () => number
  /** Who is written down as having done it. */
  readonly actor: string
}

/** Opens all of it as the environment names it. Throws InvalidEnvError, UsagePlansError. */
export function openAccessDesk(
  environment: Readonly<Record<string, string | undefined>>,
  actor: string,
): AccessDesk {
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

/** Writes down what an operator is about to do: before it is done, so that what is cut half way is found here too. */
export const writeDown = (
  { access, now, actor }: AccessDesk,
  done: { readonly action: string; readonly subject: string; readonly details?: string },
): Promise<void> => {
  const at = new Date(now() * 1_000).toISOString().replace('.000Z', 'Z')
  return access.record({ at, actor, details: '', ...done })
}

/** The account of the pages' key. */
export const SITE_ACCOUNT = 'pages'

const ID_LETTERS = 10
/** The gateway takes 20 to 128 letters. */
const GATEWAY_KEY_LETTERS = 40

/** Makes an account without keys. Throws NameTaken. */
export async function createAccount(
  desk: AccessDesk,
  { name, tier }: Pick<Account, 'name' | 'tier'>,
): Promise<Account> {
  const [other] = await accountsNamed(desk, name)
  if (other) throw new OperatorFault('NameTaken', `account ${other.id} has the name ${name} already`)
  const id = randomLetters(ID_LETTERS).toLowerCase()
  await writeDown(desk, { action: 'account create', subject: id, details: `${tier} ${name}` })
  const account = await desk.access.putAccount({
    ...{ id, name, tier, state: 'active', isComplete: false, version: 0 },
    gatewayKey: randomLetters(GATEWAY_KEY_LETTERS),
    createdAt: desk.now(),
  })
  return completeAccount(desk, account)
}

/** Lets the gateway know an account, and says so in the table; again is harmless. */
export async function completeAccount(desk: AccessDesk, account: Account): Promise<Account> {
  await desk.gateway.put(account)
  return desk.access.putAccount({ ...account, isComplete: true })
}

/** The accounts of a name; an operator may not give it twice. */
const accountsNamed = async ({ access }: AccessDesk, name: string): Promise<readonly Account[]> =>
  (await allOf(access.accounts())).filter((account) => account.name === name)

/** The account of a name, made where there is none. */
export async function accountNamed(
  desk: AccessDesk,
  wanted: Pick<Account, 'name' | 'tier'>,
): Promise<Account> {
  const [account] = await accountsNamed(desk, wanted.name)
  return account ?? createAccount(desk, wanted)
}

/** An account by its id, or by a name that no other one has. Throws UnknownAccount, AmbiguousName. */
export async function accountOf(desk: AccessDesk, given: string): Promise<Account> {
  const account = await desk.access.account(given)
  if (account) return account
  const [named, ...others] = await accountsNamed(desk, given)
  if (!named)
    throw new OperatorFault('UnknownAccount', `there is no account ${given}; account list names all of them`)
  if (others.length === 0) return named
  const ids = [named, ...others].map(({ id }) => id).join(', ')
  throw new OperatorFault('AmbiguousName', `several accounts have the name ${given}: ${ids}`)
}

/** Suspends an account or lets it go on. Throws UnknownAccount. */
export async function setState(desk: AccessDesk, given: string, state: AccountState): Promise<Account> {
  const account = await accountOf(desk, given)
  await writeDown(desk, {
    action: state === 'active' ? 'account resume' : 'account suspend',
    subject: account.id,
  })
  return spread(desk, await desk.access.putAccount({ ...account, state }))
}

/** Moves an account to another tier. Throws UnknownAccount. */
export async function setTier(desk: AccessDesk, given: string, tier: Tier): Promise<Account> {
  const account = await accountOf(desk, given)
  await writeDown(desk, {
    action: 'account tier',
    subject: account.id,
    details: `${account.tier} to ${tier}`,
  })
  return spread(desk, await desk.access.putAccount({ ...account, tier }))
}

/** Tells the gateway and the edge what the table says of an account. */
async function spread(desk: AccessDesk, account: Account): Promise<Account> {
  await desk.gateway.put(account)
  const keys = await desk.access.keysOf(account.id)
  await desk.edge.write({ puts: edgeEntriesOf(account, keys, desk.now()) })
  return account
}

/** What the edge is to know of an account's keys: those that are valid. */
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

/** A key with its text, which exists here and nowhere else: it is to be shown once. */
export type NewKey = { readonly text: string; readonly key: AccessKey }

/** Makes a key of an account. Throws UnknownAccount. */
export async function createKey(desk: AccessDesk, given: string, kind: KeyKind): Promise<NewKey> {
  const owner = await accountOf(desk, given)
  const account = owner.id
  const text = newKey(kind)
  const digest = keyDigest(text)
  await writeDown(desk, { action: 'key create', subject: keyId({ account, digest }) })
  const begun = await desk.access.putKey({
    ...{ digest, account, prefix: keyPrefix(text), createdAt: desk.now() },
    ...{ endsAt: null, isComplete: false, version: 0 },
  })
  await desk.edge.write({ puts: edgeEntriesOf(owner, [{ ...begun, isComplete: true }], desk.now()) })
  return { text, key: await desk.access.putKey({ ...begun, isComplete: true }) }
}

/** Makes a new key in place of one, which stays valid for `overlapSeconds` more. Throws UnknownKey, KeyEnded. */
export async function rotateKey(
  desk: AccessDesk,
  id: string,
  { overlapSeconds, kind }: { readonly overlapSeconds: number; readonly kind: KeyKind },
): Promise<NewKey & { readonly before: AccessKey }> {
  const before = await keyById(desk, id)
  if (!isValidAt(before, desk.now()))
    throw new OperatorFault('KeyEnded', `key ${id} has ended; make a new one with key create`)
  const made = await createKey(desk, before.account, kind)
  const endsAt = desk.now() + overlapSeconds
  await writeDown(desk, { action: 'key rotate', subject: id, details: `for ${keyId(made.key)}` })
  return { ...made, before: await endKey(desk, before, Math.min(endsAt, before.endsAt ?? endsAt)) }
}

/** Ends a key now: the API refuses it within 30 seconds, the edge as soon as it knows. Throws UnknownKey. */
export async function revokeKey(desk: AccessDesk, id: string): Promise<AccessKey> {
  const key = await keyById(desk, id)
  await writeDown(desk, { action: 'key revoke', subject: keyId(key) })
  const now = desk.now()
  return endKey(desk, key, Math.min(now, key.endsAt ?? now))
}

/** Writes a key's end to the table and the edge. */
export async function endKey(desk: AccessDesk, key: AccessKey, endsAt: number): Promise<AccessKey> {
  const ended = await desk.access.putKey({ ...key, endsAt })
  const entry = edgeKeys.key(key.digest)
  const standing = await desk.edge.read(entry)
  const puts = edgeEntriesOf(await accountOf(desk, key.account), [ended], desk.now())
  if (entry in puts) await desk.edge.write({ puts })
  else if (standing !== undefined) await desk.edge.write({ deletes: [entry] })
  return ended
}

/** A key by its id, or by its text, which whoever found it somewhere has. Throws UnknownKey. */
export async function keyById({ access }: AccessDesk, given: string): Promise<AccessKey> {
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

import {
  type AccountState,
  type EndingTier,
  edgeKeys,
  randomLetters,
  type Tier,
} from '../schemas/api/access.ts'
import { type Account, isValidAt } from '../store/accounts/access.ts'
import { allOf } from '../store/aws/parallel.ts'
import { updateEdge } from './edge-entries.ts'
import { AccountFault } from './fault.ts'
import { endKey } from './keys.ts'
import { labelFrom } from './label.ts'
import { type AccessService, recordAction } from './service.ts'

const ID_LETTERS = 10

/** An id that no account has. */
export const newAccountId = (): string => randomLetters(ID_LETTERS).toLowerCase()

/** A name for an account that no other one has. Throws InvalidName, NameTaken. */
async function freeName(service: AccessService, given: string): Promise<string> {
  const name = labelFrom(given)
  const named = await accountsNamed(service, name)
  // Where a command takes an account, an id would win over a name.
  const other = named[0] ?? (await service.access.account(name))
  if (other) throw new AccountFault('NameTaken', `account ${other.id} has the name ${name} already`)
  return name
}

/** Makes an account without keys. Throws InvalidName, NameTaken. */
export async function createAccount(
  service: AccessService,
  { name, tier }: Pick<Account, 'name' | 'tier'>,
): Promise<Account> {
  return putNewAccount(service, { id: newAccountId(), name: await freeName(service, name), tier })
}

/** Puts an account that has not been stored before. Throws ChangedMeanwhileError if it has. */
export async function putNewAccount(
  service: AccessService,
  { id, name, tier }: Pick<Account, 'id' | 'name' | 'tier'>,
): Promise<Account> {
  await recordAction(service, { action: 'account create', account: id, details: `${tier} ${name}` })
  return service.access.putAccount({
    id,
    name,
    tier,
    tierEndsAt: null,
    paidAtMs: 0,
    state: 'active',
    version: 0,
    gatewayKey: await service.gateway.put({ id, tier }),
    createdAt: service.now(),
    signedOutAt: 0,
  })
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
    throw new AccountFault('UnknownAccount', `there is no account ${given}; account list names all of them`)
  if (others.length === 0) return named
  const ids = [named, ...others].map(({ id }) => id).join(', ')
  throw new AccountFault('AmbiguousName', `several accounts have the name ${given}: ${ids}`)
}

/** Suspends or resumes an account. Throws UnknownAccount. */
export async function setState(service: AccessService, given: string, state: AccountState): Promise<Account> {
  const account = await accountOf(service, given)
  const action = state === 'active' ? 'account resume' : 'account suspend'
  await recordAction(service, { action, account: account.id })
  return publishAccount(service, await service.access.putAccount({ ...account, state }))
}

/** Moves an account to another tier, for ever. Throws UnknownAccount. */
export const setTier = async (service: AccessService, given: string, tier: Tier): Promise<Account> =>
  changeTier(service, await accountOf(service, given), { tier, tierEndsAt: null })

/** Moves an account to a tier that may end; `paidAtMs` is the time of the payment provider's event, if it was one. */
export async function changeTier(
  service: AccessService,
  account: Account,
  to: EndingTier & Partial<Pick<Account, 'paidAtMs'>>,
): Promise<Account> {
  const { id, tier } = account
  await recordAction(service, { action: 'account tier', account: id, details: `${tier} to ${to.tier}` })
  const gatewayKey = await service.gateway.put({ id, tier: to.tier })
  return publishAccount(service, await service.access.putAccount({ ...account, ...to, gatewayKey }))
}

/** Ends every session of an account. Throws UnknownAccount. */
export async function signOutAll(service: AccessService, given: string): Promise<Account> {
  const account = await accountOf(service, given)
  await recordAction(service, { action: 'account sign-out', account: account.id })
  return service.access.putAccount({ ...account, signedOutAt: service.now() })
}

/** Writes an account's tier and state to the edge; idempotent. */
export async function publishAccount(service: AccessService, account: Account): Promise<Account> {
  const keys = await service.access.keysOf(account.id)
  const valid = keys.filter((key) => key.isComplete && isValidAt(key, service.now()))
  await updateEdge(service, { account: account.id, keys: valid })
  return account
}

/** Gives an account another name. Throws UnknownAccount, InvalidName, NameTaken. */
export async function renameAccount(service: AccessService, given: string, to: string): Promise<Account> {
  const account = await accountOf(service, given)
  if (account.name === to) return account
  const name = await freeName(service, to)
  const details = `${account.name} to ${name}`
  await recordAction(service, { action: 'account rename', account: account.id, details })
  return service.access.putAccount({ ...account, name })
}

/** Deletes a suspended account, as removeAccount. Throws UnknownAccount, AccountActive. */
export async function deleteAccount(service: AccessService, given: string): Promise<Account> {
  const account = await accountOf(service, given)
  const { id, state } = account
  if (state !== 'suspended')
    throw new AccountFault('AccountActive', `account ${id} is in use: account suspend ${id} comes first`)
  return removeAccount(service, account)
}

/**
 * Removes an account: ends its keys, and removes it from the edge and the table, in this order, so that an interrupted
 * removal can be repeated. Its counted hours and the audit log stay.
 */
export async function removeAccount(service: AccessService, account: Account): Promise<Account> {
  const { id, tier, name } = account
  await recordAction(service, { action: 'account delete', account: id, details: `${tier} ${name}` })
  await endKeysOf(service, id)
  const exhausted = edgeKeys.exhausted(id)
  if ((await service.edge.read(exhausted)) !== undefined) await service.edge.write({ deletes: [exhausted] })
  await service.access.removeAccount(account)
  // A key that was created meanwhile.
  await endKeysOf(service, id)
  return account
}

async function endKeysOf(service: AccessService, account: string): Promise<void> {
  for (const key of await service.access.keysOf(account))
    if (isValidAt(key, service.now())) await endKey(service, key, service.now())
}

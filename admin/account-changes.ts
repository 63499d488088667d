import { edgeKeys } from '../schemas/access.ts'
import { type AccessKey, type Account, isValidAt, keyId } from '../store/access.ts'
import { type AccessService, accountOf, endKey, freeName, keyById, recordAction } from './accounts.ts'
import { labelFrom } from './names.ts'
import { OperatorFault } from './terminal.ts'

/** Gives an account another name. Throws UnknownAccount, InvalidName, NameTaken. */
export async function renameAccount(service: AccessService, given: string, to: string): Promise<Account> {
  const account = await accountOf(service, given)
  if (account.name === to) return account
  const name = await freeName(service, to)
  const details = `${account.name} to ${name}`
  await recordAction(service, { action: 'account rename', subject: account.id, details })
  return service.access.putAccount({ ...account, name })
}

/**
 * Deletes a suspended account: ends its keys, and removes it from the edge, the gateway and the table, in this order, so
 * that an interrupted deletion can be repeated. Its counted hours and the audit log stay. Throws UnknownAccount,
 * AccountActive.
 */
export async function deleteAccount(service: AccessService, given: string): Promise<Account> {
  const account = await accountOf(service, given)
  const { id, state, tier, name } = account
  if (state !== 'suspended')
    throw new OperatorFault('AccountActive', `account ${id} is in use: account suspend ${id} comes first`)
  await recordAction(service, { action: 'account delete', subject: id, details: `${tier} ${name}` })
  for (const key of await service.access.keysOf(id))
    if (isValidAt(key, service.now())) await endKey(service, key, service.now())
  const exhausted = edgeKeys.exhausted(id)
  if ((await service.edge.read(exhausted)) !== undefined) await service.edge.write({ deletes: [exhausted] })
  for (const each of await service.gateway.list())
    if (each.account === id) await service.gateway.remove(each.keyId)
  await service.access.removeAccount(account)
  return account
}

/** Calls a key (its id or its text) something; empty: nothing. Throws UnknownKey, InvalidName. */
export async function labelKey(service: AccessService, given: string, label: string): Promise<AccessKey> {
  const key = await keyById(service, given)
  const to = label === '' ? '' : labelFrom(label)
  await recordAction(service, { action: 'key label', subject: keyId(key), details: to })
  return service.access.putKey({ ...key, label: to })
}

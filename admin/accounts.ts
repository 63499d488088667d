import { type AccountState, edgeKeys, edgeKeyText, randomLetters, type Tier } from '../schemas/access.ts'
import { type AccessKey, type Account, isValidAt } from '../store/access.ts'
import { type AccessDesk, writeDown } from './access-desk.ts'

/** There is no such account. */
export class UnknownAccountError extends Error {
  override readonly name = 'UnknownAccountError'
  constructor(id: string) {
    super(`there is no account ${id}; account list names all of them`)
  }
}

const ID_LETTERS = 10
/** The gateway takes 20 to 128 letters. */
const GATEWAY_KEY_LETTERS = 40

/** Makes an account without keys. */
export async function createAccount(
  desk: AccessDesk,
  { name, tier }: Pick<Account, 'name' | 'tier'>,
): Promise<Account> {
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

/** An account by its id. Throws UnknownAccountError. */
export async function accountOf({ access }: AccessDesk, id: string): Promise<Account> {
  const account = await access.account(id)
  if (!account) throw new UnknownAccountError(id)
  return account
}

/** Suspends an account or lets it go on. Throws UnknownAccountError. */
export async function setState(desk: AccessDesk, id: string, state: AccountState): Promise<Account> {
  const account = await accountOf(desk, id)
  await writeDown(desk, { action: state === 'active' ? 'account resume' : 'account suspend', subject: id })
  return spread(desk, await desk.access.putAccount({ ...account, state }))
}

/** Moves an account to another tier. Throws UnknownAccountError. */
export async function setTier(desk: AccessDesk, id: string, tier: Tier): Promise<Account> {
  const account = await accountOf(desk, id)
  await writeDown(desk, { action: 'account tier', subject: id, details: `${account.tier} to ${tier}` })
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

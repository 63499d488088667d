import { isKey, KEYS_MAX, type KeyKind, keyDigest, keyPrefix, newKey } from '../schemas/api/access.ts'
import { type AccessKey, type Account, isValidAt, keyId } from '../store/accounts/access.ts'
import { edgeEntriesOf, updateEdge } from './edge-entries.ts'
import { AccountFault } from './fault.ts'
import { labelFrom } from './label.ts'
import { type AccessService, IN_PROGRESS_SECONDS, recordAction } from './service.ts'

/** A new key and its text, which is stored nowhere: it is shown once. */
export type NewKey = { readonly text: string; readonly key: AccessKey }

/** What a key is made with. */
type KeyOptions = {
  readonly kind: KeyKind
  /** @default none */
  readonly label?: string
  /** The key that it replaces, which takes none of the account's places. */
  readonly replaced?: AccessKey
}

/** Makes a key of an account. Throws InvalidName for the label, TooManyKeys. */
export async function createKey(
  service: AccessService,
  owner: Account,
  options: KeyOptions,
): Promise<NewKey> {
  const { kind, label = '' } = options
  const named = label === '' ? '' : labelFrom(label)
  const account = owner.id
  // The pages' keys are the operator's.
  const isBounded = kind !== 'site'
  if (isBounded) await requirePlace(service, account, { ...options, most: KEYS_MAX - 1 })
  const text = newKey(kind)
  const digest = keyDigest(text)
  await recordAction(service, { action: 'key create', account, subject: keyId({ account, digest }) })
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
  try {
    // Of two that are made at the same time, the later one sees both.
    if (isBounded) await requirePlace(service, account, { ...options, most: KEYS_MAX })
  } catch (fault) {
    await service.access.putKey({ ...begun, endsAt: service.now() })
    throw fault
  }
  const written = edgeEntriesOf(owner, [{ ...begun, isComplete: true }], service.now())
  await service.edge.write({ puts: written })
  const key = await service.access.putKey({ ...begun, isComplete: true })
  // Whoever changed the account meanwhile may not have seen the key.
  if (!(await service.access.account(account))) {
    await endKey(service, key, service.now())
    throw new AccountFault('UnknownAccount', `account ${account} has been deleted meanwhile`)
  }
  await updateEdge(service, { account, keys: [key], written })
  return { text, key }
}

/** Whether a key takes a place: an interrupted creation does not, and waits for reconcile. */
const takesPlace = (key: AccessKey, now: number): boolean =>
  isValidAt(key, now) && (key.isComplete || key.createdAt > now - IN_PROGRESS_SECONDS)

/** Throws TooManyKeys if the account has more than `most` keys without an end. */
async function requirePlace(
  { access, now }: AccessService,
  account: string,
  { replaced, most }: Pick<KeyOptions, 'replaced'> & { readonly most: number },
): Promise<void> {
  const lasting = (await access.keysOf(account)).filter(
    (key) => takesPlace(key, now()) && key.endsAt === null && key.digest !== replaced?.digest,
  )
  if (lasting.length > most)
    throw new AccountFault(
      'TooManyKeys',
      `an account has at most ${KEYS_MAX} keys: revoke one that is not in use`,
    )
}

/** Replaces a key, which stays valid for `overlapSeconds` more. Throws KeyEnded, TooManyKeys. */
export async function rotateKey(
  service: AccessService,
  before: AccessKey,
  { overlapSeconds, kind }: { readonly overlapSeconds: number; readonly kind: KeyKind },
): Promise<NewKey & { readonly before: AccessKey }> {
  const { access, now } = service
  const owner = await access.account(before.account)
  if (!owner || !isValidAt(before, now()))
    throw new AccountFault('KeyEnded', `key ${keyId(before)} has ended; make a new one instead`)
  const ending = (await access.keysOf(owner.id)).filter(
    (key) => takesPlace(key, now()) && key.endsAt !== null,
  )
  if (ending.length >= KEYS_MAX && overlapSeconds > 0)
    throw new AccountFault(
      'TooManyKeys',
      `${KEYS_MAX} keys are being replaced already: revoke one of them, or let this one end at once`,
    )
  const made = await createKey(service, owner, { kind, label: before.label, replaced: before })
  const endsAt = now() + overlapSeconds
  const [subject, details] = [keyId(before), `for ${keyId(made.key)}`]
  await recordAction(service, { action: 'key rotate', account: owner.id, subject, details })
  try {
    return { ...made, before: await endKey(service, before, Math.min(endsAt, before.endsAt ?? endsAt)) }
  } catch (error) {
    // Another tab was faster: of two replacements one is enough.
    await endKey(service, made.key, now())
    throw error
  }
}

/** Ends a key now: the API refuses it within 30 seconds, the edge as soon as it knows. */
export async function revokeKey(service: AccessService, key: AccessKey): Promise<AccessKey> {
  const now = service.now()
  // A repetition completes what was interrupted, and is no change of its own.
  if (isValidAt(key, now))
    await recordAction(service, { action: 'key revoke', account: key.account, subject: keyId(key) })
  return endKey(service, key, Math.min(now, key.endsAt ?? now))
}

/** Writes a key's end to the table and the edge. */
export async function endKey(service: AccessService, key: AccessKey, endsAt: number): Promise<AccessKey> {
  const ended = await service.access.putKey({ ...key, endsAt })
  await updateEdge(service, { account: key.account, keys: [key] })
  return ended
}

/** Calls a key something; empty: nothing. Throws InvalidName. */
export async function labelKey(service: AccessService, key: AccessKey, label: string): Promise<AccessKey> {
  const to = label === '' ? '' : labelFrom(label)
  await recordAction(service, { action: 'key label', account: key.account, subject: keyId(key), details: to })
  return service.access.putKey({ ...key, label: to })
}

/** A key by its id or its text: of a leaked key only the text may be known. Throws UnknownKey. */
export async function keyById({ access }: AccessService, given: string): Promise<AccessKey> {
  const account = given.split('-')[0] ?? ''
  const key = isKey(given)
    ? await access.key(keyDigest(given))
    : (await access.keysOf(account)).find((each) => keyId(each) === given)
  if (!key)
    throw new AccountFault(
      'UnknownKey',
      `there is no key ${isKey(given) ? keyPrefix(given) : given}; key list names those of an account`,
    )
  return key
}

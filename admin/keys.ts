import { edgeKeys, isKey, type KeyKind, keyDigest, keyPrefix, newKey } from '../schemas/access.ts'
import { type AccessKey, isValidAt, keyId } from '../store/access.ts'
import { type AccessDesk, accountOf, edgeEntriesOf, writeDown } from './accounts.ts'
import { AdminFault } from './command.ts'

/** There is no such key. */
export const unknownKey = (id: string) =>
  new AdminFault('UnknownKey', `there is no key ${id}; key list names those of an account`)

/** The key is not valid any more, so that there is nothing to rotate. */
export const keyEnded = (id: string) =>
  new AdminFault('KeyEnded', `key ${id} has ended; make a new one with key create`)

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
  if (!isValidAt(before, desk.now())) throw keyEnded(id)
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
  if (!key) throw unknownKey(isKey(given) ? keyPrefix(given) : given)
  return key
}

import { isDeepStrictEqual } from 'node:util'
import { edgeKeys, edgeKeyText } from '../schemas/api/access.ts'
import { type AccessKey, type Account, isValidAt } from '../store/accounts/access.ts'
import type { AccessService } from './service.ts'

/** The edge's entries of an account's valid keys. */
export const edgeEntriesOf = (
  { id, tier, tierEndsAt, state }: Account,
  keys: readonly AccessKey[],
  now: number,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    keys
      .filter((key) => key.isComplete && isValidAt(key, now))
      .map(({ digest, endsAt }) => [
        edgeKeys.key(digest),
        edgeKeyText({ account: id, tier, state, endsAt, tierEndsAt }),
      ]),
  )

type EdgeUpdate = {
  readonly account: string
  readonly keys: readonly Pick<AccessKey, 'digest'>[]
  /** What has just been written to the edge for them. @default nothing */
  readonly written?: Readonly<Record<string, string>>
}

/**
 * Brings the edge's entries of keys of an account in line with the table, and again if either changed meanwhile: of two
 * changes at the same time, the one that is done last leaves what both have made.
 */
export async function updateEdge(
  { access, edge, now }: AccessService,
  { account, keys, written }: EdgeUpdate,
): Promise<void> {
  for (let before = written; ; ) {
    const owner = await access.account(account)
    const current = await Promise.all(keys.map(({ digest }) => access.key(digest)))
    const known = current.filter((key) => key !== undefined)
    const puts = owner ? edgeEntriesOf(owner, known, now()) : {}
    if (before && isDeepStrictEqual(puts, before)) return
    const deletes: string[] = []
    for (const { digest } of keys) {
      const entry = edgeKeys.key(digest)
      if (!(entry in puts) && (await edge.read(entry)) !== undefined) deletes.push(entry)
    }
    await edge.write({ puts, deletes })
    before = puts
  }
}

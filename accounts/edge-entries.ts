import { edgeKeys, edgeKeyText } from '../schemas/access.ts'
import { type AccessKey, type Account, isValidAt } from '../store/access.ts'

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

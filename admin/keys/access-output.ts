import { userInfo } from 'node:os'
import { keyById } from '../../accounts/keys.ts'
import { type AccessService, openAccessService } from '../../accounts/service.ts'
import { tierAt } from '../../schemas/api/access.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { type AccessKey, type Account, isValidAt, keyId } from '../../store/accounts/access.ts'
import { type CommandCall, type ExitCode, sayRows } from '../base/command.ts'

/** Opens the stores of accounts and keys; the audit log names the user of this machine. */
export const accessServiceOf = async ({ deployment }: CommandCall<unknown>): Promise<AccessService> =>
  openAccessService((await deployment()).env, userInfo().username)

/** The key that a command's first argument names: its id or its text. Throws UnknownKey. */
export const keyFrom = ({ args }: CommandCall<unknown>, service: AccessService): Promise<AccessKey> =>
  keyById(service, String(args[0]))

/** An account without its gateway key, which is never shown. */
export function shown(account: Account) {
  const { id, name, state, createdAt, tierEndsAt } = account
  return {
    id,
    name,
    tier: tierAt(account, Date.now() / 1_000),
    state,
    created_at: isoTime(createdAt),
    ...(tierEndsAt === null ? {} : { tier_ends_at: isoTime(tierEndsAt) }),
  }
}

/** Columns of accounts. */
export const headings = ['id', 'name', 'tier', 'state', 'created_at'] as const

/** Prints an account. */
export const sayAccount = (call: CommandCall<unknown>, account: Account): ExitCode =>
  sayRows(call, headings, [shown(account)], shown(account))

/** A key as an operator sees it. */
export const shownKey = (key: AccessKey) => ({
  id: keyId(key),
  prefix: `${key.prefix}…`,
  label: key.label,
  created_at: isoTime(key.createdAt),
  ends_at: key.endsAt === null ? null : isoTime(key.endsAt),
})

/** Whether a key is valid, and until when. */
export function stateOf(key: AccessKey): string {
  if (!key.isComplete) return 'incomplete'
  if (key.endsAt === null) return 'valid'
  return isValidAt(key, Date.now() / 1_000) ? `valid until ${isoTime(key.endsAt)}` : 'ended'
}

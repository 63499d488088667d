import { randomLetters } from '../schemas/api/access.ts'
import { accountLimits } from '../schemas/api/account.ts'
import type { Account } from '../store/accounts/access.ts'
import { type AccessService, recordAction } from './service.ts'

/** 190 random bits. */
const CODE_LETTERS = 32

/** Makes a code that signs in to an account once; its text is stored nowhere. `endsAt` is in Unix seconds. */
export async function createCode(
  service: AccessService,
  { id }: Account,
): Promise<{ readonly text: string; readonly endsAt: number }> {
  const text = randomLetters(CODE_LETTERS)
  const createdAt = service.now()
  const endsAt = createdAt + accountLimits.codeSeconds
  await recordAction(service, { action: 'account code', account: id })
  await service.signIns.putTicket('code', text, { account: id, actor: 'code', createdAt, endsAt })
  return { text, endsAt }
}

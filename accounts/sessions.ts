import { randomLetters } from '../schemas/api/access.ts'
import { accountLimits } from '../schemas/api/account.ts'
import type { Account } from '../store/accounts/access.ts'
import type { Ticket } from '../store/accounts/sign-ins.ts'
import { RefusedError } from './refusal.ts'
import { type AccessService, recordAction } from './service.ts'

/** 190 random bits. */
const SESSION_LETTERS = 32

/** A session, and its account as it is now. */
export type Session = { readonly ticket: Ticket; readonly account: Account }

/** Begins a session of an account for who has proven to be `actor`; returns its text, which is stored only as its sha256. */
export async function beginSession(service: AccessService, { id }: Account, actor: string): Promise<string> {
  const text = randomLetters(SESSION_LETTERS)
  const createdAt = service.now()
  const endsAt = createdAt + accountLimits.sessionSeconds
  await recordAction({ ...service, actor }, { action: 'sign in', account: id })
  await service.signIns.putTicket('session', text, { account: id, actor, createdAt, endsAt })
  return text
}

/** The session of a text. Throws RefusedError: NOT_SIGNED_IN. */
export async function sessionOf(service: AccessService, text: string): Promise<Session> {
  const ticket = text === '' ? undefined : await service.signIns.ticket('session', text)
  if (!ticket || service.now() >= ticket.endsAt) throw new RefusedError('NOT_SIGNED_IN')
  const account = await service.access.account(ticket.account)
  if (!account || ticket.createdAt <= account.signedOutAt) throw new RefusedError('NOT_SIGNED_IN')
  return { ticket, account }
}

/** Begins a session with a code of the operator, which is used up. Throws RefusedError: CODE_ENDED. */
export async function signInByCode(service: AccessService, code: string): Promise<string> {
  const ticket = await service.signIns.useTicket('code', code)
  if (!ticket || service.now() >= ticket.endsAt) throw new RefusedError('CODE_ENDED')
  const account = await service.access.account(ticket.account)
  if (!account) throw new RefusedError('CODE_ENDED')
  return beginSession(service, account, ticket.actor)
}

/** Requests of the account page. The browser adds the session's cookie, which no script can read. */

import { ACCOUNT_API, type Visitor } from '../../../schemas/api/account.ts'
import { silenceText } from '../base/freshness.ts'
import { TIMEOUT_SECONDS } from '../base/key.ts'
import { abortAfter } from '../base/timeout.ts'
import { timedOutText } from './timed-out.ts'

/** A refusal, with words for the visitor. */
export class AccountRefusedError extends Error {
  override readonly name = 'AccountRefusedError'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

type Refusal = { readonly error?: { readonly code: string; readonly message: string } }

/** Asks an operation below /account/api/. Throws AccountRefusedError, and what fetch throws. */
export async function askAccount<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(ACCOUNT_API + path, {
    method,
    signal: abortAfter(TIMEOUT_SECONDS),
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  const answer = (await response.json()) as T & Refusal
  if (response.ok) return answer
  const { code, message } = answer.error ?? { code: '', message: 'The service is not responding.' }
  throw new AccountRefusedError(code, message)
}

/** The browser has not kept the session's cookie, so that nobody is signed in. Throws AccountRefusedError. */
export async function assertSignedIn(): Promise<void> {
  const { is_signed_in: isSignedIn } = await askAccount<Visitor>('GET', 'session')
  if (isSignedIn) return
  const help = 'Allow cookies for this site (not in a private window), then sign in again.'
  throw new AccountRefusedError('', `Your browser did not keep the cookie that signs you in. ${help}`)
}

/** What went wrong, in words: a refusal's own, a wallet's, or that nobody answers. */
export function accountFault(error: unknown): string {
  if (error instanceof AccountRefusedError) return error.message
  // EIP-1193: the visitor said no.
  if (isWalletError(error) && error.code === 4_001) return 'You did not sign the message.'
  if (isWalletError(error)) return `Your wallet answered: ${error.message}`
  return timedOutText(error) ?? silenceText()
}

const isWalletError = (error: unknown): error is { readonly code: number; readonly message: string } =>
  typeof error === 'object' &&
  error !== null &&
  typeof (error as { code?: unknown }).code === 'number' &&
  !(error instanceof DOMException)

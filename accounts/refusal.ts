import { type AccountRefusal, accountRefusals } from '../schemas/api/account.ts'

/** A request of the account page that is refused; its code has a status and words in schemas/api/account.ts. */
export class RefusedError extends Error {
  readonly code: AccountRefusal
  readonly details: Readonly<Record<string, string | number>>

  constructor(
    code: AccountRefusal,
    details: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions,
  ) {
    super(accountRefusals[code].message, options)
    this.name = 'RefusedError'
    this.code = code
    this.details = details
  }
}

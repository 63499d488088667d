import type { AccessService } from '../../accounts/service.ts'
import type { Session } from '../../accounts/sessions.ts'
import type { SignatureCheck } from '../../accounts/signature.ts'
import type { AccountChain, NewAccounts, PageScheme } from '../../schemas/api/account.ts'
import type { Answer } from './answers.ts'
import type { Body } from './body.ts'
import type { ChangeKind } from './count-change.ts'

/** What the account page's operations work with. */
export type AccountApiOptions = {
  /** Its actor and network are replaced by the visitor's. */
  readonly service: AccessService
  readonly chain: AccountChain
  /** `https`, or `http` on one machine. */
  readonly scheme: PageScheme
  readonly newAccounts: NewAccounts
  readonly isSigned: SignatureCheck
  /** `whsec_…`; null: there are no webhooks. */
  readonly webhookSecret: string | null
  readonly onDefect: (requestId: string, error: unknown) => void
  readonly onSignIn: (isNew: boolean) => void
}

/** A request of a visitor, who may be signed in. */
export type Visit = {
  readonly options: AccountApiOptions
  readonly service: AccessService
  /** Of the page: `https://host`. */
  readonly origin: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The values of the route's `{…}`, in their order. */
  readonly bound: readonly string[]
  /** The body as sent, and as an object; empty where there is none. */
  readonly text: string
  readonly body: Body
  /** The text of the session's cookie; empty without one. */
  readonly token: string
}

/** A request with a session; the service acts as its owner. */
export type OwnVisit = Visit & { readonly session: Session }

/**
 * An operation. `nothing`: anybody may ask; `page`: the page itself; `session`: the page, signed in; the others: likewise, of
 * an account that is not suspended, and counted.
 */
export type AccountRoute = { readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; readonly path: string } & (
  | { readonly needs: 'nothing' | 'page'; readonly run: (visit: Visit) => Promise<Answer> }
  | { readonly needs: 'session' | ChangeKind; readonly run: (visit: OwnVisit) => Promise<Answer> }
)

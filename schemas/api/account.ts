/** What crosses the boundary of the account page: its limits, its operations' addresses, and the words of every refusal. */

/** The page's address, and where its operations begin. Neither is part of /v1. */
export const ACCOUNT_PAGE = '/account'
export const ACCOUNT_API = '/account/api/'

/** The gateway's resource of these operations. */
export const ACCOUNT_RESOURCE = `${ACCOUNT_API}{proxy+}`

/**
 * The session's cookie by the scheme of the page. The prefix makes browsers refuse one that another host, or plain http, has set
 * (RFC 6265bis §4.1.3.2). On one machine, over plain http, Safari would refuse it from the service itself.
 */
export const sessionCookies = {
  https: { name: '__Host-z100', attributes: 'Path=/; HttpOnly; Secure; SameSite=Strict' },
  http: { name: 'z100', attributes: 'Path=/; HttpOnly; SameSite=Strict' },
} as const
export type PageScheme = keyof typeof sessionCookies

/** New accounts in a UTC day: from one network (/24, /48), and in all. A setting of the stage. */
export type NewAccounts = { readonly ofNetwork: number; readonly inAll: number }

/** How much one account may do, and for how long. */
export const accountLimits = {
  /** A signed message must come back within this time. */
  nonceSeconds: 300,
  sessionSeconds: 12 * 3_600,
  /** Signatures that only the chain can judge, in a minute: each asks the operator's own endpoints. */
  chainChecksAMinute: { ofNetwork: 5, inAll: 60 },
  codeSeconds: 7 * 86_400,
  /** Changes of keys in a UTC day, by one account and from one network: each writes to the edge, which has a price. */
  changes: 50,
  changesOfNetwork: 500,
  /**
   * Keys that are made in a UTC day by all accounts that are not paid for: by those younger than a day, and, beyond the reach
   * of whoever makes many of these, by older ones and in place of another key.
   */
  keysOfNewInAll: 2_000,
  keysOfOlderInAll: 5_500,
  /** The longest time for which a replaced key may stay valid, and what the page proposes. */
  overlapSeconds: 30 * 86_400,
  overlapDefaultSeconds: 7 * 86_400,
} as const

/** Status and words by code, for refusals that the API of market data does not have. */
export const accountRefusals = {
  NOT_SIGNED_IN: { status: 401, message: 'You are not signed in, or your session has ended.' },
  CHALLENGE_ENDED: {
    status: 401,
    message: 'This sign-in has been used, or is older than five minutes. Start again.',
  },
  MESSAGE_ALTERED: {
    status: 401,
    message: 'The signed message is not the one that this page asked your wallet to sign.',
  },
  WRONG_SIGNATURE: { status: 401, message: 'The signature is not by this wallet.' },
  TOO_MANY_CHECKS: {
    status: 429,
    message: 'Too many contract wallets are signing in at the moment. Try again in a minute.',
  },
  CODE_ENDED: {
    status: 401,
    message: 'This code is unknown, has been used, or has ended. Ask the operator for another one.',
  },
  NOT_FROM_THIS_PAGE: { status: 403, message: 'Changes are made from the account page alone.' },
  ACCOUNT_SUSPENDED: {
    status: 403,
    message: 'This account is suspended: its keys are refused and nothing can be changed. Ask the operator.',
  },
  TOO_MANY_HERE: {
    status: 429,
    message: 'Too many accounts were made from your network today. Try again tomorrow, or ask the operator.',
  },
  TOO_MANY_ACCOUNTS: {
    status: 429,
    message: 'No more accounts can be made today. Try again tomorrow, or ask the operator.',
  },
  TOO_MANY_CHANGES: {
    status: 429,
    message: 'This account has changed its keys very often today. Try again tomorrow.',
  },
  TOO_MANY_CHANGES_HERE: {
    status: 429,
    message: 'Too many keys were changed from your network today. Try again tomorrow, or ask the operator.',
  },
  TOO_MANY_NEW_KEYS: {
    status: 429,
    message: 'No more keys can be made today. Try again tomorrow, or ask the operator.',
  },
  TOO_MANY_KEYS: { status: 409, message: 'This account has no room for another key.' },
  UNKNOWN_ACCOUNT: { status: 404, message: 'This account does not exist any more.' },
  UNKNOWN_KEY: { status: 404, message: 'This account has no such key.' },
  KEY_ENDED: { status: 409, message: 'This key has ended; make a new one.' },
  CHANGED_MEANWHILE: {
    status: 409,
    message: 'The account was changed elsewhere at the same moment. Look at it and try again.',
  },
  INVALID_LABEL: { status: 400, message: 'A label has at most 64 visible characters.' },
  TOO_LARGE: { status: 413, message: 'The request is too large.' },
  WRONG_WEBHOOK: { status: 401, message: 'The webhook is not signed with the secret of this service.' },
  CHAIN_UNREACHABLE: {
    status: 503,
    message: 'The chain could not be asked whether your wallet signed this. Try again in a minute.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type AccountRefusal = keyof typeof accountRefusals

/** A key as its owner sees it. Times are ISO 8601; `last_used_at` is the beginning of an hour. */
export type OwnKey = {
  readonly id: string
  readonly prefix: string
  readonly label: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly ends_at: string | null
  readonly state: 'valid' | 'ending' | 'ended'
}

/** A change as the account's owner sees it. */
export type OwnChange = {
  readonly at: string
  readonly by: string
  readonly network: string
  readonly action: string
  readonly subject: string
}

/** GET /account/api/account. */
export type OwnAccount = {
  readonly id: string
  /** The wallet's address, or the name that the operator gave. */
  readonly name: string
  readonly signed_in_by: string
  readonly session_ends_at: string
  readonly tier: string
  /** When the tier ends, or has ended; null: never. */
  readonly tier_ends_at: string | null
  /** The tier that has ended; null: none. */
  readonly ended_tier: string | null
  readonly state: 'active' | 'suspended'
  readonly limit: number
  readonly used: number
  readonly reset_at: string
  /** Answers by UTC hour of seven days, without empty hours, oldest first. */
  readonly hours: readonly { readonly hour: string; readonly used: number }[]
  readonly keys: readonly OwnKey[]
  readonly keys_max: number
  readonly changes: readonly OwnChange[]
}

/** POST /account/api/keys, and of one that replaces another: the only answer with a key's text. */
export type NewOwnKey = { readonly key: string; readonly id: string }

/** POST /account/api/challenge: what the wallet is asked to sign (EIP-4361). */
export type Challenge = { readonly message: string }

/** The chain that wallets sign in by. */
export type AccountChain = { readonly name: string; readonly chain_id: number }

/** GET /account/api/session. */
export type Visitor = { readonly chain: AccountChain; readonly is_signed_in: boolean }

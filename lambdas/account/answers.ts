import type { APIGatewayProxyResult } from 'aws-lambda'
import { RefusedError } from '../../accounts/refusal.ts'
import {
  type AccountRefusal,
  accountLimits,
  accountRefusals,
  type PageScheme,
  sessionCookies,
} from '../../schemas/api/account.ts'
import { ApiError, errorBody } from '../../schemas/api/errors.ts'

/** An answer: its JSON, and a cookie if it sets one. */
export type Answer = { readonly json: object; readonly status?: number; readonly cookie?: string }

/** The cookie of a session; an empty text ends it. */
export function sessionCookie(scheme: PageScheme, text: string): string {
  const { name, attributes } = sessionCookies[scheme]
  return `${name}=${text}; Max-Age=${text === '' ? 0 : accountLimits.sessionSeconds}; ${attributes}`
}

/** The session in a request's cookies; empty: none, or several. */
export function sessionIn(scheme: PageScheme, { cookie = '' }: Readonly<Record<string, string>>): string {
  const all = cookie.split(/[;,]/).map((pair) => pair.trim().split('='))
  const [own, ...others] = all.filter(([name]) => name === sessionCookies[scheme].name)
  return others.length === 0 ? (own?.[1] ?? '') : ''
}

/** Answers are of one visitor: nobody keeps them, and no other page may read them. */
const headersOf = (id: string): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': id,
})

export const accountResponse = (
  id: string,
  { json, status = 200, cookie }: Answer,
): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { ...headersOf(id), ...(cookie === undefined ? {} : { 'Set-Cookie': cookie }) },
  body: JSON.stringify(json),
})

/** Refusals by the names of faults below. */
const codes: Readonly<Record<string, AccountRefusal>> = {
  InvalidName: 'INVALID_LABEL',
  TooManyKeys: 'TOO_MANY_KEYS',
  KeyEnded: 'KEY_ENDED',
  UnknownKey: 'UNKNOWN_KEY',
  UnknownAccount: 'UNKNOWN_ACCOUNT',
  ChangedMeanwhileError: 'CHANGED_MEANWHILE',
}

/** The answer to whatever was thrown, in the one shape of errors. What has no words is a 500 and handed on. */
export function accountRefusal(
  id: string,
  error: unknown,
  onDefect: (error: unknown) => void,
): APIGatewayProxyResult {
  const name = error instanceof Error ? error.name : ''
  const code = error instanceof RefusedError ? error.code : codes[name]
  if (code !== undefined) {
    const { status, message } = accountRefusals[code]
    const details = error instanceof RefusedError ? error.details : {}
    const body = { error: { code, message, details, request_id: id } }
    return { statusCode: status, headers: headersOf(id), body: JSON.stringify(body) }
  }
  if (!(error instanceof ApiError)) onDefect(error)
  return {
    statusCode: error instanceof ApiError ? error.status : 500,
    headers: headersOf(id),
    body: JSON.stringify(errorBody(error, id)),
  }
}

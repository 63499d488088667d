import { removeAccount } from '../../accounts/accounts.ts'
import { AccountFault } from '../../accounts/fault.ts'
import { createKey, labelKey, revokeKey, rotateKey } from '../../accounts/keys.ts'
import { applySubscription, requireSigned } from '../../accounts/payments.ts'
import { RefusedError } from '../../accounts/refusal.ts'
import { sessionOf, signInByCode } from '../../accounts/sessions.ts'
import { askWallet, signerOf, signInByWallet } from '../../accounts/wallets.ts'
import type { Address } from '../../market/segment.ts'
import { keyKindOf } from '../../schemas/api/access.ts'
import { accountLimits } from '../../schemas/api/account.ts'
import { RouteNotFoundError } from '../../schemas/api/errors.ts'
import { type AccessKey, isValidAt, keyId } from '../../store/accounts/access.ts'
import { type Answer, sessionCookie } from './answers.ts'
import { type Body, fieldCount, fieldText } from './body.ts'
import { countChange } from './count-change.ts'
import { ownAccount } from './own-account.ts'
import { subscriptionIn } from './subscription-event.ts'
import type { AccountRoute, OwnVisit, Visit } from './visit.ts'

const wallet = { form: /^0x[0-9a-f]{40}$/i, allowed: 'an address: 0x and 40 hex digits' }
// Empty is one, too: a Safe whose owners signed on chain takes it.
const signed = { form: /^0x(?:[0-9a-f]{2})*$/i, allowed: 'a signature in hex' }
const anything = { form: /^[\s\S]*$/, allowed: 'a text' }

/** Every operation of the account page. */
export const accountRoutes: readonly AccountRoute[] = [
  { method: 'GET', path: 'session', needs: 'nothing', run: visitor },
  { method: 'POST', path: 'challenge', needs: 'page', run: challenge },
  { method: 'POST', path: 'session', needs: 'page', run: signIn },
  { method: 'POST', path: 'code', needs: 'page', run: enterCode },
  { method: 'DELETE', path: 'session', needs: 'page', run: signOut },
  {
    method: 'GET',
    path: 'account',
    needs: 'session',
    run: async ({ service, session }) => ({ json: await ownAccount(service, session) }),
  },
  { method: 'DELETE', path: 'account', needs: 'change', run: deleteOwn },
  { method: 'POST', path: 'keys', needs: 'key', run: addKey },
  { method: 'PATCH', path: 'keys/{id}', needs: 'change', run: renameKey },
  { method: 'DELETE', path: 'keys/{id}', needs: 'session', run: endOwnKey },
  { method: 'POST', path: 'keys/{id}/replacement', needs: 'replacement', run: replaceKey },
  { method: 'POST', path: 'webhook', needs: 'nothing', run: takeWebhook },
]

async function visitor({ service, token, options }: Visit): Promise<Answer> {
  const session = await sessionOf(service, token).catch(orNull)
  return { json: { chain: options.chain, is_signed_in: session !== null } }
}

function orNull(error: unknown): null {
  if (error instanceof RefusedError) return null
  throw error
}

async function challenge(visit: Visit): Promise<Answer> {
  const { service, body } = visit
  const address = fieldText(body, 'address', wallet).toLowerCase() as Address
  return { json: { message: await askWallet(service, address, placeOf(visit)) } }
}

const placeOf = ({ origin, options }: Visit) => ({ origin, chainId: options.chain.chain_id })

async function signIn(visit: Visit): Promise<Answer> {
  const { service, body, options } = visit
  const sent = {
    message: fieldText(body, 'message', anything),
    signature: fieldText(body, 'signature', signed) as `0x${string}`,
  }
  const address = await signerOf(service, sent, { ...placeOf(visit), isSigned: options.isSigned })
  const { text, isNew } = await signInByWallet(service, address, options.newAccounts)
  return signedIn(visit, text, isNew)
}

async function enterCode(visit: Visit): Promise<Answer> {
  const code = fieldText(visit.body, 'code', anything).trim()
  return signedIn(visit, await signInByCode(visit.service, code), false)
}

/** The session that a browser had before ends: what was known of it is worth nothing. */
async function signedIn({ service, token, options }: Visit, text: string, isNew: boolean): Promise<Answer> {
  if (token !== '') await service.signIns.useTicket('session', token)
  options.onSignIn(isNew)
  return { json: { is_new: isNew }, cookie: sessionCookie(options.scheme, text) }
}

async function signOut({ service, token, options }: Visit): Promise<Answer> {
  if (token !== '') await service.signIns.useTicket('session', token)
  return { json: {}, cookie: sessionCookie(options.scheme, '') }
}

async function deleteOwn({ service, session, token, options }: OwnVisit): Promise<Answer> {
  await removeAccount(service, session.account)
  await service.signIns.useTicket('session', token)
  return { json: {}, cookie: sessionCookie(options.scheme, '') }
}

/** The label of a body; absent: none. */
const labelIn = (body: Body): string =>
  body['label'] === undefined ? '' : fieldText(body, 'label', anything)

async function addKey({ service, session, body, options }: OwnVisit): Promise<Answer> {
  const made = { kind: keyKindOf(options.chain.name), label: labelIn(body) }
  const { text, key } = await createKey(service, session.account, made)
  return { status: 201, json: { key: text, id: keyId(key) } }
}

/** The key that a path names. Throws UnknownKey also for one of another account. */
async function ownKey({ service, session, bound }: OwnVisit): Promise<AccessKey> {
  const keys = await service.access.keysOf(session.account.id)
  const key = keys.find((each) => keyId(each) === bound[0])
  if (!key?.isComplete) throw new AccountFault('UnknownKey', 'the account has no such key')
  return key
}

async function renameKey(visit: OwnVisit): Promise<Answer> {
  const { label } = await labelKey(visit.service, await ownKey(visit), labelIn(visit.body))
  return { json: { label } }
}

/** Each key ends once, even when all changes of the day are used up; a repetition asks the edge again, and is counted. */
async function endOwnKey(visit: OwnVisit): Promise<Answer> {
  const key = await ownKey(visit)
  const { service, session } = visit
  if (!isValidAt(key, service.now())) await countChange(service, session, 'change')
  await revokeKey(service, key)
  return { json: {} }
}

async function replaceKey(visit: OwnVisit): Promise<Answer> {
  const { service, body, options } = visit
  const { overlapSeconds: most, overlapDefaultSeconds: fallback } = accountLimits
  const overlapSeconds = fieldCount(body, 'overlap_seconds', { most, fallback })
  const kind = keyKindOf(options.chain.name)
  const { text, key } = await rotateKey(service, await ownKey(visit), { overlapSeconds, kind })
  return { status: 201, json: { key: text, id: keyId(key) } }
}

/** Without a secret there are no webhooks. */
async function takeWebhook({ service, headers, text, body, options }: Visit): Promise<Answer> {
  if (options.webhookSecret === null) throw new RouteNotFoundError('webhook')
  requireSigned({ headers, body: text }, options.webhookSecret)
  const event = subscriptionIn(body)
  const isApplied = event !== null && (await applySubscription({ ...service, actor: 'payments' }, event))
  return { json: { applied: isApplied } }
}

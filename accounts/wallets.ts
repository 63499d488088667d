import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import type { Address } from '../market/segment.ts'
import { FIRST_TIER, randomLetters } from '../schemas/api/access.ts'
import { ACCOUNT_PAGE, accountLimits, type NewAccounts } from '../schemas/api/account.ts'
import { printedAddress } from '../schemas/values/address.ts'
import type { Account } from '../store/accounts/access.ts'
import { newAccountId, putNewAccount } from './accounts.ts'
import { takeOfDay } from './day-bounds.ts'
import { RefusedError } from './refusal.ts'
import type { AccessService } from './service.ts'
import { beginSession } from './sessions.ts'
import type { SignatureCheck } from './signature.ts'

/** Where a wallet signs in: the page's origin (`https://host`), and the chain of the deployment. */
export type SignInPlace = { readonly origin: string; readonly chainId: number }

/** At least 8 letters (EIP-4361); these have 190 random bits. */
const NONCE_LETTERS = 32

const STATEMENT = 'Sign in to manage your API keys. This sends no transaction and costs nothing.'

/** The message that a wallet is asked to sign (EIP-4361); it holds for five minutes and is accepted once. */
export async function askWallet(
  { signIns, now }: AccessService,
  address: Address,
  place: SignInPlace,
): Promise<string> {
  const createdAt = now()
  const nonce = randomLetters(NONCE_LETTERS)
  const ticket = { account: '', actor: address, createdAt, endsAt: createdAt + accountLimits.nonceSeconds }
  await signIns.putTicket('nonce', nonce, ticket)
  return messageOf(place, nonce, ticket)
}

/** The one text that was asked for: it names domain, URI, chain, wallet, nonce and times. */
const messageOf = (
  { origin, chainId }: SignInPlace,
  nonce: string,
  {
    actor,
    createdAt,
    endsAt,
  }: { readonly actor: string; readonly createdAt: number; readonly endsAt: number },
): string =>
  createSiweMessage({
    address: printedAddress(actor as Address) as Address,
    chainId,
    domain: new URL(origin).host,
    nonce,
    statement: STATEMENT,
    uri: origin + ACCOUNT_PAGE,
    version: '1',
    issuedAt: new Date(createdAt * 1_000),
    expirationTime: new Date(endsAt * 1_000),
  })

/** Fields compared, in this order, to name the one that was altered. */
const named = ['domain', 'uri', 'chainId', 'address', 'version', 'issuedAt', 'expirationTime'] as const

/** The wallet that signed the message. Uses up its nonce, whatever comes of it. Throws RefusedError. */
export async function signerOf(
  service: AccessService,
  { message, signature }: { readonly message: string; readonly signature: `0x${string}` },
  { isSigned, ...place }: SignInPlace & { readonly isSigned: SignatureCheck },
): Promise<Address> {
  const { signIns, now } = service
  const { nonce = '' } = parseSiweMessage(message)
  const ticket = await signIns.useTicket('nonce', nonce)
  if (!ticket || now() >= ticket.endsAt) throw new RefusedError('CHALLENGE_ENDED')
  const wanted = messageOf(place, nonce, ticket)
  if (message !== wanted) {
    const [sent, asked] = [parseSiweMessage(message), parseSiweMessage(wanted)]
    const field = named.find((name) => String(sent[name]) !== String(asked[name])) ?? 'text'
    throw new RefusedError('MESSAGE_ALTERED', { field })
  }
  const address = ticket.actor as Address
  const isBy = await isSigned({ address, message, signature }, () => mayAskChain(service))
  if (!isBy) throw new RefusedError('WRONG_SIGNATURE')
  return address
}

/** Counts a signature that only the chain can judge. A network's own bound comes first, so that no one uses up that of all. */
async function mayAskChain({ signIns, network, now }: AccessService): Promise<boolean> {
  const [minute, day] = [Math.floor(now() / 60), Math.floor(now() / 86_400)]
  const isWithin = async (who: string, limit: number) =>
    (await signIns.takeOne(`checks ${who} ${minute}`, day, limit)) !== null
  const { ofNetwork, inAll } = accountLimits.chainChecksAMinute
  return (await isWithin(network, ofNetwork)) && (await isWithin('of all', inAll))
}

/** Begins a session of the wallet's account, which is made if there is none. Throws RefusedError. */
export async function signInByWallet(
  service: AccessService,
  address: Address,
  most: NewAccounts,
): Promise<{ readonly text: string; readonly isNew: boolean }> {
  const { account, isNew } = await accountOfWallet({ ...service, actor: address }, address, most)
  return { text: await beginSession(service, account, address), isNew }
}

/** Attempts, each of which another tab may have come before. */
const ATTEMPTS = 5

/**
 * The account of a wallet. The wallet's record comes first, so that an interrupted creation is continued by the next sign-in
 * instead of leaving an account that nobody can reach. The id of a deleted account is never used again.
 */
export async function accountOfWallet(
  service: AccessService,
  address: Address,
  most: NewAccounts,
): Promise<{ readonly account: Account; readonly isNew: boolean }> {
  const { access, signIns } = service
  let isCounted = false
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await signIns.wallet(address)
    const found = known && (await access.account(known.account))
    if (found) return { account: found, isNew: false }
    if (!isCounted) await takePlace(service, most)
    isCounted = true
    const owned = known ?? { account: newAccountId(), version: 1 }
    if (!known && !(await signIns.putWallet(address, owned))) continue
    const made = await putNewAccount(service, { id: owned.account, name: address, tier: FIRST_TIER }).catch(
      ignoringChanged,
    )
    const account = made ?? (await access.account(owned.account))
    if (account) return { account, isNew: made !== null }
    await signIns.putWallet(address, { account: newAccountId(), version: owned.version + 1 })
  }
  throw new RefusedError('CHANGED_MEANWHILE')
}

/** Counts a new account. Throws RefusedError: TOO_MANY_HERE, TOO_MANY_ACCOUNTS. */
async function takePlace(service: AccessService, { ofNetwork, inAll }: NewAccounts): Promise<void> {
  // First the network's: who is over that uses up nothing of the rest.
  await takeOfDay(service, `accounts ${service.network}`, { most: ofNetwork, refusal: 'TOO_MANY_HERE' })
  await takeOfDay(service, 'accounts', { most: inAll, refusal: 'TOO_MANY_ACCOUNTS', isShared: true })
}

/** Null if the record is there already, or was. */
function ignoringChanged(error: unknown): null {
  if (error instanceof Error && error.name === 'ChangedMeanwhileError') return null
  throw error
}

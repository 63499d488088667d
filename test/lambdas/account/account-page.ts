/** The account page's operations behind the edge and the gateway, and visitors with wallets, cookies and networks. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text as textFrom } from 'node:stream/consumers'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openSignatureCheck } from '../../../accounts/signature.ts'
import { startCloudfront } from '../../../dev/emulators/cloudfront.ts'
import { startGateway } from '../../../dev/emulators/gateway.ts'
import { openAccountApi } from '../../../lambdas/account/api.ts'
import type { AccountApiOptions } from '../../../lambdas/account/visit.ts'
import { distribution } from '../../../lambdas/edge/distribution.ts'
import {
  ACCOUNT_API,
  ACCOUNT_RESOURCE,
  type OwnAccount,
  sessionCookies,
} from '../../../schemas/api/account.ts'
import { gatewayResponses } from '../../../schemas/api/gateway-responses.ts'
import { startAccess } from '../../support/aws/access.ts'
import { startDynalite } from '../../support/aws/emulators.ts'

/** The page of these tests is asked over plain http. */
export const SESSION_COOKIE = sessionCookies.http.name

export type AccountReply = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
  /** The code of a refusal; undefined: there was none. */
  readonly code: string | undefined
}

type AccountAsk = {
  readonly body?: unknown
  /** As sent, in place of the body. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** Options of the page, with defaults for tests. */
type PageOptions = Partial<Pick<AccountApiOptions, 'isSigned' | 'webhookSecret' | 'newAccounts' | 'chain'>>

/** Starts everything. `clock.now`: Unix seconds; `options` may be changed between requests. */
export async function startAccountPage(given: PageOptions = {}) {
  const dynalite = await startDynalite()
  const clock = { now: Math.floor(Date.now() / 1_000) }
  const access = await startAccess(() => clock.now)
  const defects: unknown[] = []
  const options = {
    service: access.service,
    chain: { name: 'devnet', chain_id: 31_337 },
    scheme: 'http' as const,
    isSigned: openSignatureCheck([]),
    newAccounts: { ofNetwork: 3, inAll: 1_000 },
    webhookSecret: null as string | null,
    onDefect: (_id: string, error: unknown) => defects.push(error),
    onSignIn: () => undefined,
    ...given,
  }
  const gateway = await startGateway({
    routes: [
      { resource: ACCOUNT_RESOURCE, handler: (event) => openAccountApi(options)(event), identity: [] },
    ],
    responses: gatewayResponses,
    authorizer: access.authorizer,
    usagePlans: access.usagePlans,
  })
  const edge = await startCloudfront({
    ...distribution(),
    privateCookie: SESSION_COOKIE,
    origins: { account: gateway.url, site: gateway.url, missing: gateway.url },
    keyValueStore: access.keyValueStore,
    onDefect: (error) => defects.push(error),
  })
  return {
    access,
    clock,
    defects,
    options,
    url: edge.url,
    visitor: (from?: string) => visitorAt(edge.url, from),
    async stop() {
      for (const part of [edge, gateway, access, dynalite]) await part.stop()
    },
  }
}

/** A browser on the account page: it keeps its cookie, and states the page's origin. `from`: an address of this machine. */
function visitorAt(url: string, from = '127.0.0.1') {
  const { host, hostname, port } = new URL(url)
  const jar = { cookie: '' }
  const ask = async (method: string, path: string, asked: AccountAsk = {}): Promise<AccountReply> => {
    const text = asked.text ?? (asked.body === undefined ? '' : JSON.stringify(asked.body))
    const headers: Record<string, string | undefined> = {
      host,
      'content-length': text === '' ? undefined : String(Buffer.byteLength(text)),
      origin: url,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      ...(jar.cookie ? { cookie: `${SESSION_COOKIE}=${jar.cookie}` } : {}),
      ...asked.headers,
    }
    const request = httpRequest({
      hostname,
      port,
      method,
      path: ACCOUNT_API + path,
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
      localAddress: from,
      agent: false,
    })
    request.end(text)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const received = await textFrom(response)
    const set = new RegExp(`${SESSION_COOKIE}=(\\w*)`).exec(String(response.headers['set-cookie'] ?? ''))
    if (set) jar.cookie = set[1] ?? ''
    const body = (received === '' ? {} : JSON.parse(received)) as Record<string, unknown>
    const error = body['error'] as { readonly code?: string } | undefined
    return { status: response.statusCode ?? 0, headers: response.headers, body, code: error?.code }
  }
  const challenge = async (address: string, asked: AccountAsk = {}): Promise<string> =>
    String((await ask('POST', 'challenge', { ...asked, body: { address } })).body['message'])
  return {
    jar,
    ask,
    challenge,
    /** Signs in with a wallet: by default one of its own. */
    async signIn(wallet = newWallet()): Promise<AccountReply> {
      const message = await challenge(wallet.address)
      return ask('POST', 'session', { body: { message, signature: await wallet.signMessage({ message }) } })
    },
    account: async (): Promise<OwnAccount> => (await ask('GET', 'account')).body as unknown as OwnAccount,
    newKey: async (label = ''): Promise<{ key: string; id: string }> =>
      (await ask('POST', 'keys', { body: { label } })).body as { key: string; id: string },
  }
}

/** A wallet with a key of its own. */
export const newWallet = () => privateKeyToAccount(generatePrivateKey())

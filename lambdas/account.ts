import type { APIGatewayProxyResult } from 'aws-lambda'
import { type AccessService, openAccessService } from '../accounts/service.ts'
import { openSignatureCheck } from '../accounts/signature.ts'
import { chainNamed } from '../ingest/client/chains.ts'
import { readEnv } from '../schemas/deployment/env.ts'
import { type MetricValues, metricsOf } from '../schemas/deployment/metrics.ts'
import { type AccountEvent, openAccountApi } from './account/api.ts'

/** State of a warm function. */
let opened: ReturnType<typeof open> | undefined

/** Invoked by API Gateway for every request of the account page. Errors without words for the visitor are logged. */
export async function handler(event: AccountEvent): Promise<APIGatewayProxyResult> {
  opened ??= open()
  return opened(event)
}

function open() {
  const env = readEnv('account', process.env)
  const { id, name } = chainNamed(env.CHAIN)
  const namespace = env.METRICS_NAMESPACE
  const measure = (counts: MetricValues<'account'>) =>
    say(metricsOf('account', counts, { now: Date.now(), namespace }))
  const service: AccessService = {
    ...openAccessService(process.env, 'visitor'),
    onShared: (percent) => measure({ BoundUsed: percent }),
  }
  return openAccountApi({
    service,
    chain: { name, chain_id: id },
    scheme: env.SITE_SCHEME === 'http' ? 'http' : 'https',
    newAccounts: { ofNetwork: Number(env.NEW_ACCOUNTS_OF_NETWORK), inAll: Number(env.NEW_ACCOUNTS) },
    isSigned: openSignatureCheck(env.RPC_URLS.split(',')),
    webhookSecret: env.WEBHOOK_SECRET ?? null,
    onDefect: (requestId, error) => {
      const { name: kind, message, stack } = error instanceof Error ? error : new Error(String(error))
      say({ service: 'account', request_id: requestId, error: kind, message, stack })
    },
    onSignIn: (isNew) => void measure({ SignIns: 1, NewAccounts: isNew ? 1 : 0 }),
  })
}

const say = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`)

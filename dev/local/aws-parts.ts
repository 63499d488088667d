import { randomBytes } from 'node:crypto'
import { handler as account } from '../../lambdas/account.ts'
import { handler as api } from '../../lambdas/api.ts'
import { handler as authorizer } from '../../lambdas/authorizer.ts'
import { distribution, openResources, rateRules } from '../../lambdas/edge/distribution.ts'
import { handler as mcp } from '../../lambdas/mcp.ts'
import {
  KEYED_RESOURCE,
  ORIGIN_HEADER,
  tierNames,
  UNKNOWN_RESOURCE,
  VERDICT_SECONDS,
} from '../../schemas/api/access.ts'
import { ACCOUNT_RESOURCE, sessionCookies } from '../../schemas/api/account.ts'
import { gatewayResponses } from '../../schemas/api/gateway-responses.ts'
import { MCP_PATH } from '../../schemas/api/mcp.ts'
import { ensureBucket } from '../../store/aws/bucket.ts'
import { ensureTables } from '../../store/aws/table.ts'
import { startCloudfront } from '../emulators/cloudfront.ts'
import { type Controlled, startCloudfrontControl } from '../emulators/cloudfront-control.ts'
import { startDynamodbThread } from '../emulators/dynamodb.ts'
import { startGateway } from '../emulators/gateway.ts'
import { type KeyValueStore, startKeyValueStore } from '../emulators/keyvaluestore.ts'
import { startS3 } from '../emulators/s3.ts'
import { type LocalUsagePlans, startUsagePlans } from '../emulators/usage-plans.ts'
import type { DataDir } from './data-dir.ts'
import { failing, type Parts, started } from './parts.ts'

/** Names of tables and buckets of a local run; on AWS the stacks choose them. */
export const names = {
  MARKET_TABLE: 'market',
  ACCESS_TABLE: 'access',
  USAGE_TABLE: 'usage',
  SEGMENT_BUCKET: 'segments',
  PUBLISHED_BUCKET: 'published',
} as const
/** The bucket of the pages, which no process of the service uses. */
export const SITE_BUCKET = 'site'
/** Stores of accounts and keys, in addition to the Access table. */
const accessNames = {
  ORIGIN_SECRET: randomBytes(24).toString('hex'),
  KEY_VALUE_STORE: 'arn:aws:cloudfront::000000000000:key-value-store/local',
  USAGE_PLANS: tierNames.map((tier) => `${tier}=${tier}`).join(','),
} as const
/** Of the account page; more wallets may be tried from one machine than a network has on AWS. */
const accountSettings = { SITE_SCHEME: 'http', NEW_ACCOUNTS: '1000', NEW_ACCOUNTS_OF_NETWORK: '100' } as const
const DISTRIBUTION_ID = 'LOCAL'
const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' } as const

/** Tables, objects, and stores of keys. Afterwards the AWS clients of this process use them as if they were AWS. */
export async function startAws(dir: DataDir, parts: Parts) {
  const dynamodb = await started(parts, startDynamodbThread({ path: dir.tables }, failing(parts, 'dynamodb')))
  const s3 = await started(
    parts,
    startS3({
      dir: dir.objects,
      anonymousRead: [names.PUBLISHED_BUCKET, SITE_BUCKET],
      onDefect: (error) =>
        parts.terminal.say(`s3: ${error instanceof Error ? error.message : String(error)}`),
    }),
  )
  const usagePlans = await started(parts, startUsagePlans({ file: dir.gateway, plans: tierNames }))
  const keyValueStore = await started(parts, startKeyValueStore({ file: dir.edge }))
  const env = {
    ...names,
    ...accessNames,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_ENDPOINT_URL_API_GATEWAY: usagePlans.url,
    AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: keyValueStore.url,
    ...accountSettings,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    // Silences a notice about later versions of the SDK; ours is pinned.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  }
  Object.assign(process.env, env)
  await ensureTables([names.MARKET_TABLE, names.ACCESS_TABLE, names.USAGE_TABLE])
  for (const bucket of [names.SEGMENT_BUCKET, names.PUBLISHED_BUCKET, SITE_BUCKET]) await ensureBucket(bucket)
  const urls = {
    dynamodb: dynamodb.url,
    s3: s3.url,
    keyvaluestore: keyValueStore.url,
    apigateway: usagePlans.url,
  }
  return { s3, usagePlans, keyValueStore, urls, env }
}

/** The API behind its gateway and authorizer; some operations need no key. */
export const startApi = ({ terminal }: Parts, usagePlans: LocalUsagePlans) =>
  startGateway({
    routes: [
      ...openResources.map((resource) => ({ resource, handler: api, identity: [ORIGIN_HEADER] })),
      { resource: MCP_PATH, handler: mcp, identity: [ORIGIN_HEADER] },
      { resource: ACCOUNT_RESOURCE, handler: account, identity: [ORIGIN_HEADER] },
      ...[KEYED_RESOURCE, UNKNOWN_RESOURCE].map((resource) => ({
        resource,
        handler: api,
        identity: [ORIGIN_HEADER, 'authorization'],
      })),
    ],
    responses: gatewayResponses,
    authorizer: { handler: authorizer, ttlSeconds: VERDICT_SECONDS },
    usagePlans,
    onDefect: (error) => terminal.say(`api: ${String(error)}`),
  })

type EdgeParts = {
  readonly host?: string
  readonly publicHost?: string | undefined
  readonly origins: Readonly<Record<string, string>>
  readonly keyValueStore: KeyValueStore
  readonly onFunctionLog: (line: string) => void
  readonly onDefect: (error: unknown) => void
}

/** The control API for purging the edge, and the variables with its address. */
export async function startEdgeControl(distribution: Controlled) {
  const control = await startCloudfrontControl({ distributionId: DISTRIBUTION_ID, distribution })
  return { ...control, env: { DISTRIBUTION_ID, AWS_ENDPOINT_URL_CLOUDFRONT: control.url } }
}

/** The edge, at the address that serves everything. Rejects with PortInUse. */
export const startEdge = (port: number, parts: EdgeParts) =>
  startCloudfront({
    port,
    ...distribution({ isArchiveOpen: true }),
    privateCookie: sessionCookies.http.name,
    ...parts,
    originHeaders: Object.fromEntries(
      ['api', 'account'].map((origin) => [origin, { [ORIGIN_HEADER]: accessNames.ORIGIN_SECRET }]),
    ),
    // The other limits would refuse a bench on this machine.
    rateRules: rateRules.filter(({ name }) => name === 'site'),
  })

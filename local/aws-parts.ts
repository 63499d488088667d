import { handler as api } from '../lambdas/api.ts'
import { distribution } from '../lambdas/edge/distribution.ts'
import { gatewayResponses } from '../schemas/gateway-responses.ts'
import { edgeTable } from '../schemas/operations.ts'
import { ensureBucket } from '../store/bucket.ts'
import { ensureTables } from '../store/table.ts'
import { startCloudfront } from './aws/cloudfront.ts'
import { startDynamodb } from './aws/dynamodb.ts'
import { startGateway } from './aws/gateway.ts'
import { startS3 } from './aws/s3.ts'
import type { DataDir } from './data-dir.ts'
import { type Parts, started } from './parts.ts'

/** Names of tables and buckets on this machine; on AWS they come from the stacks. */
export const names = {
  MARKET_TABLE: 'market',
  SEGMENT_BUCKET: 'segments',
  PUBLISHED_BUCKET: 'published',
} as const
const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' } as const

/** Tables and objects; from here on the AWS clients of this process find them as they would find AWS. */
export async function startAws(dir: DataDir, parts: Parts) {
  const dynamodb = await started(parts, startDynamodb({ path: dir.tables }))
  const s3 = await started(
    parts,
    startS3({ dir: dir.objects, credentials, anonymousRead: [names.PUBLISHED_BUCKET] }),
  )
  const env = {
    ...names,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    // Says what the SDK's next versions need; these are pinned.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  }
  Object.assign(process.env, env)
  await ensureTables([names.MARKET_TABLE])
  for (const bucket of [names.SEGMENT_BUCKET, names.PUBLISHED_BUCKET]) await ensureBucket(bucket)
  return { dynamodb, s3, env }
}

/** --port is taken by another program. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError'
  constructor(port: number) {
    super(`port ${port} of this machine is taken; choose another --port`)
  }
}

/** The API behind its gateway. */
export const startApi = ({ terminal }: Parts) =>
  startGateway({
    routes: [{ resource: '/v1/{proxy+}', handler: api }],
    responses: gatewayResponses,
    onDefect: (error) => terminal.say(`api: ${String(error)}`),
  })

/** The edge, at the one address that serves everything. Rejects with PortInUseError. */
export const startEdge = (port: number, origins: Readonly<Record<string, string>>) =>
  startCloudfront({
    port,
    ...distribution(edgeTable),
    origins,
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new PortInUseError(port) : error
  })

import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import type { IRole } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { MANIFEST_DAYS } from '../../schemas/api/service.ts'
import type { Env } from '../../schemas/deployment/env.ts'
import type { RebuildSize } from '../../schemas/deployment/stages.ts'
import { objectPrefixes } from '../../store/aws/tables.ts'
import { closedBucket } from '../buckets.ts'
import { type Deployment, keptDays, metricsVariable, ports } from '../config.ts'
import { acknowledge, allow, allowObjects, tableActions } from '../grants.ts'
import { failureQueue, schedule, serviceFunction } from './functions.ts'
import type { Network } from './network.ts'
import type { Storage } from './storage.ts'
import { rebuildOptions, Task, youngObjects } from './tasks.ts'

/** The parts of a deployment that the rebuild uses. */
type Around = {
  readonly deployment: Deployment
  readonly network: Network
  readonly storage: Storage
  readonly published: IBucket
}

/** Rebuilds the snapshot, as often as the stage says, in the bucket that the edge reads. */
export class SnapshotPublisher extends Construct {
  readonly published: IBucket
  /** The function, and the queue of its failed runs; null: a task rebuilds. */
  readonly scheduled: { readonly rebuild: LambdaFunction; readonly missed: Queue } | null

  constructor(scope: Construct, id: string, props: Omit<Around, 'published'>) {
    super(scope, id)
    this.published = publishedBucket(this)
    const around = { ...props, published: this.published }
    const { rebuild } = props.deployment.stage
    const { role, scheduled } =
      rebuild.by === 'task' ? rebuildTask(this, around, rebuild) : rebuildFunction(this, around, rebuild)
    this.scheduled = scheduled
    const { market, segments } = props.storage
    // A recap reads many tokens at once.
    allow(role, tableActions.writeMany, [market.tableArn])
    allowPublishing(role, { segments, published: this.published })
  }
}

/** Grants what a publisher reads and writes in the buckets. */
export function allowPublishing(
  role: IRole,
  { segments, published }: { readonly segments: IBucket; readonly published: IBucket },
): void {
  allowObjects(role, segments, {
    reads: [objectPrefixes.segments],
    writes: [objectPrefixes.checkpoints, objectPrefixes.index, objectPrefixes.kept],
  })
  allowObjects(role, published, { reads: [], writes: [''] })
}

const environmentOf = ({ deployment, storage, published }: Around): Env<'rebuildSnapshots'> => ({
  MARKET_TABLE: storage.market.tableName,
  SEGMENT_BUCKET: storage.segments.bucketName,
  PUBLISHED_BUCKET: published.bucketName,
  CHAIN: deployment.stage.chain,
  CODE_VERSION: deployment.codeVersion,
  METRICS_NAMESPACE: metricsVariable(deployment),
  REBUILD_EVERY_SECONDS: String(deployment.stage.rebuildEverySeconds),
})

type SizeOf<By extends RebuildSize['by']> = Extract<RebuildSize, { readonly by: By }>

function rebuildFunction(scope: Construct, around: Around, { memoryMb, timeoutSeconds }: SizeOf<'function'>) {
  const { deployment } = around
  const missed = failureQueue(scope, 'Missed')
  const { handler, role } = serviceFunction(scope, 'Rebuild', {
    deployment,
    process: 'rebuildSnapshots',
    bundle: 'rebuild-snapshots',
    environment: environmentOf(around),
    nodeOptions: [youngObjects],
    memoryMb,
    timeoutSeconds,
    concurrency: deployment.stage.concurrency?.rebuild,
    failed: { queue: missed, retries: 0 },
  })
  // Concurrent runs are harmless, since every put is conditional. A missed minute is made up by the next run.
  schedule(scope, handler, {
    names: { group: 'Minutes', schedule: 'EachMinute' },
    seconds: deployment.stage.rebuildEverySeconds,
    missed,
  })
  return { role, scheduled: { rebuild: handler, missed } }
}

/** One task. While a deployment replaces it, two rebuild, which is harmless, since every put is conditional. */
function rebuildTask(scope: Construct, around: Around, size: SizeOf<'task'>) {
  const { deployment, network } = around
  const { role } = new Task(scope, 'RebuildTask', {
    deployment,
    network,
    process: 'rebuildSnapshots',
    bundle: 'rebuild-each-minute',
    environment: { ...environmentOf(around), PORT: String(ports.rebuildHealth) },
    secrets: {},
    size,
    healthPort: ports.rebuildHealth,
    stopSeconds: 90,
    tasks: 1,
    nodeOptions: rebuildOptions(size.memoryMb),
  })
  return { role, scheduled: null }
}

/**
 * Its contents can be rebuilt from the segments; it is retained, also when its creation is rolled back, because
 * non-empty buckets cannot be deleted. Replaced documents are kept for a rollback.
 */
function publishedBucket(scope: Construct): IBucket {
  const bucket = closedBucket(scope, 'Published', {
    versioned: true,
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: [
      // Replaced sixteen minutes later, and about 18 MB each with 20,000 tokens.
      { id: 'screened', prefix: objectPrefixes.screened, noncurrentVersionExpiration: Duration.days(1) },
      // The hours of a day that is archived; no process may remove anything.
      {
        id: 'live',
        prefix: `${objectPrefixes.archive}live/`,
        expiration: Duration.days(keptDays.archivedHours),
      },
      { id: 'manifests', prefix: objectPrefixes.manifests, expiration: Duration.days(MANIFEST_DAYS) },
      {
        id: 'replaced',
        noncurrentVersionExpiration: Duration.days(keptDays.replacedDocuments),
        expiredObjectDeleteMarker: true,
      },
    ],
  })
  acknowledge(bucket, {
    S1: 'What readers ask of it is in the metrics of the edge; nobody else may read it.',
  })
  return bucket
}

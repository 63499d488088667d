import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Schedule, ScheduleExpression, ScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { MANIFEST_DAYS } from '../schemas/service.ts'
import { REBUILD_EVERY_SECONDS } from '../schemas/stages.ts'
import { objectPrefixes } from '../store/tables.ts'
import { closedBucket } from './buckets.ts'
import { type Deployment, keptDays, metricsNamespace } from './config.ts'
import { failureQueue, serviceFunction } from './functions.ts'
import { acknowledge, acknowledgeWildcard, allow, allowObjects, tableActions } from './grants.ts'
import type { Storage } from './storage.ts'

/** Rebuilds the snapshot each minute in the bucket that the edge reads. */
export class SnapshotPublisher extends Construct {
  readonly published: IBucket
  readonly rebuild: LambdaFunction
  /** Queue of failed rebuilds. */
  readonly missed: Queue

  constructor(scope: Construct, id: string, deployment: Deployment, storage: Storage) {
    super(scope, id)
    const { stage } = deployment
    this.published = publishedBucket(this)
    this.missed = failureQueue(this, 'Missed')
    const { handler, role } = serviceFunction(this, 'Rebuild', {
      deployment,
      process: 'rebuildSnapshots',
      bundle: 'rebuild-snapshots',
      environment: {
        MARKET_TABLE: storage.market.tableName,
        SEGMENT_BUCKET: storage.segments.bucketName,
        PUBLISHED_BUCKET: this.published.bucketName,
        CHAIN: stage.chain,
        CODE_VERSION: deployment.codeVersion,
        METRICS_NAMESPACE: metricsNamespace(deployment),
      },
      ...stage.rebuild,
      concurrency: stage.concurrency?.rebuild,
      failed: { queue: this.missed, retries: 0 },
    })
    this.rebuild = handler
    allow(role, tableActions.write, [storage.market.tableArn])
    allowObjects(role, storage.segments, {
      reads: [objectPrefixes.segments],
      writes: [objectPrefixes.checkpoints, objectPrefixes.index],
    })
    allowObjects(role, this.published, { reads: [], writes: [''] })
    this.schedule()
  }

  /** Concurrent runs are harmless, since every put is conditional. A missed minute is made up by the next run. */
  private schedule(): void {
    const role = new Role(this, 'SchedulerRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    })
    acknowledgeWildcard(role, `${this.rebuild.functionArn}:*`, 'Versions and aliases of the one function.')
    const group = new ScheduleGroup(this, 'Minutes', { removalPolicy: RemovalPolicy.DESTROY })
    new Schedule(this, 'EachMinute', {
      scheduleGroup: group,
      schedule: ScheduleExpression.rate(Duration.seconds(REBUILD_EVERY_SECONDS)),
      target: new LambdaInvoke(this.rebuild, {
        role,
        retryAttempts: 0,
        maxEventAge: Duration.seconds(60),
        deadLetterQueue: this.missed,
      }),
    })
  }
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

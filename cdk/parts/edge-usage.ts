import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern } from 'aws-cdk-lib/aws-logs'
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { COUNTER_MEMORY_MB, type Deployment, metricsVariable } from '../config.ts'
import { allow, tableActions } from '../grants.ts'
import type { Edge } from './edge.ts'
import { failureQueue, serviceFunction } from './functions.ts'
import type { ReadApi } from './read-api.ts'
import type { Storage } from './storage.ts'

/**
 * Counts the edge's answers from its cache by its function's log, and notifies the edge of accounts that the API had to
 * refuse.
 */
export class EdgeUsageCounter extends Construct {
  readonly count: LambdaFunction
  /** Batches that could not be counted. */
  readonly uncounted: Queue

  constructor(
    scope: Construct,
    id: string,
    props: {
      readonly deployment: Deployment
      readonly storage: Storage
      readonly edge: Edge
      readonly api: ReadApi
    },
  ) {
    super(scope, id)
    const { deployment, storage, edge, api } = props
    this.uncounted = failureQueue(this, 'Uncounted')
    const { handler, role } = serviceFunction(this, 'Count', {
      deployment,
      process: 'countEdgeUsage',
      bundle: 'count-edge-usage',
      environment: {
        ACCESS_TABLE: storage.access.tableName,
        USAGE_TABLE: storage.usage.tableName,
        KEY_VALUE_STORE: edge.keyValueStore.keyValueStoreArn,
        METRICS_NAMESPACE: metricsVariable(deployment),
      },
      memoryMb: COUNTER_MEMORY_MB,
      timeoutSeconds: 60,
      failed: { queue: this.uncounted, retries: 2 },
    })
    this.count = handler
    allow(role, tableActions.find, [storage.access.tableArn])
    allow(role, tableActions.count, [storage.usage.tableArn])
    allow(
      role,
      ['cloudfront-keyvaluestore:DescribeKeyValueStore', 'cloudfront-keyvaluestore:UpdateKeys'],
      [edge.keyValueStore.keyValueStoreArn],
    )
    const destination = new LambdaDestination(this.count)
    const linesOf = (word: string) => ({
      destination,
      filterPattern: FilterPattern.literal(`"z100" "${word}"`),
    })
    api.log.addSubscriptionFilter('Exhausted', linesOf('exhausted'))
    edge.answerLog.addSubscriptionFilter('Lost', linesOf('lost'))
    edge.archiveLog.addSubscriptionFilter('Archive', linesOf('archive'))
    if (!deployment.stage.isCounted) edge.answerLog.addSubscriptionFilter('Counted', linesOf('usage'))
  }
}

import { Stack } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-ecs'
import { Construct } from 'constructs'
import { objectPrefixes } from '../store/tables.ts'
import { chosen } from './choices.ts'
import { ports } from './config.ts'
import { type Deployment, metricsNamespace } from './deployment.ts'
import { allow, allowObjects, tableActions } from './grants.ts'
import type { Network } from './network.ts'
import type { Storage } from './storage.ts'
import { Task } from './task.ts'

/** Follows the chain: one task writes the log of minutes and the live feed. */
export class Ingest extends Construct {
  readonly task: Task<'ingest', 'RPC_URLS'>

  constructor(
    scope: Construct,
    id: string,
    props: { readonly deployment: Deployment; readonly network: Network; readonly storage: Storage },
  ) {
    super(scope, id)
    const { deployment, network, storage } = props
    const { chain, startBlock, ingest } = deployment.stage
    const start = chosen(Stack.of(this), 'startBlock', startBlock === null ? '' : String(startBlock))
    this.task = new Task(this, 'Task', {
      deployment,
      network,
      process: 'ingest',
      bundle: 'ingest',
      environment: {
        MARKET_TABLE: storage.market.tableName,
        SEGMENT_BUCKET: storage.segments.bucketName,
        CHAIN: chain,
        PORT: String(ports.ingestHealth),
        METRICS_NAMESPACE: metricsNamespace(deployment),
        // Empty: where the code begins by itself.
        START_BLOCK: start,
      },
      secrets: { RPC_URLS: Secret.fromSecretsManager(storage.rpcUrls) },
      size: ingest,
      healthPort: ports.ingestHealth,
      stopSeconds: 30,
      tasks: 1,
    })
    allow(this.task.role, tableActions.writeMany, [storage.market.tableArn])
    allowObjects(this.task.role, storage.segments, { reads: [], writes: [objectPrefixes.segments] })
  }
}

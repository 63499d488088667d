import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-ecs'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { objectPrefixes } from '../../store/aws/tables.ts'
import { type Deployment, HOME_REGION, ports } from '../config.ts'
import { allow, allowObjects, tableActions } from '../grants.ts'
import { onlyIn } from '../rules.ts'
import type { Network } from './network.ts'
import { allowPublishing } from './snapshot-publisher.ts'
import type { Storage } from './storage.ts'
import { rebuildOptions, Task } from './tasks.ts'

/** What a release beside the service uses of the service. */
export type BesideSettings = {
  readonly deployment: Deployment
  readonly network: Network
  readonly market: Storage['market']
  readonly storage: Pick<Storage, 'segments' | 'rpcUrls'>
  readonly published: IBucket
}

/**
 * A release whose rules are newer, beside the service, until it has caught up and is deployed: its ingest and its publisher in
 * one task. Deployed and deleted by hand; its role is the only one that may read a whole table.
 */
export class BesideStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { settings, ...props }: StackProps & { settings: BesideSettings },
  ) {
    super(scope, id, props)
    const { deployment, network, market, storage, published } = settings
    const { stage, codeVersion } = deployment
    onlyIn(this, HOME_REGION, 'The service is in us-east-1, and this runs in its network.')
    const { role } = new Task(this, 'Task', {
      deployment,
      network,
      process: 'beside',
      bundle: 'beside',
      environment: {
        MARKET_TABLE: market.tableName,
        SEGMENT_BUCKET: storage.segments.bucketName,
        PUBLISHED_BUCKET: published.bucketName,
        CHAIN: stage.chain,
        CODE_VERSION: codeVersion,
        PORT: String(ports.besideHealth),
        POLL_MS: String(stage.pollMs),
        REBUILD_EVERY_SECONDS: String(stage.rebuildEverySeconds),
        START_BLOCK: stage.startBlock,
      },
      secrets: { RPC_URLS: Secret.fromSecretsManager(storage.rpcUrls) },
      size: stage.beside,
      healthPort: ports.besideHealth,
      stopSeconds: 30,
      tasks: 1,
      nodeOptions: rebuildOptions(stage.beside.memoryMb),
    })
    allow(role, tableActions.copy, [market.tableArn])
    allowObjects(role, storage.segments, { reads: [], writes: [objectPrefixes.segments] })
    allowPublishing(role, { segments: storage.segments, published })
    new CfnOutput(this, 'CodeVersion', { value: codeVersion, description: 'The release that catches up' })
  }
}

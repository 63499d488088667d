import { Arn, Fn, RemovalPolicy, SecretValue, Stack, type StackProps } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import type { IBucket, ReplicationRule } from 'aws-cdk-lib/aws-s3'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { tables } from '../../store/aws/tables.ts'
import { closedBucket, segmentRules } from '../buckets.ts'
import { type ChoiceName, choiceOf, isChosen, parameter } from '../choices.ts'
import { HOME_REGION, type Stage } from '../config.ts'
import { acknowledge, acknowledgeWildcard } from '../grants.ts'
import { onlyIn } from '../rules.ts'
import { backUp, replicationTo } from './copies.ts'

export type StoredTable = { readonly tableName: string; readonly tableArn: string }

/** Stored data that cannot be recreated. */
export type Storage = Readonly<Record<'market' | 'access' | 'usage', StoredTable>> & {
  readonly segments: IBucket
  readonly rpcUrls: ISecret
}

/**
 * The storage as used by the service: a table restored under another name replaces the one of the storage stack, which
 * cannot import it while its own name is exported.
 */
export function storageOf<S extends Storage & Readonly<Record<'market' | 'access' | 'usage', Table>>>(
  stack: Stack,
  own: S,
): Storage {
  const { segments, rpcUrls } = own
  return {
    segments,
    rpcUrls,
    market: restored(stack, 'marketTable', own.market),
    access: restored(stack, 'accessTable', own.access),
    usage: restored(stack, 'usageTable', own.usage),
  }
}

function restored(stack: Stack, choice: ChoiceName, own: Table): StoredTable {
  const name = choiceOf(stack, choice)
  const { logicalId } = isChosen(stack, choice, name)
  const arn = Arn.format({ service: 'dynamodb', resource: 'table', resourceName: name }, stack)
  return {
    tableName: Fn.conditionIf(logicalId, name, own.tableName).toString(),
    tableArn: Fn.conditionIf(logicalId, arn, own.tableArn).toString(),
  }
}

/** Everything that cannot be recreated; retained when its stack, or the whole service, is deleted. */
export class StorageStack extends Stack {
  readonly market: Table
  readonly access: Table
  readonly usage: Table
  readonly segments: IBucket
  /** Endpoints of the chain, separated by commas, from the first deployment; they may contain keys. */
  readonly rpcUrls: ISecret

  constructor(scope: Construct, id: string, props: StackProps & { readonly stage: Stage }) {
    super(scope, id, props)
    onlyIn(
      this,
      HOME_REGION,
      'The service stack is in us-east-1 and uses tables and buckets of its own region.',
    )
    this.market = tableOf(this, 'MarketTable', tables.market, props.stage.maxReadUnits)
    this.access = tableOf(this, 'AccessTable', tables.access)
    this.usage = tableOf(this, 'UsageTable', tables.usage)
    const { stage } = props
    const { copiesRegion } = stage
    this.segments = segmentBucket(this, copiesRegion ? replicationTo(this, stage) : [])
    if (copiesRegion) backUp(this, this, stage)
    const rpcUrls: unknown = new Secret(this, 'EndpointSecret', {
      secretStringValue: SecretValue.cfnParameter(parameter(this, 'rpcUrls')),
      description:
        'Endpoints of the chain (JSON-RPC over https), the preferred one first, separated by commas',
      removalPolicy: RemovalPolicy.RETAIN,
    })
    // The CDK's classes are not their interfaces where optional properties are exact.
    this.rpcUrls = rpcUrls as ISecret
    acknowledge(this.rpcUrls, {
      SMG4: 'Endpoints are changed by whoever sells them, not by a schedule of ours.',
    })
  }
}

/** Version 1 of the construct, because it creates a plain table resource that AWS emulators know, too. */
function tableOf(
  scope: Construct,
  id: string,
  definition: (typeof tables)[keyof typeof tables],
  maxReadUnits?: number,
): Table {
  return new Table(scope, id, {
    partitionKey: { name: definition.partitionKey, type: AttributeType.STRING },
    sortKey: { name: definition.sortKey, type: AttributeType.STRING },
    timeToLiveAttribute: definition.expiresAt,
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...(maxReadUnits === undefined ? {} : { maxReadRequestUnits: maxReadUnits }),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  })
}

function segmentBucket(scope: Construct, replicationRules: ReplicationRule[]): IBucket {
  const bucket = closedBucket(scope, 'SegmentBucket', {
    versioned: true,
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: segmentRules,
    ...(replicationRules.length > 0 ? { replicationRules } : {}),
  })
  acknowledge(bucket, { S1: 'Only two roles of this service reach it; CloudTrail tells who else tries.' })
  for (const each of new Set([bucket, ...replicationRules.map(({ destination }) => destination)]))
    acknowledgeWildcard(bucket, each.arnForObjects('*'), 'S3 copies objects as they are put, by prefix.')
  return bucket
}

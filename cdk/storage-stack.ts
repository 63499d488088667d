import { Duration, RemovalPolicy, SecretValue, Stack, type StackProps } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { type IBucket, StorageClass } from 'aws-cdk-lib/aws-s3'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { objectPrefixes, tables } from '../store/tables.ts'
import { acknowledge } from './acknowledge.ts'
import { parameter } from './choices.ts'
import { closedBucket } from './closed-bucket.ts'
import { keptDays, SEGMENTS_AT_HAND_DAYS, type Stage } from './config.ts'

/** All that cannot be made again: it stays when its stack, or the whole service, is deleted. */
export class StorageStack extends Stack {
  readonly market: Table
  readonly access: Table
  readonly usage: Table
  readonly segments: IBucket
  /** Endpoints of the chain, separated by commas, as the first deployment was given them; they may hold keys. */
  readonly rpcUrls: ISecret

  constructor(scope: Construct, id: string, props: StackProps & { readonly stage: Stage }) {
    super(scope, id, props)
    this.market = tableOf(this, 'MarketTable', tables.market, props.stage.maxReadUnits)
    this.access = tableOf(this, 'AccessTable', tables.access)
    this.usage = tableOf(this, 'UsageTable', tables.usage)
    this.segments = segmentBucket(this)
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

/** Version 1 of the construct: what it makes is one plain resource, which other implementations of AWS know, too. */
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

function segmentBucket(scope: Construct): IBucket {
  const bucket = closedBucket(scope, 'SegmentBucket', {
    versioned: true,
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: [
      // They never expire: all else is made from them. S3 moves those of at least 128 KB, smaller ones would cost more there.
      {
        id: 'segments',
        prefix: objectPrefixes.segments,
        transitions: [
          {
            storageClass: StorageClass.GLACIER_INSTANT_RETRIEVAL,
            transitionAfter: Duration.days(SEGMENTS_AT_HAND_DAYS),
          },
        ],
      },
      {
        id: 'checkpoints',
        prefix: objectPrefixes.recentCheckpoints,
        expiration: Duration.days(keptDays.checkpoints),
      },
      {
        id: 'deleted',
        noncurrentVersionExpiration: Duration.days(keptDays.deleted),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
  })
  acknowledge(bucket, { S1: 'Only two roles of this service reach it; CloudTrail tells who else tries.' })
  return bucket
}

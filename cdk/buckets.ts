/** The forms that all buckets share. */

import { Duration } from 'aws-cdk-lib'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
  StorageClass,
} from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { objectPrefixes } from '../store/aws/tables.ts'
import { keptDays, SEGMENTS_AT_HAND_DAYS } from './config.ts'

/** A private bucket, encrypted at rest and in transit; `own` sets the retention. */
export function closedBucket(
  scope: Construct,
  id: string,
  own: Pick<
    BucketProps,
    'bucketName' | 'removalPolicy' | 'versioned' | 'lifecycleRules' | 'replicationRules'
  >,
): IBucket {
  const bucket: unknown = new Bucket(scope, id, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    ...own,
  })
  // The class does not match its interface under exactOptionalPropertyTypes.
  return bucket as IBucket
}

/** Lifecycle rules of the bucket of segments and of its copy. */
export const segmentRules: LifecycleRule[] = [
  // Segments never expire: everything else is derived from them. S3 only moves those of at least 128 KB, since smaller
  // ones would cost more. What was published (`kept/`) has no rule: it never expires, and its objects are small.
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
    noncurrentVersionExpiration: Duration.days(keptDays.replacedCheckpoints),
  },
  {
    id: 'deleted',
    noncurrentVersionExpiration: Duration.days(keptDays.deleted),
    expiredObjectDeleteMarker: true,
    abortIncompleteMultipartUploadAfter: Duration.days(1),
  },
]

import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'

/** A bucket that nobody but this service reads, encrypted at rest and on the way; `own` says how long things stay. */
export function closedBucket(
  scope: Construct,
  id: string,
  own: Pick<BucketProps, 'removalPolicy' | 'versioned' | 'lifecycleRules'>,
): IBucket {
  const bucket: unknown = new Bucket(scope, id, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    ...own,
  })
  // The class and its interface disagree under exactOptionalPropertyTypes.
  return bucket as IBucket
}

import { Stack, Validations } from 'aws-cdk-lib'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'
import type { IConstruct } from 'constructs'

/** Rules of cdk-nag that a construct, and all in it, does not follow: each with the reason why that is right. */
export function acknowledge(scope: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [rule, reason] of Object.entries(reasons)) {
    Validations.of(scope).acknowledge({ id: `AwsSolutions-${rule}`, reason })
  }
}

/** A wildcard in the policies of a role, and why it cannot be narrower; any other one is still refused. */
export function acknowledgeWildcard(role: IConstruct, resource: string, reason: string): void {
  const text = flattenCfnReference(Stack.of(role).resolve(resource))
  acknowledge(role, { [`IAM5[Resource::${text}]`]: reason })
}

/** What readers and writers of a table do; nobody scans, and nobody deletes. */
const reading = ['dynamodb:GetItem', 'dynamodb:Query']
export const tableActions = {
  /** Reads single items. */
  find: ['dynamodb:GetItem'],
  read: reading,
  readMany: [...reading, 'dynamodb:BatchGetItem'],
  write: [...reading, 'dynamodb:PutItem'],
  writeMany: [...reading, 'dynamodb:BatchGetItem', 'dynamodb:PutItem'],
  /** Counts what it answers. */
  take: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
  /** Counts what others have answered. */
  count: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
} as const

/** Lets a role do these things with these resources. */
export function allow(role: IRole, actions: readonly string[], resources: readonly string[]): void {
  role.addToPrincipalPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }))
}

/** Keys that a role reads and writes: one key, or all that begin with a prefix, which then ends with a slash or is empty. */
export type Keys = { readonly reads: readonly string[]; readonly writes: readonly string[] }

/** Lets a role read and write objects. Without leave to list, S3 does not say that an object is not there. */
export function allowObjects(role: IRole, bucket: IBucket, { reads, writes }: Keys): void {
  allow(role, ['s3:ListBucket'], [bucket.bucketArn])
  // Who puts on condition of an object's ETag must be allowed to read it.
  allow(
    role,
    ['s3:GetObject'],
    [...reads, ...writes].map((keys) => objects(bucket, keys)),
  )
  if (writes.length > 0)
    allow(
      role,
      ['s3:PutObject'],
      writes.map((keys) => objects(bucket, keys)),
    )
  for (const keys of [...reads, ...writes].filter(isPrefix)) {
    const arn = `${arnSeenFrom(role, bucket)}/${keys}*`
    acknowledgeWildcard(
      role,
      arn,
      'Objects are made all the time: their keys are known by their prefix alone.',
    )
  }
}

const isPrefix = (keys: string): boolean => keys === '' || keys.endsWith('/')
const objects = (bucket: IBucket, keys: string): string =>
  bucket.arnForObjects(isPrefix(keys) ? `${keys}*` : keys)

/** A bucket's name for itself in the stack of a role. */
function arnSeenFrom(role: IRole, bucket: IBucket): string {
  const home = Stack.of(bucket)
  return home === Stack.of(role) ? bucket.bucketArn : home.exportValue(bucket.bucketArn)
}

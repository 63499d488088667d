import { Stack, Validations } from 'aws-cdk-lib'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'
import type { IConstruct } from 'constructs'

/** Suppresses rules of cdk-nag for a construct and its children, each with a reason. */
export function acknowledge(scope: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [rule, reason] of Object.entries(reasons)) {
    Validations.of(scope).acknowledge({ id: `AwsSolutions-${rule}`, reason })
  }
}

/** Accepts one wildcard in a role's policies, with the reason why it cannot be narrower; others are still reported. */
export function acknowledgeWildcard(role: IConstruct, resource: string, reason: string): void {
  const text = flattenCfnReference(Stack.of(role).resolve(resource))
  acknowledge(role, { [`IAM5[Resource::${text}]`]: reason })
}

/** Actions of readers and writers of a table; none deletes, though a batch of writes would let it. */
const reading = ['dynamodb:GetItem', 'dynamodb:Query']
export const tableActions = {
  /** Reads single items. */
  find: ['dynamodb:GetItem'],
  read: reading,
  readMany: [...reading, 'dynamodb:BatchGetItem'],
  write: [...reading, 'dynamodb:PutItem'],
  writeMany: [...reading, 'dynamodb:BatchGetItem', 'dynamodb:PutItem'],
  /** The same, in batches too: the log of a first catch-up. */
  writeInBulk: [...reading, 'dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:BatchWriteItem'],
  /** Reads, puts and counts. */
  change: [...reading, 'dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  /** Puts, without reading. */
  note: ['dynamodb:PutItem'],
  /** Copies it, and writes the copy. */
  copy: [...reading, 'dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:Scan'],
  /** Counts its own answers. */
  take: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
  /** Counts the edge's answers. */
  count: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
} as const

/** Grants a role these actions on these resources. */
export function allow(role: IRole, actions: readonly string[], resources: readonly string[]): void {
  role.addToPrincipalPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }))
}

/** Grants a role these actions on items of a table whose partition keys begin so. */
export function allowItems(
  role: IRole,
  actions: readonly string[],
  { table, partitions }: { readonly table: string; readonly partitions: readonly string[] },
): void {
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: [...actions],
      resources: [table],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions.map((begin) => `${begin}*`) },
        // Without keys, as in a scan, all of none would match.
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    }),
  )
}

/** Keys that a role reads and writes: one key, or a prefix, which ends with a slash or is empty. */
export type Keys = { readonly reads: readonly string[]; readonly writes: readonly string[] }

/**
 * Grants a role reading and writing of objects. Without permission to list, S3 answers 403 instead of 404 for an absent
 * object.
 */
export function allowObjects(role: IRole, bucket: IBucket, { reads, writes }: Keys): void {
  allow(role, ['s3:ListBucket'], [bucket.bucketArn])
  // A put conditional on an object's ETag requires permission to read it.
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

/** A bucket's ARN in the stack of a role. */
function arnSeenFrom(role: IRole, bucket: IBucket): string {
  const home = Stack.of(bucket)
  return home === Stack.of(role) ? bucket.bucketArn : home.exportValue(bucket.bucketArn)
}

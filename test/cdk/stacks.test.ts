// Whole form only.
import { rmSync } from 'node:fs'
import { App, Stack, Validations } from 'aws-cdk-lib'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { AwsSolutionsChecks } from 'cdk-nag'
import { describe, expect, it } from 'vitest'
import { objectPrefixes, tables } from '../../store/aws/tables.ts'
import { tempDir } from '../support/temp-dir.ts'
import {
  type Properties,
  propertiesOf,
  resourcesOf,
  synthesiseProd,
  type TemplatePart,
  valueAt,
} from './synthesised.ts'

const made = await synthesiseProd()

const both = () => [made.storage, made.service]
/** The function that copies the pages is the CDK's own. */
const isOurs = ({ id }: TemplatePart): boolean => !id.startsWith('CustomCDKBucketDeployment')
const ourPolicies = () =>
  both().flatMap((template) => resourcesOf(template, 'AWS::IAM::Policy').filter(isOurs))

describe('resources that cannot be recreated', () => {
  it('has the keys that the code reads and writes by, expires items, and can be restored', () => {
    const found = propertiesOf(made.storage, 'AWS::DynamoDB::Table')
    expect(found).toHaveLength(Object.keys(tables).length)
    for (const [index, { partitionKey, sortKey, expiresAt }] of Object.values(tables).entries()) {
      expect(found[index]).toMatchObject({
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: sortKey, KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'S' },
        ],
        TimeToLiveSpecification: { AttributeName: expiresAt, Enabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        DeletionProtectionEnabled: true,
        BillingMode: 'PAY_PER_REQUEST',
      })
    }
  })

  it('keeps every segment for ever: they only move to where keeping costs less', () => {
    const [bucket] = propertiesOf(made.storage, 'AWS::S3::Bucket')
    const rules = valueAt(bucket, 'LifecycleConfiguration', 'Rules') as readonly Properties[]
    const ofSegments = rules.filter(({ Prefix = '' }) => objectPrefixes.segments.startsWith(String(Prefix)))
    expect(ofSegments.filter((rule) => 'ExpirationInDays' in rule || 'ExpirationDate' in rule)).toEqual([])
    expect(ofSegments).toContainEqual({
      Id: 'segments',
      Prefix: objectPrefixes.segments,
      Status: 'Enabled',
      Transitions: [{ StorageClass: 'GLACIER_IR', TransitionInDays: 60 }],
    })
  })

  it('is retained when its stack is deleted', () => {
    for (const [id, { Type, DeletionPolicy, UpdateReplacePolicy }] of Object.entries(
      made.storage.Resources,
    )) {
      if (/BucketPolicy|::IAM::|Backup(Plan|Selection)/.test(Type)) continue
      // What has a fixed name goes where its creation is rolled back: first-deployment.test.ts.
      const kept = /BackupVault$/.test(Type) ? 'RetainExceptOnCreate' : 'Retain'
      expect([id, DeletionPolicy, UpdateReplacePolicy]).toEqual([id, kept, 'Retain'])
    }
  })
})

describe('rights', () => {
  it('buckets admit only TLS requests, and only from the edge', () => {
    for (const template of both()) {
      for (const { id, properties } of resourcesOf(template, 'AWS::S3::Bucket')) {
        const block = properties['PublicAccessBlockConfiguration'] as object
        expect([id, Object.values(block)]).toEqual([id, [true, true, true, true]])
        expect(properties).not.toHaveProperty('AccessControl')
        expect(properties).not.toHaveProperty('WebsiteConfiguration')
      }
      for (const { PolicyDocument } of propertiesOf(template, 'AWS::S3::BucketPolicy')) {
        const statements = valueAt(PolicyDocument, 'Statement') as Properties[]
        for (const { Effect, Principal, Condition } of statements.filter(
          ({ Effect }) => Effect === 'Allow',
        )) {
          expect([Effect, Principal]).toEqual(['Allow', { Service: 'cloudfront.amazonaws.com' }])
          expect(JSON.stringify(Condition)).toContain('AWS:SourceArn')
        }
        expect(statements.filter(({ Effect }) => Effect === 'Deny')).toMatchObject([
          { Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        ])
      }
    }
  })

  it('name actions and resources; wildcards occur only for objects below a prefix', () => {
    const policies = ourPolicies()
    expect(policies.length).toBeGreaterThan(5)
    for (const { properties } of policies) {
      for (const { Action, Resource } of valueAt(properties, 'PolicyDocument', 'Statement') as Properties[]) {
        for (const action of [Action].flat() as string[]) expect(action).not.toContain('*')
        for (const resource of [Resource].flat()) {
          const text = JSON.stringify(resource)
          if (!text.includes('*')) continue
          const isObjects = /"\/(?:[a-z0-9]+\/)*\*"/.test(text) && /Bucket|Published/.test(text)
          const isVersions = /SnapshotsRebuild|ArchiveWrite|PreviewsDraw/.test(text) && text.includes('":*"')
          const isCopied = text.includes(':s3:::z100-prod-copies-')
          expect([text, isObjects || isVersions || isCopied]).toEqual([text, true])
        }
      }
    }
  })

  it('no process may delete an item or an object, or scan a table', () => {
    const forbidden = /dynamodb:(Delete|Scan|BatchWrite)|s3:Delete/
    // A batch of writes may hold deletions, which IAM cannot tell apart. Only ingest has it: its first catch-up is written so.
    const [inBatches, others] = [true, false].map((isBatched) =>
      ourPolicies().filter((policy) => JSON.stringify(policy).includes('dynamodb:BatchWrite') === isBatched),
    )
    expect(inBatches?.map(({ id }) => id)).toEqual([expect.stringMatching(/^IngestTask/)])
    expect(JSON.stringify(inBatches).replaceAll('dynamodb:BatchWriteItem', '')).not.toMatch(forbidden)
    const text = JSON.stringify(others)
    expect(text).toContain('dynamodb:PutItem')
    expect(text).not.toMatch(forbidden)
    // What copies the log reads a whole table, while it is there.
    const beside = JSON.stringify(propertiesOf(made.beside, 'AWS::IAM::Policy'))
    expect(beside).toContain('dynamodb:Scan')
    expect(beside.replaceAll('dynamodb:Scan', '')).not.toMatch(forbidden)
  })

  it('cdk-nag has no finding without a reason, and is in force', () => {
    for (const [rule, reason] of made.acknowledged) expect([rule, reason.length > 20]).toEqual([rule, true])
    expect(made.acknowledged.length).toBeGreaterThan(10)
    const outdir = tempDir()
    const app = new App({ outdir })
    new Bucket(new Stack(app, 'Careless'), 'Bucket')
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
    expect(() => app.synth()).toThrow('AwsSolutions-S10')
    rmSync(outdir, { recursive: true })
  })
})

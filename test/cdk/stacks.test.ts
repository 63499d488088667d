import { rmSync } from 'node:fs'
import { App, Stack, Validations } from 'aws-cdk-lib'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { AwsSolutionsChecks } from 'cdk-nag'
import { beforeAll, describe, expect, it } from 'vitest'
import { stages } from '../../cdk/config.ts'
import { NODE_IMAGE } from '../../schemas/stages.ts'
import { objectPrefixes, tables } from '../../store/tables.ts'
import {
  only,
  type Properties,
  propertiesOf,
  resourcesOf,
  type Synthesised,
  synthesise,
  valueAt,
} from '../support/synthesised.ts'
import { tempDir } from '../support/temp-dir.ts'

let made: Synthesised
beforeAll(() => {
  made = synthesise(stages.prod, { isValidated: true })
}, 300_000)

const both = () => [made.storage, made.service]
/** The function that copies the pages is the CDK's own. */
const isOurs = ([id]: readonly [string, unknown]): boolean => !id.startsWith('CustomCDKBucketDeployment')
const ourPolicies = () =>
  both().flatMap((template) =>
    resourcesOf(template, 'AWS::IAM::Policy')
      .filter(isOurs)
      .map(([, { Properties = {} }]) => Properties),
  )

describe('what cannot be made again', () => {
  it('keeps its logical ids, so that no deployment replaces it', () => {
    const kept = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret']
    const ids = kept.flatMap((type) => resourcesOf(made.storage, type).map(([id]) => [type, id]))
    expect(ids).toEqual([
      ['AWS::DynamoDB::Table', 'MarketTable7FEC6C0D'],
      ['AWS::DynamoDB::Table', 'AccessTable13A21DD9'],
      ['AWS::DynamoDB::Table', 'UsageTable28300137'],
      ['AWS::S3::Bucket', 'SegmentBucketFBC9FB87'],
      ['AWS::SecretsManager::Secret', 'EndpointSecretD6E40AC3'],
    ])
    // What copies them can be made again.
    const others = Object.values(made.storage.Resources).filter(({ Type }) => !kept.includes(Type))
    expect(new Set(others.map(({ Type }) => Type.replace(/^AWS::(Backup|IAM)::.*/, '$1')))).toEqual(
      new Set(['AWS::S3::BucketPolicy', 'Backup', 'IAM']),
    )
  })

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
      for (const [id, { Properties }] of resourcesOf(template, 'AWS::S3::Bucket')) {
        const block = Properties?.['PublicAccessBlockConfiguration'] as object
        expect([id, Object.values(block)]).toEqual([id, [true, true, true, true]])
        expect(Properties).not.toHaveProperty('AccessControl')
        expect(Properties).not.toHaveProperty('WebsiteConfiguration')
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

  it('name actions and resources; wildcards stand for objects below a prefix alone', () => {
    const policies = ourPolicies()
    expect(policies.length).toBeGreaterThan(5)
    for (const { PolicyDocument } of policies) {
      for (const { Action, Resource } of valueAt(PolicyDocument, 'Statement') as Properties[]) {
        for (const action of [Action].flat() as string[]) expect(action).not.toContain('*')
        for (const resource of [Resource].flat()) {
          const text = JSON.stringify(resource)
          if (!text.includes('*')) continue
          const isObjects = /"\/(?:[a-z]+\/)?\*"/.test(text) && /Bucket|Published/.test(text)
          const isVersions = text.includes('SnapshotsRebuild') && text.includes('":*"')
          const isCopied = text.includes(':s3:::z100-prod-copies-')
          expect([text, isObjects || isVersions || isCopied]).toEqual([text, true])
        }
      }
    }
  })

  it('no process may delete an item or an object, or scan a table', () => {
    const text = JSON.stringify(ourPolicies())
    expect(text).toContain('dynamodb:PutItem')
    expect(text).not.toMatch(/dynamodb:(Delete|Scan|BatchWrite)|s3:Delete/)
  })

  it('pages are put after the files that they load, and none of what others put is taken away', () => {
    const deployments = resourcesOf(made.service, 'Custom::CDKBucketDeployment')
    const order = deployments.map(([id]) => id.replace(/^SiteFiles|CustomResource.*/g, ''))
    expect(order).toEqual(['assets', 'iconsvg', 'sitewebmanifest', 'stylecss', 'tokenjs', ''])
    for (const [n, [, { Properties, ...rest }]] of deployments.entries()) {
      expect(Properties).toMatchObject({
        Prune: false,
        SystemMetadata: { 'cache-control': expect.any(String) },
      })
      if (n > 0) expect(valueAt(rest, 'DependsOn')).toContain(deployments[n - 1]![0])
    }
    expect(valueAt(deployments.at(-1)?.[1].Properties, 'Exclude')).toContain('config.json*')
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

describe('functions', () => {
  const own = () =>
    resourcesOf(made.service, 'AWS::Lambda::Function').filter(
      (each) => isOurs(each) && valueAt(each[1].Properties, 'Architectures') !== undefined,
    )

  it('run Node 24 on ARM, in their time and memory, into a log that ends', () => {
    expect(own()).toHaveLength(4)
    for (const [, { Properties }] of own()) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] })
      expect(Properties?.['Timeout']).toEqual(expect.any(Number))
      expect(Properties?.['MemorySize']).toEqual(expect.any(Number))
      expect(valueAt(Properties, 'LoggingConfig', 'LogGroup')).toBeDefined()
    }
    for (const { RetentionInDays } of propertiesOf(made.service, 'AWS::Logs::LogGroup'))
      expect(RetentionInDays).toBe(stages.prod.logDays)
  })

  it('invoked asynchronously have a queue for failures; the others are invoked by the gateway', () => {
    const configured = propertiesOf(made.service, 'AWS::Lambda::EventInvokeConfig')
    const names = configured.map(({ FunctionName }) => String(valueAt(FunctionName, 'Ref')))
    expect(names.map((name) => name.replace(/[0-9A-F]{8}$/, '')).sort()).toEqual([
      'EdgeUsageCount',
      'SnapshotsRebuild',
    ])
    for (const { DestinationConfig } of configured)
      expect(valueAt(DestinationConfig, 'OnFailure', 'Destination')).toBeDefined()
    const permissions = propertiesOf(made.service, 'AWS::Lambda::Permission')
    const asked = (prefix: string) =>
      permissions
        .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes(prefix))
        .map(({ Principal }) => Principal)
    expect(new Set(asked('ReadApi'))).toEqual(new Set(['apigateway.amazonaws.com']))
  })

  it('the snapshot is built each minute, never twice for one minute that is over', () => {
    expect(only(made.service, 'AWS::Scheduler::Schedule')).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      Target: { RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } },
    })
    // A rebuild within a deployment would hold up the way back to code that works.
    expect(resourcesOf(made.service, 'Custom::Trigger')).toEqual([])
  })
})

describe('tasks', () => {
  it('run unprivileged on a read-only file system, with a health check and time to stop', () => {
    const definitions = propertiesOf(made.service, 'AWS::ECS::TaskDefinition')
    expect(definitions).toHaveLength(2)
    for (const definition of definitions) {
      const containers = definition['ContainerDefinitions'] as Properties[]
      expect(containers.map(({ ReadonlyRootFilesystem }) => ReadonlyRootFilesystem)).toEqual([true, true])
      expect(containers[0]).toMatchObject({ User: '1000', Essential: true })
      expect(JSON.stringify(containers[0]?.['HealthCheck'])).toContain('/health')
      expect(containers[0]?.['StopTimeout']).toEqual(expect.any(Number))
      const [node, fetcher] = containers.map(({ Image }) => Image)
      expect(node).toBe(`public.ecr.aws/docker/library/node:${NODE_IMAGE.version}-alpine`)
      expect(fetcher).toMatch(/@sha256:[0-9a-f]{64}$/)
    }
    // A number in the template would take a stream that was scaled out back to its least, with every deployment.
    const counts = resourcesOf(made.service, 'AWS::ECS::Service').map(([id, { Properties }]) => [
      id.replace(/Task.*/, ''),
      Properties?.['DesiredCount'],
    ])
    expect(counts).toEqual([
      ['Ingest', 1],
      ['Stream', undefined],
    ])
    expect(only(made.service, 'AWS::ApplicationAutoScaling::ScalableTarget')).toMatchObject({
      MinCapacity: stages.prod.stream?.minTasks,
    })
    for (const { DeploymentConfiguration } of propertiesOf(made.service, 'AWS::ECS::Service'))
      expect(DeploymentConfiguration).toMatchObject({
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        MinimumHealthyPercent: 100,
      })
  })

  it('get the chain’s endpoints as a secret, and are reached by the balancer alone', () => {
    const text = JSON.stringify(propertiesOf(made.service, 'AWS::ECS::TaskDefinition'))
    expect(text).toContain('"Secrets":[{"Name":"RPC_URLS"')
    expect(text).not.toContain('{"Name":"RPC_URLS","Value"')
    expect(only(made.service, 'AWS::ElasticLoadBalancingV2::LoadBalancer')['Scheme']).toBe('internal')
    const groups = JSON.stringify(propertiesOf(made.service, 'AWS::EC2::SecurityGroup'))
    const inward = propertiesOf(made.service, 'AWS::EC2::SecurityGroupIngress')
    expect(groups + JSON.stringify(inward)).not.toMatch(/"SecurityGroupIngress":\[\{"CidrIp":"0\.0\.0\.0/)
    expect(inward.map((rule) => Object.keys(rule).filter((name) => /^(Cidr|Source)/.test(name)))).toEqual([
      ['SourceSecurityGroupId'],
      ['SourcePrefixListId'],
    ])
  })
})

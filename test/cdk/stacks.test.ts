import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { App, Stack, Validations } from 'aws-cdk-lib'
import { CachePolicy } from 'aws-cdk-lib/aws-cloudfront'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { AwsSolutionsChecks } from 'cdk-nag'
import { beforeAll, describe, expect, it } from 'vitest'
import { alarms, budgetRunbook } from '../../cdk/alarms.ts'
import { type ChoiceName, choices, deployArguments, parameterOf, withEndpoints } from '../../cdk/choices.ts'
import { stages } from '../../cdk/config.ts'
import { assumptions, costLines, type Load, loads, monthUsd } from '../../cdk/cost.ts'
import { costTexts } from '../../cdk/cost-tables.ts'
import type { serviceFunction } from '../../cdk/functions.ts'
import { behaviours, distribution, edgeAccess, rateRules } from '../../lambdas/edge/distribution.ts'
import { ORIGIN_HEADER, tierNames, tiers, VERDICT_SECONDS } from '../../schemas/access.ts'
import { edgeTable } from '../../schemas/documents.ts'
import { processes } from '../../schemas/env.ts'
import { gatewayResponses } from '../../schemas/gateway-responses.ts'
import { type Operation, operations } from '../../schemas/operations.ts'
import { objectPrefixes, tables } from '../../store/tables.ts'
import {
  type Properties,
  type Resource,
  resourcesOf,
  type Synthesised,
  synthesise,
  type TemplateText,
} from '../support/synthesised.ts'
import { tempDir } from '../support/temp-dir.ts'

let made: Synthesised
beforeAll(() => {
  made = synthesise(stages.prod, { isValidated: true })
}, 300_000)

/** What stands at a path of names and numbers within a value. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string | number, unknown>)?.[name], value)
}
const only = (template: TemplateText, type: string): Resource => {
  const found = resourcesOf(template, type)
  expect(found, type).toHaveLength(1)
  return found[0]![1]
}
const propertiesOf = (template: TemplateText, type: string): readonly Properties[] =>
  resourcesOf(template, type).map(([, { Properties = {} }]) => Properties)
const both = () => [made.storage, made.service]
const readme = readFileSync(join(import.meta.dirname, '../../cdk/README.md'), 'utf8')

/** CloudFront's own policy for what is never kept. */
const CACHING_DISABLED = CachePolicy.CACHING_DISABLED.cachePolicyId

describe('what cannot be made again', () => {
  it('keeps its logical ids, so that no deployment puts another in its place', () => {
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
    const rules = at(bucket, 'LifecycleConfiguration', 'Rules') as readonly Properties[]
    const ofSegments = rules.filter(({ Prefix = '' }) => objectPrefixes.segments.startsWith(String(Prefix)))
    expect(ofSegments.filter((rule) => 'ExpirationInDays' in rule || 'ExpirationDate' in rule)).toEqual([])
    expect(ofSegments).toContainEqual({
      Id: 'segments',
      Prefix: objectPrefixes.segments,
      Status: 'Enabled',
      Transitions: [{ StorageClass: 'GLACIER_IR', TransitionInDays: 60 }],
    })
  })

  it('stays when its stack is deleted', () => {
    for (const [id, { Type, DeletionPolicy, UpdateReplacePolicy }] of Object.entries(
      made.storage.Resources,
    )) {
      if (/BucketPolicy|::IAM::|Backup(Plan|Selection)/.test(Type)) continue
      expect([id, DeletionPolicy, UpdateReplacePolicy]).toEqual([id, 'Retain', 'Retain'])
    }
  })
})

describe('rights', () => {
  it('let nobody in to a bucket but over TLS and, by the policy, the edge', () => {
    for (const template of both()) {
      for (const [id, { Properties }] of resourcesOf(template, 'AWS::S3::Bucket')) {
        const block = Properties?.['PublicAccessBlockConfiguration'] as object
        expect([id, Object.values(block)]).toEqual([id, [true, true, true, true]])
        expect(Properties).not.toHaveProperty('AccessControl')
        expect(Properties).not.toHaveProperty('WebsiteConfiguration')
      }
      for (const { PolicyDocument } of propertiesOf(template, 'AWS::S3::BucketPolicy')) {
        const statements = at(PolicyDocument, 'Statement') as Properties[]
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
    const policies = both().flatMap((template) => propertiesOf(template, 'AWS::IAM::Policy'))
    expect(policies.length).toBeGreaterThan(5)
    for (const { PolicyDocument } of policies) {
      for (const { Action, Resource } of at(PolicyDocument, 'Statement') as Properties[]) {
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
    const text = JSON.stringify(both().flatMap((template) => propertiesOf(template, 'AWS::IAM::Policy')))
    expect(text).toContain('dynamodb:PutItem')
    expect(text).not.toMatch(/dynamodb:(Delete|Scan|BatchWrite)|s3:Delete/)
  })

  it('cdk-nag finds nothing that has no reason, and would', () => {
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
      ([, { Properties }]) => at(Properties, 'Architectures') !== undefined,
    )

  it('run Node 24 on ARM, in their time and memory, into a log that ends', () => {
    expect(own()).toHaveLength(4)
    for (const [, { Properties }] of own()) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] })
      expect(Properties?.['Timeout']).toEqual(expect.any(Number))
      expect(Properties?.['MemorySize']).toEqual(expect.any(Number))
      expect(at(Properties, 'LoggingConfig', 'LogGroup')).toBeDefined()
    }
    for (const { RetentionInDays } of propertiesOf(made.service, 'AWS::Logs::LogGroup'))
      expect(RetentionInDays).toBe(stages.prod.logDays)
  })

  it('nobody waits for have a place for what they could not do; the others are told to their caller', () => {
    const configured = propertiesOf(made.service, 'AWS::Lambda::EventInvokeConfig')
    const names = configured.map(({ FunctionName }) => String(at(FunctionName, 'Ref')))
    expect(names.map((name) => name.replace(/[0-9A-F]{8}$/, '')).sort()).toEqual([
      'EdgeUsageCount',
      'SnapshotsRebuild',
    ])
    for (const { DestinationConfig } of configured)
      expect(at(DestinationConfig, 'OnFailure', 'Destination')).toBeDefined()
    const permissions = propertiesOf(made.service, 'AWS::Lambda::Permission')
    const asked = (prefix: string) =>
      permissions
        .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes(prefix))
        .map(({ Principal }) => Principal)
    expect(new Set(asked('ReadApi'))).toEqual(new Set(['apigateway.amazonaws.com']))
  })

  it('the snapshot is built each minute, never twice for one minute that is over', () => {
    expect(only(made.service, 'AWS::Scheduler::Schedule').Properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      Target: { RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } },
    })
    // A rebuild within a deployment would hold up the way back to code that works.
    expect(resourcesOf(made.service, 'Custom::Trigger')).toEqual([])
  })
})

describe('the edge', () => {
  const config = () =>
    at(only(made.service, 'AWS::CloudFront::Distribution').Properties, 'DistributionConfig')
  const policy = (id: unknown) => at(made.service.Resources[String(at(id, 'Ref'))], 'Properties')

  it('has the behaviours of its description, in their order', () => {
    const found = [...(at(config(), 'CacheBehaviors') as Properties[]), at(config(), 'DefaultCacheBehavior')]
    expect(found.map((each) => at(each, 'PathPattern') ?? '*')).toEqual(
      behaviours.map(({ pattern }) => pattern),
    )
    for (const [index, { keyHeaders, hasFunctions }] of behaviours.entries()) {
      const each = found[index] as Properties
      expect((each['FunctionAssociations'] as unknown[] | undefined)?.length ?? 0).toBe(hasFunctions ? 2 : 0)
      expect(each['Compress']).toBe(keyHeaders !== null)
      // Such a policy has no opinion of Accept-Encoding: it is sent on with all else.
      if (!keyHeaders)
        expect(each).toMatchObject({ CachePolicyId: CACHING_DISABLED, OriginRequestPolicyId: {} })
      if (!keyHeaders) continue
      const key = at(policy(each['CachePolicyId']), 'CachePolicyConfig')
      expect(key).toMatchObject({
        MinTTL: 0,
        DefaultTTL: 0,
        MaxTTL: 86_400,
        ParametersInCacheKeyAndForwardedToOrigin: { CookiesConfig: { CookieBehavior: 'none' } },
      })
      const inKey = at(key, 'ParametersInCacheKeyAndForwardedToOrigin', 'HeadersConfig', 'Headers') ?? []
      expect(inKey).toEqual(keyHeaders)
    }
  })

  it('runs the functions that the tests run, and has every origin that they name', () => {
    const { viewerRequest, viewerResponse } = distribution(edgeTable, edgeAccess()).functions
    const codes = propertiesOf(made.service, 'AWS::CloudFront::Function').map((each) => each['FunctionCode'])
    expect(codes).toEqual([viewerRequest, viewerResponse])
    const ids = (at(config(), 'Origins') as Properties[]).map((origin) => origin['Id'])
    expect([...ids].sort()).toEqual(['api', 'published', 'site', 'stream'])
    const named = [...viewerRequest.matchAll(/originId:"(\w+)"|OriginById\("(\w+)"\)/g)].map(
      ([, a, b]) => a ?? b,
    )
    expect(new Set(named)).toEqual(new Set(['published', 'api']))
    const group = at(config(), 'OriginGroups', 'Items', 0)
    expect(JSON.stringify(group)).toContain('"OriginId":"site"},{"OriginId":"api"')
  })

  it('sends no cookies on, and all else but Host', () => {
    const request = at(
      only(made.service, 'AWS::CloudFront::OriginRequestPolicy').Properties,
      'OriginRequestPolicyConfig',
    )
    expect(request).toMatchObject({
      CookiesConfig: { CookieBehavior: 'none' },
      HeadersConfig: { HeaderBehavior: 'allExcept', Headers: ['host'] },
      QueryStringsConfig: { QueryStringBehavior: 'all' },
    })
  })

  it('counts what it answers, and hears of accounts that the API has to refuse', () => {
    const filters = propertiesOf(made.service, 'AWS::Logs::SubscriptionFilter')
    expect(filters.map(({ FilterPattern }) => FilterPattern).sort()).toEqual([
      '"z100" "exhausted"',
      '"z100" "usage"',
    ])
  })

  it('takes keys over https alone, refuses what is plain http there, and redirects pages', () => {
    const found = [...(at(config(), 'CacheBehaviors') as Properties[]), at(config(), 'DefaultCacheBehavior')]
    expect(found.map((each) => [at(each, 'PathPattern') ?? '*', at(each, 'ViewerProtocolPolicy')])).toEqual([
      ['/v1/stream/*', 'https-only'],
      ['/v1*', 'https-only'],
      ['/V1*', 'https-only'],
      ['//*', 'https-only'],
      ['/llms.txt', 'https-only'],
      ['/robots.txt', 'redirect-to-https'],
      ['/sitemap.xml', 'redirect-to-https'],
      ['/token/*', 'redirect-to-https'],
      ['/stream*', 'https-only'],
      ['*', 'redirect-to-https'],
    ])
    const kept = (at(config(), 'CustomErrorResponses') as Properties[]).find(
      ({ ErrorCode }) => ErrorCode === 404,
    )
    expect(kept).toEqual({ ErrorCode: 404, ErrorCachingMinTTL: 60 })
  })

  it('is bounded by address, by key, and for the key of the pages by address again', () => {
    const acl = only(made.service, 'AWS::WAFv2::WebACL')
    const rules = acl.Properties!['Rules'] as Properties[]
    const bounds = rules.map(({ Statement }) => at(Statement, 'RateBasedStatement') as Properties)
    expect(bounds).toMatchObject(
      rateRules.map(({ limit, windowSeconds, by }) => ({
        Limit: limit,
        EvaluationWindowSec: windowSeconds,
        AggregateKeyType: by === 'address' ? 'IP' : 'CUSTOM_KEYS',
      })),
    )
    expect(at(bounds[2], 'ScopeDownStatement', 'ByteMatchStatement', 'SearchString')).toBe('z100_site_')
    expect(JSON.stringify(at(config(), 'WebACLId'))).toContain('FirewallAcl')
  })

  it('sends the gateway a secret that only the authorizer knows', () => {
    const sent = (at(config(), 'Origins') as Properties[]).flatMap(({ Id, OriginCustomHeaders }) =>
      ((OriginCustomHeaders ?? []) as Properties[]).map(({ HeaderName, HeaderValue }) => [
        Id,
        HeaderName,
        HeaderValue,
      ]),
    )
    const [, authorizer] = resourcesOf(made.service, 'AWS::Lambda::Function').find(([id]) =>
      id.startsWith('ReadApiAuthorizer'),
    )!
    const known = at(authorizer.Properties, 'Environment', 'Variables', 'ORIGIN_SECRET')
    expect(JSON.stringify(known)).toMatch(/resolve:secretsmanager:.*OriginSecret.*:SecretString/)
    expect(sent).toEqual([['api', ORIGIN_HEADER, known]])
  })
})

describe('the gateway', () => {
  it('asks for a key on every path that needs one, and keeps the verdict half a minute', () => {
    const edge = `method.request.header.${ORIGIN_HEADER}`
    expect(propertiesOf(made.service, 'AWS::ApiGateway::Authorizer')).toMatchObject([
      { Type: 'REQUEST', IdentitySource: edge },
      {
        Type: 'REQUEST',
        IdentitySource: `${edge},method.request.header.Authorization`,
        AuthorizerResultTtlInSeconds: VERDICT_SECONDS,
      },
    ])
    expect(only(made.service, 'AWS::ApiGateway::RestApi').Properties?.['ApiKeySourceType']).toBe('AUTHORIZER')
    const methods = propertiesOf(made.service, 'AWS::ApiGateway::Method')
    expect(methods.filter(({ AuthorizationType }) => AuthorizationType !== 'CUSTOM')).toEqual([])
    const [keyless, keyed] = ['ByEdge', 'ByKey'].map((authorizer) =>
      methods.filter(({ AuthorizerId }) => String(at(AuthorizerId, 'Ref')).includes(authorizer)),
    )
    const isPublic = Object.values<Operation>(operations).filter(({ needs }) => needs === 'nothing')
    expect(keyless!.map(({ ApiKeyRequired }) => ApiKeyRequired)).toEqual(isPublic.map(() => false))
    expect(keyed).toMatchObject([{ HttpMethod: 'ANY', ApiKeyRequired: true }])
  })

  it('has a plan for each tier', () => {
    const found = propertiesOf(made.service, 'AWS::ApiGateway::UsagePlan').map(({ Throttle }) => Throttle)
    expect(found).toEqual(
      tierNames.map((tier) => ({
        RateLimit: tiers[tier].flood.perSecond,
        BurstLimit: tiers[tier].flood.burst,
      })),
    )
  })

  it('says what it says by itself in the one shape, or as a page outside the API, which nobody keeps', () => {
    const found = propertiesOf(made.service, 'AWS::ApiGateway::GatewayResponse')
    expect(found.map(({ ResponseType }) => ResponseType).sort()).toEqual(Object.keys(gatewayResponses).sort())
    for (const { ResponseType, ResponseParameters, ResponseTemplates } of found) {
      expect(at(ResponseParameters, 'gatewayresponse.header.cache-control')).toBe("'no-store'")
      expect(at(ResponseParameters, 'gatewayresponse.header.x-request-id')).toBe('context.requestId')
      const text = String(at(ResponseTemplates, 'application/json'))
      if (ResponseType === 'MISSING_AUTHENTICATION_TOKEN') {
        // A page, in which the gateway finds nothing to put in.
        expect(at(ResponseParameters, 'gatewayresponse.header.content-type')).toBe(
          "'text/html; charset=utf-8'",
        )
        expect(text).toMatch(/^<!doctype html>[^$]*$/)
        continue
      }
      expect(JSON.parse(text)).toMatchObject({ error: { request_id: '$context.requestId' } })
    }
  })
})

describe('tasks', () => {
  it('run as nobody, cannot write, are asked for their health, and have time to end', () => {
    const definitions = propertiesOf(made.service, 'AWS::ECS::TaskDefinition')
    expect(definitions).toHaveLength(2)
    for (const definition of definitions) {
      const containers = definition['ContainerDefinitions'] as Properties[]
      expect(containers.map(({ ReadonlyRootFilesystem }) => ReadonlyRootFilesystem)).toEqual([true, true])
      expect(containers[0]).toMatchObject({ User: '1000', Essential: true })
      expect(JSON.stringify(containers[0]?.['HealthCheck'])).toContain('/health')
      expect(containers[0]?.['StopTimeout']).toEqual(expect.any(Number))
      for (const { Image } of containers) expect(Image).toMatch(/@sha256:[0-9a-f]{64}$/)
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
    expect(only(made.service, 'AWS::ApplicationAutoScaling::ScalableTarget').Properties).toMatchObject({
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
    expect(only(made.service, 'AWS::ElasticLoadBalancingV2::LoadBalancer').Properties?.['Scheme']).toBe(
      'internal',
    )
    const groups = JSON.stringify(propertiesOf(made.service, 'AWS::EC2::SecurityGroup'))
    const inward = propertiesOf(made.service, 'AWS::EC2::SecurityGroupIngress')
    expect(groups + JSON.stringify(inward)).not.toMatch(/"SecurityGroupIngress":\[\{"CidrIp":"0\.0\.0\.0/)
    expect(inward.map((rule) => Object.keys(rule).filter((name) => /^(Cidr|Source)/.test(name)))).toEqual([
      ['SourceSecurityGroupId'],
      ['SourcePrefixListId'],
    ])
  })
})

describe('what is said of it', () => {
  const runbook = readme.slice(readme.indexOf('## Runbook'), readme.indexOf('## Cost'))
  const sections = runbook.split(/^### /m).slice(1)
  const said = new Map(
    sections.map((section) => {
      const [heading = '', , line = ''] = section.split('\n')
      return [heading, [...line.matchAll(/`([A-Z][A-Za-z]+)`/g)].map(([, name]) => name)] as const
    }),
  )

  it('every alarm has its section, and every section the alarms it names', () => {
    const rows = Object.entries(alarms)
    for (const heading of said.keys()) {
      const named = rows.filter(([, { runbook }]) => runbook === heading).map(([name]) => name)
      expect([heading, said.get(heading)]).toEqual([heading, named])
      const [, , line = ''] = sections.find((each) => each.startsWith(`${heading}\n`))!.split('\n')
      expect(line).toMatch(named.length > 0 || heading === budgetRunbook ? /^Alarms?:/ : /^No alarm:/)
    }
    for (const [name, { runbook }] of rows) expect([name, said.has(runbook)]).toEqual([name, true])
    expect(said.has(budgetRunbook)).toBe(true)
  })

  it('every alarm is made, tells where to read, and whom', () => {
    const found = propertiesOf(made.service, 'AWS::CloudWatch::Alarm')
    expect(found).toHaveLength(Object.keys(alarms).length)
    for (const { AlarmDescription, AlarmActions } of found) {
      const [, anchor] = /cdk\/README\.md#(.+)$/.exec(String(AlarmDescription)) ?? []
      expect([...said.keys()].map((heading) => heading.toLowerCase().replaceAll(' ', '-'))).toContain(anchor)
      expect(AlarmActions).toHaveLength(1)
    }
  })

  it('the tables of costs are those that the numbers make', () => {
    for (const [mark, text] of Object.entries(costTexts())) {
      const [, current = ''] = readme.split(`<!-- ${mark} -->`)
      expect([mark, current.split(`<!-- /${mark} -->`)[0]?.trim()]).toEqual([mark, text])
    }
  })

  it('what has a price for each of it is counted as often as it is made', () => {
    const count = (type: string) => both().reduce((sum, each) => sum + resourcesOf(each, type).length, 0)
    expect(assumptions.secrets).toBe(count('AWS::SecretsManager::Secret'))
    const { Properties } = only(made.service, 'AWS::WAFv2::WebACL')
    const firewall = costLines.find(({ part }) => part === 'Firewall')!
    // List prices: $5 a month, and $1 for each rule.
    const [idle] = loads as [Load]
    expect(firewall.usd(idle, stages.prod)).toBe(5 + (at(Properties, 'Rules') as unknown[]).length)
  })

  it('idle costs at most 60 dollars in dev and 110 in prod; a budget is above what its stage is made for', () => {
    const [idle, small, medium] = loads as [Load, Load, Load]
    expect(monthUsd(idle, stages.dev)).toBeLessThanOrEqual(60)
    expect(monthUsd(idle, stages.prod)).toBeLessThanOrEqual(110)
    expect(stages.dev.budgetUsd).toBeGreaterThan(monthUsd(small, stages.dev))
    expect(stages.prod.budgetUsd).toBeGreaterThan(monthUsd(medium, stages.prod))
  })
})

describe('what a stage may choose', () => {
  const count = (template: TemplateText, type: string) => resourcesOf(template, type).length

  it('no stream, exact counting, a firewall, images that Docker builds', () => {
    const stage = { ...stages.dev, stream: null, isCounted: true, hasFirewall: true }
    const { service } = synthesise(stage, { hasDocker: true, isValidated: true })
    expect(count(service, 'AWS::ElasticLoadBalancingV2::LoadBalancer')).toBe(0)
    expect(count(service, 'AWS::ECS::Service')).toBe(1)
    expect(count(service, 'AWS::Logs::SubscriptionFilter')).toBe(1)
    const config = at(only(service, 'AWS::CloudFront::Distribution').Properties, 'DistributionConfig')
    expect(at(config, 'WebACLId')).toBeDefined()
    expect((at(config, 'Origins') as Properties[]).map(({ Id }) => Id)).not.toContain('stream')
    const [container, ...others] = at(
      only(service, 'AWS::ECS::TaskDefinition').Properties,
      'ContainerDefinitions',
    ) as Properties[]
    expect(others).toEqual([])
    expect(JSON.stringify(container?.['Image'])).toContain('cdk-hnb659fds-container-assets')
    // The edge asks for the key of every tier there, and keeps nothing of theirs.
    const [viewerRequest] = propertiesOf(service, 'AWS::CloudFront::Function')
    expect(viewerRequest?.['FunctionCode']).toBe(
      distribution(edgeTable, edgeAccess(true)).functions.viewerRequest,
    )
    const watched = Object.values(alarms).filter(
      (row) => !('service' in row ? row.service === 'stream' : row.of === 'streamTargets'),
    )
    expect(count(service, 'AWS::CloudWatch::Alarm')).toBe(watched.length)
  })

  it('what an operator chooses once is a parameter, which a deployment that does not name it leaves as it is', () => {
    for (const [name, { stack }] of Object.entries(choices)) {
      const template = stack === 'Storage' ? made.storage : made.service
      const parameter = at(template, 'Parameters', parameterOf(name as ChoiceName)) as Properties
      const isRequired = name === 'rpcUrls'
      expect([name, parameter['Type'], 'Default' in parameter]).toEqual([name, 'String', !isRequired])
      expect([name, parameter['NoEcho'] === true]).toEqual([name, isRequired])
    }
    const config = at(only(made.service, 'AWS::CloudFront::Distribution').Properties, 'DistributionConfig')
    expect(at(config, 'Aliases', 'Fn::If')).toEqual([
      'HasCertificateArn',
      { 'Fn::Split': [',', { Ref: 'DomainNames' }] },
      { Ref: 'AWS::NoValue' },
    ])
    expect(at(config, 'ViewerCertificate', 'Fn::If', 1, 'MinimumProtocolVersion')).toBe('TLSv1.2_2021')
    const mail = only(made.service, 'AWS::SNS::Subscription') as Resource & { readonly Condition?: string }
    expect([mail.Condition, mail.Properties?.['Endpoint']]).toEqual(['HasAlarmEmail', { Ref: 'AlarmEmail' }])
    const secret = only(made.storage, 'AWS::SecretsManager::Secret').Properties
    expect(secret?.['SecretString']).toEqual({ Ref: 'RpcUrls' })
    const [ingest] = at(
      propertiesOf(made.service, 'AWS::ECS::TaskDefinition')[0],
      'ContainerDefinitions',
    ) as Properties[]
    expect(ingest?.['Environment']).toContainEqual({ Name: 'START_BLOCK', Value: { Ref: 'StartBlock' } })
    expect(
      deployArguments([
        '-c',
        'stage=prod',
        '-c',
        'alarmEmail=a@b.c',
        '-c',
        'rpcUrls=https://x/?k=v,https://y',
      ]),
    ).toEqual([
      ...['deploy', '--all', '-c', 'stage=prod'],
      ...['--parameters', 'Z100-prod-Service:AlarmEmail=a@b.c'],
      ...['--parameters', 'Z100-prod-Storage:RpcUrls=https://x/?k=v,https://y'],
    ])
  })

  it('endpoints are asked for where somebody can answer, unless they are given; nothing keeps those that are there', async () => {
    const asked: string[] = []
    const answering = (answer: string) => async (question: string) => {
      asked.push(question)
      return answer
    }
    const given = ['-c', 'stage=prod']
    expect(await withEndpoints(given, answering(' https://a/key '))).toEqual([
      ...given,
      '-c',
      'rpcUrls=https://a/key',
    ])
    expect(await withEndpoints(given, answering(''))).toEqual(given)
    expect(asked).toHaveLength(2)
    const named = ['-c', 'rpcUrls=https://b']
    expect(await withEndpoints(named, answering('https://a'))).toEqual(named)
    expect(await withEndpoints(['Z100-dev-Service'], answering('https://a'))).toEqual(['Z100-dev-Service'])
    expect(await withEndpoints(given, null)).toEqual(given)
    expect(asked).toHaveLength(2)
  })

  it('a table that was restored under another name takes the place of the stack’s, in name and in rights', () => {
    const conditional = JSON.stringify({ 'Fn::If': ['HasMarketTable', { Ref: 'MarketTable' }] }).slice(0, -2)
    const text = JSON.stringify(made.service)
    const direct = text.replaceAll(conditional, '').match(/ImportValue":"[^"]*MarketTable/g) ?? []
    const chosen = text.match(/"Fn::If":\["HasMarketTable",/g) ?? []
    expect(chosen.length).toBeGreaterThanOrEqual(8)
    // Nothing names the stack's own table but as what stands where none was chosen.
    expect(direct).toHaveLength(chosen.length)
  })

  it('a variable that is missing does not compile', () => {
    type Wanted = Parameters<typeof serviceFunction<'api'>>[2]['environment']
    // @ts-expect-error: the rest of them
    const few: Wanted = { MARKET_TABLE: 'm' }
    expect(Object.keys(few)).not.toEqual(expect.arrayContaining([...processes.api.required]))
  })
})

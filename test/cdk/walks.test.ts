// Whole form only.
/** Ways through a template, walked from end to end: what has to be joined for the service to work on an account that is new. */
import { describe, expect, it } from 'vitest'
import { OWN_READ_UNITS, stages, zoneIds } from '../../cdk/config.ts'
import type { Operation } from '../../schemas/api/operation.ts'
import { operations } from '../../schemas/api/operations.ts'
import { CLOUDFRONT_PREFIX_LIST, MOST_FUNCTION_MB } from '../../schemas/deployment/stages.ts'
import { objectPrefixes } from '../../store/aws/tables.ts'
import { readUnits } from '../support/aws/answer-costs.ts'
import {
  only,
  type Properties,
  propertiesOf,
  resourcesOf,
  synthesise,
  synthesiseProd,
  valueAt,
} from './synthesised.ts'

const made = await synthesiseProd()

/** Logical ids that a value refers to, by Ref or GetAtt, at any depth. */
function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'Ref') return [String(inner)]
    if (name === 'Fn::GetAtt') return [String((inner as string[])[0])]
    return refsIn(inner)
  })
}

const all = (type: string, beginning?: string) => resourcesOf(made.service, type, beginning)
const allProperties = (type: string) => propertiesOf(made.service, type)
/** Properties of the resource of the service that has this id. */
const propertiesAt = (id: string | undefined): Properties =>
  made.service.Resources[id ?? '']?.Properties ?? {}
const inside = (properties: Properties, ...path: readonly string[]) =>
  (valueAt(properties, ...path) ?? {}) as Properties

it('an alarm reaches its topic, whose policy lets CloudWatch and the budget publish, and no other account’s', () => {
  const notified = [
    ...allProperties('AWS::CloudWatch::Alarm').map(({ AlarmActions }) => AlarmActions),
    ...allProperties('AWS::Budgets::Budget').map((each) => each['NotificationsWithSubscribers']),
  ]
  expect(notified.length).toBeGreaterThan(15)
  const topics = new Set(notified.flatMap(refsIn))
  expect(topics.size).toBe(1)
  const [topic] = topics
  const policies = all('AWS::SNS::TopicPolicy').filter(({ properties }) =>
    refsIn(properties['Topics']).includes(topic!),
  )
  expect(policies).toHaveLength(1)
  const statements = valueAt(policies[0]!.properties, 'PolicyDocument', 'Statement') as Properties[]
  const allowed = statements.filter(({ Effect }) => Effect === 'Allow')
  expect(allowed).toMatchObject([
    {
      Action: 'sns:Publish',
      Principal: { Service: ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com'] },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      Resource: { Ref: topic },
    },
  ])
  const denied = statements.filter(({ Effect }) => Effect === 'Deny')
  expect(denied).toMatchObject([{ Condition: { Bool: { 'aws:SecureTransport': 'false' } } }])
  expect(all('AWS::Budgets::Budget')[0]?.dependsOn).toContain(policies[0]?.id)
})

it('a reader of the stream goes from the distribution over the VPC origin through both security groups to a healthy task', () => {
  const config = inside(only(made.service, 'AWS::CloudFront::Distribution'), 'DistributionConfig')
  const behaviours = (config['CacheBehaviors'] as Properties[]).filter(({ PathPattern }) =>
    String(PathPattern).includes('stream/'),
  )
  expect(new Set(behaviours.map(({ TargetOriginId }) => TargetOriginId))).toEqual(new Set(['stream']))
  const origin = (config['Origins'] as Properties[]).find(({ Id }) => Id === 'stream')!
  const [vpcOrigin] = refsIn(origin['VpcOriginConfig'])
  const { Arn, HTTPPort: port = 80 } = inside(propertiesAt(vpcOrigin), 'VpcOriginEndpointConfig')
  const [balancer] = refsIn(Arn)
  expect(refsIn(origin['DomainName'])).toEqual([balancer])

  const [group] = refsIn(propertiesAt(balancer)['SecurityGroups'])
  const ingress = propertiesAt(group)['SecurityGroupIngress'] ?? []
  const rules = allProperties('AWS::EC2::SecurityGroupIngress')
  const inward = [
    ...(ingress as Properties[]),
    ...rules.filter((rule) => refsIn(rule['GroupId'])[0] === group),
  ]
  expect(inward).toMatchObject([
    { SourcePrefixListId: CLOUDFRONT_PREFIX_LIST, FromPort: port, ToPort: port, IpProtocol: 'tcp' },
  ])

  const [listener] = all('AWS::ElasticLoadBalancingV2::Listener')
  const { LoadBalancerArn, Port, DefaultActions } = listener!.properties
  expect([refsIn(LoadBalancerArn), Port]).toEqual([[balancer], port])
  const [target] = refsIn(DefaultActions)
  const { dependsOn, properties } = all('AWS::ECS::Service').find((each) =>
    refsIn(each.properties['LoadBalancers']).includes(target!),
  )!
  expect(dependsOn).toContain(listener!.id)
  const [{ ContainerPort: containerPort } = {}] = properties['LoadBalancers'] as Properties[]
  const network = inside(properties, 'NetworkConfiguration', 'AwsvpcConfiguration')
  const [taskGroup] = refsIn(network['SecurityGroups'])
  const between = { IpProtocol: 'tcp', FromPort: containerPort, ToPort: containerPort }
  const entering = rules.find((rule) => refsIn(rule['GroupId'])[0] === taskGroup)
  expect(entering).toMatchObject(between)
  expect(refsIn(entering!['SourceSecurityGroupId'])).toEqual([group])
  const left = allProperties('AWS::EC2::SecurityGroupEgress').find(
    (rule) => refsIn(rule['GroupId'])[0] === group,
  )
  expect(left).toMatchObject(between)
  expect(refsIn(left!['DestinationSecurityGroupId'])).toEqual([taskGroup])
  const [definition] = refsIn(properties['TaskDefinition'])
  const [container] = propertiesAt(definition)['ContainerDefinitions'] as Properties[]
  expect(container!['PortMappings']).toMatchObject([{ ContainerPort: containerPort }])
  expect(propertiesAt(target)).toMatchObject({ HealthCheckPath: '/health', TargetType: 'ip' })
})

describe('the network', () => {
  it('is in zones by id, which have VPC origins and Fargate on ARM in every account', () => {
    const subnets = allProperties('AWS::EC2::Subnet')
    expect(subnets.map(({ AvailabilityZoneId }) => AvailabilityZoneId)).toEqual([...zoneIds, ...zoneIds])
    for (const subnet of subnets) expect(subnet).not.toHaveProperty('AvailabilityZone')
    expect(zoneIds).not.toContain('use1-az3')
    expect(JSON.stringify(made.service)).not.toContain('Fn::GetAZs')
  })

  it('has a route before a task starts: each service depends on that of its subnets', () => {
    const services = all('AWS::ECS::Service')
    expect(services).toHaveLength(2)
    for (const { properties, dependsOn } of services) {
      const network = inside(properties, 'NetworkConfiguration', 'AwsvpcConfiguration')
      expect(network['AssignPublicIp']).toBe('ENABLED')
      for (const subnet of refsIn(network['Subnets'])) {
        const joined = allProperties('AWS::EC2::SubnetRouteTableAssociation').find(({ SubnetId }) =>
          refsIn(SubnetId).includes(subnet),
        )
        const [table] = refsIn(joined?.['RouteTableId'])
        const [route, ...others] = all('AWS::EC2::Route').filter(
          (each) => refsIn(each.properties['RouteTableId'])[0] === table,
        )
        expect(others).toEqual([])
        const [gateway] = refsIn(route!.properties['GatewayId'])
        expect(made.service.Resources[gateway!]?.Type).toBe('AWS::EC2::InternetGateway')
        const attached = all('AWS::EC2::VPCGatewayAttachment').find(
          (each) => refsIn(each.properties['InternetGatewayId'])[0] === gateway,
        )
        expect(route!.dependsOn).toContain(attached!.id)
        expect(dependsOn).toContain(route!.id)
      }
    }
  })

  it('has the role of ECS before its first cluster', () => {
    const [cluster] = all('AWS::ECS::Cluster')
    const role = cluster!.dependsOn.find((id) => id.includes('EcsServiceRole') && !id.includes('Policy'))
    expect(JSON.stringify(propertiesAt(role))).toContain('CreateServiceLinkedRole')
    expect(JSON.stringify(propertiesAt(role))).toContain('"ignoreErrorCodesMatching\\":\\"InvalidInput')
  })
})

describe('a release that its ingest refuses to run', () => {
  it('leaves the publisher as it is, which is only changed when ingest has been', () => {
    const [ingest] = all('AWS::ECS::Service', 'Ingest')
    const [rebuild] = all('AWS::Lambda::Function', 'SnapshotsRebuild')
    expect(rebuild!.dependsOn).toContain(ingest!.id)
    // A failed deployment puts the old tasks' definition back by itself.
    const configuration = inside(ingest!.properties, 'DeploymentConfiguration')
    expect(configuration).toMatchObject({
      DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      MinimumHealthyPercent: 100,
    })
  })

  it('runs beside the service, in its network and on its tables, in a stack of its own', () => {
    const imports = JSON.stringify(made.beside)
    const exported = (template: object) =>
      Object.values((template as { readonly Outputs?: Record<string, Properties> }).Outputs ?? {}).flatMap(
        (output) => (output['Export'] ? [String(valueAt(output, 'Export', 'Name'))] : []),
      )
    const names = [...imports.matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name]) => name)
    const known = [...exported(made.storage), ...exported(made.service)]
    expect(new Set(names).size).toBeGreaterThan(6)
    expect(names.filter((name) => !known.includes(name!))).toEqual([])
    // The table in use, also where it is a restored one.
    const { Value } = Object.values(
      (made.service as unknown as { readonly Outputs: Record<string, Properties> }).Outputs,
    ).find((output) => valueAt(output, 'Export', 'Name') === 'Z100-prod-Service-MarketTable')!
    expect(Value).toMatchObject({ 'Fn::If': ['HasMarketTable', expect.anything(), expect.anything()] })
    const { Memory } = only(made.beside, 'AWS::ECS::TaskDefinition')
    expect(Number(Memory)).toBeGreaterThan(stages.prod.ingest.memoryMb + MOST_FUNCTION_MB)
  })
})

describe('an account that is new', () => {
  /** Default quotas of an account without a history: megabytes of a function, vCPUs of Fargate. */
  const FARGATE_VCPUS = 6

  it('bounds the cost of a flood: concurrent runs of the API, and reads of the table', () => {
    const bounded = all('AWS::Lambda::Function')
      .map(({ id, properties }) => [id.slice(0, -8), properties['ReservedConcurrentExecutions']] as const)
      .filter(([, runs]) => runs !== undefined)
    expect(Object.fromEntries(bounded)).toEqual({
      SnapshotsRebuild: 2,
      ReadApi: 200,
      ReadApiTools: 20,
      AccountPageAccount: 10,
    })
    const [market] = propertiesOf(made.storage, 'AWS::DynamoDB::Table')
    expect(market?.['OnDemandThroughput']).toEqual({ MaxReadRequestUnits: 40_000 })
    // A new account has 10 runs in all, and none of them can be reserved.
    expect(stages.dev.concurrency).toBeNull()
  })

  it.each(Object.values(stages))(
    'a flood of the dearest answers leaves ingest and the stream of $name their reads: the gateway stops it before the table does',
    async (stage) => {
      const { service } = stage === stages.prod ? made : await synthesise(stage)
      // Behind the other gateway nothing reads the Market table.
      const { MethodSettings } = only(service, 'AWS::ApiGateway::Stage', 'ReadApi')
      const [settings, ...others] = MethodSettings as Properties[]
      const narrow = new Set(others.map((each) => Number(each['ThrottlingRateLimit'])))
      expect([...narrow]).toEqual([stage.api.strangersPerSecond])
      expect(settings).toMatchObject({ HttpMethod: '*', ResourcePath: '/*' })
      const rate = Number(settings?.['ThrottlingRateLimit'])
      expect(settings?.['ThrottlingBurstLimit']).toBe(rate)
      // The limit is of each method: one for all keyed operations, and narrow ones for each that needs no key, and for unknown keys.
      const isKeyless = ([, { needs }]: [string, Operation]) => needs === 'nothing'
      const entries = Object.entries<Operation>(operations)
      const units = (name: string) => readUnits.get(name) ?? Number.NaN
      const keyless = entries.filter(isKeyless).reduce((sum, [name]) => sum + units(name), 0)
      const keyed = Math.max(...entries.filter((each) => !isKeyless(each)).map(([name]) => units(name)))
      const open = stage.api.strangersPerSecond * (keyed + keyless)
      expect(rate * keyed + open + OWN_READ_UNITS).toBeLessThanOrEqual(stage.maxReadUnits)
      // A table takes no more without a raised quota.
      expect(stage.maxReadUnits).toBeLessThanOrEqual(40_000)
    },
  )

  it.each(Object.values(stages))('may hold $name as it begins, and while it is rolled out', async (stage) => {
    const { service } = stage === stages.prod ? made : await synthesise(stage)
    for (const { id, properties } of resourcesOf(service, 'AWS::Lambda::Function')) {
      const memory = Number(properties['MemorySize'] ?? 128)
      expect([id, memory <= MOST_FUNCTION_MB]).toEqual([id, true])
    }
    const streaming = stage.stream?.by === 'tasks' ? stage.stream.cpu * stage.stream.minTasks : 0
    expect((2 * (stage.ingest.cpu + streaming)) / 1_024).toBeLessThanOrEqual(FARGATE_VCPUS)
  })
})

function alarmNamed(name: string): Properties {
  const [found, ...others] = all('AWS::CloudWatch::Alarm').filter(({ id }) =>
    new RegExp(`^Monitoring${name}[0-9A-F]{8}$`).test(id),
  )
  expect([name, others]).toEqual([name, []])
  return found?.properties ?? {}
}

it('an alarm is raised where requests are below what is usual, unless few are usual', () => {
  const alarm = alarmNamed('ReadersGone')
  expect(alarm['ComparisonOperator']).toBe('LessThanLowerThreshold')
  const queries = alarm['Metrics'] as Properties[]
  const band = queries.find(({ Id }) => Id === alarm['ThresholdMetricId'])
  const [, watched] = /^ANOMALY_DETECTION_BAND\((\w+), 4\)$/.exec(String(band?.['Expression'])) ?? []
  const { Expression } = queries.find(({ Id }) => Id === watched) ?? {}
  expect(Expression).toBe('IF(FILL(m, 0) >= 500, m, 500)')
  expect(queries.find(({ Id }) => Id === 'm')).toMatchObject({
    MetricStat: { Metric: { MetricName: 'Requests' }, Period: 3_600, Stat: 'Sum' },
  })
})

describe('storage that grows', () => {
  it('is seen before the rebuild ends for want of memory or time', () => {
    const { MemorySize, Timeout } = only(made.service, 'AWS::Lambda::Function', 'SnapshotsRebuild')
    const bytes = Number(MemorySize) * 2 ** 20
    expect(alarmNamed('RebuildMemory')).toMatchObject({ MetricName: 'MemoryBytes', Threshold: 0.8 * bytes })
    const slow = alarmNamed('RebuildSlow')
    expect(slow).toMatchObject({ MetricName: 'Duration', Threshold: 40_000 })
    expect(Number(slow['Threshold'])).toBeLessThan(Number(Timeout) * 1_000)
  })

  it('backups, their copies and replication have an alarm for a failure, and one where none was made in three hours', () => {
    const [{ BackupVaultName } = {}] = propertiesOf(made.storage, 'AWS::Backup::BackupVault')
    for (const [failed, missing] of [
      ['BackupFails', 'BackupMissing'],
      ['CopyFails', 'CopyMissing'],
    ] as const) {
      expect(alarmNamed(failed)).toMatchObject({ Namespace: 'AWS/Backup', Threshold: 0 })
      expect(alarmNamed(missing)).toMatchObject({
        Namespace: 'AWS/Backup',
        Period: 10_800,
        EvaluationPeriods: 1,
        Threshold: 1,
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'breaching',
      })
    }
    const vault = { Name: 'BackupVaultName', Value: BackupVaultName }
    expect(alarmNamed('BackupMissing')['Dimensions']).toEqual([vault])
    const [bucket] = propertiesOf(made.storage, 'AWS::S3::Bucket')
    const rules = valueAt(bucket, 'ReplicationConfiguration', 'Rules') as Properties[]
    for (const name of ['ReplicationFails', 'ReplicationStuck']) {
      const dimensions = alarmNamed(name)['Dimensions'] as Properties[]
      const watched = dimensions.find(({ Name }) => Name === 'RuleId')?.['Value']
      const rule = rules.find(({ Id }) => Id === watched)
      expect([name, valueAt(rule, 'Destination', 'Metrics', 'Status')]).toEqual([name, 'Enabled'])
      expect(valueAt(rule, 'Filter', 'Prefix')).toBe(objectPrefixes.segments)
    }
  })
})

describe('losing a region', () => {
  /** The stack of the second region, by its names alone: nothing can refer to it. */
  const copies = () => made.copies!
  const joined = (value: unknown): string =>
    JSON.stringify(value).replace(/\{"Ref":"AWS::(\w+)"\}|\{"Fn::Join":\["",\[|\]\]\}|[",]/g, '$1')

  it('segments, index records and published hours go to a bucket of the second region, by a role that may, and stay there', () => {
    const [source = {}] = propertiesOf(made.storage, 'AWS::S3::Bucket')
    const [target = {}] = propertiesOf(copies(), 'AWS::S3::Bucket')
    for (const bucket of [source, target])
      expect(bucket['VersioningConfiguration']).toEqual({ Status: 'Enabled' })
    const replication = inside(source, 'ReplicationConfiguration')
    const rules = replication['Rules'] as Properties[]
    expect(rules.map((rule) => inside(rule, 'Filter')['Prefix'])).toEqual(['segments/', 'index/', 'kept/'])
    const name = joined(target['BucketName'])
    expect(name).toBe('z100-prod-copies-AccountId-us-west-2')
    for (const rule of rules) {
      expect(rule).toMatchObject({ Status: 'Enabled', DeleteMarkerReplication: { Status: 'Disabled' } })
      expect(joined(inside(rule, 'Destination')['Bucket'])).toBe(`arn:Partition:s3:::${name}`)
    }
    const [role] = refsIn(replication['Role'])
    const policy = propertiesOf(made.storage, 'AWS::IAM::Policy').find(({ Roles }) =>
      refsIn(Roles).includes(role!),
    )
    expect(joined(policy)).toContain(`s3:ReplicateObject`)
    expect(joined(policy)).toContain(`arn:Partition:s3:::${name}/*`)
    const [expiring] = (valueAt(target, 'LifecycleConfiguration', 'Rules') as Properties[]).filter(
      (rule) => 'ExpirationInDays' in rule && 'segments/'.startsWith(String(rule['Prefix'] ?? '')),
    )
    expect(expiring).toBeUndefined()
  })

  it('accounts are backed up each hour and copied to an existing vault, with every tagged table', () => {
    const [vault] = propertiesOf(copies(), 'AWS::Backup::BackupVault')
    const plans = resourcesOf(made.storage, 'AWS::Backup::BackupPlan')
    const rules = plans.map(
      ({ properties }) => valueAt(properties, 'BackupPlan', 'BackupPlanRule', 0) as Properties,
    )
    expect(rules.map((rule) => rule['ScheduleExpression'])).toEqual([
      'cron(0 * * * ? *)',
      'cron(30 3 ? * SUN *)',
    ])
    for (const rule of rules) {
      const [action] = rule['CopyActions'] as Properties[]
      expect(joined(action!['DestinationBackupVaultArn'])).toBe(
        `arn:Partition:backup:us-west-2:AccountId:backup-vault:${String(vault?.['BackupVaultName'])}`,
      )
    }
    const selections = propertiesOf(made.storage, 'AWS::Backup::BackupSelection')
    for (const [at, selection] of selections.entries()) {
      expect(refsIn(selection['BackupPlanId'])).toEqual([plans[at]!.id])
      const [condition] = inside(selection, 'BackupSelection')['ListOfTags'] as Properties[]
      const { ConditionKey: Key, ConditionValue: Value } = condition!
      const tagged = resourcesOf(made.storage, 'AWS::DynamoDB::Table').filter(({ properties }) =>
        (properties['Tags'] as Properties[]).some((tag) => tag['Key'] === Key && tag['Value'] === Value),
      )
      expect(tagged.map(({ id }) => id.replace(/Table.*/, ''))).toEqual([['Access', 'Market'][at]])
      const [role] = refsIn(inside(selection, 'BackupSelection')['IamRoleArn'])
      expect(JSON.stringify(made.storage.Resources[role!])).toContain('backup.amazonaws.com')
    }
  })

  it('dev has no copies', async () => {
    const dev = await synthesise(stages.dev)
    expect(dev.copies).toBeNull()
    expect(JSON.stringify(dev.storage)).not.toMatch(/Backup::|Replication/)
  })
})

it('two stages in one account share no name', async () => {
  const { storage, service } = await synthesise({
    ...stages.dev,
    copiesRegion: 'us-west-2',
    hasFirewall: true,
  })
  const dev = JSON.stringify([storage, service])
  const named = (text: string) =>
    [...text.matchAll(/"(?:\w*Name|Namespace)":"(z100[^"]*)"/g)].map(([, name]) => name!)
  const ofProd = new Set(named(JSON.stringify([made.storage, made.service, made.copies])))
  expect(ofProd).toContain('z100-prod')
  expect(ofProd.size).toBeGreaterThanOrEqual(5)
  expect(named(dev).filter((name) => ofProd.has(name))).toEqual([])
})

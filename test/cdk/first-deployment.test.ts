/** What a first deployment needs of an account, what a failed one leaves behind, and what later ones must not change or keep. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stages } from '../../cdk/config.ts'
import { NODE_IMAGE } from '../../schemas/deployment/stages.ts'
import { objectPrefixes } from '../../store/aws/tables.ts'
import {
  only,
  type Properties,
  propertiesOf,
  type Resource,
  resourcesOf,
  synthesise,
  synthesiseProd,
  type TemplateText,
  valueAt,
} from './synthesised.ts'

const made = await synthesiseProd()

const templates = (): Readonly<Record<string, TemplateText>> => ({
  copies: made.copies!,
  storage: made.storage,
  service: made.service,
  beside: made.beside,
})

/** Evaluates the condition of a rule, as CloudFormation does before it creates anything. */
function holds(condition: unknown, values: Readonly<Record<string, string>>): boolean {
  const [[name, parts] = ['', []]] = Object.entries(condition as Record<string, readonly unknown[]>)
  const text = (part: unknown) => (typeof part === 'string' ? part : values[String(valueAt(part, 'Ref'))])
  if (name === 'Fn::Equals') return text(parts[0]) === text(parts[1])
  if (name === 'Fn::Not') return !holds(parts[0], values)
  if (name === 'Fn::And') return parts.every((part) => holds(part, values))
  if (name === 'Fn::Or') return parts.some((part) => holds(part, values))
  throw new RangeError(`a rule has the unknown function ${name}`)
}

/** Rules of a template that refuse these values. */
const refusing = (template: TemplateText, values: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries((valueAt(template, 'Rules') ?? {}) as Record<string, unknown>)
    // The CDK's own rule compares the version of the bootstrap.
    .filter(([name]) => name !== 'CheckBootstrapVersion')
    .filter(([, rule]) => {
      const assertions = valueAt(rule, 'Assertions') as readonly { readonly Assert: unknown }[]
      return assertions.some(({ Assert }) => !holds(Assert, values))
    })
    .map(([name]) => name)

describe('a rule of the template', () => {
  const chosen = { DomainNames: '', CertificateArn: '' }

  it('refuses every other region, in each stack', () => {
    for (const [name, template] of Object.entries(templates())) {
      const home = name === 'copies' ? 'us-west-2' : 'us-east-1'
      expect([name, refusing(template, { ...chosen, 'AWS::Region': home })]).toEqual([name, []])
      const elsewhere = refusing(template, { ...chosen, 'AWS::Region': 'eu-central-1' })
      expect([name, elsewhere]).toEqual([name, ['HomeRegion']])
    }
  })

  it('refuses names without a certificate, and a certificate without names', () => {
    const refusingChoice = (DomainNames: string, CertificateArn: string) =>
      refusing(made.service, { 'AWS::Region': 'us-east-1', DomainNames, CertificateArn })
    const arn = 'arn:aws:acm:us-east-1:123456789012:certificate/1'
    expect(refusingChoice('', '')).toEqual([])
    expect(refusingChoice('z100.example', arn)).toEqual([])
    expect(refusingChoice('z100.example', '')).toEqual(['NamesAndCertificate'])
    expect(refusingChoice('', arn)).toEqual(['NamesAndCertificate'])
  })
})

/** A name that CloudFormation does not make up. Two resources of a type cannot share it in an account and region. */
function nameOf({ Type, Properties = {} }: Resource): unknown {
  const noun = Type.split('::').at(-1) ?? ''
  return (
    Properties[`${noun}Name`] ??
    Properties['Name'] ??
    Properties[`${noun.replace(/^.*(?=Bucket|Vault)/, '')}Name`]
  )
}

/** What CloudFormation leaves when it rolls back a creation that failed after these resources. */
const leftOf = (created: readonly (readonly [string, Resource])[]) =>
  created.filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain')

it('every role and bucket that the stacks of a stage are deployed with is one that the bootstrap of us-east-1 makes', async () => {
  const bootstrap = readFileSync(
    join(import.meta.dirname, '../../node_modules/aws-cdk/lib/api/bootstrap/bootstrap-template.yaml'),
    'utf8',
  )
  const madeThere = [...bootstrap.matchAll(/Fn::Sub: (cdk-\$\{Qualifier\}-[^\n]+)/g)].map(([, name = '']) =>
    name.replace(/\$\{Qualifier\}/, 'hnb659fds').replace(/\$\{AWS::Region\}/, 'us-east-1'),
  )
  for (const stage of Object.values(stages)) {
    const { assembly } = stage === stages.prod ? made : await synthesise(stage)
    const used = assembly.flatMap((text) => {
      const { artifacts, ...assets } = JSON.parse(text) as { artifacts?: Readonly<Record<string, object>> }
      return Object.values(artifacts ?? { assets }).flatMap((each) => {
        // A stack without a region of its own is deployed to the one that README exports.
        const [, region = 'us-east-1'] = /aws:\/\/[^/"]+\/(?!unknown)([^"]+)/.exec(JSON.stringify(each)) ?? []
        const names = JSON.stringify(each).match(/cdk-hnb659fds-[^"/]+/g) ?? []
        return names.map((name) => name.replace(/\$\{AWS::Region\}|current_region/, region))
      })
    })
    expect(new Set(used).size).toBeGreaterThan(3)
    expect([stage.name, [...new Set(used)].filter((name) => !madeThere.includes(name))]).toEqual([
      stage.name,
      [],
    ])
  }
})

describe('a first deployment that fails', () => {
  it('leaves no resource whose name would make the second one fail, wherever it failed', () => {
    for (const [name, template] of Object.entries(templates())) {
      const all = Object.entries(template.Resources)
      for (let failed = 1; failed <= all.length; failed++) {
        const inTheWay = leftOf(all.slice(0, failed)).filter(([, each]) => nameOf(each) !== undefined)
        expect([name, inTheWay.map(([id]) => id)]).toEqual([name, []])
      }
    }
    // The rule is not empty: these have names, and are kept whatever else happens to their stack.
    const named = [made.copies!, made.storage].flatMap((template) =>
      Object.values(template.Resources)
        .filter((each) => each.DeletionPolicy?.startsWith('Retain') && nameOf(each) !== undefined)
        .map(({ Type }) => Type),
    )
    expect(named).toEqual(['AWS::S3::Bucket', 'AWS::Backup::BackupVault', 'AWS::Backup::BackupVault'])
  })

  it('never deletes a bucket that may hold objects, nor a protected table', () => {
    const { service, storage } = templates()
    for (const { Resources } of [service!, storage!])
      for (const [id, { Type, DeletionPolicy }] of Object.entries(Resources))
        if (/^AWS::(S3::Bucket|DynamoDB::Table)$/.test(Type))
          expect([id, DeletionPolicy]).toEqual([id, 'Retain'])
  })
})

it('the VPC origin has no tags, and with its balancer the properties of the first release: CloudFront never lets them change while it is in use', () => {
  const origin = only(made.service, 'AWS::CloudFront::VpcOrigin')
  const [balancer] = resourcesOf(made.service, 'AWS::ElasticLoadBalancingV2::LoadBalancer')
  const { id, properties } = balancer!
  expect(origin).toEqual({
    VpcOriginEndpointConfig: {
      Arn: { Ref: id },
      Name: 'Z100prodServiceStreamOriginB46AA8C9',
      OriginProtocolPolicy: 'http-only',
      OriginSSLProtocols: ['TLSv1.2'],
    },
  })
  const subnets = (properties['Subnets'] as readonly unknown[]).map((subnet) => valueAt(subnet, 'Ref'))
  expect([id, properties['Name'], properties['Type'], properties['Scheme'], subnets]).toEqual([
    'StreamBalancerA56B4DB5',
    undefined,
    'application',
    'internal',
    ['NetworkVpcbalancerSubnet1SubnetEC1E7CEF', 'NetworkVpcbalancerSubnet2Subnet8D771FC8'],
  ])
})

describe('what is kept too long', () => {
  it('a reader’s browser is told of TLS for these names alone, not for others below them', () => {
    const policies = propertiesOf(made.service, 'AWS::CloudFront::ResponseHeadersPolicy').map((policy) =>
      valueAt(
        policy,
        'ResponseHeadersPolicyConfig',
        'SecurityHeadersConfig',
        'StrictTransportSecurity',
        'IncludeSubdomains',
      ),
    )
    expect(policies.length).toBeGreaterThan(1)
    expect(new Set(policies)).toEqual(new Set([false]))
  })

  it('versions and delete markers end in every bucket that has them, and checkpoints of an hour ago', () => {
    const versioned = [made.storage, made.service]
      .flatMap((template) => propertiesOf(template, 'AWS::S3::Bucket'))
      .filter((bucket) => valueAt(bucket, 'VersioningConfiguration', 'Status') === 'Enabled')
    expect(versioned.length).toBeGreaterThan(1)
    const rulesOf = (bucket: Properties) =>
      valueAt(bucket, 'LifecycleConfiguration', 'Rules') as readonly Properties[]
    for (const bucket of versioned) {
      expect(rulesOf(bucket).some((rule) => rule['ExpiredObjectDeleteMarker'] === true)).toBe(true)
      expect(rulesOf(bucket).some((rule) => 'NoncurrentVersionExpiration' in rule)).toBe(true)
    }
    const expiring = versioned.flatMap(rulesOf).filter((rule) => 'ExpirationInDays' in rule)
    expect(expiring).toContainEqual(
      expect.objectContaining({ Prefix: objectPrefixes.recentCheckpoints, ExpirationInDays: 2 }),
    )
  })

  it('each gateway’s own log has an end', () => {
    const groups = propertiesOf(made.service, 'AWS::Logs::LogGroup').map(({ LogGroupName }) =>
      JSON.stringify(LogGroupName ?? ''),
    )
    expect(groups.filter((name) => name.includes('API-Gateway-Execution-Logs_'))).toHaveLength(2)
  })
})

it('images of the tasks are Node by the version that doctor knows the age of, and one by digest, which fetches the bundle', () => {
  const containers = propertiesOf(made.service, 'AWS::ECS::TaskDefinition').map(({ ContainerDefinitions }) =>
    (ContainerDefinitions as Properties[]).map(({ Image }) => Image),
  )
  expect(containers).toHaveLength(2)
  for (const [node, fetcher] of containers) {
    expect(node).toBe(`public.ecr.aws/docker/library/node:${NODE_IMAGE.version}-alpine`)
    expect(fetcher).toMatch(/@sha256:[0-9a-f]{64}$/)
  }
})

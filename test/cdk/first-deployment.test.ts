/** What a first deployment needs of an account, what a failed one leaves behind, and what later ones must not change or keep. */
import { beforeAll, describe, expect, it } from 'vitest'
import { stages } from '../../cdk/config.ts'
import { objectPrefixes } from '../../store/tables.ts'
import {
  type Properties,
  propertiesOf,
  type Resource,
  resourcesOf,
  type Synthesised,
  synthesise,
  type TemplateText,
  valueAt,
} from '../support/synthesised.ts'

let made: Synthesised
beforeAll(() => {
  made = synthesise(stages.prod, { isValidated: true })
}, 300_000)

const templates = (): Readonly<Record<string, TemplateText>> => ({
  copies: made.copies!,
  storage: made.storage,
  service: made.service,
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
const nameOf = ({ Type, Properties = {} }: Resource): unknown => {
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

  it('asks for the deletion of no bucket that may already hold objects, and of no protected table', () => {
    const { service, storage } = templates()
    for (const type of ['AWS::S3::Bucket', 'AWS::DynamoDB::Table']) {
      for (const [id, { DeletionPolicy }] of [service!, storage!].flatMap((each) => resourcesOf(each, type)))
        expect([id, DeletionPolicy]).toEqual([id, 'Retain'])
    }
  })
})

describe('the VPC origin', () => {
  it('stays as it is: CloudFront refuses every update of one in use, tags included', () => {
    expect(resourcesOf(made.service, 'AWS::CloudFront::VpcOrigin')).toEqual([
      [
        'StreamOrigin5FA3BB23',
        {
          Type: 'AWS::CloudFront::VpcOrigin',
          Properties: {
            VpcOriginEndpointConfig: {
              Arn: { Ref: 'StreamBalancerA56B4DB5' },
              Name: 'Z100prodServiceStreamOriginB46AA8C9',
              OriginProtocolPolicy: 'http-only',
              OriginSSLProtocols: ['TLSv1.2'],
            },
          },
        },
      ],
    ])
  })

  it('keeps its balancer: nothing that would replace it is derived from a setting', () => {
    const [[id, { Properties = {} }] = ['', {} as Resource], ...others] = resourcesOf(
      made.service,
      'AWS::ElasticLoadBalancingV2::LoadBalancer',
    )
    expect([id, others]).toEqual(['StreamBalancerA56B4DB5', []])
    // Another value of these replaces a balancer; other properties are updated in place.
    expect(Properties).toMatchObject({ Scheme: 'internal', Type: 'application' })
    expect(Properties).not.toHaveProperty('Name')
  })
})

describe('a release', () => {
  it('leaves the endpoints’ secret alone, so that endpoints put by hand stay', () => {
    // CloudFormation puts the deployed value again with every change of the resource.
    expect(resourcesOf(made.storage, 'AWS::SecretsManager::Secret')).toEqual([
      [
        'EndpointSecretD6E40AC3',
        {
          Type: 'AWS::SecretsManager::Secret',
          Properties: {
            Description:
              'Endpoints of the chain (JSON-RPC over https), the preferred one first, separated by commas',
            SecretString: { Ref: 'RpcUrls' },
            Tags: [
              { Key: 'service', Value: 'z100' },
              { Key: 'stage', Value: 'prod' },
            ],
          },
          UpdateReplacePolicy: 'Retain',
          DeletionPolicy: 'Retain',
        },
      ],
    ])
  })

  it('drops no export of the storage that the deployed service may still use', () => {
    const names = Object.values((valueAt(made.storage, 'Outputs') ?? {}) as Record<string, unknown>)
      .map((output) => valueAt(output, 'Export', 'Name'))
      .filter((name) => name !== undefined)
    const short = names.map((name) => String(name).replace(/^Z100-prod-Storage:ExportsOutput/, ''))
    expect(short.sort()).toEqual([
      'FnGetAttAccessTable13A21DD9ArnD5461C2C',
      'FnGetAttMarketTable7FEC6C0DArn5251A5FE',
      'FnGetAttSegmentBucketFBC9FB87Arn2EE34ADD',
      'FnGetAttUsageTable28300137Arn3C045811',
      'RefAccessTable13A21DD9B95E24A6',
      'RefEndpointSecretD6E40AC35E465B14',
      'RefMarketTable7FEC6C0D94873A87',
      'RefSegmentBucketFBC9FB87F3FDAD47',
      'RefUsageTable283001378B053968',
    ])
  })
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

  it('the gateway’s own log has an end', () => {
    const groups = propertiesOf(made.service, 'AWS::Logs::LogGroup').map(({ LogGroupName }) =>
      JSON.stringify(LogGroupName ?? ''),
    )
    expect(groups.filter((name) => name.includes('API-Gateway-Execution-Logs_'))).toHaveLength(1)
  })
})

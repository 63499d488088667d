/** The CDK's output of a stage, made such that moto, a second AWS that knows fewer kinds of resources, takes it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Kinds of resources in our templates that moto's CloudFormation does not know: they are left out, and references to them become texts. */
export const unknownToMoto = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::Authorizer',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Stage',
  'AWS::ApiGateway::UsagePlan',
  'AWS::ApplicationAutoScaling::ScalableTarget',
  'AWS::ApplicationAutoScaling::ScalingPolicy',
  'AWS::Backup::BackupPlan',
  'AWS::Backup::BackupSelection',
  'AWS::Backup::BackupVault',
  'AWS::Budgets::Budget',
  'AWS::CloudFront::CachePolicy',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::CloudFront::KeyValueStore',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::OriginRequestPolicy',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::CloudFront::VpcOrigin',
  'AWS::CloudWatch::Alarm',
  'AWS::EC2::SecurityGroupEgress',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::SubscriptionFilter',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::Schedule',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::SecretsManager::Secret',
  'AWS::WAFv2::WebACL',
  'Custom::AWS',
] as const

/** And what moto knows, and runs in Docker alone. */
export const leftOutForMoto: readonly string[] = [...unknownToMoto, 'Custom::CDKBucketDeployment']

type Resource = {
  readonly Type: string
  readonly Properties?: object
  readonly DependsOn?: string | readonly string[]
}
/** What a stack has made: physical ids by logical id. */
export type Imports = { readonly stack: string; readonly ids: ReadonlyMap<string, string> }

type Template = {
  readonly Resources: Readonly<Record<string, Resource>>
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: string } }>
  >
}

const pathOf = (folder: string, stack: string): string => join(folder, `${stack}.template.json`)
const templateOf = (folder: string, stack: string): Template =>
  JSON.parse(readFileSync(pathOf(folder, stack), 'utf8')) as Template

/** Kinds of resources in a template, each once, in order. */
export const kindsIn = (folder: string, stack: string): readonly string[] =>
  [...new Set(Object.values(templateOf(folder, stack).Resources).map(({ Type }) => Type))].sort()

/** Termination protection is a call that moto does not have; that templates ask for it is tested elsewhere. */
export function withoutProtection(folder: string): void {
  const path = join(folder, 'manifest.json')
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replaceAll('"terminationProtection": true', '"terminationProtection": false'),
  )
}

/**
 * Leaves out of a stack what moto does not know, and puts the names of what another stack has made where they are imported:
 * moto keeps no exports of stacks that the CDK makes.
 */
export function cutForMoto(folder: string, stack: string, imports: readonly Imports[] = []): void {
  const template = templateOf(folder, stack)
  const gone = new Set(
    Object.entries(template.Resources).flatMap(([id, { Type, Properties = {} }]) =>
      // moto knows rules of security groups, but not by prefix list.
      leftOutForMoto.includes(Type) || 'SourcePrefixListId' in Properties ? [id] : [],
    ),
  )
  const imported = new Map(imports.flatMap((each) => [...importedFrom(templateOf(folder, each.stack), each)]))
  const cut = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(cut)
    if (typeof value !== 'object' || value === null) return value
    const [[name, inner] = ['', null], ...others] = Object.entries(value)
    if (others.length === 0) {
      if (name === 'Ref' && gone.has(String(inner))) return inner
      if (name === 'Fn::GetAtt' && gone.has((inner as string[])[0] ?? ''))
        return arnOf((inner as string[]).join('/'))
      if (name === 'Fn::ImportValue') return imported.get(String(inner)) ?? arnOf(String(inner))
    }
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cut(part)]))
  }
  const resources = Object.entries(template.Resources).flatMap(([id, { DependsOn = [], ...resource }]) => {
    if (gone.has(id)) return []
    const after = [DependsOn].flat().filter((each) => !gone.has(each))
    // moto deletes in an order of its own, in which a network still has parts.
    const kept = resource.Type === 'AWS::EC2::VPC' ? { DeletionPolicy: 'Retain' } : {}
    return [
      [id, { ...(cut(resource) as object), ...kept, ...(after.length > 0 ? { DependsOn: after } : {}) }],
    ]
  })
  const made = { ...template, Resources: Object.fromEntries(resources), Outputs: cut(template.Outputs ?? {}) }
  writeFileSync(pathOf(folder, stack), JSON.stringify(made))
}

/** Puts a resource into a stack, after all others, that cannot be created; returns what takes it out again. */
export function plantFailure(folder: string, stack: string): () => void {
  const template = templateOf(folder, stack)
  const Planted = {
    Type: 'AWS::EC2::Subnet',
    Properties: { VpcId: 'vpc-nowhere', CidrBlock: '10.9.0.0/24' },
    DependsOn: Object.keys(template.Resources),
  }
  const planted = { ...template, Resources: { ...template.Resources, Planted } }
  const around = ['manifest.json', `${stack}.assets.json`]
    .map((name) => join(folder, name))
    .filter(existsSync)
  const whole = [pathOf(folder, stack), ...around].map((path) => [path, readFileSync(path, 'utf8')] as const)
  writeFileSync(pathOf(folder, stack), JSON.stringify(planted))
  // A template goes by its digest, under which the whole one may have been uploaded.
  const [, digest] = /"([0-9a-f]{64})": \{\s+"displayName": "[^"]* Template"/.exec(whole.at(-1)![1]) ?? []
  for (const [path, text] of digest ? whole.slice(1) : [])
    writeFileSync(path, text.replaceAll(digest!, [...digest!].reverse().join('')))
  return () => {
    for (const [path, text] of whole) writeFileSync(path, text)
  }
}

const arnOf = (what: string): string => `arn:aws:left-out:us-east-1:123456789012:${what}`

/** What a stack exports, by the name that another imports it by. */
function importedFrom(
  { Outputs = {}, Resources }: Template,
  { ids }: { readonly ids: ReadonlyMap<string, string> },
): ReadonlyMap<string, string> {
  const values = Object.values(Outputs).flatMap(({ Value, Export }) => {
    const { Ref, 'Fn::GetAtt': got } = Value as {
      readonly Ref?: string
      readonly 'Fn::GetAtt'?: readonly [string, string]
    }
    const logical = Ref ?? got?.[0] ?? ''
    const id = ids.get(logical)
    if (!Export || id === undefined) return []
    const isBucket = Resources[logical]?.Type === 'AWS::S3::Bucket'
    const arn = isBucket ? `arn:aws:s3:::${id}` : `arn:aws:dynamodb:us-east-1:123456789012:table/${id}`
    return [[Export.Name, got?.[1] === 'Arn' ? arn : id] as const]
  })
  return new Map(values)
}

/** What a first deployment needs of an account, and what a failed one leaves behind. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Resource,
  resourcesOf,
  type Synthesised,
  synthesiseProd,
  type TemplateText,
  valueAt,
} from '../support/synthesised.ts'

let made: Synthesised
beforeAll(async () => {
  made = await synthesiseProd()
})

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
    for (const type of ['AWS::S3::Bucket', 'AWS::DynamoDB::Table']) {
      for (const [id, { DeletionPolicy }] of [service!, storage!].flatMap((each) => resourcesOf(each, type)))
        expect([id, DeletionPolicy]).toEqual([id, 'Retain'])
    }
  })
})

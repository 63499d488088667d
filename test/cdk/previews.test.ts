import { describe, expect, it } from 'vitest'
import { ORIGIN_MARK } from '../../schemas/pages/site.ts'
import { only, propertiesOf, synthesiseProd, valueAt } from './synthesised.ts'

const made = await synthesiseProd()

describe('previews of links, as they are deployed', () => {
  it('are drawn every ten minutes by a function that can change nothing but them', () => {
    const schedules = propertiesOf(made.service, 'AWS::Scheduler::Schedule')
    const own = schedules.filter((each) => JSON.stringify(each).includes('PreviewsDraw'))
    expect(own).toMatchObject([{ ScheduleExpression: 'rate(10 minutes)' }])
    const { PolicyDocument } = only(made.service, 'AWS::IAM::Policy', 'PreviewsDrawRole')
    const statements = valueAt(PolicyDocument, 'Statement') as { Action: string; Resource: unknown }[]
    const keys = (action: string) =>
      statements
        .filter(({ Action }) => [Action].flat().includes(action))
        .flatMap(({ Resource }) =>
          [...JSON.stringify(Resource).matchAll(/"\/([^"]+)"/g)].map(([, key]) => key),
        )
    expect(keys('s3:PutObject')).toEqual(['previews/*'])
    expect(keys('s3:GetObject').sort()).toEqual(['manifest.json', 'previews/*', 'v1/z100/*'])
    const actions = statements.flatMap(({ Action }) => Action).sort()
    expect(actions.filter((action) => !/^(logs|sqs):/.test(action))).toEqual([
      's3:GetObject',
      's3:ListBucket',
      's3:PutObject',
    ])
  })

  it('come from the bucket of documents, and pages name them at the address that they are served at', () => {
    const [edge] = propertiesOf(made.service, 'AWS::CloudFront::Distribution')
    const behaviours = valueAt(edge, 'DistributionConfig', 'CacheBehaviors') as { PathPattern: string }[]
    expect(behaviours.filter(({ PathPattern }) => PathPattern === '/previews/*')).toMatchObject([
      { TargetOriginId: 'published', Compress: true },
    ])
    const copiers = propertiesOf(made.service, 'Custom::CDKBucketDeployment')
    expect(copiers.length).toBeGreaterThan(5)
    for (const { SourceMarkers } of copiers) {
      const origin = JSON.stringify((SourceMarkers as Record<string, unknown>[])[0]?.[ORIGIN_MARK])
      expect(origin).toMatch(/"https:\/\/".*"Fn::If".*"Fn::Select":\[0,.*DomainNames.*"DomainName"/)
    }
  })
})

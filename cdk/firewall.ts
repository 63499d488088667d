import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { type RateRule, rateRules, tooManyRequests } from '../lambdas/edge/distribution.ts'

/** Bounds requests before the edge's functions run. It lives in us-east-1, as all that belongs to a distribution. */
export class Firewall extends Construct {
  readonly arn: string

  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id)
    const visible = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
      metricName,
    })
    const { status, headers, body } = tooManyRequests
    const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }))
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible(`z100-${stage}`),
      customResponseBodies: { refusal: { contentType: 'APPLICATION_JSON', content: body } },
      rules: rateRules.map((rule, priority) => ({
        name: rule.name,
        priority,
        statement: { rateBasedStatement: rateStatement(rule) },
        action: {
          block: {
            customResponse: { responseCode: status, responseHeaders, customResponseBodyKey: 'refusal' },
          },
        },
        visibilityConfig: visible(`z100-${stage}-${rule.name}`),
      })),
    })
    this.arn = acl.attrArn
  }
}

const asSent = [{ priority: 0, type: 'NONE' }]

function rateStatement({
  by,
  authorizationHolds,
  limit,
  windowSeconds,
}: RateRule): CfnWebACL.RateBasedStatementProperty {
  return {
    limit,
    evaluationWindowSec: windowSeconds,
    ...(by === 'address'
      ? { aggregateKeyType: 'IP' }
      : {
          aggregateKeyType: 'CUSTOM_KEYS',
          customKeys: [{ header: { name: 'authorization', textTransformations: asSent } }],
        }),
    ...(authorizationHolds === undefined
      ? {}
      : {
          scopeDownStatement: {
            byteMatchStatement: {
              fieldToMatch: { singleHeader: { Name: 'authorization' } },
              positionalConstraint: 'CONTAINS',
              searchString: authorizationHolds,
              textTransformations: asSent,
            },
          },
        }),
  }
}

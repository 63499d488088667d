import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'

/** Requests of one address in five minutes, beyond which it is refused: many times what a reader's tier allows. */
const REQUESTS = 10_000

/** Stops floods before the edge. It lives in us-east-1, as all that belongs to a distribution. */
export class Firewall extends Construct {
  readonly arn: string

  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id)
    const visible = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
      metricName,
    })
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible(`z100-${stage}`),
      rules: [
        {
          name: 'floods',
          priority: 0,
          statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: REQUESTS } },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                responseHeaders: [{ name: 'retry-after', value: '300' }],
              },
            },
          },
          visibilityConfig: visible(`z100-${stage}-floods`),
        },
      ],
    })
    this.arn = acl.attrArn
  }
}

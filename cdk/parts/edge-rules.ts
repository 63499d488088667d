import { Duration } from 'aws-cdk-lib'
import {
  type HeadersFrameOption,
  type HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
} from 'aws-cdk-lib/aws-cloudfront'
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { type EdgeRateRule, rateRules, tooManyRequests } from '../../lambdas/edge/distribution.ts'
import { ALLOWED_METHODS } from '../../schemas/api/errors.ts'
import { requestHeaders } from '../../schemas/api/headers.ts'

/** Rate rules in front of the edge's functions. In us-east-1, as everything of a distribution. */
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

/**
 * A path as the distribution reads it before it chooses a behaviour; a rule sees it as it was sent, and would miss
 * `/%61ccount` and `/x/../account` (AWS WAF Developer Guide, "URI path"; CloudFront, "Path pattern").
 */
const asMatched = ['URL_DECODE', 'NORMALIZE_PATH'].map((type, priority) => ({ priority, type }))

function rateStatement(rule: EdgeRateRule): CfnWebACL.RateBasedStatementProperty {
  const scopeDownStatement = scopeOf(rule)
  return {
    limit: rule.limit,
    evaluationWindowSec: rule.windowSeconds,
    ...(rule.by === 'address'
      ? { aggregateKeyType: 'IP' }
      : {
          aggregateKeyType: 'CUSTOM_KEYS',
          customKeys: [{ header: { name: 'authorization', textTransformations: asSent } }],
        }),
    ...(scopeDownStatement ? { scopeDownStatement } : {}),
  }
}

/** The requests that a rule counts; undefined: all. */
function scopeOf({
  authorizationHolds,
  pathBegins,
  isElse,
}: EdgeRateRule): CfnWebACL.StatementProperty | undefined {
  if (authorizationHolds !== undefined)
    return {
      byteMatchStatement: {
        fieldToMatch: { singleHeader: { Name: 'authorization' } },
        positionalConstraint: 'CONTAINS',
        searchString: authorizationHolds,
        textTransformations: asSent,
      },
    }
  const [first, ...others] = (pathBegins ?? []).map((searchString) => ({
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint: 'STARTS_WITH',
      searchString,
      textTransformations: asMatched,
    },
  }))
  if (!first) return undefined
  const any = others.length === 0 ? first : { orStatement: { statements: [first, ...others] } }
  return isElse ? { notStatement: { statement: any } } : any
}

/** Request headers of an EventSource. */
const streamHeaders = ['Cache-Control', 'Last-Event-ID']
const YEAR_DAYS = 365

/** Headers with settings of their own in CloudFront, which refuses them as custom headers. */
const security: Readonly<Record<string, (value: string) => Partial<ResponseSecurityHeadersBehavior>>> = {
  'x-content-type-options': () => ({ contentTypeOptions: { override: true } }),
  'content-security-policy': (value) => ({
    contentSecurityPolicy: { contentSecurityPolicy: value, override: true },
  }),
  'referrer-policy': (value) => ({
    referrerPolicy: { referrerPolicy: value as HeadersReferrerPolicy, override: true },
  }),
  'x-frame-options': (value) => ({
    frameOptions: { frameOption: value as HeadersFrameOption, override: true },
  }),
}

/** A policy that adds `headers` and HSTS to every answer. */
export function headersPolicy(
  scope: Construct,
  id: string,
  headers: Readonly<Record<string, string>>,
): ResponseHeadersPolicy {
  // A private answer lacks the header.
  const origin = headers['access-control-allow-origin']
  const exposed = headers['access-control-expose-headers']
  const rest = Object.entries(headers).filter(
    ([name]) => !name.startsWith('access-control-') && !(name in security),
  )
  return new ResponseHeadersPolicy(scope, id, {
    ...(origin === undefined
      ? {}
      : {
          corsBehavior: {
            accessControlAllowOrigins: [origin],
            accessControlAllowMethods: ALLOWED_METHODS.split(', '),
            accessControlAllowHeaders: [...requestHeaders, ...streamHeaders],
            accessControlAllowCredentials: false,
            ...(exposed === undefined ? {} : { accessControlExposeHeaders: exposed.split(', ') }),
            originOverride: true,
          },
        }),
    securityHeadersBehavior: Object.assign(
      {
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(YEAR_DAYS),
          // A name of one's own may be an apex, whose other subdomains are none of ours.
          includeSubdomains: false,
          override: true,
        },
      },
      ...Object.entries(headers).map(([name, value]) => security[name]?.(value) ?? {}),
    ) as ResponseSecurityHeadersBehavior,
    ...(rest.length === 0
      ? {}
      : {
          customHeadersBehavior: {
            customHeaders: rest.map(([header, value]) => ({ header, value, override: true })),
          },
        }),
  })
}

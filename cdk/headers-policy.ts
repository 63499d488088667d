import { Duration } from 'aws-cdk-lib'
import {
  type HeadersFrameOption,
  type HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
} from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'
import { ALLOWED_METHODS } from '../schemas/errors.ts'
import { requestHeaders } from '../schemas/headers.ts'

/** What an EventSource sends. */
const streamHeaders = ['Cache-Control', 'Last-Event-ID']
const YEAR_DAYS = 365

/** Headers that CloudFront sets by settings of their own, and may not be told as plain ones. */
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

/** The policy that puts `headers` on every answer, and asks for TLS from then on. */
export function headersPolicy(
  scope: Construct,
  id: string,
  headers: Readonly<Record<string, string>>,
): ResponseHeadersPolicy {
  const exposed = headers['access-control-expose-headers']
  const rest = Object.entries(headers).filter(
    ([name]) => !name.startsWith('access-control-') && !(name in security),
  )
  return new ResponseHeadersPolicy(scope, id, {
    corsBehavior: {
      accessControlAllowOrigins: [headers['access-control-allow-origin'] ?? '*'],
      accessControlAllowMethods: ALLOWED_METHODS.split(', '),
      accessControlAllowHeaders: [...requestHeaders, ...streamHeaders],
      accessControlAllowCredentials: false,
      ...(exposed === undefined ? {} : { accessControlExposeHeaders: exposed.split(', ') }),
      originOverride: true,
    },
    securityHeadersBehavior: Object.assign(
      {
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(YEAR_DAYS),
          includeSubdomains: true,
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

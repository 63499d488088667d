import { CachePolicy } from 'aws-cdk-lib/aws-cloudfront'
import { describe, expect, it } from 'vitest'
import { stages } from '../../cdk/config.ts'
import { behaviours, distribution, openResources, rateRules } from '../../lambdas/edge/distribution.ts'
import {
  ORIGIN_HEADER,
  tierNames,
  tiers,
  UNKNOWN_RESOURCE,
  VERDICT_SECONDS,
} from '../../schemas/api/access.ts'
import { gatewayResponses } from '../../schemas/api/gateway-responses.ts'
import { MCP_PATH } from '../../schemas/api/mcp.ts'
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

/** CloudFront's own policy for what is never kept. */
const CACHING_DISABLED = CachePolicy.CACHING_DISABLED.cachePolicyId

const { functions } = distribution()

describe('the edge', () => {
  const config = () => valueAt(only(made.service, 'AWS::CloudFront::Distribution'), 'DistributionConfig')
  const behavioursMade = () => [
    ...(valueAt(config(), 'CacheBehaviors') as Properties[]),
    valueAt(config(), 'DefaultCacheBehavior'),
  ]
  const policy = (id: unknown) => valueAt(made.service.Resources[String(valueAt(id, 'Ref'))], 'Properties')

  it('caches and forwards as described, for each behaviour', () => {
    const found = behavioursMade()
    for (const [index, { keyHeaders, runs }] of behaviours.entries()) {
      const each = found[index] as Properties
      expect((each['FunctionAssociations'] as unknown[] | undefined)?.length ?? 0).toBe(
        runs ? Object.keys(functions[runs]).length : 0,
      )
      expect(each['Compress']).toBe(keyHeaders !== null)
      // Such a policy has no opinion of Accept-Encoding: it is sent on with all else.
      if (!keyHeaders)
        expect(each).toMatchObject({ CachePolicyId: CACHING_DISABLED, OriginRequestPolicyId: {} })
      if (!keyHeaders) continue
      const key = valueAt(policy(each['CachePolicyId']), 'CachePolicyConfig')
      expect(key).toMatchObject({
        MinTTL: 0,
        DefaultTTL: 0,
        MaxTTL: 86_400,
        ParametersInCacheKeyAndForwardedToOrigin: { CookiesConfig: { CookieBehavior: 'none' } },
      })
      const inKey = valueAt(key, 'ParametersInCacheKeyAndForwardedToOrigin', 'HeadersConfig', 'Headers') ?? []
      expect(inKey).toEqual(keyHeaders)
    }
  })

  it('runs the functions that the tests run, and has every origin that they name', () => {
    const codes = propertiesOf(made.service, 'AWS::CloudFront::Function').map((each) => each['FunctionCode'])
    expect(codes).toEqual(Object.values(functions).flatMap((each) => Object.values(each)))
    const ids = (valueAt(config(), 'Origins') as Properties[]).map((origin) => origin['Id'])
    expect([...ids].sort()).toEqual(['account', 'api', 'missing', 'published', 'site', 'stream'])
    const named = [...codes.join().matchAll(/originId:"(\w+)"|OriginById\("(\w+)"\)/g)].map(
      ([, a, b]) => a ?? b,
    )
    expect(new Set(named)).toEqual(new Set(['published', 'api']))
    const groups = JSON.stringify(valueAt(config(), 'OriginGroups', 'Items'))
    expect(groups).toContain('"OriginId":"site"},{"OriginId":"missing"')
  })

  it.each(Object.values(stages))('of $name sends every request to an origin that there is', async (stage) => {
    const { service } = await (stage === stages.prod ? made : synthesise(stage))
    const { Origins, OriginGroups, CacheBehaviors, DefaultCacheBehavior } = valueAt(
      only(service, 'AWS::CloudFront::Distribution'),
      'DistributionConfig',
    ) as Properties
    // Either side of a condition has the id.
    const ids = (Origins as Properties[]).map((origin) =>
      ((origin['Fn::If'] as Properties[] | undefined)?.slice(1) ?? [origin]).map(({ Id }) => Id),
    )
    for (const each of ids) expect(new Set(each).size).toBe(1)
    const groups = valueAt(OriginGroups, 'Items') as Properties[]
    const members = groups.flatMap(({ Members }) => valueAt(Members, 'Items') as Properties[])
    const known = [...ids.flat(), ...groups.map(({ Id }) => Id)]
    for (const { OriginId } of members) expect(known).toContain(OriginId)
    for (const { TargetOriginId } of [
      ...(CacheBehaviors as Properties[]),
      DefaultCacheBehavior as Properties,
    ])
      expect(known).toContain(TargetOriginId)
  })

  it('is bounded by address, by key, and for the account page and the key of the pages by address again', () => {
    const rules = only(made.service, 'AWS::WAFv2::WebACL')['Rules'] as Properties[]
    const bounds = rules.map(({ Statement }) => valueAt(Statement, 'RateBasedStatement') as Properties)
    expect(bounds).toMatchObject(
      rateRules.map(({ limit, windowSeconds, by }) => ({
        Limit: limit,
        EvaluationWindowSec: windowSeconds,
        AggregateKeyType: by === 'address' ? 'IP' : 'CUSTOM_KEYS',
      })),
    )
    const scopes = bounds.map((bound) => valueAt(bound, 'ScopeDownStatement', 'ByteMatchStatement'))
    const begins = (of: unknown) =>
      ((valueAt(of, 'OrStatement', 'Statements') ?? []) as Properties[]).map((each) =>
        valueAt(each, 'ByteMatchStatement', 'SearchString'),
      )
    const [, open, large] = bounds.map((bound) => valueAt(bound, 'ScopeDownStatement'))
    expect(begins(valueAt(open, 'NotStatement', 'Statement'))).toEqual([
      '/v1/',
      '/archive/v1/',
      '/account/api/',
    ])
    expect(begins(large)).toContain('/v1/openapi.json')
    expect(scopes).toMatchObject([
      ...[undefined, undefined, undefined, undefined],
      {
        FieldToMatch: { UriPath: {} },
        PositionalConstraint: 'STARTS_WITH',
        SearchString: '/account/api/',
        // As the distribution reads a path: `/%61ccount/api/` is the same.
        TextTransformations: [{ Type: 'URL_DECODE' }, { Type: 'NORMALIZE_PATH' }],
      },
      { PositionalConstraint: 'CONTAINS', SearchString: 'z100_site_' },
    ])
    expect(JSON.stringify(valueAt(config(), 'WebACLId'))).toContain('FirewallAcl')
  })

  it('sends the gateway a secret that only the authorizer knows', () => {
    const sent = (valueAt(config(), 'Origins') as Properties[]).flatMap(({ Id, OriginCustomHeaders }) =>
      ((OriginCustomHeaders ?? []) as Properties[]).map(({ HeaderName, HeaderValue }) => [
        Id,
        HeaderName,
        HeaderValue,
      ]),
    )
    const authorizer = only(made.service, 'AWS::Lambda::Function', 'ReadApiAuthorizer')
    const known = valueAt(authorizer, 'Environment', 'Variables', 'ORIGIN_SECRET')
    expect(JSON.stringify(known)).toMatch(/resolve:secretsmanager:.*OriginSecret.*:SecretString/)
    expect(sent.sort()).toEqual(['account', 'api'].map((origin) => [origin, ORIGIN_HEADER, known]))
  })

  it('names versions of the secret, so that a new one reaches edge and authorizer in one deployment, the authorizer first', () => {
    const [authorizer] = resourcesOf(made.service, 'AWS::Lambda::Function', 'ReadApiAuthorizer')
    const variables = valueAt(authorizer?.properties, 'Environment', 'Variables')
    const partsOf = (name: string) => valueAt(variables, name, 'Fn::Join', 1) as readonly unknown[]
    for (const [name, choice] of [
      ['ORIGIN_SECRET', 'OriginVersion'],
      ['PREVIOUS_ORIGIN_SECRET', 'PreviousOriginVersion'],
    ] as const) {
      // The sixth part of such a reference is the version's id; the fifth, a version's stage, stays empty.
      expect([name, partsOf(name).slice(-3)]).toEqual([name, [':SecretString:::', { Ref: choice }, '}}']])
      expect(valueAt(made.service, 'Parameters', choice, 'Default')).toBe('')
    }
    const [edge] = resourcesOf(made.service, 'AWS::CloudFront::Distribution')
    expect(edge?.dependsOn).toContain(authorizer?.id)
  })
})

describe('the gateway', () => {
  it('requires a key on every path that needs one, and caches the verdict for half a minute', () => {
    const edge = `method.request.header.${ORIGIN_HEADER}`
    expect(propertiesOf(made.service, 'AWS::ApiGateway::Authorizer', 'ReadApi')).toMatchObject([
      { Type: 'REQUEST', IdentitySource: edge },
      {
        Type: 'REQUEST',
        IdentitySource: `${edge},method.request.header.Authorization`,
        AuthorizerResultTtlInSeconds: VERDICT_SECONDS,
      },
    ])
    const sources = propertiesOf(made.service, 'AWS::ApiGateway::RestApi').map(
      (each) => each['ApiKeySourceType'],
    )
    expect(sources).toEqual(['AUTHORIZER', 'AUTHORIZER'])
    const methods = propertiesOf(made.service, 'AWS::ApiGateway::Method')
    expect(methods.filter(({ AuthorizationType }) => AuthorizationType !== 'CUSTOM')).toEqual([])
    const [keyless, keyed] = ['ReadApiByEdge', 'ReadApiByKey'].map((authorizer) =>
      methods.filter(({ AuthorizerId }) => String(valueAt(AuthorizerId, 'Ref')).includes(authorizer)),
    )
    // The tools for agents take messages without a key, and say how to get one.
    const messages = keyless!.filter(({ HttpMethod }) => HttpMethod === 'POST')
    expect(messages).toMatchObject([{ ApiKeyRequired: false }])
    expect(keyless!.map(({ ApiKeyRequired }) => ApiKeyRequired)).toEqual(
      [...openResources, MCP_PATH].map(() => false),
    )
    const keyedMethod = { HttpMethod: 'ANY', ApiKeyRequired: true }
    expect(keyed).toMatchObject([keyedMethod, keyedMethod])
  })

  it('has a throttle of its own for each path that strangers reach, and for keys that the edge does not know', () => {
    const [stage] = propertiesOf(made.service, 'AWS::ApiGateway::Stage')
    const settings = stage!['MethodSettings'] as Properties[]
    const rates = settings.map(({ ResourcePath, HttpMethod, ThrottlingRateLimit }) => [
      String(ResourcePath).replaceAll('~1', '/'),
      HttpMethod,
      ThrottlingRateLimit,
    ])
    const { requestsPerSecond, strangersPerSecond } = stages.prod.api
    expect(rates).toContainEqual(['/*', '*', requestsPerSecond])
    for (const path of [...openResources, UNKNOWN_RESOURCE])
      expect(rates).toContainEqual([`/${path}`, 'GET', strangersPerSecond])
    expect(rates).toContainEqual([`/${MCP_PATH}`, 'POST', strangersPerSecond])
  })

  it('has a plan for each tier', () => {
    const found = propertiesOf(made.service, 'AWS::ApiGateway::UsagePlan').map(({ Throttle }) => Throttle)
    expect(found).toEqual(
      tierNames.map((tier) => ({
        RateLimit: tiers[tier].flood.perSecond,
        BurstLimit: tiers[tier].flood.burst,
      })),
    )
  })

  it('answers errors in the common shape, or as a page outside the API, never cached', () => {
    const found = propertiesOf(made.service, 'AWS::ApiGateway::GatewayResponse')
    const kinds = Object.keys(gatewayResponses)
    expect(found.map(({ ResponseType }) => ResponseType).sort()).toEqual([...kinds, ...kinds].sort())
    for (const { ResponseType, ResponseParameters, ResponseTemplates } of found) {
      expect(valueAt(ResponseParameters, 'gatewayresponse.header.cache-control')).toBe("'no-store'")
      expect(valueAt(ResponseParameters, 'gatewayresponse.header.x-request-id')).toBe('context.requestId')
      const text = String(valueAt(ResponseTemplates, 'application/json'))
      if (ResponseType === 'MISSING_AUTHENTICATION_TOKEN') {
        // A page, in which the gateway finds nothing to put in.
        expect(valueAt(ResponseParameters, 'gatewayresponse.header.content-type')).toBe(
          "'text/html; charset=utf-8'",
        )
        expect(text).toMatch(/^<!doctype html>[^$]*$/)
        continue
      }
      expect(JSON.parse(text)).toMatchObject({ error: { request_id: '$context.requestId' } })
    }
  })
})

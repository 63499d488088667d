import { Aws, Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  type CfnDistribution,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IOrigin,
  KeyValueStore,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  PriceClass,
  SecurityPolicyProtocol,
  SSLMethod,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { OriginGroup } from 'aws-cdk-lib/aws-cloudfront-origins'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { API_PATHS, distribution, type EdgeBehaviour } from '../../lambdas/edge/distribution.ts'
import { choiceOf, isChosen } from '../choices.ts'
import type { Deployment } from '../config.ts'
import { acknowledge } from '../grants.ts'
import { onlyTogether } from '../rules.ts'
import { headersPolicy } from './edge-rules.ts'

/** Origins, by their names in lambdas/edge/. */
export type EdgeOrigins = Readonly<Record<'published' | 'api' | 'missing' | 'site', IOrigin>> & {
  /** null: there is no stream, which the API states. */
  readonly stream: IOrigin | null
}

/** The distribution and its functions, as described in lambdas/edge/. */
export class Edge extends Construct {
  readonly distribution: Distribution
  readonly keyValueStore: KeyValueStore
  /** Where everything is served: the first of the custom domains if some were chosen, else CloudFront's. */
  readonly origin: string
  /** Logs of the functions whose lines are counted: answers from the cache, and bytes of the archive. */
  readonly answerLog: LogGroup
  readonly archiveLog: LogGroup
  private readonly origins: EdgeOrigins
  private readonly described: ReturnType<typeof distribution>
  private readonly functions: Readonly<Record<FunctionsName, Functions>>
  private readonly logDays: RetentionDays
  private readonly stageName: string
  private readonly toOrigin: OriginRequestPolicy

  constructor(
    scope: Construct,
    id: string,
    props: {
      readonly deployment: Deployment
      readonly origins: EdgeOrigins
      readonly webAclArn: string | undefined
    },
  ) {
    super(scope, id)
    const { stage } = props.deployment
    this.origins = props.origins
    this.described = distribution({ isCounted: stage.isCounted })
    // Deleted with the service: its contents are in the Access table, and `admin reconcile` restores them.
    this.keyValueStore = new KeyValueStore(this, 'Keys', {
      comment: 'Digests of keys, and whose hour is used up',
    })
    this.logDays = stage.logDays as RetentionDays
    this.stageName = stage.name
    this.functions = {
      api: this.edgeFunctions('Viewer', 'api'),
      archive: this.edgeFunctions('Archive', 'archive'),
      tools: this.edgeFunctions('Tools', 'tools'),
      account: this.edgeFunctions('Account', 'account'),
    }
    this.answerLog = this.logOf('Function', this.functions.api.request)
    this.archiveLog = this.logOf('Archive', this.functions.archive.response ?? this.functions.archive.request)
    this.toOrigin = forwardingPolicy(this, 'ToOrigin', OriginRequestCookieBehavior.none())
    const [rest, ...named] = this.described.behaviours.filter(({ isPrivate }) => !isPrivate).toReversed()
    if (rest?.pattern !== '*') throw new NoDefaultBehaviourError()
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `z100 ${stage.name}`,
      defaultBehavior: this.behaviour(rest),
      additionalBehaviors: Object.fromEntries(
        named.toReversed().map((each) => [each.pattern, this.behaviour(each)] as const),
      ),
      defaultRootObject: this.described.rootObject,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_ALL,
      errorResponses: Object.entries(this.described.errorTtlSeconds).map(([status, seconds]) => ({
        httpStatus: Number(status),
        ttl: Duration.seconds(seconds),
      })),
      ...(props.webAclArn === undefined ? {} : { webAclId: props.webAclArn }),
    })
    this.origin = this.takeName()
    acknowledge(this.distribution, {
      CFR1: 'Public market data, for readers everywhere.',
      CFR2: 'A firewall is a choice of the stage: it has its price for each request, and a stage without readers needs none.',
      CFR3: 'The log of the edge function counts answers by account, and keeps no address of a reader.',
      CFR4: 'A distribution without a name of its own has the certificate of CloudFront, whose oldest TLS cannot be chosen; one with a name asks for TLS 1.2.',
    })
  }

  /** Adds the behaviours of the account page, whose function writes to the store that is made here. */
  addAccountPage(origin: IOrigin): void {
    const originRequestPolicy = forwardingPolicy(
      this,
      'ToAccountPage',
      OriginRequestCookieBehavior.allowList(this.described.privateCookie),
    )
    for (const { pattern, headers = {} } of this.described.behaviours.filter(({ isPrivate }) => isPrivate))
      this.distribution.addBehavior(pattern, origin, {
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        compress: false,
        responseHeadersPolicy: this.headersPolicy(headers),
        functionAssociations: associationsOf(this.functions.account),
        originRequestPolicy,
      })
  }

  /** Takes custom domains if some were chosen; returns the origin of the first one, else of CloudFront's. */
  private takeName(): string {
    const stack = Stack.of(this)
    const [names, certificate] = [choiceOf(stack, 'domainNames'), choiceOf(stack, 'certificateArn')]
    const { logicalId } = isChosen(stack, 'certificateArn', certificate)
    onlyTogether(stack, 'NamesAndCertificate', {
      values: [names, certificate],
      why: 'domainNames and certificateArn are given together, or neither: -c domainNames=… -c certificateArn=…',
    })
    const resource = this.distribution.node.defaultChild as CfnDistribution
    const own = {
      AcmCertificateArn: certificate,
      SslSupportMethod: SSLMethod.SNI,
      MinimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }
    const config = 'DistributionConfig'
    resource.addPropertyOverride(
      `${config}.Aliases`,
      Fn.conditionIf(logicalId, Fn.split(',', names), Aws.NO_VALUE),
    )
    resource.addPropertyOverride(
      `${config}.ViewerCertificate`,
      Fn.conditionIf(logicalId, own, { CloudFrontDefaultCertificate: true }),
    )
    Validations.of(this.distribution).acknowledge({
      id: 'CloudFormation-Validate::F3014',
      reason: 'Either branch of the condition names one certificate; the check looks at neither.',
    })
    const first = Fn.select(0, Fn.split(',', names))
    const name = Fn.conditionIf(logicalId, first, this.distribution.distributionDomainName)
    return `https://${name.toString()}`
  }

  /** The functions of a kind; all that read the store of keys are associated with it, and the others do no harm. */
  private edgeFunctions(id: string, name: FunctionsName): Functions {
    const { request, response } = this.described.functions[name]
    const make = (kind: string, text: string) =>
      new EdgeFunction(this, id + kind, {
        // The name of its log contains it. A stack that is made again after it was deleted would meet the log of the one before.
        functionName: `z100-${this.stageName}-${(id + kind).toLowerCase()}-${stackMark}`,
        code: FunctionCode.fromInline(text),
        runtime: FunctionRuntime.JS_2_0,
        ...(text.includes('.kvs()') ? { keyValueStore: this.keyValueStore } : {}),
      })
    return {
      request: make('Request', request),
      response: response === undefined ? null : make('Response', response),
    }
  }

  private logOf(id: string, edgeFunction: EdgeFunction): LogGroup {
    const log = new LogGroup(this, `${id}Log`, {
      logGroupName: `/aws/cloudfront/function/${edgeFunction.functionName}`,
      retention: this.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    // Otherwise the function's first line would create the log group, and the stack could not.
    edgeFunction.node.addDependency(log)
    return log
  }

  private behaviour(behaviour: EdgeBehaviour): BehaviorOptions {
    const { runs, isHttpsOnly, keyHeaders, forwardsTo } = behaviour
    return {
      origin: this.originOf(behaviour),
      viewerProtocolPolicy: isHttpsOnly
        ? ViewerProtocolPolicy.HTTPS_ONLY
        : ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      // The function refuses other methods, because CloudFront's own refusal would not have the common error shape.
      allowedMethods: runs ? AllowedMethods.ALLOW_ALL : AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      cachePolicy: keyHeaders ? this.cachePolicy(keyHeaders) : CachePolicy.CACHING_DISABLED,
      compress: keyHeaders !== null,
      responseHeadersPolicy: this.headersPolicy({ ...this.described.responseHeaders, ...behaviour.headers }),
      ...(runs ? { functionAssociations: associationsOf(this.functions[runs]) } : {}),
      ...(forwardsTo.length > 0 ? { originRequestPolicy: this.toOrigin } : {}),
    }
  }

  private readonly headersPolicy = shared((n, headers: Readonly<Record<string, string>>) =>
    headersPolicy(this, `Headers${n}`, headers),
  )

  /**
   * The functions choose an origin per request, but a distribution only contains origins named by a behaviour, so one
   * names the bucket.
   */
  private originOf({ pattern, origin, runs, fallbackOrigin }: EdgeBehaviour): IOrigin {
    const { api, missing, site, stream, published } = this.origins
    if (runs) return pattern === API_PATHS ? api : published
    if (origin === 'stream') return stream ?? api
    if (fallbackOrigin === undefined) return site
    this.pages ??= new OriginGroup({
      primaryOrigin: site,
      fallbackOrigin: missing,
      fallbackStatusCodes: [400, 403, 404],
    })
    return this.pages
  }

  /** The bucket of the pages and what answers for a missing one: one for all behaviours, since its id is. */
  private pages: OriginGroup | undefined

  private readonly cachePolicy = shared((n, keyHeaders: readonly string[]) => {
    return new CachePolicy(this, `Cache${n}`, {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(this.described.mostKeptSeconds),
      headerBehavior:
        keyHeaders.length > 0 ? CacheHeaderBehavior.allowList(...keyHeaders) : CacheHeaderBehavior.none(),
      queryStringBehavior: CacheQueryStringBehavior.none(),
      cookieBehavior: CacheCookieBehavior.none(),
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    })
  })
}

type FunctionsName = keyof ReturnType<typeof distribution>['functions']
type Functions = { readonly request: EdgeFunction; readonly response: EdgeFunction | null }

const associationsOf = ({ request, response }: Functions) => [
  { eventType: FunctionEventType.VIEWER_REQUEST, function: request },
  ...(response ? [{ eventType: FunctionEventType.VIEWER_RESPONSE, function: response }] : []),
]

/** Differs between a stack and one of the same name after it: eight digits of the id in its ARN. */
const stackMark = Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))))

/** The table of behaviours must end with the default one. */
class NoDefaultBehaviourError extends Error {
  override readonly name = 'NoDefaultBehaviourError'
}

/** Shares a policy among equal settings, because an account has few. `make` receives the number of policies so far. */
function shared<Settings, Policy>(make: (n: number, settings: Settings) => Policy) {
  const made = new Map<string, Policy>()
  return (settings: Settings): Policy => {
    const text = JSON.stringify(settings)
    const policy = made.get(text) ?? make(made.size, settings)
    made.set(text, policy)
    return policy
  }
}

/** Everything from the viewer except Host, which names the edge; cookies as `cookieBehavior` says. */
const forwardingPolicy = (
  scope: Construct,
  id: string,
  cookieBehavior: OriginRequestCookieBehavior,
): OriginRequestPolicy =>
  new OriginRequestPolicy(scope, id, {
    comment: `z100 ${Aws.STACK_NAME}`,
    headerBehavior: OriginRequestHeaderBehavior.denyList('host'),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    cookieBehavior,
  })

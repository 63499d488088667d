import { Duration, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib'
import {
  AccessLogFormat,
  ApiKeySourceType,
  AuthorizationType,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RequestAuthorizer,
  ResponseType,
  RestApi,
  type UsagePlan,
} from 'aws-cdk-lib/aws-apigateway'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import {
  KEYED_RESOURCE,
  ORIGIN_HEADER,
  type Tier,
  tierNames,
  tiers,
  VERDICT_SECONDS,
} from '../schemas/access.ts'
import { gatewayResponses } from '../schemas/gateway-responses.ts'
import type { Operation } from '../schemas/operation.ts'
import { operations } from '../schemas/operations.ts'
import { manifestKey, objectPrefixes } from '../store/tables.ts'
import { choiceOf } from './choices.ts'
import type { Deployment } from './config.ts'
import { serviceFunction, serviceLog } from './functions.ts'
import { acknowledge, allow, allowObjects, tableActions } from './grants.ts'
import type { Storage } from './storage.ts'

/** The gateway's stage; readers do not see it. */
const STAGE_NAME = 'live'

type ReadApiParts = {
  readonly deployment: Deployment
  readonly storage: Storage
  readonly published: IBucket
}

/** The read API: the gateway, its authorizer, its usage plans, and the function behind it. */
export class ReadApi extends Construct {
  readonly gateway: RestApi
  readonly api: LambdaFunction
  readonly authorizer: LambdaFunction
  readonly usagePlans: Readonly<Record<Tier, UsagePlan>>
  /** Log of the function behind the gateway. */
  readonly log: LogGroup
  /** Secret header by which the gateway recognises the edge. */
  readonly originHeaders: Readonly<Record<string, string>>

  constructor(scope: Construct, id: string, parts: ReadApiParts) {
    super(scope, id)
    const { deployment, storage } = parts
    const { handler, logGroup } = this.answering(parts)
    this.api = handler
    this.log = logGroup
    const { current, previous } = originSecrets(this)
    this.originHeaders = { [ORIGIN_HEADER]: current }
    const authorizer = serviceFunction(this, 'Authorizer', {
      deployment,
      process: 'authorizer',
      bundle: 'authorizer',
      environment: {
        ACCESS_TABLE: storage.access.tableName,
        ORIGIN_SECRET: current,
        PREVIOUS_ORIGIN_SECRET: previous,
      },
      memoryMb: 512,
      timeoutSeconds: 5,
      failed: null,
    })
    allow(authorizer.role, tableActions.find, [storage.access.tableArn])
    this.authorizer = authorizer.handler
    this.gateway = this.openGateway(deployment)
    this.keepExecutionLog(deployment)
    this.addRoutes()
    for (const [kind, { status, headers, body }] of Object.entries(gatewayResponses)) {
      this.gateway.addGatewayResponse(kind, {
        type: ResponseType.of(kind),
        ...(status === null ? {} : { statusCode: String(status) }),
        responseHeaders: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, headerMapping(value)]),
        ),
        templates: { 'application/json': body },
      })
    }
    this.usagePlans = Object.fromEntries(
      tierNames.map((tier) => [tier, this.usagePlan(tier)] as const),
    ) as Record<Tier, UsagePlan>
  }

  private answering({ deployment, storage, published }: ReadApiParts): ReturnType<typeof serviceFunction> {
    const made = serviceFunction(this, 'Api', {
      deployment,
      process: 'api',
      bundle: 'api',
      environment: {
        MARKET_TABLE: storage.market.tableName,
        USAGE_TABLE: storage.usage.tableName,
        SEGMENT_BUCKET: storage.segments.bucketName,
        PUBLISHED_BUCKET: published.bucketName,
        CHAIN: deployment.stage.chain,
      },
      memoryMb: deployment.stage.api.memoryMb,
      concurrency: deployment.stage.concurrency?.api,
      timeoutSeconds: 28,
      failed: null,
    })
    allow(made.role, tableActions.readMany, [storage.market.tableArn])
    allow(made.role, tableActions.take, [storage.usage.tableArn])
    allowObjects(made.role, published, {
      reads: [objectPrefixes.manifests, objectPrefixes.screened, manifestKey],
      writes: [],
    })
    allowObjects(made.role, storage.segments, { reads: [objectPrefixes.kept], writes: [] })
    return made
  }

  private openGateway(deployment: Deployment): RestApi {
    const gateway = new RestApi(this, 'Gateway', {
      // Its metrics are by name, and another stage may share the account.
      restApiName: `z100-${deployment.stage.name}`,
      description: 'Market data: parameterised and per-token queries',
      endpointTypes: [EndpointType.REGIONAL],
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: STAGE_NAME,
        // Of each method, before the function runs.
        throttlingRateLimit: deployment.stage.api.requestsPerSecond,
        throttlingBurstLimit: deployment.stage.api.requestsPerSecond,
        // Detailed metrics cost $0.30 a month per method and statistic; those of the whole API are free and sufficient
        // for alarms.
        metricsEnabled: false,
        loggingLevel: MethodLoggingLevel.ERROR,
        accessLogDestination: new LogGroupLogDestination(serviceLog(this, 'AccessLog', deployment)),
        // Without the header Authorization and readers' addresses.
        accessLogFormat: AccessLogFormat.custom(
          JSON.stringify({
            request_id: '$context.requestId',
            account: '$context.authorizer.account',
            method: '$context.httpMethod',
            // Not the raw path, which may contain a key by mistake.
            resource: '$context.resourcePath',
            status: '$context.status',
            milliseconds: '$context.responseLatency',
            error: '$context.error.responseType',
          }),
        ),
      },
    })
    acknowledge(gateway, {
      APIG2:
        'The function checks every parameter against the schemas of its operation, and names the wrong one.',
      APIG3:
        'The edge stands before it, with a firewall where the stage has one; whoever comes around the edge is denied.',
      COG4: 'Keys are checked by an authorizer of our own.',
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The role with which the gateway writes its logs, as AWS describes it.',
    })
    return gateway
  }

  /** The gateway's own log of errors. The gateway would create the group, without an end, at its first line. */
  private keepExecutionLog({ stage }: Deployment): void {
    const log = new LogGroup(this, 'ExecutionLog', {
      logGroupName: `API-Gateway-Execution-Logs_${this.gateway.restApiId}/${STAGE_NAME}`,
      retention: stage.logDays as RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.gateway.deploymentStage.node.addDependency(log)
  }

  /** Operations that need no key have their own resources; all others, and unknown paths, share one. */
  private addRoutes(): void {
    const integration = new LambdaIntegration(this.api, { allowTestInvoke: false })
    const handler = this.authorizer
    const edge = IdentitySource.header(ORIGIN_HEADER)
    const byEdge = new RequestAuthorizer(this, 'ByEdge', {
      handler,
      identitySources: [edge],
      resultsCacheTtl: Duration.minutes(5),
    })
    const byKey = new RequestAuthorizer(this, 'ByKey', {
      handler,
      identitySources: [edge, IdentitySource.header('Authorization')],
      resultsCacheTtl: Duration.seconds(VERDICT_SECONDS),
    })
    const authorizationType = AuthorizationType.CUSTOM
    for (const { path, needs } of Object.values<Operation>(operations)) {
      if (needs !== 'nothing') continue
      const keyless = { authorizer: byEdge, authorizationType, apiKeyRequired: false }
      this.gateway.root.resourceForPath(path).addMethod('ANY', integration, keyless)
    }
    const keyed = { authorizer: byKey, authorizationType, apiKeyRequired: true }
    this.gateway.root.resourceForPath(KEYED_RESOURCE).addMethod('ANY', integration, keyed)
  }

  /**
   * A brake against floods; the hourly limit is enforced by the function. Accounts' keys are added by the operator's
   * commands.
   */
  private usagePlan(tier: Tier): UsagePlan {
    const { perSecond, burst } = tiers[tier].flood
    return this.gateway.addUsagePlan(`Plan-${tier}`, {
      description: `Accounts of the tier ${tier}`,
      throttle: { rateLimit: perSecond, burstLimit: burst },
      apiStages: [{ stage: this.gateway.deploymentStage }],
    })
  }
}

/**
 * References to the versions of the secret that only the edge and the authorizer know. CloudFormation inserts a value when
 * the resource that refers to it changes, and only then: so a version is named, and a new one reaches both in one
 * deployment. An empty version is the secret's newest.
 */
function originSecrets(scope: Construct): Readonly<Record<'current' | 'previous', string>> {
  const secret = new Secret(scope, 'OriginSecret', {
    description: 'What the edge sends for the gateway to know it by',
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  })
  acknowledge(secret, { SMG4: 'It is changed by a deployment, in both places at once.' })
  const versionOf = (choice: 'originVersion' | 'previousOriginVersion') => {
    const versionId = choiceOf(Stack.of(scope), choice)
    return SecretValue.secretsManager(secret.secretArn, { versionId }).unsafeUnwrap()
  }
  return { current: versionOf('originVersion'), previous: versionOf('previousOriginVersion') }
}

/** A header of a gateway response: a context variable, or a fixed text. */
const headerMapping = (value: string): string =>
  value.startsWith('$context.') ? value.slice(1) : `'${value}'`

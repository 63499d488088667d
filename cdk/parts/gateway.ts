import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import {
  AccessLogFormat,
  ApiKeySourceType,
  EndpointType,
  IdentitySource,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RequestAuthorizer,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { ORIGIN_HEADER } from '../../schemas/api/access.ts'
import { gatewayResponses } from '../../schemas/api/gateway-responses.ts'
import type { Deployment } from '../config.ts'
import { acknowledge } from '../grants.ts'
import { serviceLog } from './functions.ts'

/** The gateway's stage; readers do not see it. */
const STAGE_NAME = 'live'

/** Methods that the edge lets through to what readers read, and to the tools. */
const narrowMethods = ['GET', 'HEAD', 'POST']

type GatewaySettings = {
  readonly name: string
  readonly description: string
  /** Of each method, before its function runs. */
  readonly requestsPerSecond: number
  /** Requests per second of single resources, by their paths: GET and HEAD of each. @default as all others */
  readonly narrow?: Readonly<Record<string, number>>
  /** The gateway that has the account's role for logs already. @default this one gets it */
  readonly after?: RestApi
}

/** A REST API with our answers and logs; its only visitors come from the edge. */
export function openGateway(scope: Construct, deployment: Deployment, settings: GatewaySettings): RestApi {
  const { name, description, requestsPerSecond, narrow = {}, after } = settings
  const gateway = new RestApi(scope, 'Gateway', {
    restApiName: name,
    description,
    endpointTypes: [EndpointType.REGIONAL],
    apiKeySourceType: ApiKeySourceType.AUTHORIZER,
    cloudWatchRole: after === undefined,
    ...(after === undefined ? { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN } : {}),
    deployOptions: {
      stageName: STAGE_NAME,
      throttlingRateLimit: requestsPerSecond,
      throttlingBurstLimit: requestsPerSecond,
      methodOptions: Object.fromEntries(
        Object.entries(narrow).flatMap(([path, rate]) =>
          narrowMethods.map((method) => [
            `${path}/${method}`,
            { throttlingRateLimit: rate, throttlingBurstLimit: rate, loggingLevel: MethodLoggingLevel.ERROR },
          ]),
        ),
      ),
      // Detailed metrics cost $0.30 a month per method and statistic; those of the whole API are free and sufficient
      // for alarms.
      metricsEnabled: false,
      loggingLevel: MethodLoggingLevel.ERROR,
      accessLogDestination: new LogGroupLogDestination(serviceLog(scope, 'AccessLog', deployment)),
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
  if (after) gateway.node.addDependency(after)
  acknowledge(gateway, {
    APIG2:
      'The function checks every parameter against the schemas of its operation, and names the wrong one.',
    APIG3:
      'The edge stands before it, with a firewall where the stage has one; whoever comes around the edge is denied.',
    COG4: 'Keys and sessions are checked by code of our own.',
    ...(after === undefined
      ? {
          'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
            'The role with which the gateway writes its logs, as AWS describes it.',
        }
      : {}),
  })
  keepExecutionLog(scope, gateway, deployment)
  addResponses(gateway)
  return gateway
}

/** The gateway's own log of errors. The gateway would create the group, without an end, at its first line. */
function keepExecutionLog(scope: Construct, gateway: RestApi, { stage }: Deployment): void {
  const log = new LogGroup(scope, 'ExecutionLog', {
    logGroupName: `API-Gateway-Execution-Logs_${gateway.restApiId}/${STAGE_NAME}`,
    retention: stage.logDays as RetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  gateway.deploymentStage.node.addDependency(log)
}

function addResponses(gateway: RestApi): void {
  for (const [kind, { status, headers, body }] of Object.entries(gatewayResponses)) {
    gateway.addGatewayResponse(kind, {
      type: ResponseType.of(kind),
      ...(status === null ? {} : { statusCode: String(status) }),
      responseHeaders: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, headerMapping(value)]),
      ),
      templates: { 'application/json': body },
    })
  }
}

/** A header of a gateway response: a context variable, or a fixed text. */
const headerMapping = (value: string): string =>
  value.startsWith('$context.') ? value.slice(1) : `'${value}'`

/** Lets the edge in, by its secret, for operations without a key. */
export const byEdgeAuthorizer = (scope: Construct, handler: LambdaFunction): RequestAuthorizer =>
  new RequestAuthorizer(scope, 'ByEdge', {
    handler,
    identitySources: [IdentitySource.header(ORIGIN_HEADER)],
    resultsCacheTtl: Duration.minutes(5),
  })

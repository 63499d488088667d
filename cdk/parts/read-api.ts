import { Duration, SecretValue, Stack } from 'aws-cdk-lib'
import {
  AuthorizationType,
  IdentitySource,
  LambdaIntegration,
  RequestAuthorizer,
  type RestApi,
  type UsagePlan,
} from 'aws-cdk-lib/aws-apigateway'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { openResources } from '../../lambdas/edge/distribution.ts'
import {
  KEYED_RESOURCE,
  ORIGIN_HEADER,
  type Tier,
  tierNames,
  tiers,
  UNKNOWN_RESOURCE,
  VERDICT_SECONDS,
} from '../../schemas/api/access.ts'
import { MCP_PATH } from '../../schemas/api/mcp.ts'
import { manifestKey, objectPrefixes, usageKeys } from '../../store/aws/tables.ts'
import { choiceOf } from '../choices.ts'
import { type Deployment, type Stage, TOOLS_MEMORY_MB } from '../config.ts'
import { acknowledge, allow, allowItems, allowObjects, tableActions } from '../grants.ts'
import { serviceFunction } from './functions.ts'
import { byEdgeAuthorizer, openGateway } from './gateway.ts'
import type { Storage } from './storage.ts'

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
        USAGE_TABLE: storage.usage.tableName,
        ORIGIN_SECRET: current,
        PREVIOUS_ORIGIN_SECRET: previous,
      },
      memoryMb: 512,
      timeoutSeconds: 5,
      failed: null,
    })
    allow(authorizer.role, tableActions.find, [storage.access.tableArn])
    // When a key was used last, and nothing else of the table.
    const partitions = [usageKeys.lastUse('', '').pk]
    allowItems(authorizer.role, tableActions.note, { table: storage.usage.tableArn, partitions })
    this.authorizer = authorizer.handler
    this.gateway = openGateway(this, deployment, {
      // Its metrics are by name, and another stage may share the account.
      name: `z100-${deployment.stage.name}`,
      description: 'Market data: parameterised and per-token queries',
      requestsPerSecond: deployment.stage.api.requestsPerSecond,
      narrow: narrowResources(deployment.stage),
    })
    this.addRoutes(this.tools(deployment))
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

  /** The tools for agents: a function without rights, which reads the service through the edge with its caller's key. */
  private tools(deployment: Deployment): LambdaFunction {
    const { handler } = serviceFunction(this, 'Tools', {
      deployment,
      process: 'mcp',
      bundle: 'mcp',
      environment: {},
      memoryMb: TOOLS_MEMORY_MB,
      concurrency: deployment.stage.concurrency?.mcp,
      timeoutSeconds: 28,
      failed: null,
    })
    return handler
  }

  /** Operations that need no key have their own resources; all others, and unknown paths, share one. */
  private addRoutes(tools: LambdaFunction): void {
    const integration = new LambdaIntegration(this.api, { allowTestInvoke: false })
    const handler = this.authorizer
    const edge = IdentitySource.header(ORIGIN_HEADER)
    const byEdge = byEdgeAuthorizer(this, handler)
    const byKey = new RequestAuthorizer(this, 'ByKey', {
      handler,
      identitySources: [edge, IdentitySource.header('Authorization')],
      resultsCacheTtl: Duration.seconds(VERDICT_SECONDS),
    })
    const authorizationType = AuthorizationType.CUSTOM
    const keyless = { authorizer: byEdge, authorizationType, apiKeyRequired: false }
    const toTools = new LambdaIntegration(tools, { allowTestInvoke: false })
    this.gateway.root.resourceForPath(MCP_PATH).addMethod('POST', toTools, keyless)
    for (const path of openResources)
      this.gateway.root.resourceForPath(path).addMethod('ANY', integration, keyless)
    const keyed = { authorizer: byKey, authorizationType, apiKeyRequired: true }
    for (const path of [KEYED_RESOURCE, UNKNOWN_RESOURCE])
      this.gateway.root.resourceForPath(path).addMethod('ANY', integration, keyed)
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
 * What strangers reach without a key, or with one that they made up, has a throttle of its own for each resource, so that they
 * cannot use up what readers with keys have.
 */
export const narrowResources = ({ api }: Stage): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...openResources, MCP_PATH, UNKNOWN_RESOURCE].map((path) => [path, api.strangersPerSecond]),
  )

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

import { Aws, Duration, Fn, Stack } from 'aws-cdk-lib'
import {
  type CfnDistribution,
  type IOrigin,
  OriginProtocolPolicy,
  VpcOrigin,
  VpcOriginEndpoint,
} from 'aws-cdk-lib/aws-cloudfront'
import { VpcOrigin as ThroughVpc } from 'aws-cdk-lib/aws-cloudfront-origins'
import { Peer, Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2'
import type { ContainerDefinition, FargateService } from 'aws-cdk-lib/aws-ecs'
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  TargetGroupLoadBalancingAlgorithmType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { Construct } from 'constructs'
import { responseTimeoutSeconds } from '../../lambdas/edge/distribution.ts'
import { ORIGIN_HEADER } from '../../schemas/api/access.ts'
import type { MetricName } from '../../schemas/deployment/metrics.ts'
import { CLOUDFRONT_PREFIX_LIST, type StreamSize } from '../../schemas/deployment/stages.ts'
import { choiceOf, isChosen } from '../choices.ts'
import { type Deployment, drainSeconds, metricsVariable, ports } from '../config.ts'
import { acknowledge, allow, tableActions } from '../grants.ts'
import { ownMetric } from './functions.ts'
import type { Network } from './network.ts'
import type { ReadApi } from './read-api.ts'
import type { Storage } from './storage.ts'
import { addNamer } from './stream-name.ts'
import { type Ingest, Task } from './tasks.ts'

const BALANCER_PORT = 80
/** A stopping task moves all its readers to the others, so this should be rare. */
const SCALE_IN_MINUTES = 15

type ApiBehind = Pick<ReadApi, 'gateway' | 'originHeaders'>

type Props = {
  readonly deployment: Deployment
  readonly network: Network
  readonly storage: Storage
  readonly ingest: Ingest['task']
  readonly settings: StreamSize
}

/** The stream, which only the edge can reach. */
export class Stream extends Construct {
  /** null: the task is reached by a name. */
  readonly balanced: {
    readonly balancer: ApplicationLoadBalancer
    readonly targets: ApplicationTargetGroup
  } | null
  /** Its origin at the edge; `api` says that there is no stream where no name was chosen. */
  readonly origin: (api: ApiBehind) => IOrigin

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id)
    const { deployment, network, settings, ingest } = props
    const isNamed = settings.by === 'ingest' && settings.behind === 'name'
    const { service, container } =
      settings.by === 'tasks' ? this.tasks(props, settings) : this.besideIngest(props, isNamed)
    container.addPortMappings({ containerPort: ports.stream })
    if (isNamed) {
      service.connections.allowFrom(
        Peer.prefixList(CLOUDFRONT_PREFIX_LIST),
        Port.tcp(ports.stream),
        'CloudFront',
      )
      addNamer(this, { ...ingest, stream: container }, deployment)
      this.balanced = null
      this.origin = (api) => this.namedOrigin(api)
      return
    }
    const { containerName } = container
    const balanced = this.balance(network, service, containerName)
    this.balanced = balanced
    /**
     * What CloudFront reaches the balancer through. CloudFront refuses every update of one that a distribution uses, so
     * nothing here may change; another balancer gets another origin (docs/runbook.md, "Another load balancer").
     */
    const origin = new VpcOrigin(this, 'Origin', {
      endpoint: VpcOriginEndpoint.applicationLoadBalancer(balanced.balancer),
      protocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
    })
    this.origin = () => ThroughVpc.withVpcOrigin(origin, originProps)
    if (settings.by === 'tasks') scale(service, deployment, settings)
  }

  /** `proxies` between a reader and a task: the edge, and the load balancer if there is one. */
  private processOf({ deployment, storage }: Props, proxies: 1 | 2) {
    return {
      deployment,
      process: 'stream' as const,
      bundle: 'stream',
      environment: {
        MARKET_TABLE: storage.market.tableName,
        CHAIN: deployment.stage.chain,
        PORT: String(ports.stream),
        TRUSTED_PROXIES: String(proxies),
        METRICS_NAMESPACE: metricsVariable(deployment),
        ...(proxies === 1 ? { ORIGIN_SECRET: this.mark() } : {}),
      },
      secrets: {},
      healthPort: ports.stream,
      stopSeconds: drainSeconds.stop,
    }
  }

  private tasks(props: Props, size: Extract<StreamSize, { readonly by: 'tasks' }>) {
    const settings = { ...this.processOf(props, 2), network: props.network, size, tasks: null }
    const { service, container, role } = new Task(this, 'Task', settings)
    allow(role, tableActions.read, [props.storage.market.tableArn])
    return { service, container }
  }

  /** The role of ingest reads the table, too. */
  private besideIngest(props: Props, isNamed: boolean) {
    const container = props.ingest.addContainer(this.processOf(props, isNamed ? 1 : 2), 'Stream')
    return { service: props.ingest.service, container }
  }

  /** VPC origins use CloudFront's addresses; nothing else is admitted. */
  private balance(
    { vpc }: Network,
    service: FargateService,
    containerName: ContainerDefinition['containerName'],
  ) {
    const group = new SecurityGroup(this, 'BalancerGroup', {
      vpc,
      allowAllOutbound: false,
      description: 'VPC origins of CloudFront',
    })
    group.addIngressRule(Peer.prefixList(CLOUDFRONT_PREFIX_LIST), Port.tcp(BALANCER_PORT), 'CloudFront')
    const balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc,
      internetFacing: false,
      vpcSubnets: { subnetGroupName: 'balancer' },
      securityGroup: group,
      // The stream sends something every 15 s.
      idleTimeout: Duration.seconds(60),
      dropInvalidHeaderFields: true,
    })
    acknowledge(balancer, {
      ELB2: 'Its log would keep addresses of readers, whom the stream counts without.',
    })
    const listener = balancer.addListener('Http', { port: BALANCER_PORT, open: false })
    const targets = listener.addTargets('Tasks', {
      port: ports.stream,
      protocol: ApplicationProtocol.HTTP,
      targets: [service.loadBalancerTarget({ containerName, containerPort: ports.stream })],
      loadBalancingAlgorithmType: TargetGroupLoadBalancingAlgorithmType.LEAST_OUTSTANDING_REQUESTS,
      deregistrationDelay: Duration.seconds(drainSeconds.deregistration),
      healthCheck: { path: '/health', interval: Duration.seconds(10), timeout: Duration.seconds(5) },
    })
    return { balancer, targets }
  }

  /**
   * What the edge says to a task that is reached by its name, since other distributions have the same addresses: the id of this
   * stack, which nobody outside of the account knows. It goes in clear within AWS and protects nothing but the bound on readers.
   */
  private readonly mark = (): string => Fn.select(2, Fn.split('/', Stack.of(this).stackId))

  /** The task by its name; where none was chosen, the API, which says that there is no stream. */
  private namedOrigin({ gateway, originHeaders }: ApiBehind): IOrigin {
    const stack = Stack.of(this)
    const name = choiceOf(stack, 'streamName')
    const { logicalId } = isChosen(stack, 'streamName', name)
    const sending = (headers: Readonly<Record<string, string>>) =>
      Object.entries(headers).map(([HeaderName, HeaderValue]) => ({ HeaderName, HeaderValue }))
    const named = {
      DomainName: name,
      ConnectionAttempts: originProps.connectionAttempts,
      OriginCustomHeaders: sending({ [ORIGIN_HEADER]: this.mark() }),
      CustomOriginConfig: {
        HTTPPort: ports.stream,
        OriginProtocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
        OriginReadTimeout: originProps.readTimeout.toSeconds(),
        OriginKeepaliveTimeout: originProps.keepaliveTimeout.toSeconds(),
      },
    }
    const none = {
      DomainName: `${gateway.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      OriginPath: `/${gateway.deploymentStage.stageName}`,
      OriginCustomHeaders: sending(originHeaders),
      CustomOriginConfig: {
        OriginProtocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        OriginSSLProtocols: ['TLSv1.2'],
      },
    }
    // Within a condition the CDK leaves names as they are, so they are CloudFormation's. Behaviours name the id that it gives.
    const originOf = (Id: string): unknown => Fn.conditionIf(logicalId, { Id, ...named }, { Id, ...none })
    return {
      bind: (_, { originId }) => ({ originProperty: originOf(originId) as CfnDistribution.OriginProperty }),
    }
  }
}

const originProps = {
  originId: 'stream',
  readTimeout: Duration.seconds(responseTimeoutSeconds['stream'] ?? 30),
  keepaliveTimeout: Duration.seconds(60),
  // A second attempt would open a second stream for the same reader.
  connectionAttempts: 1,
}

function scale(
  service: FargateService,
  deployment: Deployment,
  { minTasks, maxTasks, readersPerTask }: Extract<StreamSize, { readonly by: 'tasks' }>,
): void {
  const scaling = service.autoScaleTaskCount({ minCapacity: minTasks, maxCapacity: maxTasks })
  scaling.scaleToTrackCustomMetric('ByReaders', {
    metric: ownMetric(deployment, 'stream', {
      metricName: 'Readers' satisfies MetricName<'stream'>,
      statistic: 'Average',
      period: Duration.minutes(1),
    }),
    targetValue: readersPerTask,
    scaleOutCooldown: Duration.minutes(1),
    scaleInCooldown: Duration.minutes(SCALE_IN_MINUTES),
  })
  scaling.scaleOnCpuUtilization('ByProcessor', {
    targetUtilizationPercent: 60,
    scaleInCooldown: Duration.minutes(SCALE_IN_MINUTES),
  })
}

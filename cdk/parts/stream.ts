import { Duration } from 'aws-cdk-lib'
import { OriginProtocolPolicy, VpcOrigin, VpcOriginEndpoint } from 'aws-cdk-lib/aws-cloudfront'
import { Peer, Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2'
import type { FargateService } from 'aws-cdk-lib/aws-ecs'
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  TargetGroupLoadBalancingAlgorithmType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { Construct } from 'constructs'
import type { MetricName } from '../../schemas/deployment/metrics.ts'
import { CLOUDFRONT_PREFIX_LIST } from '../../schemas/deployment/stages.ts'
import { type Deployment, drainSeconds, metricsVariable, ports, type Stage } from '../config.ts'
import { acknowledge, allow, tableActions } from '../grants.ts'
import { ownMetric } from './functions.ts'
import type { Network } from './network.ts'
import type { Storage } from './storage.ts'
import { Task } from './tasks.ts'

/** Proxies between a reader and a task: the edge and the load balancer. */
const PROXIES = 2
const BALANCER_PORT = 80
/** A stopping task moves all its readers to the others, so this should be rare. */
const SCALE_IN_MINUTES = 15

type StreamSettings = NonNullable<Stage['stream']>

/** The stream: tasks behind a load balancer that only the edge can reach. */
export class Stream extends Construct {
  readonly balancer: ApplicationLoadBalancer
  readonly targets: ApplicationTargetGroup
  /**
   * What CloudFront reaches the balancer through. CloudFront refuses every update of one that a distribution uses, so
   * nothing here may change; another balancer gets another origin (cdk/README.md, "Another load balancer").
   */
  readonly origin: VpcOrigin

  constructor(
    scope: Construct,
    id: string,
    props: {
      readonly deployment: Deployment
      readonly network: Network
      readonly storage: Storage
      readonly settings: StreamSettings
    },
  ) {
    super(scope, id)
    const { deployment, network, storage, settings } = props
    const task = new Task(this, 'Task', {
      deployment,
      network,
      process: 'stream',
      bundle: 'stream',
      environment: {
        MARKET_TABLE: storage.market.tableName,
        CHAIN: deployment.stage.chain,
        PORT: String(ports.stream),
        TRUSTED_PROXIES: String(PROXIES),
        METRICS_NAMESPACE: metricsVariable(deployment),
      },
      secrets: {},
      size: settings,
      healthPort: ports.stream,
      stopSeconds: drainSeconds.stop,
      tasks: null,
    })
    allow(task.role, tableActions.read, [storage.market.tableArn])
    task.container.addPortMappings({ containerPort: ports.stream })
    const { balancer, targets } = this.balance(network, task.service)
    this.balancer = balancer
    this.targets = targets
    this.origin = new VpcOrigin(this, 'Origin', {
      endpoint: VpcOriginEndpoint.applicationLoadBalancer(balancer),
      protocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
    })
    scale(task.service, deployment, settings)
  }

  /** VPC origins use CloudFront's addresses; nothing else is admitted. */
  private balance({ vpc }: Network, service: FargateService) {
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
      targets: [service],
      loadBalancingAlgorithmType: TargetGroupLoadBalancingAlgorithmType.LEAST_OUTSTANDING_REQUESTS,
      deregistrationDelay: Duration.seconds(drainSeconds.deregistration),
      healthCheck: { path: '/health', interval: Duration.seconds(10), timeout: Duration.seconds(5) },
    })
    return { balancer, targets }
  }
}

function scale(
  service: FargateService,
  deployment: Deployment,
  { minTasks, maxTasks, readersPerTask }: StreamSettings,
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

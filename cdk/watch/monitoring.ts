import { Aws, Duration, Stack } from 'aws-cdk-lib'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import {
  Alarm,
  AnomalyDetectionAlarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  SingleValueWidget,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { metrics } from '../../schemas/deployment/metrics.ts'
import { vaultsOf } from '../../schemas/deployment/stages.ts'
import { objectPrefixes } from '../../store/aws/tables.ts'
import { choiceOf, isChosen } from '../choices.ts'
import type { Deployment } from '../config.ts'
import type { AccountPage } from '../parts/account-page.ts'
import type { ArchiveWriter } from '../parts/archive.ts'
import { copiesBucketName, replicationRuleId } from '../parts/copies.ts'
import type { Edge } from '../parts/edge.ts'
import type { EdgeUsageCounter } from '../parts/edge-usage.ts'
import { ownMetric } from '../parts/functions.ts'
import type { PreviewDrawer } from '../parts/previews.ts'
import type { ReadApi } from '../parts/read-api.ts'
import type { SnapshotPublisher } from '../parts/snapshot-publisher.ts'
import type { Storage } from '../parts/storage.ts'
import type { Stream } from '../parts/stream.ts'
import type { AlarmMetric, AlarmRow, WatchedPart } from './alarm-row.ts'
import { type AlarmName, alarms, alarmsOf } from './alarms.ts'
import { addQueries } from './queries.ts'
import { anchorOf, budgetRunbook } from './runbook.ts'

/** The monitored parts; null: the stage has no such part, and no alarm for it. */
export type Watched = {
  readonly deployment: Deployment
  readonly storage: Storage
  readonly publisher: SnapshotPublisher
  readonly api: ReadApi
  readonly account: AccountPage
  readonly stream: Stream | null
  readonly edge: Edge
  readonly usage: EdgeUsageCounter
  readonly archive: ArchiveWriter
  readonly previews: PreviewDrawer
}

type Dimensions = Readonly<Record<string, string>>

/** Alarms, dashboard and budget. */
export class Monitoring extends Construct {
  readonly topic: Topic
  private readonly deployment: Deployment
  private readonly dimensions: Readonly<Record<WatchedPart, Dimensions | null>>

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id)
    this.deployment = watched.deployment
    this.dimensions = { ...dimensionsOf(watched), ...copyDimensions(watched) }
    this.topic = new Topic(this, 'Alarms', { enforceSSL: true })
    this.letPublish()
    this.mail()
    for (const name of alarmsOf(watched.deployment.stage)) this.addAlarm(name, alarms[name])
    addQueries(this, watched.deployment.stage)
    this.addBudget()
    this.addDashboard()
  }

  private mail(): void {
    const stack = Stack.of(this)
    const endpoint = choiceOf(stack, 'alarmEmail')
    const subscription = new CfnSubscription(this, 'Mail', {
      protocol: 'email',
      endpoint,
      topicArn: this.topic.topicArn,
    })
    subscription.cfnOptions.condition = isChosen(stack, 'alarmEmail', endpoint)
  }

  /** `enforceSSL` gives the topic a policy, after which only named publishers are allowed. */
  private letPublish(): void {
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: ['cloudwatch', 'budgets'].map((name) => new ServicePrincipal(`${name}.amazonaws.com`)),
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    )
  }

  /** null: the stage has no such part. */
  private metricOf(row: AlarmMetric & Pick<AlarmRow, 'statistic' | 'minutes'>): Metric | null {
    const isOfRebuild = 'service' in row ? row.service === 'rebuild-snapshots' : row.of === 'rebuild'
    // Between two rebuilds there are no data.
    const least = isOfRebuild ? this.deployment.stage.rebuildEverySeconds / 60 : 1
    const period = Duration.minutes(Math.max(row.minutes, least))
    const common = { metricName: row.metric, statistic: row.statistic, period }
    if ('service' in row) return ownMetric(this.deployment, row.service, common)
    const dimensionsMap = this.dimensions[row.of]
    return dimensionsMap && new Metric({ ...common, namespace: row.namespace, dimensionsMap })
  }

  private addAlarm(name: AlarmName, row: AlarmRow & AlarmMetric): void {
    const metric = this.metricOf(row)
    if (!metric) return
    const level = row.level(this.deployment.stage.alarms, this.deployment.stage)
    const common = {
      evaluationPeriods: row.times,
      treatMissingData: row.isHeartbeat ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `What to do: docs/runbook.md#${anchorOf(row.runbook)}`,
    }
    const alarm = row.isBelowUsual
      ? new AnomalyDetectionAlarm(this, name, {
          ...common,
          metric: atLeast(metric, row.leastRequests ?? 0),
          stdDevs: level,
          comparisonOperator: ComparisonOperator.LESS_THAN_LOWER_THRESHOLD,
        })
      : new Alarm(this, name, {
          ...common,
          metric: row.leastRequests === undefined ? metric : this.amongRequests(metric, row.leastRequests),
          threshold: level,
          comparisonOperator: row.isLow
            ? ComparisonOperator.LESS_THAN_THRESHOLD
            : ComparisonOperator.GREATER_THAN_THRESHOLD,
        })
    const action = new SnsAction(this.topic)
    alarm.addAlarmAction(action)
    alarm.addOkAction(action)
  }

  /** A share, as long as there are this many requests to the edge; 0 below. */
  private amongRequests(share: Metric, least: number): IMetric {
    const { namespace, dimensions: dimensionsMap = {}, period } = share
    const requests = new Metric({
      namespace,
      metricName: 'Requests',
      dimensionsMap,
      statistic: 'Sum',
      period,
    })
    return new MathExpression({
      expression: `IF(requests >= ${least}, share, 0)`,
      usingMetrics: { requests, share },
      period,
    })
  }

  /** For the whole account, because costs by tag must be enabled by the account's owner. */
  private addBudget(): void {
    const { budgetUsd } = this.deployment.stage
    const subscribers = [{ subscriptionType: 'SNS', address: this.topic.topicArn }]
    const notice = (notificationType: 'ACTUAL' | 'FORECASTED') => ({
      subscribers,
      notification: {
        comparisonOperator: 'GREATER_THAN',
        threshold: 100,
        thresholdType: 'PERCENTAGE',
        notificationType,
      },
    })
    const budget = new CfnBudget(this, anchorOf(budgetRunbook), {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: budgetUsd, unit: 'USD' } },
      notificationsWithSubscribers: [notice('ACTUAL'), notice('FORECASTED')],
    })
    // Without this permission on the topic, the budget cannot be created.
    budget.node.addDependency(this.topic.node.findChild('Policy'))
  }

  /** One graph for every metric of our processes, after those of AWS that readers notice. */
  private addDashboard(): void {
    const { metrics: watchedMetrics } = this.deployment.stage.watched
    const own = (service: string, metricName: string, statistic: string): IMetric =>
      ownMetric(this.deployment, service, { metricName, statistic })
    const felt = [
      ['AWS/CloudFront', 'Requests', 'edge', 'Sum'],
      ['AWS/CloudFront', '4xxErrorRate', 'edge', 'Average'],
      ['AWS/CloudFront', '5xxErrorRate', 'edge', 'Average'],
      ['AWS/ApiGateway', 'Count', 'gateway', 'Sum'],
      ['AWS/ApiGateway', '4XXError', 'gateway', 'Sum'],
      ['AWS/ApiGateway', 'Latency', 'gateway', 'p99'],
      ['AWS/Lambda', 'Duration', 'api', 'p99'],
      ['AWS/DynamoDB', 'ConsumedWriteCapacityUnits', 'market', 'Sum'],
      ['AWS/DynamoDB', 'ConsumedReadCapacityUnits', 'market', 'Sum'],
    ] as const
    const graph = (metric: IMetric, title: string) => new GraphWidget({ title, left: [metric], width: 8 })
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [
          new SingleValueWidget({
            title: 'Seconds behind the chain',
            width: 24,
            metrics: [
              own('rebuild-snapshots', 'SnapshotAge', 'Maximum'),
              own('ingest', 'SealedAge', 'Maximum'),
            ],
          }),
        ],
        felt.flatMap(([namespace, metricName, part, statistic]) => {
          const dimensionsMap = this.dimensions[part]
          if (!dimensionsMap) return []
          return [
            graph(new Metric({ namespace, metricName, statistic, dimensionsMap }), `${part}: ${metricName}`),
          ]
        }),
        ...Object.entries(metrics).map(([service, names]) =>
          Object.entries(names)
            .filter(([name]) => watchedMetrics.includes(name))
            .map(([name, unit]) =>
              graph(own(service, name, unit === 'Count' ? 'Sum' : 'Maximum'), `${service}: ${name}`),
            ),
        ),
      ],
    })
  }
}

/** A metric that never falls below a floor: where no more is usual, nothing is below what is. An hour without data counts as 0. */
const atLeast = (metric: Metric, floor: number): IMetric =>
  new MathExpression({
    expression: `IF(FILL(m, 0) >= ${floor}, m, ${floor})`,
    usingMetrics: { m: metric },
    period: metric.period,
  })

/** AWS dimensions of each part. */
function dimensionsOf({
  storage,
  publisher,
  api,
  account,
  stream,
  edge,
  usage,
  archive,
  previews,
}: Watched): Readonly<Record<Exclude<WatchedPart, CopiedPart>, Dimensions | null>> {
  const stageOf = ({ restApiName, deploymentStage }: ReadApi['gateway']): Dimensions => ({
    ApiName: restApiName,
    Stage: deploymentStage.stageName,
  })
  return {
    rebuild: publisher.scheduled && { FunctionName: publisher.scheduled.rebuild.functionName },
    missed: publisher.scheduled && { QueueName: publisher.scheduled.missed.queueName },
    gateway: stageOf(api.gateway),
    api: { FunctionName: api.api.functionName },
    authorizer: { FunctionName: api.authorizer.functionName },
    account: stageOf(account.gateway),
    usage: { FunctionName: usage.count.functionName },
    uncounted: { QueueName: usage.uncounted.queueName },
    unarchived: { QueueName: archive.missed.queueName },
    undrawn: { QueueName: previews.missed.queueName },
    edge: { DistributionId: edge.distribution.distributionId, Region: 'Global' },
    market: { TableName: storage.market.tableName },
    usageTable: { TableName: storage.usage.tableName },
    streamTargets: stream?.balanced
      ? {
          LoadBalancer: stream.balanced.balancer.loadBalancerFullName,
          TargetGroup: stream.balanced.targets.targetGroupFullName,
        }
      : null,
  }
}

type CopiedPart = 'backups' | 'backupCopies' | 'replication'

/** AWS dimensions of what copies data to the second region, if the stage has one. */
function copyDimensions({
  deployment: { stage },
  storage,
}: Watched): Readonly<Record<CopiedPart, Dimensions | null>> {
  if (stage.copiesRegion === null) return { backups: null, backupCopies: null, replication: null }
  return {
    backups: { BackupVaultName: vaultsOf(stage.name).own },
    backupCopies: { ResourceType: 'DynamoDB' },
    replication: {
      SourceBucket: storage.segments.bucketName,
      DestinationBucket: copiesBucketName(stage),
      RuleId: replicationRuleId(objectPrefixes.segments),
    },
  }
}

import { join } from 'node:path'
import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib'
import { Metric, type MetricProps } from 'aws-cdk-lib/aws-cloudwatch'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Schedule, ScheduleExpression, ScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import type { Env, ProcessName } from '../../schemas/deployment/env.ts'
import { METRIC_DIMENSION } from '../../schemas/deployment/metrics.ts'
import { type Deployment, metricsNamespace } from '../config.ts'
import { acknowledge, acknowledgeWildcard } from '../grants.ts'

/** A function: its bundle, and exactly the variables that its process declares. */
export type FunctionSettings<P extends ProcessName> = {
  readonly deployment: Deployment
  readonly process: P
  /** Its file in lambdas/, without extension. */
  readonly bundle: string
  readonly environment: Env<P>
  /** Options of Node. */
  readonly nodeOptions?: readonly string[]
  readonly memoryMb: number
  readonly timeoutSeconds: number
  /** Reserved concurrency. */
  readonly concurrency?: number | undefined
  /** Queue of failed events, and the number of retries; null: invoked synchronously, so the caller gets the error. */
  readonly failed: { readonly queue: Queue; readonly retries: 0 | 2 } | null
}

/** Older events are useless: the next one brings the same, or newer. */
const MAX_EVENT_AGE_SECONDS = { 0: 60, 2: 6 * 3_600 } as const

/** A Lambda function with our defaults: its own role, which may only write to its own log. */
export function serviceFunction<P extends ProcessName>(
  scope: Construct,
  id: string,
  settings: FunctionSettings<P>,
): { readonly handler: LambdaFunction; readonly role: Role; readonly logGroup: LogGroup } {
  const { deployment, bundle, environment, nodeOptions, memoryMb, timeoutSeconds } = settings
  const { concurrency, failed } = settings
  const logGroup = serviceLog(scope, `${id}Log`, deployment)
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
  logGroup.grantWrite(role)
  const handler = new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(join(deployment.bundles, bundle)),
    handler: 'index.handler',
    environment: { ...environment, ...(nodeOptions && { NODE_OPTIONS: nodeOptions.join(' ') }) },
    memorySize: memoryMb,
    timeout: Duration.seconds(timeoutSeconds),
    ...(concurrency === undefined ? {} : { reservedConcurrentExecutions: concurrency }),
    role,
    logGroup,
    ...(failed
      ? {
          onFailure: new SqsDestination(failed.queue),
          retryAttempts: failed.retries,
          maxEventAge: Duration.seconds(MAX_EVENT_AGE_SECONDS[failed.retries]),
        }
      : {}),
  })
  return { handler, role, logGroup }
}

/** A log group with the stage's retention, deleted with the service. */
export const serviceLog = (scope: Construct, id: string, { stage }: Deployment): LogGroup =>
  new LogGroup(scope, id, { retention: stage.logDays as RetentionDays, removalPolicy: RemovalPolicy.DESTROY })

/** A metric emitted by one of our processes. */
export const ownMetric = (
  deployment: Deployment,
  service: string,
  props: Omit<MetricProps, 'namespace' | 'dimensionsMap'>,
): Metric =>
  new Metric({
    ...props,
    namespace: metricsNamespace(deployment),
    dimensionsMap: { [METRIC_DIMENSION]: service },
  })

/** How often a function runs, and under which names its schedule stands in the construct. */
export type Scheduling = {
  readonly names: { readonly group: string; readonly schedule: string }
  readonly seconds: number
  /** Queue of runs that could not be started. */
  readonly missed: Queue
}

/** Runs a function again and again. A run that could not be started within a minute is left out: the next one does its work. */
export function schedule(
  scope: Construct,
  handler: LambdaFunction,
  { names, seconds, missed }: Scheduling,
): void {
  const role = new Role(scope, 'SchedulerRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  })
  acknowledgeWildcard(role, `${handler.functionArn}:*`, 'Versions and aliases of the one function.')
  const group = new ScheduleGroup(scope, names.group, { removalPolicy: RemovalPolicy.DESTROY })
  new Schedule(scope, names.schedule, {
    scheduleGroup: group,
    schedule: ScheduleExpression.rate(Duration.seconds(seconds)),
    target: new LambdaInvoke(handler, {
      role,
      retryAttempts: 0,
      maxEventAge: Duration.seconds(60),
      deadLetterQueue: missed,
    }),
  })
}

/** Queue of events that a function failed on, kept for two weeks. */
export function failureQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  acknowledge(queue, { SQS3: 'It is where failures end; nothing reads it but people.' })
  return queue
}

import { join } from 'node:path'
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { Metric, type MetricProps } from 'aws-cdk-lib/aws-cloudwatch'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import type { Env, ProcessName } from '../schemas/env.ts'
import { METRIC_DIMENSION } from '../schemas/metrics.ts'
import { type Deployment, metricsNamespace } from './config.ts'
import { acknowledge } from './grants.ts'

/** One function: its bundle, and exactly the variables that its process declares. */
export type FunctionSettings<P extends ProcessName> = {
  readonly deployment: Deployment
  readonly process: P
  /** Its file in lambdas/, without the ending. */
  readonly bundle: string
  readonly environment: Env<P>
  readonly memoryMb: number
  readonly timeoutSeconds: number
  /** Most runs at once. */
  readonly concurrency?: number | undefined
  /** Where events go that it could not deal with, and how often they are tried again; null: its caller waits for the answer and is told. */
  readonly failed: { readonly queue: Queue; readonly retries: 0 | 2 } | null
}

/** Events older than this are of no use: the next one brings the same, or newer. */
const MAX_EVENT_AGE_SECONDS = { 0: 60, 2: 6 * 3_600 } as const

/** A Lambda function in the house's form: its own role, that may do nothing but write to its own log. */
export function serviceFunction<P extends ProcessName>(
  scope: Construct,
  id: string,
  settings: FunctionSettings<P>,
): { readonly handler: LambdaFunction; readonly role: Role; readonly logGroup: LogGroup } {
  const { deployment, bundle, environment, memoryMb, timeoutSeconds, concurrency, failed } = settings
  const logGroup = serviceLog(scope, `${id}Log`, deployment)
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
  logGroup.grantWrite(role)
  const handler = new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(join(deployment.bundles, bundle)),
    handler: 'index.handler',
    environment: { ...environment },
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

/** A log that is kept for the stage's days and goes with the service. */
export const serviceLog = (scope: Construct, id: string, { stage }: Deployment): LogGroup =>
  new LogGroup(scope, id, {
    retention: stage.logDays as RetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  })

/** A metric that a process of ours tells. */
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

/** What a function could not deal with, kept for two weeks. */
export function failureQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  acknowledge(queue, { SQS3: 'It is where failures end; nothing reads it but people.' })
  return queue
}

import type { MeteredService, MetricName } from '../schemas/metrics.ts'
import type { AlarmLevels } from './config.ts'

/** An alarm. */
export type AlarmRow = {
  /** A heading of the runbook in cdk/README.md. */
  readonly runbook: string
  readonly statistic: 'Average' | 'Maximum' | 'Minimum' | 'Sum'
  /** Threshold: above it, or below it with `isLow`, the alarm is raised. */
  readonly level: (levels: AlarmLevels) => number
  readonly isLow?: true
  /** Minutes per data point, and how many consecutive data points must breach. */
  readonly minutes: number
  readonly times: number
  /** Whether missing data breach, too: for metrics that are emitted all the time. */
  readonly isHeartbeat?: true
}

/** A metric of ours, by the emitting process; or of AWS, by namespace and the part of the service that gives the dimensions. */
export type AlarmMetric =
  | { [S in MeteredService]: { readonly service: S; readonly metric: MetricName<S> } }[MeteredService]
  | { readonly namespace: string; readonly metric: string; readonly of: WatchedPart }

/** Parts of the service with AWS metrics. */
export type WatchedPart =
  | 'rebuild'
  | 'missed'
  | 'gateway'
  | 'api'
  | 'authorizer'
  | 'usage'
  | 'uncounted'
  | 'edge'
  | 'market'
  | 'usageTable'
  | 'streamTargets'

const none = () => 0
const errors = (of: WatchedPart): AlarmMetric => ({ namespace: 'AWS/Lambda', metric: 'Errors', of })
const queued = (of: WatchedPart): AlarmMetric => ({
  namespace: 'AWS/SQS',
  // Messages received, not messages stored, so that the alarm ends by itself.
  metric: 'NumberOfMessagesSent',
  of,
})
const atEdge = (metric: string): AlarmMetric => ({ namespace: 'AWS/CloudFront', metric, of: 'edge' })

/** Every alarm by name: its metric, threshold and runbook section. */
export const alarms = {
  SnapshotOld: {
    ...{ service: 'rebuild-snapshots', metric: 'SnapshotAge', statistic: 'Minimum' },
    ...{ level: (levels) => levels.snapshotAgeSeconds, minutes: 1, times: 3, isHeartbeat: true },
    runbook: 'The snapshot is old',
  },
  RebuildFails: {
    ...{ ...errors('rebuild'), statistic: 'Sum', level: none, minutes: 1, times: 3 },
    runbook: 'The snapshot is old',
  },
  RebuildMissed: {
    ...{ ...queued('missed'), statistic: 'Sum', level: none, minutes: 5, times: 1 },
    runbook: 'The snapshot is old',
  },
  DocumentInvalid: {
    ...{ service: 'rebuild-snapshots', metric: 'Unpublished', statistic: 'Minimum' },
    ...{ level: none, minutes: 1, times: 3 },
    runbook: 'A document is not published',
  },
  BoardShort: {
    ...{ service: 'rebuild-snapshots', metric: 'BoardRows', statistic: 'Maximum' },
    ...{ level: (levels) => levels.boardRows, isLow: true, minutes: 5, times: 1 },
    runbook: 'A document is not published',
  },
  PriceHeld: {
    ...{ service: 'rebuild-snapshots', metric: 'HeldRates', statistic: 'Maximum' },
    ...{ level: none, minutes: 1, times: 1 },
    runbook: 'A bad reference price',
  },
  LogStuck: {
    ...{ service: 'ingest', metric: 'SealedAge', statistic: 'Minimum' },
    ...{ level: (levels) => levels.sealedAgeSeconds, minutes: 1, times: 5, isHeartbeat: true },
    runbook: 'The log is stuck',
  },
  LogsMissing: {
    ...{ service: 'ingest', metric: 'GapAge', statistic: 'Minimum' },
    ...{ level: (levels) => levels.gapAgeSeconds, minutes: 1, times: 1 },
    runbook: 'Logs are missing',
  },
  RpcFails: {
    ...{ service: 'ingest', metric: 'Retries', statistic: 'Sum' },
    ...{ level: (levels) => levels.rpcRetries, minutes: 5, times: 1 },
    runbook: 'RPC is down',
  },
  MinutesRolledBack: {
    ...{ service: 'ingest', metric: 'Rewinds', statistic: 'Sum' },
    ...{ level: (levels) => levels.rewoundMinutes, minutes: 5, times: 1 },
    runbook: 'A reorg',
  },
  ApiFails: {
    ...{ namespace: 'AWS/ApiGateway', metric: '5XXError', of: 'gateway', statistic: 'Average' },
    ...{ level: (levels) => levels.errorPercent / 100, minutes: 5, times: 2 },
    runbook: 'Answers fail',
  },
  AuthorizerFails: {
    ...{ ...errors('authorizer'), statistic: 'Sum', level: none, minutes: 5, times: 1 },
    runbook: 'Answers fail',
  },
  EdgeFails: {
    ...{ ...atEdge('5xxErrorRate'), statistic: 'Average' },
    ...{ level: (levels) => levels.errorPercent, minutes: 5, times: 2 },
    runbook: 'Answers fail',
  },
  HotAccount: {
    ...{ namespace: 'AWS/ApiGateway', metric: 'Count', of: 'gateway', statistic: 'Sum' },
    ...{ level: (levels) => levels.apiRequests, minutes: 5, times: 1 },
    runbook: 'A hot account',
  },
  UsageThrottled: {
    ...{ namespace: 'AWS/DynamoDB', metric: 'WriteThrottleEvents', of: 'usageTable' },
    ...{ statistic: 'Sum', level: none, minutes: 5, times: 1 },
    runbook: 'A hot account',
  },
  MarketThrottled: {
    ...{ namespace: 'AWS/DynamoDB', metric: 'WriteThrottleEvents', of: 'market' },
    ...{ statistic: 'Sum', level: none, minutes: 5, times: 2 },
    runbook: 'The log is stuck',
  },
  UsageUncounted: {
    ...{ ...queued('uncounted'), statistic: 'Sum', level: none, minutes: 5, times: 1 },
    runbook: 'Usage is not counted',
  },
  UsageFails: {
    ...{ ...errors('usage'), statistic: 'Sum', level: none, minutes: 5, times: 3 },
    runbook: 'Usage is not counted',
  },
  StreamDown: {
    ...{ namespace: 'AWS/ApplicationELB', metric: 'HealthyHostCount', of: 'streamTargets' },
    ...{ statistic: 'Minimum', level: () => 1, isLow: true, minutes: 1, times: 3, isHeartbeat: true },
    runbook: 'The stream fails',
  },
  StreamFull: {
    ...{ service: 'stream', metric: 'Refused', statistic: 'Sum', level: none, minutes: 5, times: 2 },
    runbook: 'The stream fails',
  },
  StreamLate: {
    ...{ service: 'stream', metric: 'Lag', statistic: 'Average' },
    ...{ level: (levels) => levels.streamLagMs, minutes: 5, times: 2 },
    runbook: 'The stream fails',
  },
} as const satisfies Record<string, AlarmRow & AlarmMetric>

export type AlarmName = keyof typeof alarms

/** The runbook section of the budget, the only alarm without a metric. */
export const budgetRunbook = 'A cost spike'

/** The anchor of a Markdown heading. */
export const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-')

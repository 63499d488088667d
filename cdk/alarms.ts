import type { MeteredService, MetricName } from '../schemas/metrics.ts'
import type { AlarmLevels, Stage } from './config.ts'

/** An alarm. */
export type AlarmRow = {
  /** A heading of the runbook in cdk/README.md. */
  readonly runbook: string
  readonly statistic: 'Average' | 'Maximum' | 'Minimum' | 'Sum'
  /** Threshold: above it, or below it with `isLow`, the alarm is raised. */
  readonly level: (levels: AlarmLevels, stage: Stage) => number
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
  | 'backups'
  | 'backupCopies'
  | 'replication'

const none = () => 0
const errors = (of: WatchedPart): AlarmMetric => ({ namespace: 'AWS/Lambda', metric: 'Errors', of })
const queued = (of: WatchedPart): AlarmMetric => ({
  namespace: 'AWS/SQS',
  // Messages received, not messages stored, so that the alarm ends by itself.
  metric: 'NumberOfMessagesSent',
  of,
})
/** The account's tables are backed up and copied each hour; AWS Backup may take another one for each. */
const COPY_MINUTES = 180
const backup = (metric: string, of: WatchedPart): AlarmMetric => ({ namespace: 'AWS/Backup', metric, of })
const BYTES_PER_MB = 2 ** 20

const atEdge = (metric: string): AlarmMetric => ({ namespace: 'AWS/CloudFront', metric, of: 'edge' })

/** The runbook section of what is copied to a second region. */
export const copiesRunbook = 'A copy is missing'

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
  RebuildMemory: {
    ...{ service: 'rebuild-snapshots', metric: 'MemoryBytes', statistic: 'Maximum' },
    level: ({ rebuildMemoryPercent }, { rebuild }) =>
      (rebuild.memoryMb * BYTES_PER_MB * rebuildMemoryPercent) / 100,
    ...{ minutes: 5, times: 3 },
    runbook: 'The market grows',
  },
  RebuildSlow: {
    ...{ service: 'rebuild-snapshots', metric: 'Duration', statistic: 'Minimum' },
    ...{ level: (levels) => levels.rebuildMs, minutes: 5, times: 3 },
    runbook: 'The market grows',
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
  MarketReadsThrottled: {
    ...{ namespace: 'AWS/DynamoDB', metric: 'ReadThrottleEvents', of: 'market' },
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
  BackupFails: {
    ...{ ...backup('NumberOfBackupJobsFailed', 'backups'), statistic: 'Sum', level: none },
    ...{ minutes: 60, times: 1 },
    runbook: copiesRunbook,
  },
  BackupMissing: {
    ...{ ...backup('NumberOfBackupJobsCompleted', 'backups'), statistic: 'Sum', level: () => 1 },
    ...{ isLow: true, minutes: COPY_MINUTES, times: 1, isHeartbeat: true },
    runbook: copiesRunbook,
  },
  CopyFails: {
    ...{ ...backup('NumberOfCopyJobsFailed', 'backupCopies'), statistic: 'Sum', level: none },
    ...{ minutes: 60, times: 1 },
    runbook: copiesRunbook,
  },
  CopyMissing: {
    ...{ ...backup('NumberOfCopyJobsCompleted', 'backupCopies'), statistic: 'Sum', level: () => 1 },
    ...{ isLow: true, minutes: COPY_MINUTES, times: 1, isHeartbeat: true },
    runbook: copiesRunbook,
  },
  ReplicationFails: {
    ...{ namespace: 'AWS/S3', metric: 'OperationsFailedReplication', of: 'replication' },
    ...{ statistic: 'Sum', level: none, minutes: 60, times: 1 },
    runbook: copiesRunbook,
  },
  ReplicationStuck: {
    ...{ namespace: 'AWS/S3', metric: 'OperationsPendingReplication', of: 'replication' },
    // Segments come every minute, so there is a moment without pending ones, unless none is copied.
    ...{ statistic: 'Minimum', level: none, minutes: COPY_MINUTES, times: 1 },
    runbook: copiesRunbook,
  },
} as const satisfies Record<string, AlarmRow & AlarmMetric>

export type AlarmName = keyof typeof alarms

/** The runbook section of the budget, the only alarm without a metric. */
export const budgetRunbook = 'A cost spike'

/** The anchor of a Markdown heading. */
export const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-')

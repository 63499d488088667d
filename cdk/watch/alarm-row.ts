/** The type of an alarm, and metrics that several alarms watch. */

import type { MeteredService, MetricName } from '../../schemas/deployment/metrics.ts'
import type { AlarmLevels, Stage } from '../config.ts'

/** An alarm. */
export type AlarmRow = {
  /** A heading of docs/runbook.md. */
  readonly runbook: string
  readonly statistic: 'Average' | 'Maximum' | 'Minimum' | 'Sum'
  /** Threshold: above it, or below it with `isLow`, the alarm is raised. */
  readonly level: (levels: AlarmLevels, stage: Stage) => number
  readonly isLow?: true
  /** Minutes per data point, and how many consecutive data points must breach. */
  readonly minutes: number
  readonly times: number
  /** Requests to the edge in a data point below which there is no alarm: a share of a few says nothing. */
  readonly leastRequests?: number
  /** The level is of standard deviations below what is usual at this hour of the week, which CloudWatch learns; below `leastRequests` there is no alarm. */
  readonly isBelowUsual?: true
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
  | 'account'
  | 'usage'
  | 'uncounted'
  | 'unarchived'
  | 'undrawn'
  | 'edge'
  | 'market'
  | 'usageTable'
  | 'streamTargets'
  | 'backups'
  | 'backupCopies'
  | 'replication'

/** Metrics under an alarm, which are paid each: with the two edges of what is usual, or the requests of a share. */
export const alarmMetrics = ({ isBelowUsual, leastRequests }: AlarmRow): number =>
  isBelowUsual ? 3 : leastRequests === undefined ? 1 : 2

export const none = () => 0

export const errors = (part: WatchedPart): AlarmMetric => ({
  namespace: 'AWS/Lambda',
  metric: 'Errors',
  of: part,
})

export const queued = (part: WatchedPart): AlarmMetric => ({
  namespace: 'AWS/SQS',
  // Messages received, not messages stored, so that the alarm ends by itself.
  metric: 'NumberOfMessagesSent',
  of: part,
})

/** The account's tables are backed up and copied each hour; AWS Backup may take another one for each. */
export const COPY_MINUTES = 180

export const backup = (metric: string, part: WatchedPart): AlarmMetric => ({
  namespace: 'AWS/Backup',
  metric,
  of: part,
})

export const BYTES_PER_MB = 2 ** 20

export const atEdge = (metric: string): AlarmMetric => ({ namespace: 'AWS/CloudFront', metric, of: 'edge' })

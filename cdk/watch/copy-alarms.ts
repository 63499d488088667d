import { type AlarmMetric, type AlarmRow, backup, COPY_MINUTES, none } from './alarm-row.ts'
import { copiesRunbook } from './runbook.ts'

/** Alarms of a stage that has copies in a second region. */
export const copyAlarms = {
  BackupFails: {
    ...backup('NumberOfBackupJobsFailed', 'backups'),
    statistic: 'Sum',
    level: none,
    minutes: 60,
    times: 1,
    runbook: copiesRunbook,
  },
  BackupMissing: {
    ...backup('NumberOfBackupJobsCompleted', 'backups'),
    statistic: 'Sum',
    level: () => 1,
    isLow: true,
    minutes: COPY_MINUTES,
    times: 1,
    isHeartbeat: true,
    runbook: copiesRunbook,
  },
  CopyFails: {
    ...backup('NumberOfCopyJobsFailed', 'backupCopies'),
    statistic: 'Sum',
    level: none,
    minutes: 60,
    times: 1,
    runbook: copiesRunbook,
  },
  CopyMissing: {
    ...backup('NumberOfCopyJobsCompleted', 'backupCopies'),
    statistic: 'Sum',
    level: () => 1,
    isLow: true,
    minutes: COPY_MINUTES,
    times: 1,
    isHeartbeat: true,
    runbook: copiesRunbook,
  },
  ReplicationFails: {
    namespace: 'AWS/S3',
    metric: 'OperationsFailedReplication',
    of: 'replication',
    statistic: 'Sum',
    level: none,
    minutes: 60,
    times: 1,
    runbook: copiesRunbook,
  },
  ReplicationStuck: {
    namespace: 'AWS/S3',
    metric: 'OperationsPendingReplication',
    of: 'replication',
    // Segments come every minute, so there is a moment without pending ones, unless none is copied.
    statistic: 'Minimum',
    level: none,
    minutes: COPY_MINUTES,
    times: 1,
    runbook: copiesRunbook,
  },
} as const satisfies Record<string, AlarmRow & AlarmMetric>

import { type AlarmMetric, type AlarmRow, none } from './alarm-row.ts'
import { streamRunbook } from './runbook.ts'

/** Alarms of a stage that has a stream. */
export const streamAlarms = {
  StreamDown: {
    namespace: 'AWS/ApplicationELB',
    metric: 'HealthyHostCount',
    of: 'streamTargets',
    statistic: 'Minimum',
    level: () => 1,
    isLow: true,
    minutes: 1,
    times: 3,
    isHeartbeat: true,
    runbook: streamRunbook,
  },
  StreamFull: {
    service: 'stream',
    metric: 'Refused',
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 2,
    runbook: streamRunbook,
  },
  StreamLate: {
    service: 'stream',
    metric: 'Lag',
    statistic: 'Average',
    level: (levels) => levels.streamLagMs,
    minutes: 5,
    times: 2,
    runbook: streamRunbook,
  },
} as const satisfies Record<string, AlarmRow & AlarmMetric>

import { type AlarmMetric, type AlarmRow, atEdge, none } from './alarm-row.ts'

/** What readers meet before their requests reach the service. */
export const readerAlarms = {
  ReadersRefused: {
    ...atEdge('4xxErrorRate'),
    statistic: 'Average',
    level: (levels) => levels.refusedPercent,
    leastRequests: 500,
    minutes: 5,
    times: 2,
    runbook: 'Readers are refused',
  },
  ReadersGone: {
    ...atEdge('Requests'),
    statistic: 'Sum',
    level: () => 4,
    isBelowUsual: true,
    leastRequests: 500,
    minutes: 60,
    times: 1,
    runbook: 'Readers stay away',
  },
  KeysLost: {
    service: 'count-edge-usage',
    metric: 'Lost',
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 2,
    runbook: 'The edge has lost its keys',
  },
} as const satisfies Record<string, AlarmRow & AlarmMetric>

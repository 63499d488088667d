import type { Stage } from '../config.ts'
import {
  type AlarmMetric,
  type AlarmRow,
  alarmMetrics,
  atEdge,
  BYTES_PER_MB,
  errors,
  none,
  queued,
} from './alarm-row.ts'
import { copyAlarms } from './copy-alarms.ts'
import { rateAlarms } from './rate-alarms.ts'
import { readerAlarms } from './reader-alarms.ts'
import { copiesRunbook, streamRunbook } from './runbook.ts'
import { streamAlarms } from './stream-alarms.ts'

/** Every alarm by name: its metric, threshold and runbook section. */
export const alarms = {
  SnapshotOld: {
    service: 'rebuild-snapshots',
    metric: 'SnapshotAge',
    statistic: 'Minimum',
    level: (levels) => levels.snapshotAgeSeconds,
    minutes: 1,
    times: 3,
    isHeartbeat: true,
    runbook: 'The snapshot is old',
  },
  RebuildFails: {
    ...errors('rebuild'),
    statistic: 'Sum',
    level: none,
    minutes: 1,
    times: 3,
    runbook: 'The snapshot is old',
  },
  RebuildMissed: {
    ...queued('missed'),
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 1,
    runbook: 'The snapshot is old',
  },
  RebuildMemory: {
    service: 'rebuild-snapshots',
    metric: 'MemoryBytes',
    statistic: 'Maximum',
    level: ({ rebuildMemoryPercent }, { rebuild }) =>
      (rebuild.memoryMb * BYTES_PER_MB * rebuildMemoryPercent) / 100,
    minutes: 5,
    times: 3,
    runbook: 'The market grows',
  },
  RebuildSlow: {
    service: 'rebuild-snapshots',
    metric: 'Duration',
    statistic: 'Minimum',
    level: (levels) => levels.rebuildMs,
    minutes: 5,
    times: 3,
    runbook: 'The market grows',
  },
  DocumentInvalid: {
    service: 'rebuild-snapshots',
    metric: 'Unpublished',
    statistic: 'Minimum',
    level: none,
    minutes: 1,
    times: 3,
    runbook: 'A document is not published',
  },
  BoardShort: {
    service: 'rebuild-snapshots',
    metric: 'BoardRows',
    statistic: 'Maximum',
    level: (levels) => levels.boardRows,
    isLow: true,
    minutes: 5,
    times: 1,
    runbook: 'A document is not published',
  },
  ...rateAlarms,
  LogStuck: {
    service: 'ingest',
    metric: 'SealedAge',
    statistic: 'Minimum',
    level: (levels) => levels.sealedAgeSeconds,
    minutes: 1,
    times: 5,
    isHeartbeat: true,
    runbook: 'The log is stuck',
  },
  LogsMissing: {
    service: 'ingest',
    metric: 'GapAge',
    statistic: 'Minimum',
    level: (levels) => levels.gapAgeSeconds,
    minutes: 1,
    times: 1,
    runbook: 'Logs are missing',
  },
  RpcFails: {
    service: 'ingest',
    metric: 'Retries',
    statistic: 'Sum',
    level: (levels) => levels.rpcRetries,
    minutes: 5,
    times: 1,
    runbook: 'RPC is down',
  },
  MinutesRolledBack: {
    service: 'ingest',
    metric: 'Rewinds',
    statistic: 'Sum',
    level: (levels) => levels.rewoundMinutes,
    minutes: 5,
    times: 1,
    runbook: 'A reorg',
  },
  BlocksOffSchedule: {
    service: 'ingest',
    metric: 'OffSchedule',
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 3,
    runbook: 'The world has changed',
  },
  ApiFails: {
    namespace: 'AWS/ApiGateway',
    metric: '5XXError',
    of: 'gateway',
    statistic: 'Average',
    level: (levels) => levels.errorPercent / 100,
    minutes: 5,
    times: 2,
    runbook: 'Answers fail',
  },
  AuthorizerFails: {
    ...errors('authorizer'),
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 1,
    runbook: 'Answers fail',
  },
  EdgeFails: {
    ...atEdge('5xxErrorRate'),
    statistic: 'Average',
    level: (levels) => levels.errorPercent,
    minutes: 5,
    times: 2,
    runbook: 'Answers fail',
  },
  ...readerAlarms,
  HotAccount: {
    namespace: 'AWS/ApiGateway',
    metric: 'Count',
    of: 'gateway',
    statistic: 'Sum',
    // Half of what the gateway lets through; more than that is refused and not counted.
    level: (_, { api }) => (api.requestsPerSecond * 300) / 2,
    minutes: 5,
    times: 1,
    runbook: 'A hot account',
  },
  UsageThrottled: {
    namespace: 'AWS/DynamoDB',
    metric: 'WriteThrottleEvents',
    of: 'usageTable',
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 1,
    runbook: 'A hot account',
  },
  MarketThrottled: {
    namespace: 'AWS/DynamoDB',
    metric: 'WriteThrottleEvents',
    of: 'market',
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 2,
    runbook: 'The log is stuck',
  },
  MarketReadsThrottled: {
    namespace: 'AWS/DynamoDB',
    metric: 'ReadThrottleEvents',
    of: 'market',
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 2,
    runbook: 'The log is stuck',
  },
  UsageUncounted: {
    ...queued('uncounted'),
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 1,
    runbook: 'Usage is not counted',
  },
  UsageFails: {
    ...errors('usage'),
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 3,
    runbook: 'Usage is not counted',
  },
  ArchiveFails: {
    ...queued('unarchived'),
    statistic: 'Sum',
    level: none,
    minutes: 60,
    times: 2,
    runbook: 'The archive is behind',
  },
  PreviewsFail: {
    ...queued('undrawn'),
    statistic: 'Sum',
    level: none,
    minutes: 60,
    times: 2,
    runbook: 'A preview is not drawn',
  },
  AccountBoundUsed: {
    service: 'account',
    metric: 'BoundUsed',
    statistic: 'Maximum',
    level: (levels) => levels.boundUsedPercent,
    minutes: 60,
    times: 1,
    runbook: 'A bound is being used up',
  },
  ArchiveBoundUsed: {
    service: 'count-edge-usage',
    metric: 'BoundUsed',
    statistic: 'Maximum',
    level: (levels) => levels.boundUsedPercent,
    minutes: 60,
    times: 1,
    runbook: 'A bound is being used up',
  },
  AccountPageFails: {
    // The function answers what fails in it, and so has no errors of its own.
    namespace: 'AWS/ApiGateway',
    metric: '5XXError',
    of: 'account',
    statistic: 'Sum',
    level: none,
    minutes: 5,
    times: 2,
    runbook: 'The account page fails',
  },
  ...streamAlarms,
  ...copyAlarms,
} as const satisfies Record<string, AlarmRow & AlarmMetric>

export type AlarmName = keyof typeof alarms

/** The alarms of a stage: those of copies and of the stream only where it has them. */
export const alarmsOf = ({ copiesRegion, stream, rebuild, watched }: Stage): readonly AlarmName[] =>
  (Object.keys(alarms) as AlarmName[]).filter((name) => {
    const { runbook } = alarms[name]
    if (watched.alarms !== 'all' && !watched.alarms.includes(name)) return false
    if (rebuild.by === 'task' && /^Rebuild(Fails|Missed)$/.test(name)) return false
    return (
      (copiesRegion !== null || runbook !== copiesRunbook) && (stream !== null || runbook !== streamRunbook)
    )
  })

/** Metrics under the alarms of a stage. */
export const alarmMetricsOf = (stage: Stage): number =>
  alarmsOf(stage).reduce((sum, name) => sum + alarmMetrics(alarms[name]), 0)

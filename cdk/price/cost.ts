import { rateRules } from '../../lambdas/edge/distribution.ts'
import { documents } from '../../schemas/api/documents.ts'
import { metrics } from '../../schemas/deployment/metrics.ts'
import type { TaskSize } from '../../schemas/deployment/stages.ts'
import { ACCOUNT_MEMORY_MB, COUNTER_MEMORY_MB, keptDays, type Stage } from '../config.ts'
import { alarmMetricsOf } from '../watch/alarms.ts'
import { assumptions, type Load } from './cost-assumptions.ts'
import { archiveUsd, previewsLine } from './cost-files.ts'
import { prices } from './prices.ts'

/** A cost line: label, formula, monthly cost, and what lowers it. */
export type CostLine = Readonly<Record<'part' | 'formula' | 'less', string>> & {
  readonly usd: (load: Load, stage: Stage) => number
}

/** Of a month. */
export const DAYS = 30.4
const HOURS = DAYS * 24
const MONTH_SECONDS = HOURS * 3_600

const gb = (kb: number): number => kb / 1e6
const beyond = (amount: number, free: number): number => Math.max(0, amount - free)
function taskUsd({ cpu, memoryMb }: TaskSize, { areTasksSpot }: Stage): number {
  const size = (cpu / 1_024) * prices.fargateVcpuHour + (memoryMb / 1_024) * prices.fargateGbHour
  return HOURS * (size * (areTasksSpot ? prices.spotShare : 1) + prices.publicIpv4Hour)
}
const gbSeconds = (calls: number, seconds: number, mb: number): number => calls * seconds * (mb / 1_024)
/** GB-seconds of the function that rebuilds; none: a task does. A run takes longer the more tokens are ranked. */
export function rebuildGbSeconds({ activeTokens }: Load, stage: Stage): number {
  const { rebuild } = stage
  if (rebuild.by === 'task') return 0
  const processors = rebuild.memoryMb / assumptions.functionMbPerProcessor
  const { rebuildSeconds, rankSecondsPerToken } = assumptions
  const seconds = rebuildSeconds + (activeTokens * rankSecondsPerToken) / Math.min(1, processors)
  return gbSeconds(rebuildsOf(stage), seconds, rebuild.memoryMb)
}
/** The rebuild, whose function uses the free tier; the API's invocations are added to it. */
const rebuildUsd = (load: Load, stage: Stage): number =>
  stage.rebuild.by === 'task'
    ? taskUsd(stage.rebuild, stage)
    : beyond(rebuildGbSeconds(load, stage), prices.lambdaFreeGbSeconds) * prices.lambdaGbSecond

const callUsd = prices.gatewayRequest + prices.lambdaRequest
/** Answers that the API gives: those with parameters, and all where every tier is counted exactly. */
const apiAnswers = ({ apiReads, documentReads }: Load, { isCounted }: Stage): number =>
  apiReads + (isCounted ? documentReads : 0)
const rebuildsOf = ({ rebuildEverySeconds }: Stage): number => MONTH_SECONDS / rebuildEverySeconds
const swaps = (load: Load): number => load.swapsPerDay * DAYS
const streamGb = (load: Load, stage: Stage): number =>
  stage.stream ? gb(load.streamReaders * swaps(load) * assumptions.eventKb) : 0
/** The stream's own tasks: none where ingest's serves it. */
function streamTasks({ streamReaders }: Load, { stream }: Stage): number {
  if (stream?.by !== 'tasks') return 0
  const wanted = Math.ceil(streamReaders / stream.readersPerTask)
  return Math.min(stream.maxTasks, Math.max(stream.minTasks, wanted))
}
/** The unit of a balancer: 1 GB an hour, or 3,000 connections. */
const balancerUnits = (load: Load, stage: Stage): number =>
  Math.max(streamGb(load, stage) / HOURS, load.streamReaders / 3_000)
const edgeGb = (load: Load, stage: Stage): number =>
  gb(load.documentReads * assumptions.documentKb + load.apiReads * assumptions.apiKb) + streamGb(load, stage)
function tieredUsd(amount: number): number {
  let [usd, from] = [0, 0]
  for (const { upToGb, perGb } of prices.edgeGbTiers) {
    usd += Math.max(0, Math.min(amount, upToGb) - from) * perGb
    from = upToGb
  }
  return usd
}
const mostEdgeGets =
  (documents.length * assumptions.regionalCaches * MONTH_SECONDS) / assumptions.documentCacheSeconds
/** Read units of a stream task on the feed. */
function feedUsd({ streamReaders }: Load): number {
  const { read, idle } = assumptions.streamReadUnitsPerSecond
  return (streamReaders > 0 ? read : idle) * MONTH_SECONDS * prices.tableReadUnit
}
function streamUsd(load: Load, stage: Stage, stream: NonNullable<Stage['stream']>): number {
  const tasks =
    stream.by === 'tasks'
      ? streamTasks(load, stage) * (taskUsd(stream, stage) + feedUsd(load))
      : feedUsd(load)
  const balancer = HOURS * (prices.balancerHour + balancerUnits(load, stage) * prices.balancerUnitHour)
  const isNamed = stream.by === 'ingest' && stream.behind === 'name'
  return tasks + (isNamed ? prices.hostedZoneMonth : balancer)
}
/** Metrics of S3 on what is copied. */
const REPLICATION_METRICS = 3

/** Those of our processes, and of S3 on what is copied. */
export const stageMetrics = ({ watched, copiesRegion }: Stage): number =>
  Object.values(metrics)
    .flatMap((names) => Object.keys(names))
    .filter((name) => watched.metrics.includes(name)).length + (copiesRegion ? REPLICATION_METRICS : 0)

const storedGb = (load: Load): number =>
  gb((load.swapsPerDay * assumptions.keptDays * assumptions.storedBytesPerSwap) / 1e3)

/** The bill of a month, line by line. The chain's endpoints are paid elsewhere. */
export const costLines: readonly CostLine[] = [
  {
    part: 'Edge: requests and functions',
    formula: 'reads beyond 10M; for each read two function runs and two key look-ups beyond 2M',
    usd: (load) => {
      const reads = load.documentReads + load.apiReads
      return (
        beyond(reads, prices.edgeFreeRequests) * prices.edgeRequest +
        beyond(2 * reads, prices.edgeFreeFunctions) * (prices.edgeFunction + prices.edgeKeyRead)
      )
    },
    less: 'a flat-rate plan of CloudFront',
  },
  {
    part: 'Edge: bytes out',
    formula: 'documents, answers and events beyond 1 TB',
    usd: (load, stage) => tieredUsd(edgeGb(load, stage)),
    less: 'a flat-rate plan; no stream',
  },
  {
    part: 'Edge: usage counted',
    formula: 'a log line for each answer from the cache; a run and writes for each batch of them',
    usd: (load, stage) => {
      const batches = load.documentReads / assumptions.usageBatchLines
      const runs = gbSeconds(batches, assumptions.usageBatchSeconds, COUNTER_MEMORY_MB)
      return stage.isCounted
        ? 0
        : gb((load.documentReads * assumptions.usageLineBytes) / 1e3) * prices.logGb +
            batches * (prices.lambdaRequest + assumptions.usageBatchUnits * prices.tableWriteUnit) +
            runs * prices.lambdaGbSecond
    },
    less: '`isCounted` (then the API answers all)',
  },
  {
    part: 'API: gateway, functions, logs',
    formula: 'answers of the API; messages to the tools for agents, one for ten answers',
    usd: (load, stage) => {
      const answers = apiAnswers(load, stage)
      return (
        load.apiReads *
          assumptions.messagesPerApiRead *
          (callUsd + assumptions.messageGbSeconds * prices.lambdaGbSecond) +
        answers * callUsd +
        gbSeconds(answers, assumptions.apiSeconds, stage.api.memoryMb) * prices.lambdaGbSecond +
        gb((answers * assumptions.apiLogBytes) / 1e3) * prices.logGb
      )
    },
    less: '`isCounted: false`',
  },
  {
    part: 'API: reads and counts',
    formula: 'answers of the API, each counted with one write',
    usd: (load, stage) =>
      apiAnswers(load, stage) *
      (assumptions.readUnitsPerApiRead * prices.tableReadUnit + prices.tableWriteUnit),
    less: '`isCounted: false`',
  },
  {
    part: 'Account page',
    formula: 'its requests: gateway, function, some twenty reads and two writes; changes of keys at the edge',
    usd: ({ accountRequests }) =>
      accountRequests *
      (prices.gatewayRequest +
        prices.lambdaRequest +
        assumptions.accountReadUnits * prices.tableReadUnit +
        assumptions.accountWriteUnits * prices.tableWriteUnit +
        assumptions.accountChangeShare * prices.edgeKeyWrite +
        gbSeconds(1, assumptions.accountSeconds, ACCOUNT_MEMORY_MB) * prices.lambdaGbSecond),
    less: '',
  },
  {
    part: 'Snapshots: function or task',
    formula: 'a function’s runs, GB-seconds beyond 400,000; or a task, with its address',
    usd: rebuildUsd,
    less: 'less memory; `rebuildEverySeconds`',
  },
  {
    part: 'Snapshots: objects and items',
    formula:
      'each document read, and put if it changed, at each rebuild; the screener’s columns, kept for a day; texts in the table',
    usd: ({ activeTokens }, stage) =>
      rebuildsOf(stage) *
        (documents.length * (prices.objectGet + assumptions.changedShare * prices.objectPut) +
          prices.objectPut +
          assumptions.writeUnitsPerRebuild * prices.tableWriteUnit) +
      (rebuildsOf(stage) / DAYS) *
        gb((activeTokens * assumptions.screenedShare * assumptions.screenedBytesPerToken) / 1e3) *
        prices.objectGbMonth,
    less: '`rebuildEverySeconds`',
  },
  {
    part: 'Snapshots: read by the edge',
    formula: 'each document by each regional cache every 20 s, as far as it is asked for',
    usd: (load, stage) =>
      stage.isCounted ? 0 : Math.min(load.documentReads, mostEdgeGets) * prices.objectGet,
    less: 'longer cache times',
  },
  {
    part: 'Snapshots: checkpoints',
    formula: 'one every 10 minutes, kept for three days with its versions',
    usd: ({ activeTokens }) => {
      const each = gb((activeTokens * assumptions.checkpointBytesPerToken) / 1e3)
      const puts = (DAYS * 24 * 60) / assumptions.checkpointMinutes
      const kept = (puts / DAYS) * (keptDays.checkpoints + keptDays.replacedCheckpoints)
      return kept * each * prices.objectGbMonth + puts * prices.objectPut
    },
    less: '`keptDays.checkpoints`',
  },
  previewsLine,
  {
    part: 'Kept for ever: snapshots, archive',
    formula: 'each document of the last snapshot of each hour; files of the archive; bytes of the first year',
    usd: (load) => {
      const puts = HOURS * (documents.length + 1)
      const kept = puts * 12 * gb(assumptions.keptDocumentKb)
      return puts * (prices.objectPut + prices.objectGet) + kept * prices.objectGbMonth + archiveUsd(load)
    },
    less: '',
  },
  {
    part: 'Ingest: task',
    formula: 'one task, with its address',
    usd: (_, stage) => taskUsd(stage.ingest, stage),
    less: 'a smaller task',
  },
  {
    part: 'Ingest: reads and writes',
    formula: 'read and write units of each swap',
    usd: (load) =>
      swaps(load) *
      (assumptions.writeUnitsPerSwap * prices.tableWriteUnit +
        assumptions.readUnitsPerSwap * prices.tableReadUnit),
    less: '',
  },
  {
    part: 'Storage',
    formula: 'rows of the days that are kept, beyond 25 GB; their recovery to a point in time; segments',
    usd: (load) =>
      beyond(storedGb(load), prices.tableFreeGb) * prices.tableGbMonth +
      storedGb(load) * (prices.recoveryGbMonth + prices.objectGbMonth),
    less: '',
  },
  {
    part: 'Copies',
    formula:
      'where the stage has them: segments in a second region, backups of accounts each hour and of the log each week',
    usd: (load, stage) => {
      if (stage.copiesRegion === null) return 0
      const segments =
        (MONTH_SECONDS / 60) * prices.objectPut +
        storedGb(load) * (prices.objectGbMonth + prices.betweenRegionsGb)
      const accounts = 24 * assumptions.accessGb
      const logs = storedGb(load) / 7
      const kept = 2 * (accounts * keptDays.accessBackups + logs * keptDays.marketBackups)
      return segments + kept * prices.backupGbMonth + DAYS * (accounts + logs) * prices.betweenRegionsGb
    },
    less: '`copiesRegion: null`',
  },
  {
    part: 'Stream: tasks and balancer',
    formula:
      'tasks by readers, with their addresses and reads of the feed; the balancer by bytes, or a hosted zone',
    usd: (load, stage) => (stage.stream ? streamUsd(load, stage, stage.stream) : 0),
    less: '`stream: null`, or fewer `minTasks`',
  },
  {
    part: 'Watching',
    formula: 'alarms and metrics beyond 10 each (`watched`), two secrets; a dashboard is free',
    usd: (_, stage) =>
      beyond(alarmMetricsOf(stage), prices.freeAlarms) * prices.alarmMonth +
      beyond(stageMetrics(stage), prices.freeMetrics) * prices.metricMonth +
      assumptions.secrets * prices.secretMonth,
    less: 'fewer of `watched`',
  },
  {
    part: 'Firewall',
    formula: 'where the stage has one: its price, that of its rules, and each request',
    usd: (load, stage) =>
      stage.hasFirewall
        ? prices.firewallMonth +
          rateRules.length * prices.firewallRuleMonth +
          (load.documentReads + load.apiReads) * prices.firewallRequest
        : 0,
    less: '`hasFirewall: false`',
  },
]

/** Monthly cost of a stage. */
export const monthUsd = (load: Load, stage: Stage): number =>
  costLines.reduce((sum, { usd }) => sum + usd(load, stage), 0)

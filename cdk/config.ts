import { namespaceWith } from '../schemas/deployment/metrics.ts'
import { NODE_IMAGE, type StageSizes, stageSizes } from '../schemas/deployment/stages.ts'
import type { currencies } from '../schemas/records/currencies.ts'
import { LONGEST_CONNECTION_SECONDS } from '../schemas/values/stream-times.ts'

/** Thresholds of alarms. */
export type AlarmLevels = {
  readonly snapshotAgeSeconds: number
  /** Of the memory of the function or task. */
  readonly rebuildMemoryPercent: number
  readonly rebuildMs: number
  readonly sealedAgeSeconds: number
  /** How long sealing may wait for missing logs. */
  readonly gapAgeSeconds: number
  /** Faults of endpoints in five minutes. */
  readonly rpcRetries: number
  /** Minutes rolled back within five minutes. */
  readonly rewoundMinutes: number
  readonly boardRows: number
  /** Percent of all requests at the edge that are answered with 4xx. */
  readonly refusedPercent: number
  /** Percent of answers. */
  readonly errorPercent: number
  readonly streamLagMs: number
  /** The used part of a day's bound that all strangers share. */
  readonly boundUsedPercent: number
}

/** The settings of a deployment. A deployment serves one chain. */
export type Stage = StageSizes & {
  readonly name: string
  readonly chain: keyof typeof currencies
  /** Start of the log: a time before the first start (30d, 24h), a block number, or all. */
  readonly startBlock: string
  /** Pause between two polls of the chain's head, in ms: 2,000 are at most 60,000 calls a day, 1,000 some 100,000. */
  readonly pollMs: number
  /**
   * Whether every tier is counted exactly, at the cost of an API call per answer; otherwise the edge answers the higher
   * tiers.
   */
  readonly isCounted: boolean
  /** Deletion protection of stacks with data; the data stay in either case. */
  readonly isProtected: boolean
  readonly logDays: number
  /**
   * `requestsPerSecond`: the gateway refuses more, for each of its methods. This bounds the cost of a flood before it
   * reaches the Market table, where it would slow down ingest and the stream. `strangersPerSecond`: the same of each resource
   * that needs no key, and of all requests with keys that the edge does not know.
   */
  readonly api: Readonly<Record<'memoryMb' | 'requestsPerSecond' | 'strangersPerSecond', number>>
  /**
   * The account page. `newInAll`, `newOfNetwork`: accounts that may be made in a UTC day, and from one network (/24, /48);
   * `requestsPerSecond`: its gateway refuses more.
   */
  readonly accounts: {
    readonly newInAll: number
    readonly newOfNetwork: number
    readonly requestsPerSecond: number
  }
  /** Maximum read units of the Market table per second: more than the dearest answers at these rates and our own processes. */
  readonly maxReadUnits: number
  /** Whether a firewall with rate rules protects the edge, at a price per request. */
  readonly hasFirewall: boolean
  /** Gigabytes that a query of the archive may scan; null: there is no database of it for Athena. */
  readonly archiveQueryGb: number | null
  readonly alarms: AlarmLevels
  /** Which alarms there are, and which figures of the log lines become metrics, at $0.30 a month beyond ten: those of alarms, and of what scales. */
  readonly watched: { readonly alarms: 'all' | readonly string[]; readonly metrics: readonly string[] }
  /**
   * What strangers may cost in a day, in US dollars, by each path: from one address, and in all; `raised` has other sums in all
   * by the path's name (`npm run cost -- --abuse`), Infinity where nothing bounds it, as without a firewall. `swapsPerDay`: how many the stream is computed with.
   */
  readonly abuse: {
    readonly oneAddressUsd: number
    readonly inAllUsd: number
    readonly raised: Readonly<Record<string, number>>
    readonly swapsPerDay: number
  }
  /** Monthly bill in US dollars at which operators are notified. */
  readonly budgetUsd: number
}

const alarms: AlarmLevels = {
  snapshotAgeSeconds: 180,
  rebuildMemoryPercent: 80,
  rebuildMs: 40_000,
  sealedAgeSeconds: 180,
  gapAgeSeconds: 120,
  rpcRetries: 20,
  rewoundMinutes: 2,
  boardRows: 10,
  refusedPercent: 50,
  errorPercent: 1,
  streamLagMs: 15_000,
  boundUsedPercent: 30,
}

const abuse: Stage['abuse'] = {
  oneAddressUsd: 5,
  inAllUsd: 50,
  // From many addresses these are as dear as as many readers: only their bytes cost.
  raised: {
    'pages and their files': 140,
    'documents with the pages’ key': 185,
    'API with free keys, of many accounts': 105,
  },
  swapsPerDay: 50_000,
}

const accounts: Stage['accounts'] = { newInAll: 1_000, newOfNetwork: 3, requestsPerSecond: 20 }

/** What becomes a metric where every alarm is there. */
const everyMetric = [
  ...['SealedAge', 'Retries', 'GapAge', 'Rewinds', 'OffSchedule'],
  ...['SnapshotAge', 'Duration', 'Unpublished', 'BoardRows', 'MemoryBytes'],
  ...['HeldRates', 'ShallowRates', 'LoneRates', 'MuteSources'],
  ...['Lost', 'BoundUsed', 'Readers', 'Refused', 'Lag'],
]

/** Ten alarms and at most ten metrics, which cost nothing: what has stopped, what is wrong, and what becomes dear. */
const fewWatched: Stage['watched'] = {
  alarms: [
    ...['SnapshotOld', 'DocumentInvalid', 'RebuildMemory', 'PriceHeld', 'LogStuck', 'RpcFails'],
    ...['ApiFails', 'EdgeFails', 'HotAccount', 'AccountBoundUsed'],
  ],
  metrics: [
    ...['SealedAge', 'Retries', 'SnapshotAge', 'Unpublished', 'MemoryBytes', 'HeldRates'],
    ...['BoundUsed', 'Readers'],
  ],
}

/** Region of all stacks but the copies. */
export const HOME_REGION = 'us-east-1'

const dev: Stage = {
  ...stageSizes.dev,
  name: 'dev',
  chain: 'base',
  startBlock: '30d',
  pollMs: 2_000,
  isCounted: true,
  isProtected: false,
  logDays: 7,
  api: { memoryMb: 512, requestsPerSecond: 30, strangersPerSecond: 10 },
  accounts,
  maxReadUnits: 4_000,
  hasFirewall: true,
  archiveQueryGb: null,
  alarms: { ...alarms, boardRows: 1, snapshotAgeSeconds: stageSizes.dev.rebuildEverySeconds + 120 },
  watched: fewWatched,
  abuse,
  budgetUsd: 150,
}

const prod: Stage = {
  ...stageSizes.prod,
  name: 'prod',
  chain: 'base',
  startBlock: '30d',
  pollMs: 1_000,
  isCounted: false,
  isProtected: true,
  logDays: 30,
  api: { memoryMb: 1_024, requestsPerSecond: 400, strangersPerSecond: 30 },
  accounts,
  maxReadUnits: 40_000,
  hasFirewall: true,
  archiveQueryGb: null,
  alarms,
  watched: { alarms: 'all', metrics: everyMetric },
  abuse: {
    ...abuse,
    raised: { ...abuse.raised, '`/stream/swaps` at 500,000 swaps a day': 120 },
    swapsPerDay: 500_000,
  },
  budgetUsd: 900,
}

const small: Stage = {
  ...dev,
  ...stageSizes.small,
  name: 'small',
  pollMs: 10_000,
  hasFirewall: false,
  alarms: { ...dev.alarms, snapshotAgeSeconds: stageSizes.small.rebuildEverySeconds + 120 },
  budgetUsd: 40,
}

/** The stages by name; `-c stage=<name>` chooses one. */
export const stages = { small, dev, prod } as const satisfies Record<string, Stage>

/** Read units a second of the Market table that ingest, the stream and the rebuild may need in addition to the API. */
export const OWN_READ_UNITS = 1_000

/** Memory in MB of the function that counts the edge's answers. */
export const COUNTER_MEMORY_MB = 512

/** Memory in MB of the function that writes the archive, and the seconds of its longest run. */
export const ARCHIVE_MEMORY_MB = 2_048
export const ARCHIVE_SECONDS = 900

/** Memory in MB of the function that draws previews, and the seconds of its longest run. */
export const DRAWER_MEMORY_MB = 1_024
export const DRAWER_SECONDS = 60

/** Memory in MB of the tools for agents. */
export const TOOLS_MEMORY_MB = 512

/** Memory in MB of the function behind the account page. */
export const ACCOUNT_MEMORY_MB = 512

/** Days after which segments move to a cheaper storage class that costs more to read; the engine's longest window is 30. */
export const SEGMENTS_AT_HAND_DAYS = 60

/**
 * Retention in days: non-daily checkpoints until there are two days of newer ones, replaced documents for a rollback,
 * backups for as long as a loss may go unnoticed.
 */
export const keptDays = {
  checkpoints: 2,
  /** Replaced or expired checkpoints; they can be made again. */
  replacedCheckpoints: 1,
  deleted: 7,
  replacedDocuments: 1,
  /** Hours of the archive; of a day that is over they are not needed. */
  archivedHours: 7,
  /** Results of queries of the archive. */
  queryResults: 7,
  /** Hourly backups. */
  accessBackups: 14,
  /** Weekly backups, so that there is always one. */
  marketBackups: 9,
} as const

/**
 * Images of the tasks' containers: Node by its exact version, a tag that ECS resolves to one digest for all tasks of a
 * deployment; the other by digest, since it gets the tasks' rights. The bundle is fetched when a task starts, so
 * deploying needs no Docker.
 */
export const images = {
  node: `public.ecr.aws/docker/library/node:${NODE_IMAGE.version}-alpine`,
  /** 2.31.21, of every architecture. Fetches the bundle. */
  awsCli:
    'public.ecr.aws/aws-cli/aws-cli@sha256:40033dc921634b1073094712ea8237869bc857cd7ddc2571896ec9b14ef97ae8',
} as const

/**
 * The network's availability zones in us-east-1, by id, since letters differ between accounts. use1-az3 has neither VPC
 * origins of CloudFront nor Fargate on ARM, and use1-az5 lacks newer services.
 */
export const zoneIds = ['use1-az4', 'use1-az6'] as const

/** Ports inside the VPC. */
export const ports = { stream: 8080, ingestHealth: 8081, rebuildHealth: 8082, besideHealth: 8083 } as const

/**
 * How long a task of the stream is waited for, in seconds. `deregistration`: ECS takes a task out of the load balancer, waits,
 * and only then sends SIGTERM; after this time the balancer cuts what is still open, all at once. By then every connection
 * has ended at its own time. Where SIGTERM comes at once (an interruption of Spot), the task's own drain is over before the
 * cut. `stop`: from SIGTERM to SIGKILL.
 */
export const drainSeconds = { deregistration: LONGEST_CONNECTION_SECONDS + 10, stop: 90 } as const

/** Inputs of a deployment: the stage's settings and the built artifacts. Options chosen once are in choices.ts. */
export type Deployment = {
  readonly stage: Stage
  /** Folder of the bundles that `npm run build` writes. */
  readonly bundles: string
  /** Folder of the pages that `npm run build:site` writes. */
  readonly pages: string
  /** Version and commit, for manifests. */
  readonly codeVersion: string
  /** Whether to build images from cdk/Dockerfile, which needs Docker on the deploying machine. */
  readonly hasDocker: boolean
}

/** Namespace of a stage's metrics; two stages may share an account. */
export const metricsNamespace = ({ stage }: Deployment): string => `z100-${stage.name}`

/** METRICS_NAMESPACE of a stage's processes. */
export const metricsVariable = (deployment: Deployment): string =>
  namespaceWith(metricsNamespace(deployment), deployment.stage.watched.metrics)

/** The numbers of a stage that more than its stacks need: what it asks of an AWS account, and how often it publishes. */
import { REBUILD_EVERY_SECONDS } from '../api/service.ts'

/** Seconds between two runs of the archive. */
export const ARCHIVE_EVERY_SECONDS = 3_600
/** Seconds between two drawings of the previews of links. */
export const DRAW_EVERY_SECONDS = 600

/** Fargate's units of a processor (1,024: a whole one) and megabytes. */
export type TaskSize = { readonly cpu: number; readonly memoryMb: number }

/**
 * Where snapshots are rebuilt: a function that is called each minute, or, for a market that needs more memory than functions
 * have, a task that does so by itself.
 */
export type RebuildSize =
  | { readonly by: 'function'; readonly memoryMb: number; readonly timeoutSeconds: number }
  | ({ readonly by: 'task' } & TaskSize)

/**
 * Who serves the stream: tasks of its own behind a load balancer, or a second container of ingest's task, which makes a pause of
 * a minute or two when that task is replaced. That one is behind a balancer, too, or reached by a name of a hosted zone, which
 * the task sets to its own address when it starts, for $16 a month less.
 */
export type StreamSize =
  | ({ readonly by: 'tasks' } & TaskSize &
      Readonly<Record<'minTasks' | 'maxTasks' | 'readersPerTask', number>>)
  | { readonly by: 'ingest'; readonly behind: 'balancer' | 'name' }

/** The size of the task: 7.5 million tokens traded within 30 days. */
export const rebuildTask: RebuildSize = { by: 'task', cpu: 2_048, memoryMb: 16_384 }

/** Memory limit of functions in a new account, in MB; older accounts have 10,240. */
export const MOST_FUNCTION_MB = 3_008

/** Upper limits of a stage's size. */
export type StageSizes = {
  /** Whether tasks run on Fargate Spot, for less than half the price, with two minutes' notice before interruption. */
  readonly areTasksSpot: boolean
  /**
   * Most runs at once: a bound on cost, and for the rebuild a share that a flood of API requests cannot take. null: none is set,
   * for an account keeps at least 100 (a new one may have 10 in all) for functions without such a bound.
   */
  readonly concurrency: Readonly<Record<'rebuild' | 'api' | 'mcp' | 'account', number>> | null
  readonly ingest: TaskSize
  /** Seconds between two rebuilds of the snapshot: a multiple of 60. */
  readonly rebuildEverySeconds: number
  /** `rebuildTask` for the task. */
  readonly rebuild: RebuildSize
  /** A release that catches up beside the service: its ingest and its rebuild together. It costs nothing while there is none. */
  readonly beside: TaskSize
  /** null: no stream is served, and its tasks and load balancer cost nothing. */
  readonly stream: StreamSize | null
  /** Region where accounts, the log and segments are copied to; null: nowhere, and they are as safe as one region is. */
  readonly copiesRegion: string | null
}

const dev: StageSizes = {
  areTasksSpot: true,
  concurrency: null,
  ingest: { cpu: 256, memoryMb: 1_024 },
  rebuildEverySeconds: 180,
  rebuild: { by: 'function', memoryMb: 2_048, timeoutSeconds: 120 },
  beside: { cpu: 1_024, memoryMb: 4_096 },
  stream: { by: 'ingest', behind: 'balancer' },
  copiesRegion: null,
}

/** dev at the price of a few coffees: figures every five minutes. */
const small: StageSizes = { ...dev, rebuildEverySeconds: 300, stream: { by: 'ingest', behind: 'name' } }

const prod: StageSizes = {
  areTasksSpot: false,
  concurrency: { rebuild: 2, api: 200, mcp: 20, account: 10 },
  ingest: { cpu: 256, memoryMb: 1_024 },
  rebuildEverySeconds: REBUILD_EVERY_SECONDS,
  rebuild: { by: 'function', memoryMb: MOST_FUNCTION_MB, timeoutSeconds: 120 },
  beside: { cpu: 2_048, memoryMb: 8_192 },
  stream: { by: 'tasks', cpu: 256, memoryMb: 512, minTasks: 2, maxTasks: 40, readersPerTask: 375 },
  copiesRegion: 'us-west-2',
}

export const stageSizes = { small, dev, prod } as const

/** Runs that an account keeps for functions without a bound of their own, and the least that it has in all. */
const RUNS_LEFT = 100
const LEAST_RUNS = 10

/** Runs at once that an account must allow for a stage. */
export const runsNeeded = ({ concurrency }: StageSizes): number =>
  concurrency ? Object.values(concurrency).reduce((sum, runs) => sum + runs, RUNS_LEFT) : LEAST_RUNS

/** Processors of Fargate: all tasks, one more of each while a new version takes over, and one beside. */
export const vcpusNeeded = ({ ingest, rebuild, beside, stream }: StageSizes): number =>
  Math.ceil(
    (beside.cpu +
      2 * (ingest.cpu + (rebuild.by === 'task' ? rebuild.cpu : 0)) +
      (stream?.by === 'tasks' ? (stream.maxTasks + 1) * stream.cpu : 0)) /
      1_024,
  )

/**
 * The managed prefix list com.amazonaws.global.cloudfront.origin-facing in us-east-1: addresses that CloudFront's VPC origins
 * come from. It counts as 55 of the 60 rules that a security group may have.
 */
export const CLOUDFRONT_PREFIX_LIST = 'pl-3b927c52'

/**
 * Node of the image that tasks run on; nothing else names it. `releasedAt`: the day of its release, by which `doctor` says when
 * it is old. `npm view node versions` lists the versions.
 */
export const NODE_IMAGE = { version: '24.21.0', releasedAt: '2026-09-10' } as const

/** The vault of a stage's backups in its own region, and of their copies in the second one, by name. */
export const vaultsOf = (stage: string) => ({ own: `z100-${stage}`, copies: `z100-${stage}-copies` })

/** The bucket of a stage's copies: another region cannot be referred to but by name. */
export const copiesBucketOf = (stage: string, account: string, region: string | null): string =>
  `z100-${stage}-copies-${account}-${region}`

/** The output of the storage stack with the role that AWS Backup restores as. */
export const BACKUP_ROLE_OUTPUT = 'BackupRoleArn'

/**
 * Megabytes of young objects between two collections, in whatever rebuilds: most of a rebuild's live until it ends, and each
 * collection copies them. With V8's own 16 it took 8 % more CPU (on a busy machine).
 */
export const REBUILD_SEMI_SPACE_MB = 64

import type { currencies } from '../schemas/currencies.ts'
import { type StageSizes, stageSizes } from '../schemas/stages.ts'

/** What alarms ring at. */
export type AlarmLevels = {
  readonly snapshotAgeSeconds: number
  readonly sealedAgeSeconds: number
  /** How long sealing waits for logs that no endpoint gives. */
  readonly gapAgeSeconds: number
  /** Faults of endpoints in five minutes. */
  readonly rpcRetries: number
  /** Minutes that are rolled back in five minutes. */
  readonly rewoundMinutes: number
  readonly boardRows: number
  /** Of answers, percent. */
  readonly errorPercent: number
  /** Requests that the API answers in five minutes. */
  readonly apiRequests: number
  readonly streamLagMs: number
}

/** A deployment's numbers. One deployment serves one chain. */
export type Stage = StageSizes & {
  readonly name: string
  readonly chain: keyof typeof currencies
  /** Where the log begins: so long before the first start (30d, 24h), a block number, or all. */
  readonly startBlock: string
  /** Every tier is counted exactly, at the price of an API call for each answer; else the higher tiers are answered by the edge. */
  readonly isCounted: boolean
  /** Stacks that hold data can only be deleted after this is taken away; what they hold is left in either case. */
  readonly isProtected: boolean
  readonly logDays: number
  /** Tasks run where Fargate has room to spare, for less than half, and may be moved at two minutes' notice. */
  readonly areTasksSpot: boolean
  readonly rebuild: { readonly memoryMb: number; readonly timeoutSeconds: number }
  readonly api: { readonly memoryMb: number }
  /** Most read units of the Market table in a second: what a flood may cost. */
  readonly maxReadUnits: number
  /** Rules against floods before the edge, at a price for each request. */
  readonly hasFirewall: boolean
  readonly alarms: AlarmLevels
  /** A month's bill at which operators are told, US dollars. */
  readonly budgetUsd: number
}

const alarms: AlarmLevels = {
  snapshotAgeSeconds: 180,
  sealedAgeSeconds: 180,
  gapAgeSeconds: 120,
  rpcRetries: 20,
  rewoundMinutes: 2,
  boardRows: 10,
  errorPercent: 1,
  apiRequests: 150_000,
  streamLagMs: 15_000,
}

/** Megabytes of a function in an account that is new; older accounts have 10,240. */
export const MOST_FUNCTION_MB = 3_008

const dev: Stage = {
  ...stageSizes.dev,
  name: 'dev',
  chain: 'base',
  startBlock: '30d',
  isCounted: true,
  isProtected: false,
  logDays: 7,
  areTasksSpot: true,
  rebuild: { memoryMb: 2_048, timeoutSeconds: 120 },
  api: { memoryMb: 512 },
  maxReadUnits: 1_000,
  hasFirewall: false,
  alarms: { ...alarms, boardRows: 1 },
  budgetUsd: 150,
}

const prod: Stage = {
  ...stageSizes.prod,
  name: 'prod',
  chain: 'base',
  startBlock: '30d',
  isCounted: false,
  isProtected: true,
  logDays: 30,
  areTasksSpot: false,
  rebuild: { memoryMb: MOST_FUNCTION_MB, timeoutSeconds: 120 },
  api: { memoryMb: 1_024 },
  maxReadUnits: 12_000,
  hasFirewall: true,
  alarms,
  budgetUsd: 900,
}

/** The stages by name; `-c stage=<name>` chooses one. */
export const stages = { dev, prod } as const satisfies Record<string, Stage>

/** Megabytes of the function that counts what the edge answered. */
export const COUNTER_MEMORY_MB = 512

/** Seconds between two builds of the snapshot. */
export const REBUILD_EVERY_SECONDS = 60

/** Days after which a segment costs less to keep and more to read; the engine's longest window is 30. */
export const SEGMENTS_AT_HAND_DAYS = 60

/**
 * Days that things are kept: checkpoints but the daily ones until two days of newer ones stand, replaced documents for a
 * rollback, backups for as long as a loss may go unseen.
 */
export const keptDays = {
  checkpoints: 2,
  deleted: 7,
  replacedDocuments: 1,
  /** Made each hour. */
  accessBackups: 14,
  /** Made each week, so that one always stands. */
  marketBackups: 9,
} as const

/** What the containers of the tasks are made of, by digest: a tag can be moved. The bundle is put in when a task starts, so nobody needs Docker to deploy. */
export const images = {
  /** 24.10.0-alpine3.22, of every architecture. */
  node: 'public.ecr.aws/docker/library/node@sha256:775ba24d35a13e74dedce1d2af4ad510337b68d8e22be89e0ce2ccc299329083',
  /** 2.31.21, of every architecture. Fetches the bundle. */
  awsCli:
    'public.ecr.aws/aws-cli/aws-cli@sha256:40033dc921634b1073094712ea8237869bc857cd7ddc2571896ec9b14ef97ae8',
} as const

/**
 * The zones of us-east-1 that the network stands in, by id: letters differ from account to account. use1-az3 has neither VPC
 * origins of CloudFront nor Fargate on ARM, and use1-az5 lacks newer services.
 */
export const zoneIds = ['use1-az4', 'use1-az6'] as const

/** Ports inside of the VPC. */
export const ports = { stream: 8080, ingestHealth: 8081 } as const

/** Seconds: what the stream's last reader may take to be gone, and the limits around it. */
export const drainSeconds = { deregistration: 10, stop: 90 } as const

/** What a deployment is made of: the stage's numbers, and what is built here; what operators choose once is in choices.ts. */
export type Deployment = {
  readonly stage: Stage
  /** Folder of the bundles that `npm run build` writes. */
  readonly bundles: string
  /** Folder of the built pages; null: there are none. */
  readonly pages: string | null
  /** Version and commit, as manifests name it. */
  readonly codeVersion: string
  /** Images are built from cdk/Dockerfile, which needs Docker where it is deployed from. */
  readonly hasDocker: boolean
}

/** The namespace of a stage's metrics: two stages may live in one account. */
export const metricsNamespace = ({ stage }: Deployment): string => `z100-${stage.name}`

import { setTimeout as sleep } from 'node:timers/promises'
import { Option } from 'commander'
import { BACKUP_ROLE_OUTPUT, stageSizes, vaultsOf } from '../../schemas/deployment/stages.ts'
import { tables } from '../../store/aws/tables.ts'
import { askByCli, awsText, copiesIn, type DeployedStage, listIn, madeAt, outputOf } from '../base/aws-cli.ts'
import {
  type CommandCall,
  type CommandGroup,
  commandOf,
  type ExitCode,
  sayResult,
  secondsFrom,
} from '../base/command.ts'
import { OperatorFault } from '../base/terminal.ts'

type TableName = keyof typeof tables

/** Options of a restore. */
export type Restoring = DeployedStage & {
  /** The tables in use, by the name of their choice in cdk/choices.ts. */
  readonly sources: Readonly<Partial<Record<TableName, string>>>
  /** ISO 8601; null: the latest restorable time. */
  readonly at: string | null
  /** Restores the copies in the second region: the tables themselves are lost. */
  readonly isFromCopies: boolean
  /** Suffix of the restored tables' names. */
  readonly mark: string
  /** Goes on with what an interrupted restore of this mark has begun. */
  readonly isResumed: boolean
  readonly pause: () => Promise<void>
  readonly warn: (line: string) => void
}

/** A table could not be restored. */
const notRestored = (name: string, why: string) => new OperatorFault('NotRestored', `${name}: ${why}`)

/**
 * Restores tables under new names, with what a restored table lacks (expiry, recovery to a point in time, protection, tags).
 * Existing tables stay as they are. Resolves to the new names.
 */
export async function restoreTables(by: Restoring): Promise<Readonly<Partial<Record<TableName, string>>>> {
  const restored = await Promise.all(
    Object.entries(by.sources).map(async ([table, source]) => {
      const target = `${source.replace(/-restored-\w+$/, '')}-restored-${by.mark}`
      by.warn(`${table}: ${source} is restored as ${target}`)
      const isBegun =
        by.isResumed && (await by.aws('dynamodb describe-table', { 'table-name': target })) !== null
      if (!isBegun)
        await (by.isFromCopies ? fromCopies(by, source, target) : fromPointInTime(by, source, target))
      await until(by, target, async () => {
        const found = await by.aws('dynamodb describe-table', { 'table-name': target })
        return awsText(found, 'Table', 'TableStatus') === 'ACTIVE'
      })
      await complete(by, table as TableName, { source, target })
      return [table, target] as const
    }),
  )
  return Object.fromEntries(restored)
}

async function fromPointInTime({ aws, at }: Restoring, source: string, target: string): Promise<void> {
  const described = await aws('dynamodb describe-table', { 'table-name': source })
  const readLimit = awsText(described, 'Table', 'OnDemandThroughput', 'MaxReadRequestUnits')
  const found = await aws('dynamodb restore-table-to-point-in-time', {
    'source-table-name': source,
    'target-table-name': target,
    ...(readLimit === '' ? {} : { 'on-demand-throughput-override': `MaxReadRequestUnits=${readLimit}` }),
    ...(at === null ? { 'use-latest-restorable-time': '' } : { 'restore-date-time': at }),
  })
  if (!found)
    throw notRestored(source, 'it is not there any more; --from-copies takes its copy in the second region')
}

/** Copies the backup from the second region first: a backup can only be restored in the region of its vault. */
async function fromCopies(by: Restoring, source: string, target: string): Promise<void> {
  const { aws, stage } = by
  const region = stageSizes[stage].copiesRegion
  if (region === null) throw notRestored(source, `${stage} has no copies in a second region`)
  const vaults = vaultsOf(stage)
  const account = awsText(await aws('sts get-caller-identity'), 'Account')
  const role = await outputOf(by, 'Storage', BACKUP_ROLE_OUTPUT)
  if (!role) throw notRestored(stage, `the stack Z100-${stage}-Storage is not there: deploy it first`)
  const copy = await aws('backup start-copy-job', {
    region,
    'recovery-point-arn': await newestPoint(by, source, { region, vault: vaults.copies }),
    'source-backup-vault-name': vaults.copies,
    'destination-backup-vault-arn': `arn:aws:backup:us-east-1:${account}:backup-vault:${vaults.own}`,
    'iam-role-arn': role,
  })
  let point = ''
  await until(by, `${source}, copied to us-east-1`, async () => {
    const job = await aws('backup describe-copy-job', { region, 'copy-job-id': awsText(copy, 'CopyJobId') })
    point = awsText(job, 'CopyJob', 'DestinationRecoveryPointArn')
    return isDone(source, awsText(job, 'CopyJob', 'State'), awsText(job, 'CopyJob', 'StatusMessage'))
  })
  const restore = await aws('backup start-restore-job', {
    'recovery-point-arn': point,
    'iam-role-arn': role,
    'copy-source-tags-to-restored-resource': '',
    metadata: JSON.stringify({ targetTableName: target, encryptionType: 'Default' }),
  })
  await until(by, target, async () => {
    const job = await aws('backup describe-restore-job', {
      'restore-job-id': awsText(restore, 'RestoreJobId'),
    })
    return isDone(source, awsText(job, 'Status'), awsText(job, 'StatusMessage'))
  })
}

function isDone(source: string, state: string, said: string): boolean {
  if (/^(ABORTED|FAILED|PARTIAL)$/.test(state)) throw notRestored(source, `AWS Backup: ${state} ${said}`)
  return state === 'COMPLETED'
}

async function newestPoint(
  { aws, at }: Restoring,
  source: string,
  { region, vault }: { readonly region: string; readonly vault: string },
): Promise<string> {
  const found = await aws('backup list-recovery-points-by-backup-vault', {
    region,
    'backup-vault-name': vault,
  })
  const until = at === null ? Number.POSITIVE_INFINITY : Date.parse(at)
  const newest = copiesIn(found, source).find((copy) => madeAt(copy) <= until)
  if (!newest) throw notRestored(source, `the vault ${vault} in ${region} has no copy that old`)
  return awsText(newest, 'RecoveryPointArn')
}

/** Sets the properties that a restored table lacks: expiry, point-in-time recovery, deletion protection, and the tags by which backups select it. */
async function complete(
  by: Restoring,
  table: TableName,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<void> {
  const { aws } = by
  const named = { 'table-name': target }
  await aws('dynamodb update-time-to-live', {
    ...named,
    'time-to-live-specification': `Enabled=true,AttributeName=${tables[table].expiresAt}`,
  })
  // For some minutes a new table answers that its backups are being enabled.
  let attempts = 0
  await until(by, `recovery of ${target} to a point in time`, () =>
    aws('dynamodb update-continuous-backups', {
      ...named,
      'point-in-time-recovery-specification': 'PointInTimeRecoveryEnabled=true',
    }).then(
      () => true,
      (error: unknown) => {
        if (!/ContinuousBackupsUnavailable/.test(String(error)) || ++attempts === ATTEMPTS) throw error
        return false
      },
    ),
  )
  await aws('dynamodb update-table', { ...named, 'deletion-protection-enabled': '' })
  const made = awsText(await aws('dynamodb describe-table', named), 'Table', 'TableArn')
  const tags = await aws('dynamodb list-tags-of-resource', {
    'resource-arn': made.replace(`table/${target}`, `table/${source}`),
  })
  const own = listIn(tags, 'Tags').filter(({ Key }) => !String(Key).startsWith('aws:'))
  if (own.length > 0) await aws('dynamodb tag-resource', { 'resource-arn': made, tags: JSON.stringify(own) })
}

/** A restore takes 10 to 60 minutes whatever the size. */
async function until(
  { pause, warn }: Restoring,
  what: string,
  isThere: () => Promise<boolean>,
): Promise<void> {
  for (let asked = 0; !(await isThere()); asked++) {
    if (asked % 8 === 0) warn(`waiting for ${what}`)
    await pause()
  }
}

type Options = {
  readonly stage: Restoring['stage']
  readonly at?: string
  readonly fromCopies?: boolean
  readonly resume?: string
  readonly aws: boolean
}

const PAUSE_MS = 15_000
/** Ten minutes. */
const ATTEMPTS = 40

async function runRestore(call: CommandCall<Options>): Promise<ExitCode> {
  const { args, options, warn } = call
  if (!options.aws) throw notRestored('a local run', 'only tables on AWS can be restored: use --aws')
  const names = namesFrom(args[0] as readonly string[], options.fromCopies === true)
  const { env } = await call.deployment()
  const sources = names.map((name) => {
    const table = env[tables[name].environment]
    if (!table) throw notRestored(name, `export AdminEnvironment: ${tables[name].environment} is not set`)
    return [name, table] as const
  })
  const restored = await restoreTables({
    aws: askByCli(process.env),
    stage: options.stage,
    sources: Object.fromEntries(sources),
    warn,
    at: options.at ?? null,
    isFromCopies: options.fromCopies === true,
    mark: options.resume ?? new Date().toISOString().replace(/\D/g, '').slice(0, 12),
    isResumed: options.resume !== undefined,
    pause: () => sleep(PAUSE_MS),
  })
  const chosen = Object.entries(restored).map(([name, table]) => `-c ${name}Table=${table}`)
  return sayResult(call, restored, `npm run deploy -- -c stage=${options.stage} ${chosen.join(' ')}`)
}

/** Usage is not copied to the second region. */
function namesFrom(given: readonly string[], isFromCopies: boolean): readonly TableName[] {
  const all = Object.keys(tables) as readonly TableName[]
  const unknown = given.find((name) => !all.some((table) => table === name))
  if (unknown !== undefined) throw notRestored(unknown, `there are ${all.join(', ')}`)
  return all.filter((name) => (given.length > 0 ? given.includes(name) : !isFromCopies || name !== 'usage'))
}

const timeFrom = (text: string): string => new Date(secondsFrom(text) * 1_000).toISOString()

const restoreCommand = commandOf<Options>({
  usage: 'restore [tables...]',
  description:
    'With --aws: restores tables (access, market, usage; default: all) under new names, and prints how to deploy with them.',
  options: [
    new Option('--stage <stage>', 'stage of the tables').choices(Object.keys(stageSizes)).default('dev'),
    new Option('--at <time>', 'restore this time; default: the latest').argParser(timeFrom),
    new Option('--resume <mark>', 'go on with an interrupted restore: the digits at the end of its names'),
    new Option('--from-copies', 'from the second region: the tables themselves are lost'),
  ],
  run: runRestore,
})

export const groups: readonly CommandGroup[] = [
  { name: null, description: 'The tables on AWS', commands: [restoreCommand] },
]

import { expect, test } from 'vitest'
import type { AwsAnswer } from '../../admin/base/aws-cli.ts'
import { type Restoring, restoreTables } from '../../admin/deploy/restore.ts'
import { admin } from '../support/admin.ts'

const ARN = 'arn:aws:dynamodb:us-east-1:123456789012:table'
const point = (table: string, day: number, Status = 'COMPLETED'): AwsAnswer => ({
  Status,
  ResourceArn: `${ARN}/${table}`,
  RecoveryPointArn: `point-${table}-${day}`,
  CreationDate: `2026-11-${day}T10:00:00Z`,
})

/** An account that answers as AWS documents it, and what it was asked. A list of answers is given one by one. */
function accountWith(more: Readonly<Record<string, AwsAnswer | null | readonly AwsAnswer[]>> = {}) {
  const answers: Record<string, AwsAnswer | null | readonly AwsAnswer[]> = {
    'sts get-caller-identity': { Account: '123456789012' },
    'cloudformation describe-stacks': {
      Stacks: [{ Outputs: [{ OutputKey: 'BackupRoleArn', OutputValue: 'arn:role' }] }],
    },
    'backup list-recovery-points-by-backup-vault': {
      RecoveryPoints: [
        point('access', 19),
        point('access', 21),
        point('access', 20),
        point('market', 22),
        point('access', 23, 'PARTIAL'),
        point('access', 24, 'CREATING'),
      ],
    },
    'backup start-copy-job': { CopyJobId: 'copy' },
    'backup describe-copy-job': [
      { CopyJob: { State: 'RUNNING' } },
      { CopyJob: { State: 'COMPLETED', DestinationRecoveryPointArn: 'point-here' } },
    ],
    'backup start-restore-job': { RestoreJobId: 'restore' },
    'backup describe-restore-job': [{ Status: 'PENDING' }, { Status: 'COMPLETED' }],
    'dynamodb describe-table': { Table: { TableStatus: 'ACTIVE', TableArn: `${ARN}/access-restored-1` } },
    'dynamodb list-tags-of-resource': {
      Tags: [
        { Key: 'backup', Value: 'z100-prod-access' },
        { Key: 'aws:cloudformation:stack-name', Value: 'x' },
      ],
    },
    ...more,
  }
  const asked: (readonly [string, Readonly<Record<string, string>>])[] = []
  const restoring: Restoring = {
    aws: async (call, options = {}) => {
      asked.push([call, options])
      const answer = answers[call] ?? (call in answers ? null : {})
      return Array.isArray(answer) ? ((answer as AwsAnswer[]).shift() ?? {}) : (answer as AwsAnswer | null)
    },
    stage: 'prod',
    sources: { access: 'access' },
    at: null,
    isFromCopies: true,
    mark: '1',
    isResumed: false,
    pause: async () => undefined,
    warn: () => undefined,
  }
  const optionsOf = (call: string) => asked.find(([name]) => name === call)?.[1]
  return { restoring, asked, optionsOf }
}

test('a restored table keeps the limit of its reads, and recovery is asked for again while it is being enabled', async () => {
  const { restoring, optionsOf } = accountWith({
    'dynamodb describe-table': {
      Table: {
        TableStatus: 'ACTIVE',
        TableArn: `${ARN}/access-restored-1`,
        OnDemandThroughput: { MaxReadRequestUnits: 4_000 },
      },
    },
  })
  function refusing(refusals: number, name: string): Restoring['aws'] {
    return async (call, options) => {
      if (call === 'dynamodb update-continuous-backups' && refusals-- > 0)
        throw new Error(`An error occurred (${name}) when calling UpdateContinuousBackups`)
      return restoring.aws(call, options)
    }
  }
  const by = { ...restoring, isFromCopies: false }
  const wait = 'ContinuousBackupsUnavailableException'
  await restoreTables({ ...by, aws: refusing(39, wait) })
  expect(optionsOf('dynamodb restore-table-to-point-in-time')).toMatchObject({
    'on-demand-throughput-override': 'MaxReadRequestUnits=4000',
  })
  await expect(restoreTables({ ...by, aws: refusing(40, wait) })).rejects.toThrow(wait)
  await expect(restoreTables({ ...by, aws: refusing(1, 'AccessDeniedException') })).rejects.toThrow('Denied')
})

test('the newest copy comes back from the second region, is restored there where the service is, and made whole', async () => {
  const { restoring, optionsOf } = accountWith()
  expect(await restoreTables(restoring)).toEqual({ access: 'access-restored-1' })
  expect(optionsOf('backup start-copy-job')).toEqual({
    region: 'us-west-2',
    'recovery-point-arn': 'point-access-21',
    'source-backup-vault-name': 'z100-prod-copies',
    'destination-backup-vault-arn': 'arn:aws:backup:us-east-1:123456789012:backup-vault:z100-prod',
    'iam-role-arn': 'arn:role',
  })
  expect(optionsOf('backup start-restore-job')).toMatchObject({ 'recovery-point-arn': 'point-here' })
  expect(optionsOf('backup start-restore-job')?.['metadata']).toContain(
    '"targetTableName":"access-restored-1"',
  )
  expect(optionsOf('dynamodb update-time-to-live')?.['table-name']).toBe('access-restored-1')
  expect(optionsOf('dynamodb update-continuous-backups')?.['table-name']).toBe('access-restored-1')
  expect(optionsOf('dynamodb update-table')).toHaveProperty('deletion-protection-enabled')
  expect(JSON.parse(optionsOf('dynamodb tag-resource')?.['tags'] ?? '')).toEqual([
    { Key: 'backup', Value: 'z100-prod-access' },
  ])
})

test('an interrupted restore goes on with the table that it has begun', async () => {
  const { restoring, optionsOf } = accountWith()
  const by = { ...restoring, isFromCopies: false, isResumed: true }
  expect(await restoreTables(by)).toEqual({ access: 'access-restored-1' })
  expect(optionsOf('dynamodb restore-table-to-point-in-time')).toBeUndefined()
  expect(optionsOf('dynamodb update-time-to-live')).toBeDefined()
  const early = accountWith()
  const aws: Restoring['aws'] = (call, options) =>
    call === 'dynamodb describe-table' && !early.optionsOf('dynamodb restore-table-to-point-in-time')
      ? Promise.resolve(null)
      : early.restoring.aws(call, options)
  await restoreTables({ ...early.restoring, aws, isFromCopies: false, isResumed: true })
  expect(early.optionsOf('dynamodb restore-table-to-point-in-time')).toBeDefined()
})

test('a copy of then is taken where a time is named, and none that is younger', async () => {
  const { restoring, optionsOf } = accountWith()
  await restoreTables({ ...restoring, at: '2026-11-20T12:00:00.000Z' })
  expect(optionsOf('backup start-copy-job')?.['recovery-point-arn']).toBe('point-access-20')
  const early = accountWith().restoring
  await expect(restoreTables({ ...early, at: '2026-11-01T12:00:00.000Z' })).rejects.toThrow(
    /no copy that old/,
  )
})

test.each([
  [
    'a table that is gone',
    { 'dynamodb restore-table-to-point-in-time': null },
    /--from-copies takes its copy/,
  ],
  [
    'a job that fails',
    { 'backup describe-copy-job': { CopyJob: { State: 'FAILED', StatusMessage: 'no' } } },
    /FAILED no/,
  ],
  ['a storage stack that is gone', { 'cloudformation describe-stacks': null }, /deploy it first/],
] as const)('says what is wrong with %s', async (what, answers, says) => {
  const { restoring } = accountWith(answers)
  await expect(
    restoreTables({ ...restoring, isFromCopies: what !== 'a table that is gone' }),
  ).rejects.toThrow(says)
})

test('a table that was restored before is restored again under a name no longer', async () => {
  const { restoring } = accountWith()
  const again = { ...restoring, isFromCopies: false, sources: { access: 'access-restored-202611221200' } }
  expect(await restoreTables(again)).toEqual({ access: 'access-restored-1' })
})

test('nothing is restored if any requested table is unknown', async () => {
  process.env['ACCESS_TABLE'] = 'access'
  delete process.env['MARKET_TABLE']
  const { code, err } = await admin('restore', 'access', 'market', '--aws')
  expect([code, err]).toEqual([2, expect.stringMatching(/market: .*MARKET_TABLE is not set/)])
  expect(err).not.toContain('restored as')
})

test.each(['5', '22 Nov 2026 10:00', '2026-02-30T10:00Z', '2026-11-22', '2026-11-22T10:00ZZ'])(
  'no time is read from %j',
  async (time) => {
    for (const command of [['restore', '--aws'], ...(time === '5' ? [] : [['rebuild']])]) {
      const { code, err } = await admin(...command, '--at', time)
      expect([code, err]).toEqual([2, expect.stringContaining('It must be a time such as')])
    }
  },
)

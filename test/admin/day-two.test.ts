import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AskAws, AwsAnswer } from '../../admin/base/aws-cli.ts'
import { freeze } from '../../admin/deploy/freeze.ts'
import { recount } from '../../admin/deploy/recount.ts'

const resource = (ResourceType: string, LogicalResourceId: string, PhysicalResourceId: string) => ({
  ResourceType,
  LogicalResourceId,
  PhysicalResourceId,
})

/** The resources of a service, and what AWS was asked of them. A list of answers is given one by one. */
function serviceWith(
  resources: readonly AwsAnswer[],
  answers: Readonly<Record<string, AwsAnswer | null | AwsAnswer[]>>,
) {
  const asked: (readonly [string, Readonly<Record<string, string>>])[] = []
  const aws: AskAws = async (call, options = {}) => {
    if (call === 'cloudformation list-stack-resources') return { StackResourceSummaries: resources }
    asked.push([call, options])
    const answer = answers[call] ?? null
    return Array.isArray(answer) ? (answer.shift() ?? {}) : answer
  }
  return { at: { aws, stage: 'prod' as const }, asked }
}

const schedule = {
  Name: 'each-minute',
  GroupName: 'minutes',
  State: 'ENABLED',
  ScheduleExpression: 'rate(1 minute)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: 'arn:rebuild', RoleArn: 'arn:role', RetryPolicy: { MaximumRetryAttempts: 0 } },
}

test.each([
  { isOff: false, state: 'DISABLED' },
  { isOff: true, state: 'ENABLED' },
])(
  'freeze puts the schedule of the rebuilds into the state $state, and changes nothing else of it',
  async ({ isOff, state }) => {
    const { at, asked } = serviceWith(
      [
        resource('AWS::Scheduler::ScheduleGroup', 'ArchiveHours1', 'hours'),
        resource('AWS::Scheduler::ScheduleGroup', 'SnapshotsMinutesC1', 'minutes'),
        resource('AWS::Scheduler::Schedule', 'ArchiveEachHour1', 'each-hour'),
        resource('AWS::Scheduler::Schedule', 'SnapshotsEachMinuteB2', 'each-minute'),
      ],
      { 'scheduler get-schedule': schedule, 'scheduler update-schedule': {} },
    )
    await freeze(at, isOff)
    expect(asked).toEqual([
      ['scheduler get-schedule', { 'group-name': 'minutes', name: 'each-minute' }],
      [
        'scheduler update-schedule',
        {
          name: 'each-minute',
          'group-name': 'minutes',
          'schedule-expression': 'rate(1 minute)',
          'flexible-time-window': '{"Mode":"OFF"}',
          target: JSON.stringify(schedule.Target),
          state,
        },
      ],
    ])
  },
)

test('freeze stops the task where one rebuilds, and says where nothing does', async () => {
  const { at, asked } = serviceWith(
    [
      resource('AWS::ECS::Cluster', 'NetworkCluster1', 'cluster'),
      resource('AWS::ECS::Service', 'SnapshotsRebuildTaskService1', 'rebuild'),
    ],
    { 'ecs update-service': {} },
  )
  await freeze(at, false)
  expect(asked).toEqual([
    ['ecs update-service', { cluster: 'cluster', service: 'rebuild', 'desired-count': '0' }],
  ])
  await expect(freeze(serviceWith([], {}).at, false)).rejects.toThrow('nothing rebuilds in Z100-prod-Service')
})

/** As Lambda puts a failed event of CloudWatch Logs into the queue. */
const envelope = (data: string) =>
  JSON.stringify({
    version: '1.0',
    requestContext: { condition: 'RetriesExhausted' },
    requestPayload: { awslogs: { data } },
  })

test('recount gives each batch to the function as it is, and removes those that were counted', async () => {
  const message = (n: number) => ({ Body: envelope(`batch-${n}`), ReceiptHandle: `receipt-${n}` })
  const { at, asked } = serviceWith(
    [
      resource('AWS::SQS::Queue', 'EdgeUsageUncountedA1', 'https://sqs/uncounted'),
      resource('AWS::Lambda::Function', 'EdgeUsageCountB2', 'count'),
    ],
    {
      'sqs receive-message': [{ Messages: [message(1), message(2)] }, { Messages: [message(3)] }, {}],
      'lambda invoke /dev/null': [{ StatusCode: 200 }, { StatusCode: 200, FunctionError: 'Unhandled' }, {}],
      'sqs delete-message': {},
    },
  )
  const payloads: string[] = []
  const aws: AskAws = async (call, options = {}) => {
    if (options['payload']) payloads.push(readFileSync(options['payload'].replace('fileb://', ''), 'utf8'))
    return at.aws(call, options)
  }
  expect(await recount({ ...at, aws })).toEqual({ counted: 2, failed: 1 })
  expect(payloads).toEqual([1, 2, 3].map((n) => envelope(`batch-${n}`)))
  const removed = asked.filter(([call]) => call === 'sqs delete-message')
  expect(removed.map(([, options]) => options['receipt-handle'])).toEqual(['receipt-1', 'receipt-3'])
})

import { describe, expect, it } from 'vitest'
import { type AwsAnswer, awsCall } from '../../admin/aws-cli.ts'
import { examine } from '../../admin/doctor.ts'
import type { Surroundings } from '../../admin/doctor-look.ts'

type Answers = Readonly<Record<string, AwsAnswer | null>>
type Pages = Readonly<Record<string, { readonly status: number; readonly text: string }>>

const NOW = 1_800_000_000
const EDGE = 'd111.cloudfront.net'
const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/1'
const resource = (ResourceType: string, PhysicalResourceId: string) => ({ ResourceType, PhysicalResourceId })

/** What ACM says of a certificate in good order, and of one that is not. */
function certificate(more: AwsAnswer = {}): AwsAnswer {
  const NotAfter = new Date((NOW + 100 * 86_400) * 1_000).toISOString()
  const names = { DomainName: 'example.org', SubjectAlternativeNames: ['*.example.org'] }
  return { Certificate: { Status: 'ISSUED', ...names, NotAfter, ...more } }
}

/** What an account in good order answered, by call and the options that tell calls apart. */
const sound: Answers = {
  'sts get-caller-identity': { Account: '123456789012' },
  'cloudformation describe-stacks CDKToolkit': { Stacks: [{ StackStatus: 'CREATE_COMPLETE' }] },
  'cloudformation describe-stacks Z100-dev-Storage': { Stacks: [{ StackStatus: 'CREATE_COMPLETE' }] },
  'cloudformation describe-stacks Z100-dev-Service': {
    Stacks: [
      {
        StackStatus: 'UPDATE_COMPLETE',
        Outputs: [{ OutputKey: 'Address', OutputValue: `https://${EDGE}` }],
        Parameters: [
          { ParameterKey: 'DomainNames', ParameterValue: 'data.example.org,example.org' },
          { ParameterKey: 'CertificateArn', ParameterValue: CERTIFICATE },
        ],
      },
    ],
  },
  'cloudformation describe-stack-resources Z100-dev-Storage': {
    StackResources: [
      resource('AWS::DynamoDB::Table', 'market'),
      resource('AWS::SecretsManager::Secret', 'arn:secret'),
      resource('AWS::S3::Bucket', 'segments'),
    ],
  },
  'cloudformation describe-stack-resources Z100-dev-Service': {
    StackResources: [
      resource('AWS::SNS::Topic', 'arn:topic'),
      resource('AWS::ElasticLoadBalancingV2::TargetGroup', 'arn:targets'),
      resource('AWS::ApiGateway::RestApi', 'a1b2'),
    ],
  },
  'secretsmanager get-secret-value arn:secret': { SecretString: 'https://rpc.example/secret' },
  [`acm describe-certificate ${CERTIFICATE}`]: certificate(),
  's3api get-bucket-replication segments': { ReplicationConfiguration: {} },
  'backup list-recovery-points-by-backup-vault z100-prod-copies': {
    RecoveryPoints: [{ CreationDate: new Date((NOW - 5_000) * 1_000).toISOString() }],
  },
  'lambda get-account-settings': { AccountLimit: { ConcurrentExecutions: 1_000 } },
  'service-quotas get-service-quota L-3032A538': { Quota: { Value: 6 } },
  'ec2 describe-managed-prefix-lists pl-3b927c52': {
    PrefixLists: [{ PrefixListName: 'com.amazonaws.global.cloudfront.origin-facing' }],
  },
  'sns list-subscriptions-by-topic arn:topic': {
    Subscriptions: [{ SubscriptionArn: 'arn:aws:sns:us-east-1:123456789012:topic:1' }],
  },
  'dynamodb describe-time-to-live market': { TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED' } },
  'dynamodb describe-continuous-backups market': {
    ContinuousBackupsDescription: {
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' },
    },
  },
  'cloudwatch describe-alarms ALARM': { MetricAlarms: [] },
  'elbv2 describe-target-health arn:targets': {
    TargetHealthDescriptions: [{ TargetHealth: { State: 'healthy' } }],
  },
}

/** The same answers of another stage. */
const ofProd: Answers = Object.fromEntries(
  Object.entries(sound).map(([call, answer]) => [call.replace('Z100-dev', 'Z100-prod'), answer]),
)

const page = (status: number, text = '') => ({ status, text })
const said = (result: unknown) => page(200, JSON.stringify({ result }))
const soundPages: Pages = {
  [`https://${EDGE}/v1/status`]: page(200, JSON.stringify({ as_of: new Date(NOW * 1_000 - 60_000) })),
  [`https://${EDGE}/v1/z100/creators`]: page(401),
  [`http://${EDGE}/v1/status`]: page(403),
  'https://a1b2.execute-api.us-east-1.amazonaws.com/live/v1/status': page(401),
  [`https://${EDGE}/stream/swaps`]: page(200),
  [`https://${EDGE}/config.json`]: page(200),
  'https://data.example.org/v1/status': page(200),
  'https://example.org/v1/status': page(200),
  'eth_chainId https://rpc.example/secret': said('0x2105'),
  'eth_getBalance https://rpc.example/secret': said('0x1'),
}

function accountWith(
  answers: Answers = {},
  pages: Pages = {},
  { stage = 'dev', ...more }: Partial<Surroundings> = {},
): Surroundings {
  const all = { ...sound, ...answers }
  const web = { ...soundPages, ...pages }
  return {
    stage,
    region: 'us-east-1',
    choices: {},
    now: NOW,
    aws: async (call, options = {}) => {
      const [named = ''] = Object.values(options).slice(-1)
      const answer = all[`${call} ${named}`.trim()]
      if (answer === undefined) throw awsCall(call, `nothing is recorded of ${named}`)
      return answer
    },
    http: async (url, { body } = {}) => {
      const { method } = body === undefined ? { method: '' } : (JSON.parse(body) as { method: string })
      const answer = web[`${method} ${url}`.trim()]
      if (!answer) throw new Error(`nothing answers at ${url}`)
      return answer
    },
    ...more,
  }
}

const faultsOf = async (at: Surroundings) =>
  (await examine(at)).filter(({ fault }) => fault !== null).map(({ check, fault }) => [check, fault])

describe('doctor --aws', () => {
  it('finds nothing wrong with an account in good order', async () => {
    expect(await faultsOf(accountWith())).toEqual([])
  })

  it('looks at what a deployment needs alone where there is none', async () => {
    const found = await examine(accountWith({ 'cloudformation describe-stacks Z100-dev-Service': null }))
    expect(found.map(({ check }) => check)).toEqual([
      ...['credentials', 'region', 'bootstrap', 'concurrent runs', 'vCPUs of Fargate'],
      ...['prefix list of CloudFront', 'endpoints', 'archive', 'certificate'],
    ])
  })

  type Planted = readonly [
    check: string,
    says: RegExp,
    answers: Answers,
    pages?: Pages,
    more?: Partial<Surroundings>,
  ]
  const chosen = (choices: Surroundings['choices']) => ({ choices })
  const certified = (more: AwsAnswer): Answers => ({
    [`acm describe-certificate ${CERTIFICATE}`]: certificate(more),
  })
  const planted: readonly Planted[] = [
    ['credentials', /no credentials/, { 'sts get-caller-identity': null }],
    ['bootstrap', /bootstrap is missing/, { 'cloudformation describe-stacks CDKToolkit': null }],
    [
      'concurrent runs',
      /allows 5 concurrent/,
      { 'lambda get-account-settings': { AccountLimit: { ConcurrentExecutions: 5 } } },
    ],
    [
      'vCPUs of Fargate',
      /allows 1 vCPUs/,
      { 'service-quotas get-service-quota L-3032A538': { Quota: { Value: 1 } } },
    ],
    [
      'prefix list of CloudFront',
      /not CloudFront/,
      { 'ec2 describe-managed-prefix-lists pl-3b927c52': null },
    ],
    ['region', /is eu-west-1/, {}, {}, { region: 'eu-west-1' }],
    ['endpoints', /no endpoint .* is named/, {}, {}, chosen({ rpcUrls: '' })],
    ['certificate', /no certificate of these/, {}, {}, chosen({ certificateArn: '' })],
    [
      'certificate',
      /not in us-east-1/,
      {},
      {},
      chosen({ certificateArn: CERTIFICATE.replace('us-east', 'eu-west') }),
    ],
    ['certificate', /is PENDING_VALIDATION/, certified({ Status: 'PENDING_VALIDATION' })],
    ['certificate', /not of data\.example\.org/, certified({ SubjectAlternativeNames: ['example.org'] })],
    [
      'certificate',
      /ends in 3 days/,
      certified({ NotAfter: new Date((NOW + 3.5 * 86_400) * 1_000).toISOString() }),
    ],
    ['own names', /example\.org answers 403/, {}, { 'https://example.org/v1/status': page(403) }],
    [
      'endpoints',
      /rpc\.example is of chain 0x1,/,
      {},
      { 'eth_chainId https://rpc.example/secret': said('0x1') },
    ],
    [
      'endpoints',
      /rpc\.example does not answer/,
      {},
      { 'eth_chainId https://rpc.example/secret': page(502, '<html>') },
    ],
    [
      'archive',
      /past states/,
      {},
      {
        'eth_getBalance https://rpc.example/secret': page(
          200,
          JSON.stringify({ error: 'missing trie node' }),
        ),
      },
    ],
    [
      'stacks',
      /Z100-dev-Storage is UPDATE_ROLLBACK_FAILED/,
      {
        'cloudformation describe-stacks Z100-dev-Storage': {
          Stacks: [{ StackStatus: 'UPDATE_ROLLBACK_FAILED' }],
        },
      },
    ],
    ['mail', /told to nobody/, { 'sns list-subscriptions-by-topic arn:topic': { Subscriptions: [] } }],
    [
      'mail',
      /not confirmed/,
      {
        'sns list-subscriptions-by-topic arn:topic': {
          Subscriptions: [{ SubscriptionArn: 'PendingConfirmation' }],
        },
      },
    ],
    [
      'tables',
      /do not expire/,
      {
        'dynamodb describe-time-to-live market': { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } },
      },
    ],
    ['tables', /point in time/, { 'dynamodb describe-continuous-backups market': {} }],
    [
      'alarms',
      /Z100-dev-Service-LogStuck rings/,
      { 'cloudwatch describe-alarms ALARM': { MetricAlarms: [{ AlarmName: 'Z100-dev-Service-LogStuck' }] } },
    ],
    [
      'tasks of the stream',
      /no task/,
      {
        'elbv2 describe-target-health arn:targets': {
          TargetHealthDescriptions: [{ TargetHealth: { State: 'unhealthy' } }],
        },
      },
    ],
    ['snapshot', /answers 503/, {}, { [`https://${EDGE}/v1/status`]: page(503) }],
    [
      'snapshot',
      /is 3600 s old/,
      {},
      {
        [`https://${EDGE}/v1/status`]: page(200, JSON.stringify({ as_of: new Date((NOW - 3_600) * 1_000) })),
      },
    ],
    [
      'keys at the edge',
      /without a key answers 200/,
      {},
      { [`https://${EDGE}/v1/z100/creators`]: page(200) },
    ],
    ['plain http', /answers 301/, {}, { [`http://${EDGE}/v1/status`]: page(301) }],
    [
      'the way around the edge',
      /answers 200/,
      {},
      { 'https://a1b2.execute-api.us-east-1.amazonaws.com/live/v1/status': page(200) },
    ],
    ['stream', /answers 504/, {}, { [`https://${EDGE}/stream/swaps`]: page(504) }],
    ['key of the pages', /no key/, {}, { [`https://${EDGE}/config.json`]: page(404) }],
  ]
  it.each(planted.map(([check, says, ...account]) => ({ check, says, found: account })))(
    'says $check: $says',
    async ({ check, says, found }) => {
      expect(await faultsOf(accountWith(...found))).toEqual([[check, expect.stringMatching(says)]])
    },
  )

  it('says what each stage needs more, and tells no key of an endpoint', async () => {
    const found = await faultsOf(
      accountWith(
        { ...ofProd, 'lambda get-account-settings': { AccountLimit: { ConcurrentExecutions: 100 } } },
        {},
        { stage: 'prod' },
      ),
    )
    expect(found.map(([check]) => check)).toEqual(['concurrent runs', 'vCPUs of Fargate'])
    expect(
      JSON.stringify(await examine(accountWith({}, { 'eth_chainId https://rpc.example/secret': page(500) }))),
    ).not.toContain('secret')
  })

  it.each([
    [/not copied to us-west-2/, { 's3api get-bucket-replication segments': null }],
    [
      /newest backup in us-west-2 is not there/,
      { 'backup list-recovery-points-by-backup-vault z100-prod-copies': { RecoveryPoints: [] } },
    ],
    [
      /newest backup in us-west-2 is 5 hours old/,
      {
        'backup list-recovery-points-by-backup-vault z100-prod-copies': {
          RecoveryPoints: [{ CreationDate: new Date((NOW - 5 * 3_600) * 1_000).toISOString() }],
        },
      },
    ],
  ] as readonly [RegExp, Answers][])('says of copies in a second region: %s', async (says, answers) => {
    const found = await faultsOf(accountWith({ ...ofProd, ...answers }, {}, { stage: 'prod' }))
    expect(found).toContainEqual(['copies', expect.stringMatching(says)])
  })

  it('tries the endpoints that a deployment will be given, and else those of the secret', async () => {
    const given = { choices: { rpcUrls: 'https://new.example/key' } }
    const at = accountWith({}, { 'eth_chainId https://new.example/key': page(502) }, given)
    expect(await faultsOf(at)).toEqual([
      ['endpoints', expect.stringMatching(/new\.example does not answer/)],
      ['archive', expect.stringMatching(/past states/)],
    ])
  })

  it('what cannot be looked at is said, and the rest is looked at all the same', async () => {
    const at = accountWith()
    const aws: Surroundings['aws'] = async (call, options) =>
      call.startsWith('lambda') ? Promise.reject(awsCall(call, 'AccessDenied')) : at.aws(call, options)
    expect(await faultsOf({ ...at, aws })).toEqual([
      ['concurrent runs', expect.stringContaining('AccessDenied')],
    ])
  })
})

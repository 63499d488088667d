import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AwsAnswer, awsCall } from '../../admin/base/aws-cli.ts'
import { examine } from '../../admin/deploy/doctor.ts'
import type { Surroundings } from '../../admin/deploy/doctor-look.ts'
import { listen } from '../../dev/emulators/listening.ts'
import { admin } from '../support/admin.ts'
import { tempDir } from '../support/temp-dir.ts'

type Answers = Readonly<Record<string, AwsAnswer | null>>
type Pages = Readonly<Record<string, { readonly status: number; readonly text: string }>>

const NOW = 1_800_000_000
const EDGE = 'd111.cloudfront.net'
const RPC = 'https://rpc.example/secret'
const GATEWAY = 'https://a1b2.execute-api.us-east-1.amazonaws.com/live/v1/status'
const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/1'
const resource = (ResourceType: string, PhysicalResourceId: string, LogicalResourceId = '') => ({
  ResourceType,
  PhysicalResourceId,
  LogicalResourceId,
})

const at = (seconds: number) => new Date(seconds * 1_000).toISOString()

/** What ACM says of a certificate in good order, and of one that is not. */
function certificate(more: AwsAnswer = {}): AwsAnswer {
  const NotAfter = at(NOW + 100 * 86_400)
  const names = { DomainName: 'example.org', SubjectAlternativeNames: ['*.example.org'] }
  return { Certificate: { Status: 'ISSUED', ...names, NotAfter, ...more } }
}

const stacks = (StackStatus: string, more: AwsAnswer = {}) => ({ Stacks: [{ StackStatus, ...more }] })
const runs = (ConcurrentExecutions: number) => ({ AccountLimit: { ConcurrentExecutions } })
const quota = (Value: number) => ({ Quota: { Value } })
const subscribed = (...all: string[]) => ({
  Subscriptions: all.map((SubscriptionArn) => ({ SubscriptionArn })),
})
const expiry = (TimeToLiveStatus: string) => ({ TimeToLiveDescription: { TimeToLiveStatus } })
const backups = (PointInTimeRecoveryStatus: string) => ({
  ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus } },
})
const alarming = (...names: string[]) => ({ MetricAlarms: names.map((AlarmName) => ({ AlarmName })) })
const health = (State: string) => ({ TargetHealthDescriptions: [{ TargetHealth: { State } }] })
/** Copies of backups by table, with their ages in hours. */
const copied = (hours: Readonly<Record<string, number>>, Status = 'COMPLETED') => ({
  RecoveryPoints: Object.entries(hours).map(([table, age]) => ({
    Status,
    CreationDate: at(NOW - age * 3_600),
    ResourceArn: `arn:aws:dynamodb:us-east-1:1:table/${table}`,
  })),
})

/** Versions of a secret, the current one first. */
const versions = (...ids: string[]) => ({
  Versions: ids.map((VersionId, n) => ({
    VersionId,
    VersionStages: [n === 0 ? 'AWSCURRENT' : 'AWSPREVIOUS'],
  })),
})

const RUNS = 'lambda get-account-settings'
const QUOTA = 'service-quotas get-service-quota L-3032A538'
const SPOT_QUOTA = 'service-quotas get-service-quota L-36FBB829'
const VERSIONS = 'secretsmanager list-secret-version-ids arn:origin'
const DISTRIBUTIONS = 'cloudfront list-distributions'
const PREFIX_LIST = 'ec2 describe-managed-prefix-lists pl-3b927c52'
const MAIL = 'sns list-subscriptions-by-topic arn:topic'
const EXPIRY = 'dynamodb describe-time-to-live market'
const BACKUPS = 'dynamodb describe-continuous-backups market'
const ALARMS = 'cloudwatch describe-alarms ALARM'
const HEALTH = 'elbv2 describe-target-health arn:targets'
const REPLICATION = 's3api get-bucket-replication segments'
const COPIES = 'backup list-recovery-points-by-backup-vault z100-prod-copies'
const STORAGE = 'cloudformation describe-stacks Z100-dev-Storage'
const SERVICE = 'cloudformation describe-stacks Z100-dev-Service'
const BESIDE = 'cloudformation describe-stacks Z100-dev-Beside'
const COPIES_STACK = 'cloudformation describe-stacks Z100-prod-Copies'
const COPIES_BUCKET = 's3api head-bucket z100-prod-copies-123456789012-us-west-2'
const REGIONS = 'ec2 describe-regions us-west-2'
const BOOTSTRAP = 'cloudformation describe-stacks CDKToolkit'

/** An item of the register of logs, and the call that reads it. */
const itemOf = (pk: string, sk: string) =>
  `dynamodb get-item ${JSON.stringify({ pk: { S: pk }, sk: { S: sk } })}`
const content = (facts: object) => ({ Item: { content: { S: JSON.stringify(facts) } } })
const LIVE = itemOf('SYS', 'LIVE')
const [OWN, OTHER] = ['5.4/own', '4.3/other']
const live = (publisher: string, ...past: readonly string[]) =>
  content({ log: '', publisher, switches: 1, past })
const progress = (minute: number) =>
  content({ minute, sealed: minute, at: 1_000, first: { at: 400, minute: minute - 100 } })

/** What an account in good order answered, by call and the options that tell calls apart. */
const sound: Answers = {
  'sts get-caller-identity': { Account: '123456789012' },
  [BOOTSTRAP]: stacks('CREATE_COMPLETE'),
  [BESIDE]: null,
  [COPIES_STACK]: stacks('CREATE_COMPLETE'),
  [REGIONS]: { Regions: [{ OptInStatus: 'opt-in-not-required' }] },
  [LIVE]: live(OWN, OWN),
  [STORAGE]: stacks('CREATE_COMPLETE'),
  [SERVICE]: stacks('UPDATE_COMPLETE', {
    Outputs: [{ OutputKey: 'Address', OutputValue: `https://${EDGE}` }],
    Parameters: [
      { ParameterKey: 'DomainNames', ParameterValue: 'data.example.org,example.org' },
      { ParameterKey: 'CertificateArn', ParameterValue: CERTIFICATE },
    ],
  }),
  'cloudformation list-stack-resources Z100-dev-Storage': {
    StackResourceSummaries: [
      resource('AWS::DynamoDB::Table', 'market', 'MarketTable7FEC6C0D'),
      resource('AWS::DynamoDB::Table', 'access', 'AccessTable13A21DD9'),
      resource('AWS::SecretsManager::Secret', 'arn:secret'),
      resource('AWS::S3::Bucket', 'segments'),
    ],
  },
  'cloudformation list-stack-resources Z100-dev-Service': {
    StackResourceSummaries: [
      resource('AWS::SNS::Topic', 'arn:topic'),
      resource('AWS::SecretsManager::Secret', 'arn:origin'),
      resource('AWS::ElasticLoadBalancingV2::TargetGroup', 'arn:targets'),
      resource('AWS::ApiGateway::RestApi', 'a1b2'),
    ],
  },
  'secretsmanager get-secret-value arn:secret': { SecretString: RPC },
  [`acm describe-certificate ${CERTIFICATE}`]: certificate(),
  [REPLICATION]: { ReplicationConfiguration: {} },
  [COPIES]: copied({ access: 2, market: 100, access2: 90 }),
  [RUNS]: runs(1_000),
  [QUOTA]: quota(6),
  [SPOT_QUOTA]: quota(6),
  [DISTRIBUTIONS]: { DistributionList: { Items: [{ Id: 'E1' }] } },
  [PREFIX_LIST]: { PrefixLists: [{ PrefixListName: 'com.amazonaws.global.cloudfront.origin-facing' }] },
  [MAIL]: subscribed('arn:aws:sns:us-east-1:123456789012:topic:1'),
  [EXPIRY]: expiry('ENABLED'),
  [BACKUPS]: backups('ENABLED'),
  [VERSIONS]: versions('v1'),
  'dynamodb describe-time-to-live access': expiry('ENABLED'),
  'dynamodb describe-continuous-backups access': backups('ENABLED'),
  [ALARMS]: alarming(),
  [HEALTH]: health('healthy'),
}

/** The same answers of another stage. */
const ofProd: Answers = Object.fromEntries(
  Object.entries(sound).map(([call, answer]) => [call.replace('Z100-dev', 'Z100-prod'), answer]),
)

const page = (status: number, text = '') => ({ status, text })
const said = (result: unknown) => page(200, JSON.stringify({ result }))
const status = (asOf: number) => page(200, JSON.stringify({ as_of: at(asOf) }))
const boards = (updated: number) => page(200, JSON.stringify({ last_updated: at(updated) }))
const soundPages: Pages = {
  [`https://${EDGE}/v1/status`]: status(NOW - 60),
  [`https://${EDGE}/v1/z100/creators`]: page(401),
  [`http://${EDGE}/v1/status`]: page(403),
  [GATEWAY]: page(401),
  [`https://${EDGE}/stream/swaps`]: page(200, 'retry: 1000'),
  [`https://${EDGE}/config.json`]: page(200, '{"key":"z100_site_1"}'),
  [`https://${EDGE}/v1/all z100_site_1`]: boards(NOW - 90),
  [`https://${EDGE}/v1/openapi.json`]: page(200, '{"openapi":"3.1.0"}'),
  [`https://${EDGE}/`]: page(200, '<!doctype html>'),
  'https://data.example.org/v1/status': page(200),
  'https://example.org/v1/status': page(200),
  [`eth_chainId ${RPC}`]: said('0x2105'),
  [`eth_getBalance ${RPC}`]: said('0x1'),
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
    cli: 'aws-cli/2.31.21 Python/3.13.7',
    publisher: OWN,
    image: { version: '24.9.9', releasedAt: at(NOW - 100 * 86_400) },
    aws: async (call, options = {}) => {
      const [named = ''] = Object.values(options).slice(-1)
      const answer = all[`${call} ${named}`.trim()]
      if (answer === undefined) throw awsCall(call, `nothing is recorded of ${named}`)
      return answer
    },
    http: async (url, { body, key = '' } = {}) => {
      const { method } = body === undefined ? { method: '' } : (JSON.parse(body) as { method: string })
      const answer = web[`${method} ${url} ${key}`.trim()]
      if (!answer) throw new Error(`nothing answers at ${url}`)
      return answer
    },
    ...more,
  }
}

const faultsOf = async (account: Surroundings) =>
  (await examine(account)).filter(({ fault }) => fault !== null).map(({ check, fault }) => [check, fault])

describe('doctor --aws', () => {
  it('finds nothing wrong with an account in good order', async () => {
    expect(await faultsOf(accountWith())).toEqual([])
  })

  it('ignores the alarms of another stage', async () => {
    const account = accountWith({ [ALARMS]: alarming('Z100-prod-Service-LogStuck') })
    expect(await faultsOf(account)).toEqual([])
  })

  it('without a deployment, checks only its prerequisites', async () => {
    const found = await examine(accountWith({ [SERVICE]: null }))
    expect(found.map(({ check }) => check)).toEqual([
      ...['credentials', 'region', 'command line', 'region of the copies', 'kept names', 'bootstrap'],
      ...['concurrent runs', 'vCPUs of Fargate'],
      ...['distributions', 'prefix list of CloudFront', 'endpoints', 'archive', 'certificate'],
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
    ['bootstrap', /bootstrap is missing/, { [BOOTSTRAP]: null }],
    ['concurrent runs', /allows 5 concurrent/, { [RUNS]: runs(5) }],
    ['vCPUs of Fargate', /allows 1 vCPUs of Fargate Spot/, { [SPOT_QUOTA]: quota(1) }],
    ['distributions', /must be verified/, { [DISTRIBUTIONS]: { DistributionList: { Quantity: 0 } } }],
    [
      'image of the tasks',
      /Node 24\.1\.0, which is 200 days old/,
      {},
      {},
      { image: { version: '24.1.0', releasedAt: at(NOW - 200 * 86_400) } },
    ],
    ['prefix list of CloudFront', /not CloudFront/, { [PREFIX_LIST]: null }],
    ['region', /is eu-west-1/, {}, {}, { region: 'eu-west-1' }],
    ['command line', /version 1/, {}, {}, { cli: 'aws-cli/1.45.11 Python/3.11' }],
    ['endpoints', /no RPC endpoint is configured/, {}, {}, chosen({ rpcUrls: '' })],
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
    ['certificate', /ends in 3 days/, certified({ NotAfter: at(NOW + 3.5 * 86_400) })],
    ['own names', /example\.org answers 403/, {}, { 'https://example.org/v1/status': page(403) }],
    ['endpoints', /rpc\.example is of chain 0x1,/, {}, { [`eth_chainId ${RPC}`]: said('0x1') }],
    ['endpoints', /rpc\.example does not answer/, {}, { [`eth_chainId ${RPC}`]: page(502, '<html>') }],
    ['archive', /past states/, {}, { [`eth_getBalance ${RPC}`]: page(200, '{"error":"missing trie node"}') }],
    ['stacks', /Z100-dev-Storage is UPDATE_ROLLBACK_FAILED/, { [STORAGE]: stacks('UPDATE_ROLLBACK_FAILED') }],
    ['mail', /nobody receives/, { [MAIL]: subscribed() }],
    ['mail', /not confirmed/, { [MAIL]: subscribed('PendingConfirmation') }],
    ['tables', /do not expire/, { [EXPIRY]: expiry('DISABLED') }],
    ['tables', /point in time/, { [BACKUPS]: {} }],
    [
      'tables',
      /restored do not expire/,
      { 'dynamodb describe-time-to-live restored': expiry('DISABLED') },
      {},
      chosen({ accessTable: 'restored' }),
    ],
    ['alarms', /Z100-dev-Service-LogStuck is in alarm/, { [ALARMS]: alarming('Z100-dev-Service-LogStuck') }],
    ['tasks of the stream', /no task/, { [HEALTH]: health('unhealthy') }],
    ['snapshot', /answers 503/, {}, { [`https://${EDGE}/v1/status`]: page(503) }],
    ['snapshot', /is 3600 s old/, {}, { [`https://${EDGE}/v1/status`]: status(NOW - 3_600) }],
    [
      'keys at the edge',
      /without a key answers 200/,
      {},
      { [`https://${EDGE}/v1/z100/creators`]: page(200) },
    ],
    ['key of the gateway', /newer version/, { [VERSIONS]: versions('v2', 'v1') }],
    [
      'key of the gateway',
      /newer version/,
      { [VERSIONS]: versions('v3', 'v2') },
      {},
      chosen({ originVersion: 'v2' }),
    ],
    ['plain http', /answers 301/, {}, { [`http://${EDGE}/v1/status`]: page(301) }],
    ['bypass of the edge', /answers 200/, {}, { [GATEWAY]: page(200) }],
    ['stream', /answers 504/, {}, { [`https://${EDGE}/stream/swaps`]: page(504) }],
    ['stream', /sends nothing/, {}, { [`https://${EDGE}/stream/swaps`]: page(200) }],
    ['boards', /no key/, {}, { [`https://${EDGE}/config.json`]: page(404) }],
    ['boards', /answer 401 to the key/, {}, { [`https://${EDGE}/v1/all z100_site_1`]: page(401) }],
    ['boards', /is 3600 s old/, {}, { [`https://${EDGE}/v1/all z100_site_1`]: boards(NOW - 3_600) }],
    ['openapi', /answers 200/, {}, { [`https://${EDGE}/v1/openapi.json`]: page(200, '<Error/>') }],
    ['pages', /answers 403/, {}, { [`https://${EDGE}/`]: page(403) }],
  ]
  it.each(planted.map(([check, says, ...account]) => ({ check, says, found: account })))(
    '$check reports $says',
    async ({ check, says, found }) => {
      expect(await faultsOf(accountWith(...found))).toEqual([[check, expect.stringMatching(says)]])
    },
  )

  it('says how a release with newer rules comes to be live, and how far it is', async () => {
    const found = async (answers: Answers) => {
      const all = await examine(accountWith(answers))
      return all
        .filter(({ check, is }) => /^(rules|beside)$/.test(check) && is !== 'ok')
        .map(({ check, fault, todo }) => `${check}: ${fault}. ${todo}`)
    }
    const behind = { [LIVE]: live(OTHER, OTHER), [itemOf('PUBLISHERS', OTHER)]: progress(2_000) }
    const [runs, own] = [{ [BESIDE]: stacks('CREATE_COMPLETE') }, itemOf('PUBLISHERS', OWN)]
    const deploy = 'npm run deploy -- Z100-dev-Beside -c stage=dev'
    expect(await found({ ...behind, [own]: null })).toEqual([expect.stringContaining(deploy)])
    expect(await found({ ...behind, ...runs, [own]: null })).toEqual([expect.stringContaining('not begun')])
    // 100 minutes in 600 s.
    expect(await found({ ...behind, ...runs, [own]: progress(1_500) })).toEqual([
      expect.stringContaining('500 minutes, about 50 min'),
    ])
    expect(await found(runs)).toEqual([expect.stringContaining('npm run destroy -- Z100-dev-Beside')])
    const back = await found({ ...behind, [LIVE]: live(OTHER, OTHER, OWN) })
    expect(back).toEqual([expect.stringContaining(`rules ${OWN}`)])
    // Nothing is published yet.
    expect(await found({ [LIVE]: null })).toEqual([])
  })

  it('reports the needs of a larger stage, and never the key in an endpoint’s address', async () => {
    const found = await faultsOf(accountWith({ ...ofProd, [RUNS]: runs(100) }, {}, { stage: 'prod' }))
    expect(found.map(([check]) => check)).toEqual(['concurrent runs', 'vCPUs of Fargate'])
    expect(
      JSON.stringify(await examine(accountWith({}, { [`eth_chainId ${RPC}`]: page(500) }))),
    ).not.toContain('secret')
  })

  it.each([
    [/not copied to us-west-2/, { [REPLICATION]: null }],
    [/newest backup of access in us-west-2 is not there/, { [COPIES]: copied({ market: 1 }) }],
    [/newest backup of access in us-west-2 is 5 hours old/, { [COPIES]: copied({ market: 1, access: 5 }) }],
    [/newest backup of access in us-west-2 is not there/, { [COPIES]: copied({ access: 1 }, 'PARTIAL') }],
    // Newer copies of accounts do not hide that the log has none.
    [/newest backup of market in us-west-2 is 200 hours/, { [COPIES]: copied({ access: 1, market: 200 }) }],
  ] as readonly [RegExp, Answers][])('checks the copies in a second region: %s', async (says, answers) => {
    const found = await faultsOf(accountWith({ ...ofProd, ...answers }, {}, { stage: 'prod' }))
    expect(found).toContainEqual(['copies', expect.stringMatching(says)])
  })

  it.each([
    ['region of the copies', /has not enabled us-west-2/, { [REGIONS]: { Regions: [] } }],
    [
      'kept names',
      /an earlier prod has left z100-prod-copies-123456789012-us-west-2, z100-prod$/,
      {
        [COPIES_STACK]: null,
        [COPIES_BUCKET]: {},
        'backup describe-backup-vault z100-prod-copies': null,
        'backup describe-backup-vault z100-prod': {},
      },
    ],
  ] as const)('looks at the second region, too: %s', async (check, says, answers) => {
    const found = await faultsOf(
      accountWith({ ...ofProd, ...answers, [QUOTA]: quota(100) }, {}, { stage: 'prod' }),
    )
    expect(found).toEqual([[check, expect.stringMatching(says)]])
  })

  it('asks the given endpoints, or else those of the secret', async () => {
    const given = { choices: { rpcUrls: 'https://new.example/key' } }
    const pages = { 'eth_chainId https://new.example/key': page(502) }
    expect(await faultsOf(accountWith({}, pages, given))).toEqual([
      ['endpoints', expect.stringMatching(/new\.example does not answer/)],
      ['archive', expect.stringMatching(/past states/)],
    ])
  })

  it('reports checks that fail to run, and runs the others', async () => {
    const whole = accountWith()
    const aws: Surroundings['aws'] = async (call, options) =>
      call.startsWith('lambda') ? Promise.reject(awsCall(call, 'AccessDenied')) : whole.aws(call, options)
    expect(await faultsOf({ ...whole, aws })).toEqual([
      ['concurrent runs', expect.stringContaining('AccessDenied')],
    ])
  })

  /** A command line of AWS on the path, which answers for an account without a deployment, and refuses what it is not asked here. */
  const commandLine = `#!/bin/sh
case "$1 $2 $4" in
  "sts get-caller-identity json") echo '{"Account":"1"}' ;;
  "cloudformation describe-stacks CDKToolkit") echo '{"Stacks":[{}]}' ;;
  "cloudformation describe-stacks Z100-prod-Service") echo '{"Stacks":[{}]}' ;;
  "cloudformation describe-stacks Z100-prod-Beside") echo 'Stack does not exist' >&2; exit 254 ;;
  "cloudformation list-stack-resources Z100-prod-Storage") echo '{}' ;;
  "dynamodb get-item "*) echo '${JSON.stringify(live(OTHER, OTHER))}' ;;
  "cloudformation describe-stacks "*) echo 'Stack does not exist' >&2; exit 254 ;;
  "service-quotas get-service-quota fargate") echo '${JSON.stringify(quota(6))}' ;;
  "cloudfront list-distributions "*) echo '{"DistributionList":{}}' ;;
  "ec2 describe-managed-prefix-lists "*) echo '${JSON.stringify(sound[PREFIX_LIST])}' ;;
  *) echo AccessDenied >&2; exit 254 ;;
esac
`
  it('exits with 2 if something could not be checked, and with 1 if something is wrong', async () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'aws'), commandLine, { mode: 0o755 })
    const { PATH, AWS_REGION } = process.env
    Object.assign(process.env, { PATH: `${dir}:${PATH}`, AWS_REGION: 'us-east-1' })
    try {
      const { code, out } = await admin('doctor', '--aws')
      expect(out).toMatch(/^ok {7}credentials$/m)
      expect(out).toMatch(/^UNKNOWN {2}concurrent runs: .*AccessDenied/m)
      // It may be an account that AWS has verified.
      expect(out).toMatch(/^HINT {5}distributions: /m)
      expect([code, out]).toEqual([2, expect.not.stringContaining('FAULT')])
      expect((await admin('doctor', '--aws', '-c', 'rpcUrls=')).code).toBe(1)
      // What a deployment asks first: of a stage without a service only its endpoints, of another one which rules are live.
      const first = ['doctor', '--aws', '--rules'] as const
      expect(await admin(...first)).toMatchObject({
        code: 1,
        out: expect.stringContaining('FAULT    rpcUrls'),
      })
      expect((await admin(...first, '-c', 'rpcUrls=https://rpc.example/key')).code).toBe(0)
      const asked = await admin(...first, '--stage', 'prod', '-c', 'rpcUrls=https://rpc.example/key')
      expect(asked).toMatchObject({ code: 1, out: expect.stringMatching(/^FAULT {4}rules: .*4\.3\/other/) })
    } finally {
      Object.assign(process.env, { PATH, AWS_REGION: AWS_REGION ?? '' })
    }
  })
})

describe('probe', () => {
  it('names what a stranger would miss, and exits with 1', async () => {
    const state = { now: Math.floor(Date.now() / 1_000), isStreaming: true }
    const answers: Readonly<Record<string, () => string>> = {
      '/v1/status': () => JSON.stringify({ as_of: at(state.now) }),
      '/config.json': () => '{"key":"z100_site_1"}',
      '/v1/openapi.json': () => '{"openapi":"3.1.0"}',
      '/v1/all': () => boards(state.now - 3_600).text,
      '/': () => '<!doctype html>',
    }
    const service = await listen(
      'stranger',
      createServer(({ url = '', headers }, response) => {
        if (url === '/stream/swaps' && state.isStreaming)
          return response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1000\n\n')
        if (url === '/v1/all') expect(headers.authorization).toBe('Bearer z100_site_1')
        return response
          .writeHead(answers[url] ? 200 : url === '/stream/swaps' ? 504 : 401)
          .end(answers[url]?.())
      }),
    )
    const faultsIn = ({ out }: { readonly out: string }) => out.match(/^(FAULT|UNKNOWN).*$/gm)
    const old = expect.stringMatching(/^FAULT {4}boards: what the boards show is \d+ s old$/)
    expect(faultsIn(await admin('probe', service.url))).toEqual([old])
    state.isStreaming = false
    const { code, ...broken } = await admin('probe', `${service.url}/`)
    expect([code, faultsIn(broken)]).toEqual([1, [old, 'FAULT    stream: /stream/swaps answers 504']])
    expect(faultsIn(await admin('probe', service.url, '--no-stream'))).toEqual([old])
    await service.stop()
    const { code: gone, ...silent } = await admin('probe', service.url)
    expect([gone, faultsIn(silent)?.every((line) => line.startsWith('UNKNOWN'))]).toEqual([2, true])
    expect((await admin('probe', `${service.url}/v1`)).err).toMatch(/^InvalidAddress: /)
  })
})

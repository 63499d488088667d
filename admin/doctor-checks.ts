import { CLOUDFRONT_PREFIX_LIST, runsNeeded, stageSizes, vcpusNeeded } from '../schemas/stages.ts'
import type { AskAws, AwsAnswer } from './doctor.ts'

/** What is asked of the world outside AWS: the status of an answer, and its text. */
export type AskHttp = (
  url: string,
  sent?: { readonly body?: string },
) => Promise<{ readonly status: number; readonly text: string }>

export type Surroundings = {
  readonly aws: AskAws
  readonly http: AskHttp
  readonly stage: keyof typeof stageSizes
  /** The chain's endpoints where they are known here. */
  readonly rpcUrls: readonly string[]
  /** Unix seconds. */
  readonly now: number
}

/** Something that is not as it has to be, and what to do about it. */
export type Fault = { readonly what: string; readonly todo: string }

/** One look; null: it is as it has to be. */
export type Check = (at: Surroundings) => Promise<Fault | null>

const fault = (what: string, todo: string): Fault => ({ what, todo })

/** The list of this name in an answer; empty where there is none. */
export const listIn = (answer: AwsAnswer | null, name: string): readonly AwsAnswer[] =>
  (answer?.[name] ?? []) as readonly AwsAnswer[]
const textIn = (value: unknown, ...path: readonly string[]): string =>
  String(path.reduce<unknown>((inner, name) => (inner as AwsAnswer | undefined)?.[name], value) ?? '')

const BASE_CHAIN = '0x2105'
/** The block of the platform's first creations on Base. */
const OLD_BLOCK = '0x1d9ea75'

const quotaOf = async (aws: AskAws, service: string, code: string): Promise<number> =>
  Number(
    textIn(
      await aws('service-quotas get-service-quota', { 'service-code': service, 'quota-code': code }),
      'Quota',
      'Value',
    ),
  )

async function rpc({ http }: Surroundings, url: string, method: string, params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { text } = await http(url, { body }).catch((error: unknown) => ({ text: String(error) }))
  try {
    return JSON.parse(text) as { readonly result?: unknown; readonly error?: unknown }
  } catch {
    return { error: text }
  }
}

/** Endpoints may hold keys: only the host is named. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'not an address')

/** Before a deployment: whether the account can take it. */
export const beforeChecks: Readonly<Record<string, Check>> = {
  async credentials({ aws }) {
    const identity = await aws('sts get-caller-identity').catch(() => null)
    return identity
      ? null
      : fault('no credentials of an account are found', 'sign in: aws configure, or aws sso login')
  },
  async bootstrap({ aws }) {
    const stacks = listIn(
      await aws('cloudformation describe-stacks', { 'stack-name': 'CDKToolkit' }),
      'Stacks',
    )
    return stacks.length > 0
      ? null
      : fault('the CDK’s bootstrap is missing in us-east-1', 'npx cdk bootstrap')
  },
  async 'concurrent runs'({ aws, stage }) {
    const limit = Number(
      textIn(await aws('lambda get-account-settings'), 'AccountLimit', 'ConcurrentExecutions'),
    )
    const least = runsNeeded(stageSizes[stage])
    if (limit >= least) return null
    return fault(
      `the account allows ${limit} concurrent runs of functions, and ${stage} needs ${least}`,
      'ask for more in Service Quotas (AWS Lambda, Concurrent executions), or set concurrency: null in schemas/stages.ts',
    )
  },
  async 'vCPUs of Fargate'({ aws, stage }) {
    const limit = await quotaOf(aws, 'fargate', 'L-3032A538')
    const least = vcpusNeeded(stageSizes[stage])
    if (limit >= least) return null
    return fault(
      `the account allows ${limit} vCPUs of Fargate, and ${stage} may grow to ${least}`,
      'ask for more in Service Quotas (AWS Fargate, On-Demand vCPU resource count), or lower maxTasks',
    )
  },
  async 'prefix list of CloudFront'({ aws }) {
    const lists = listIn(
      await aws('ec2 describe-managed-prefix-lists', { 'prefix-list-ids': CLOUDFRONT_PREFIX_LIST }),
      'PrefixLists',
    )
    const name = textIn(lists[0], 'PrefixListName')
    if (name === 'com.amazonaws.global.cloudfront.origin-facing') return null
    return fault(
      `${CLOUDFRONT_PREFIX_LIST} is not CloudFront’s list of addresses here`,
      'set CLOUDFRONT_PREFIX_LIST in schemas/stages.ts',
    )
  },
  async endpoints(at) {
    for (const url of at.rpcUrls) {
      const { result, error } = await rpc(at, url, 'eth_chainId', [])
      if (result === BASE_CHAIN) continue
      const said = error === undefined ? `is of chain ${String(result)}, not of Base` : 'does not answer'
      return fault(`the endpoint at ${hostOf(url)} ${said}`, 'take another one: -c rpcUrls=…')
    }
    return null
  },
  async archive(at) {
    const call = ['0x4200000000000000000000000000000000000006', OLD_BLOCK]
    for (const url of at.rpcUrls) {
      const { result } = await rpc(at, url, 'eth_getBalance', call)
      if (typeof result === 'string') return null
    }
    if (at.rpcUrls.length === 0) return null
    return fault(
      'no endpoint knows the chain’s past states',
      'add one with an archive, or set startBlock to a recent block',
    )
  },
}

const stackOf = async ({ aws, stage }: Surroundings, part: string): Promise<AwsAnswer | undefined> =>
  listIn(await aws('cloudformation describe-stacks', { 'stack-name': `Z100-${stage}-${part}` }), 'Stacks')[0]

const listed = async (at: Surroundings, part: string, type: string): Promise<readonly string[]> => {
  const found = await at.aws('cloudformation describe-stack-resources', {
    'stack-name': `Z100-${at.stage}-${part}`,
  })
  return listIn(found, 'StackResources')
    .filter((each) => each['ResourceType'] === type)
    .map((each) => textIn(each, 'PhysicalResourceId'))
}

const addressOf = async (at: Surroundings): Promise<string> => {
  const outputs = listIn((await stackOf(at, 'Service')) ?? null, 'Outputs')
  return textIn(
    outputs.find(({ OutputKey }) => OutputKey === 'Address'),
    'OutputValue',
  )
}

/** After it: whether all of it works together. */
export const afterChecks: Readonly<Record<string, Check>> = {
  async stacks(at) {
    for (const part of ['Storage', 'Service']) {
      const status = textIn(await stackOf(at, part), 'StackStatus')
      if (!/^(CREATE|UPDATE)_COMPLETE$/.test(status))
        return fault(
          `the stack Z100-${at.stage}-${part} is ${status || 'not there'}`,
          'look at its events, and deploy again',
        )
    }
    return null
  },
  async mail(at) {
    const [topic = ''] = await listed(at, 'Service', 'AWS::SNS::Topic')
    const found = listIn(
      await at.aws('sns list-subscriptions-by-topic', { 'topic-arn': topic }),
      'Subscriptions',
    )
    if (found.length === 0) return fault('alarms are told to nobody', 'npm run deploy -- -c alarmEmail=…')
    const isConfirmed = found.some((each) => textIn(each, 'SubscriptionArn').startsWith('arn:'))
    return isConfirmed
      ? null
      : fault('the mail to alarmEmail is not confirmed', 'follow the link in the mail that AWS has sent')
  },
  async tables(at) {
    for (const name of await listed(at, 'Storage', 'AWS::DynamoDB::Table')) {
      const expiry = await at.aws('dynamodb describe-time-to-live', { 'table-name': name })
      if (textIn(expiry, 'TimeToLiveDescription', 'TimeToLiveStatus') !== 'ENABLED')
        return fault(
          `items of ${name} do not expire`,
          'aws dynamodb update-time-to-live, as in the restore drill',
        )
      const backups = await at.aws('dynamodb describe-continuous-backups', { 'table-name': name })
      const status = textIn(
        backups,
        'ContinuousBackupsDescription',
        'PointInTimeRecoveryDescription',
        'PointInTimeRecoveryStatus',
      )
      if (status !== 'ENABLED')
        return fault(
          `${name} cannot be restored to a point in time`,
          'aws dynamodb update-continuous-backups',
        )
    }
    return null
  },
  async alarms({ aws }) {
    const found = listIn(await aws('cloudwatch describe-alarms', { 'state-value': 'ALARM' }), 'MetricAlarms')
    const [first] = found.filter((each) => textIn(each, 'AlarmName').startsWith('Z100-'))
    return first
      ? fault(`the alarm ${textIn(first, 'AlarmName')} rings`, textIn(first, 'AlarmDescription'))
      : null
  },
  async 'tasks of the stream'(at) {
    const [targets] = await listed(at, 'Service', 'AWS::ElasticLoadBalancingV2::TargetGroup')
    if (targets === undefined) return null
    const found = listIn(
      await at.aws('elbv2 describe-target-health', { 'target-group-arn': targets }),
      'TargetHealthDescriptions',
    )
    const isHealthy = found.some((each) => textIn(each['TargetHealth'], 'State') === 'healthy')
    return isHealthy ? null : fault('no task of the stream is healthy', 'look at the log of Stream/Task')
  },
  async snapshot(at) {
    const { status, text } = await at.http(`${await addressOf(at)}/v1/status`)
    if (status !== 200)
      return fault(
        `/v1/status answers ${status}`,
        'wait until ingest has sealed a minute; then see "The snapshot is old"',
      )
    const { as_of } = JSON.parse(text) as { readonly as_of: string }
    const age = Math.round(at.now - Date.parse(as_of) / 1_000)
    return age <= 300 ? null : fault(`the snapshot is ${age} s old`, 'see "The snapshot is old"')
  },
  async 'keys at the edge'(at) {
    const { status } = await at.http(`${await addressOf(at)}/v1/z100/creators`)
    return status === 401
      ? null
      : fault(`a board without a key answers ${status}`, 'look at the log of Edge/ViewerRequest')
  },
  async 'plain http'(at) {
    const address = (await addressOf(at)).replace('https:', 'http:')
    const { status } = await at.http(`${address}/v1/status`)
    return status === 403
      ? null
      : fault(`/v1 over plain http answers ${status}`, 'deploy again: keys would go in clear')
  },
  async 'the way around the edge'(at) {
    const [id = ''] = await listed(at, 'Service', 'AWS::ApiGateway::RestApi')
    const { status } = await at.http(`https://${id}.execute-api.us-east-1.amazonaws.com/live/v1/status`)
    return status === 401
      ? null
      : fault(
          `the gateway answers ${status} to who comes around the edge`,
          'deploy again: its authorizers are not asked',
        )
  },
  async stream(at) {
    const [targets] = await listed(at, 'Service', 'AWS::ElasticLoadBalancingV2::TargetGroup')
    if (targets === undefined) return null
    const { status } = await at.http(`${await addressOf(at)}/stream/swaps`)
    return status === 200
      ? null
      : fault(
          `/stream/swaps answers ${status}`,
          '504: CloudFront does not reach the balancer, compare its security group with the prefix list',
        )
  },
  async 'key of the pages'(at) {
    const { status } = await at.http(`${await addressOf(at)}/config.json`)
    return status === 200 ? null : fault('the pages have no key', 'npm run admin -- --aws site-key')
  },
}

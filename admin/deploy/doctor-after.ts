import { DAY_SECONDS } from '../../market/calendar.ts'
import { stageSizes, vaultsOf } from '../../schemas/deployment/stages.ts'
import { awsText, copiesIn, idsIn, listIn, madeAt, stackOf } from '../base/aws-cli.ts'
import { type Check, chosenOf, type Surroundings, serviceAddress, split, tableIn } from './doctor-look.ts'
import { rulesChecks } from './doctor-rules.ts'
import { fault } from './findings.ts'
import { questions } from './strangers.ts'

/** Age of the newest copy, in hours, beyond which one is missing; accounts are backed up each hour, the log each week. */
const copyHours = [
  { table: 'AccessTable', choice: 'accessTable', most: 3 },
  { table: 'MarketTable', choice: 'marketTable', most: 7 * 24 + 3 },
] as const

/** Node's security releases come every few months. */
const MOST_IMAGE_DAYS = 180

/** Options that put a restored table in the place of the stack's. */
const restoredTables = ['marketTable', 'accessTable', 'usageTable']

/** What a stranger may ask, at the deployment's address. */
const asked: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.entries(questions).map(([name, question]) => [
    name,
    async (at: Surroundings) => question({ ...at, address: await serviceAddress(at) }),
  ]),
)

/** Whether a deployment works. */
export const afterChecks: Readonly<Record<string, Check>> = {
  ...rulesChecks,
  ...asked,
  async stacks(at) {
    for (const part of ['Storage', 'Service'] as const) {
      const status = awsText(await stackOf(at, part), 'StackStatus')
      if (!/^(CREATE|UPDATE)_COMPLETE$/.test(status))
        return fault(
          `the stack Z100-${at.stage}-${part} is ${status || 'not there'}`,
          'look at its events, and deploy again',
        )
    }
    return null
  },
  async mail(at) {
    const [topic = ''] = await idsIn(at, 'Service', 'AWS::SNS::Topic')
    const found = listIn(
      await at.aws('sns list-subscriptions-by-topic', { 'topic-arn': topic }),
      'Subscriptions',
    )
    if (found.length === 0) return fault('nobody receives alarms', 'npm run deploy -- -c alarmEmail=…')
    const isConfirmed = found.some((each) => awsText(each, 'SubscriptionArn').startsWith('arn:'))
    return isConfirmed
      ? null
      : fault(
          'the subscription of alarmEmail is not confirmed',
          'follow the link in the mail that AWS has sent',
        )
  },
  async tables(at) {
    const restored = await Promise.all(restoredTables.map((name) => chosenOf(at, name)))
    const own = await idsIn(at, 'Storage', 'AWS::DynamoDB::Table')
    for (const name of [...own, ...restored.filter((table) => table !== '')]) {
      const expiry = await at.aws('dynamodb describe-time-to-live', { 'table-name': name })
      if (awsText(expiry, 'TimeToLiveDescription', 'TimeToLiveStatus') !== 'ENABLED')
        return fault(
          `items of ${name} do not expire`,
          'aws dynamodb update-time-to-live, as in the restore drill',
        )
      const backups = await at.aws('dynamodb describe-continuous-backups', { 'table-name': name })
      const status = awsText(
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
  async alarms({ aws, stage }) {
    const found = listIn(await aws('cloudwatch describe-alarms', { 'state-value': 'ALARM' }), 'MetricAlarms')
    const [first] = found.filter((each) => awsText(each, 'AlarmName').startsWith(`Z100-${stage}-`))
    return first
      ? fault(`${awsText(first, 'AlarmName')} is in alarm`, awsText(first, 'AlarmDescription'))
      : null
  },
  async 'tasks of the stream'(at) {
    const [targets] = await idsIn(at, 'Service', 'AWS::ElasticLoadBalancingV2::TargetGroup')
    if (targets === undefined) return null
    const found = listIn(
      await at.aws('elbv2 describe-target-health', { 'target-group-arn': targets }),
      'TargetHealthDescriptions',
    )
    const isHealthy = found.some((each) => awsText(each['TargetHealth'], 'State') === 'healthy')
    return isHealthy ? null : fault('no task of the stream is healthy', 'look at the log of Stream/Task')
  },
  async 'image of the tasks'({ image, now }) {
    const days = Math.floor(now / DAY_SECONDS - Date.parse(image.releasedAt) / (DAY_SECONDS * 1_000))
    return days <= MOST_IMAGE_DAYS
      ? null
      : fault(
          `the tasks run on Node ${image.version}, which is ${days} days old`,
          'put a newer version and its day in NODE_IMAGE (schemas/deployment/stages.ts), and deploy',
        )
  },
  async 'key of the gateway'(at) {
    const [secret = ''] = await idsIn(at, 'Service', 'AWS::SecretsManager::Secret')
    const versions = await at.aws('secretsmanager list-secret-version-ids', { 'secret-id': secret })
    const all = listIn(versions, 'Versions')
    const newest = all.find(({ VersionStages }) =>
      (VersionStages as readonly string[])?.includes('AWSCURRENT'),
    )
    const named = await chosenOf(at, 'originVersion')
    // A secret that was never changed has one version.
    if (named === '' ? all.length <= 1 : named === awsText(newest, 'VersionId')) return null
    return fault(
      'the secret between edge and gateway has a newer version than the one in use',
      'see "A new origin secret"',
    )
  },
  async 'bypass of the edge'(at) {
    const [id = ''] = await idsIn(at, 'Service', 'AWS::ApiGateway::RestApi')
    const { status } = await at.http(`https://${id}.execute-api.us-east-1.amazonaws.com/live/v1/status`)
    return status === 401
      ? null
      : fault(
          `the gateway answers ${status} to a request that bypasses the edge`,
          'deploy again: its authorizers are not called',
        )
  },
  async stream(at) {
    const [targets] = await idsIn(at, 'Service', 'AWS::ElasticLoadBalancingV2::TargetGroup')
    return targets === undefined ? null : (asked['stream']?.(at) ?? null)
  },
  async 'own names'(at) {
    for (const name of split(await chosenOf(at, 'domainNames'))) {
      const { status } = await at.http(`https://${name}/v1/status`).catch(() => ({ status: 0 }))
      if (status !== 200)
        return fault(
          `https://${name} answers ${status || 'nothing'}`,
          `a DNS entry of it has to point at ${await serviceAddress(at)}`,
        )
    }
    return null
  },
  async copies(at) {
    const region = stageSizes[at.stage].copiesRegion
    if (region === null) return null
    const [bucket = ''] = await idsIn(at, 'Storage', 'AWS::S3::Bucket')
    const rules = await at.aws('s3api get-bucket-replication', { bucket })
    if (rules === null)
      return fault(`segments are not copied to ${region}`, 'npm run deploy -- -c stage=prod')
    const vault = vaultsOf(at.stage).copies
    const points = await at.aws('backup list-recovery-points-by-backup-vault', {
      region,
      'backup-vault-name': vault,
    })
    for (const { table, choice, most } of copyHours) {
      const name = (await chosenOf(at, choice)) || (await tableIn(at, table))
      const [newest] = copiesIn(points, name)
      const hours = Math.floor((at.now * 1_000 - (newest ? madeAt(newest) : 0)) / 3_600_000)
      if (hours > most)
        return fault(
          `the newest backup of ${name} in ${region} is ${newest ? `${hours} hours old` : 'not there'}`,
          'see "A copy is missing"',
        )
    }
    return null
  },
}

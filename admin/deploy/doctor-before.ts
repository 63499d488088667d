import { takesCalls } from '../../ingest/client/endpoint-urls.ts'
import {
  CLOUDFRONT_PREFIX_LIST,
  copiesBucketOf,
  runsNeeded,
  stageSizes,
  vaultsOf,
  vcpusNeeded,
} from '../../schemas/deployment/stages.ts'
import { type AskAws, type AwsAnswer, awsText, idsIn, listIn, stackOf } from '../base/aws-cli.ts'
import { type Check, chosenOf, type Surroundings, split } from './doctor-look.ts'
import { fault } from './findings.ts'

/** Region of everything but copies. */
const HOME = 'us-east-1'
const BASE_CHAIN = '0x2105'
/** The block of the platform's first creations on Base. */
const OLD_BLOCK = '0x1d9ea75'

const quotaOf = async (aws: AskAws, service: string, code: string): Promise<number> =>
  Number(
    awsText(
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

/** The endpoints of the chain that take calls: those given, or else those of the secret. */
const endpoints = async (at: Surroundings): Promise<readonly string[]> =>
  (await allEndpoints(at)).filter(takesCalls)

async function allEndpoints(at: Surroundings): Promise<readonly string[]> {
  const given = at.choices['rpcUrls']
  if (given !== undefined) return split(given)
  const [secret] = await idsIn(at, 'Storage', 'AWS::SecretsManager::Secret')
  if (secret === undefined) return []
  return split(
    awsText(await at.aws('secretsmanager get-secret-value', { 'secret-id': secret }), 'SecretString'),
  )
}

const DAY_MS = 86_400_000

/** Quotas of Fargate's processors, which are counted apart. */
const vcpuQuotas = {
  onDemand: { code: 'L-3032A538', name: 'On-Demand vCPU resource count' },
  spot: { code: 'L-36FBB829', name: 'Spot vCPU resource count' },
} as const
/** ACM renews a certificate 60 days before its end. */
const LEAST_CERTIFICATE_DAYS = 30

type Certificate = { readonly DomainName?: string; readonly SubjectAlternativeNames?: readonly string[] }

/** Whether a name of a certificate is that of a site: a wildcard stands for one label. */
const isNameOf = (covering: string, name: string): boolean =>
  covering === name || (covering.startsWith('*.') && covering.slice(1) === name.slice(name.indexOf('.')))

/** Whether the account is ready for a deployment. */
export const beforeChecks: Readonly<Record<string, Check>> = {
  async credentials({ aws }) {
    let said = ''
    const identity = await aws('sts get-caller-identity').catch((error: unknown) => {
      said = String(error)
      return null
    })
    if (identity) return null
    if (said.includes('ENOENT'))
      return fault('the command line of AWS is not installed', 'install the AWS CLI')
    return fault('no credentials of an account are found', 'sign in: aws configure, or aws sso login')
  },
  async region({ region }) {
    return region === HOME
      ? null
      : fault(
          `the region is ${region || 'not named'}, and all of it stands in ${HOME}`,
          `export AWS_REGION=${HOME} AWS_DEFAULT_REGION=${HOME}`,
        )
  },
  async 'command line'({ cli }) {
    if (!cli.startsWith('aws-cli/1.')) return null
    const todo = 'export AWS_DEFAULT_REGION=us-east-1, or install version 2'
    return { ...fault('version 1 of the AWS CLI does not read AWS_REGION', todo), isHint: true }
  },
  /** A call in the second region also shows whether a policy of the organisation refuses it. */
  async 'region of the copies'({ aws, stage }) {
    const { copiesRegion: region } = stageSizes[stage]
    if (region === null) return null
    const asked = { 'all-regions': '', region, 'region-names': region }
    const [found] = listIn(await aws('ec2 describe-regions', asked), 'Regions')
    const status = awsText(found, 'OptInStatus')
    if (status !== '' && status !== 'not-opted-in') return null
    return fault(`the account has not enabled ${region}`, `aws account enable-region --region-name ${region}`)
  },
  /** What has a fixed name and outlives its stack: a second first deployment of the stage would meet it. */
  async 'kept names'(at) {
    const { copiesRegion: region } = stageSizes[at.stage]
    if (region === null || (await stackOf(at, 'Copies'))) return null
    const account = awsText(await at.aws('sts get-caller-identity'), 'Account')
    const [bucket, vaults] = [copiesBucketOf(at.stage, account, region), vaultsOf(at.stage)]
    const found = [
      (await at.aws('s3api head-bucket', { region, bucket })) && bucket,
      ...(await Promise.all(
        [
          { region, 'backup-vault-name': vaults.copies },
          { region: HOME, 'backup-vault-name': vaults.own },
        ].map(
          async (vault) =>
            (await at.aws('backup describe-backup-vault', vault)) && vault['backup-vault-name'],
        ),
      )),
    ].filter(Boolean)
    if (found.length === 0) return null
    return fault(
      `an earlier ${at.stage} has left ${found.join(', ')}`,
      'delete them, or give the stage another name in cdk/config.ts',
    )
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
      awsText(await aws('lambda get-account-settings'), 'AccountLimit', 'ConcurrentExecutions'),
    )
    const least = runsNeeded(stageSizes[stage])
    if (limit >= least) return null
    return fault(
      `the account allows ${limit} concurrent runs of functions, and ${stage} needs ${least}`,
      'ask for more in Service Quotas (AWS Lambda, Concurrent executions), or set concurrency: null in schemas/deployment/stages.ts',
    )
  },
  async 'vCPUs of Fargate'({ aws, stage }) {
    const { areTasksSpot } = stageSizes[stage]
    const { code, name } = areTasksSpot ? vcpuQuotas.spot : vcpuQuotas.onDemand
    const limit = await quotaOf(aws, 'fargate', code)
    const least = vcpusNeeded(stageSizes[stage])
    if (limit >= least) return null
    return fault(
      `the account allows ${limit} vCPUs of Fargate${areTasksSpot ? ' Spot' : ''}, and ${stage} may grow to ${least}`,
      `ask for more in Service Quotas (AWS Fargate, ${name}), or lower maxTasks`,
    )
  },
  /** New accounts may make no distribution until AWS has verified them; only an attempt shows it, 25 minutes into a deployment. */
  async distributions({ aws }) {
    const list = (await aws('cloudfront list-distributions'))?.['DistributionList']
    if (listIn((list ?? null) as AwsAnswer | null, 'Items').length > 0) return null
    return {
      ...fault(
        'the account has no distribution of CloudFront, and a new account must be verified before its first one',
        'new account: open a support case ("Your account must be verified before you can add new CloudFront resources") and wait; another one: deploy',
      ),
      isHint: true,
    }
  },
  async 'prefix list of CloudFront'({ aws }) {
    const lists = listIn(
      await aws('ec2 describe-managed-prefix-lists', { 'prefix-list-ids': CLOUDFRONT_PREFIX_LIST }),
      'PrefixLists',
    )
    const name = awsText(lists[0], 'PrefixListName')
    if (name === 'com.amazonaws.global.cloudfront.origin-facing') return null
    return fault(
      `${CLOUDFRONT_PREFIX_LIST} is not CloudFront’s list of addresses here`,
      'set CLOUDFRONT_PREFIX_LIST in schemas/deployment/stages.ts',
    )
  },
  async endpoints(at) {
    const urls = await endpoints(at)
    if (urls.length === 0) return fault('no RPC endpoint is configured', 'set some: -c rpcUrls=…')
    for (const url of urls) {
      const { result, error } = await rpc(at, url, 'eth_chainId', [])
      if (result === BASE_CHAIN) continue
      const said = error === undefined ? `is of chain ${String(result)}, not of Base` : 'does not answer'
      return fault(`the endpoint at ${hostOf(url)} ${said}`, 'take another one: -c rpcUrls=…')
    }
    return null
  },
  async archive(at) {
    const call = ['0x4200000000000000000000000000000000000006', OLD_BLOCK]
    const urls = await endpoints(at)
    for (const url of urls) {
      const { result } = await rpc(at, url, 'eth_getBalance', call)
      if (typeof result === 'string') return null
    }
    if (urls.length === 0) return null
    return fault(
      'no endpoint knows the chain’s past states',
      'add one with an archive, or set startBlock to a recent block',
    )
  },
  async certificate(at) {
    const [arn, names] = [await chosenOf(at, 'certificateArn'), split(await chosenOf(at, 'domainNames'))]
    const again = 'name one that is: -c certificateArn=…'
    if (names.length === 0) return null
    if (!arn) return fault(`${names.join(', ')}: there is no certificate of these names`, again)
    if (arn.split(':')[3] !== 'us-east-1') return fault('the certificate is not in us-east-1', again)
    const found = await at.aws('acm describe-certificate', { 'certificate-arn': arn })
    const status = awsText(found, 'Certificate', 'Status')
    if (status !== 'ISSUED')
      return fault(
        `the certificate is ${status || 'not there'}`,
        'answer the validation of ACM: its DNS entries',
      )
    const { DomainName, SubjectAlternativeNames = [] } = (found?.['Certificate'] ?? {}) as Certificate
    const covering = [DomainName ?? '', ...SubjectAlternativeNames]
    const bare = names.find((name) => !covering.some((each) => isNameOf(each, name)))
    if (bare !== undefined) return fault(`the certificate is not of ${bare}`, again)
    const end = Date.parse(awsText(found, 'Certificate', 'NotAfter'))
    const days = Math.floor((end - at.now * 1_000) / DAY_MS)
    return days >= LEAST_CERTIFICATE_DAYS
      ? null
      : fault(`the certificate ends in ${days} days`, 'see why ACM does not renew it')
  },
}

import { type App, Arn, CfnOutput, Stack, type StackProps, Tags, Validations } from 'aws-cdk-lib'
import { RestApiOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { Construct } from 'constructs'
import { MISSING_PATH } from '../../lambdas/edge/distribution.ts'
import { tierNames } from '../../schemas/api/access.ts'
import type { Env } from '../../schemas/deployment/env.ts'
import { type Deployment, HOME_REGION } from '../config.ts'
import { AccountPage } from '../parts/account-page.ts'
import { ArchiveQueries, ArchiveWriter } from '../parts/archive.ts'
import { type BesideSettings, BesideStack } from '../parts/beside.ts'
import { CopiesStack } from '../parts/copies.ts'
import { Edge } from '../parts/edge.ts'
import { Firewall } from '../parts/edge-rules.ts'
import { EdgeUsageCounter } from '../parts/edge-usage.ts'
import { Network } from '../parts/network.ts'
import { PreviewDrawer } from '../parts/previews.ts'
import { ReadApi } from '../parts/read-api.ts'
import { Site } from '../parts/site.ts'
import { SnapshotPublisher } from '../parts/snapshot-publisher.ts'
import { StorageStack, type StoredTable, storageOf } from '../parts/storage.ts'
import { Stream } from '../parts/stream.ts'
import { Ingest } from '../parts/tasks.ts'
import { onlyIn } from '../rules.ts'
import { Monitoring } from '../watch/monitoring.ts'

/**
 * Resource types without our tags: CloudFormation's schemas have none for most of them. A VPC origin takes tags, but no
 * update of any kind while a distribution uses it.
 */
const untagged = [
  'AWS::ApplicationAutoScaling::ScalableTarget',
  'AWS::CloudFront::VpcOrigin',
  'AWS::CloudWatch::Dashboard',
  'AWS::ElasticLoadBalancingV2::Listener',
]

/** W3005: the CDK repeats dependencies that references imply. W6001: outputs show names of the other stack to operators. */
const linting = { config: { ignore_checks: ['W3005', 'W6001'] } }

/** The stacks of a stage, for any account, in the deployer's region; copies, if the stage has them, in theirs. */
export function addStacks(app: App, deployment: Deployment) {
  const { stage } = deployment
  const terminationProtection = stage.isProtected
  const copied = stage.copiesRegion
    ? new CopiesStack(app, `Z100-${stage.name}-Copies`, {
        terminationProtection,
        stage,
        env: { region: stage.copiesRegion },
        description: `z100 ${stage.name}: copies of what cannot be made again`,
      })
    : null
  const storage = new StorageStack(app, `Z100-${stage.name}-Storage`, {
    terminationProtection,
    description: `z100 ${stage.name}: what cannot be made again`,
    stage,
  })
  const service = new ServiceStack(app, `Z100-${stage.name}-Service`, {
    description: `z100 ${stage.name}: what can be made again`,
    deployment,
    storage,
  })
  const beside = new BesideStack(app, `Z100-${stage.name}-Beside`, {
    description: `z100 ${stage.name}: a release that catches up beside the service`,
    settings: { deployment, storage, ...service.shared },
  })
  // S3 replication needs an existing target bucket.
  if (copied) storage.addStackDependency(copied)
  for (const [key, value] of Object.entries({ service: 'z100', stage: stage.name })) {
    Tags.of(app).add(key, value, { excludeResourceTypes: [...untagged] })
  }
  for (const stack of [storage, service, beside, ...(copied ? [copied] : [])])
    stack.templateOptions.metadata = { 'cfn-lint': linting }
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  return { storage, service, beside }
}

type Variables = Env<'adminAccess'> & Env<'adminProofs'> & Env<'adminPurge'> & Env<'adminSite'>

/** Everything that can be recreated, in the order in which a trade passes through it. */
export class ServiceStack extends Stack {
  /** What a release beside it uses. */
  readonly shared: Pick<BesideSettings, 'network' | 'market' | 'published'>

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & { readonly deployment: Deployment; readonly storage: StorageStack },
  ) {
    super(scope, id, props)
    const { deployment } = props
    const storage = storageOf(this, props.storage)
    const { stage } = deployment
    onlyIn(
      this,
      HOME_REGION,
      'The log of edge functions, certificates and firewalls of a distribution are in us-east-1.',
    )
    const network = new Network(this, 'Network', deployment)
    const ingest = new Ingest(this, 'Ingest', { deployment, network, storage })
    const publisher = new SnapshotPublisher(this, 'Snapshots', { deployment, network, storage })
    // If a new release's ingest refuses the live log, the publisher stays as it is, and boards go on.
    publisher.node.addDependency(ingest.task.service)
    const { published } = publisher
    const archive = new ArchiveWriter(this, 'Archive', { deployment, storage, published })
    const previews = new PreviewDrawer(this, 'Previews', { deployment, published })
    if (stage.archiveQueryGb !== null) {
      const scannedGb = stage.archiveQueryGb
      new ArchiveQueries(this, 'ArchiveQueries', { deployment, published, scannedGb })
    }
    this.shared = { network, published, market: this.tableForOthers(storage.market.tableName) }
    const api = new ReadApi(this, 'ReadApi', { deployment, storage, published })
    const stream = stage.stream
      ? new Stream(this, 'Stream', {
          deployment,
          network,
          storage,
          ingest: ingest.task,
          settings: stage.stream,
        })
      : null
    const site = new Site(this, 'Site')
    const edge = new Edge(this, 'Edge', {
      deployment,
      webAclArn: stage.hasFirewall ? new Firewall(this, 'Firewall', stage.name).arn : undefined,
      origins: {
        published: S3BucketOrigin.withOriginAccessControl(published, { originId: 'published' }),
        api: new RestApiOrigin(api.gateway, { originId: 'api', customHeaders: api.originHeaders }),
        missing: new RestApiOrigin(api.gateway, {
          originId: 'missing',
          originPath: `/${api.gateway.deploymentStage.stageName}${MISSING_PATH}`,
        }),
        stream: stream?.origin(api) ?? null,
        site: S3BucketOrigin.withOriginAccessControl(site.bucket, { originId: 'site' }),
      },
    })
    // First the authorizer takes a new secret, then the edge sends it.
    edge.distribution.node.addDependency(api.authorizer)
    site.put(deployment, edge.origin)
    const { keyValueStore } = edge
    const account = new AccountPage(this, 'AccountPage', { deployment, storage, api, keyValueStore })
    edge.addAccountPage(
      new RestApiOrigin(account.gateway, { originId: 'account', customHeaders: api.originHeaders }),
    )
    const usage = new EdgeUsageCounter(this, 'EdgeUsage', { deployment, storage, edge, api })
    new Monitoring(this, 'Monitoring', {
      deployment,
      storage,
      publisher,
      api,
      account,
      stream,
      edge,
      usage,
      archive,
      previews,
    })
    const variables: Variables = {
      MARKET_TABLE: storage.market.tableName,
      ACCESS_TABLE: storage.access.tableName,
      USAGE_TABLE: storage.usage.tableName,
      SEGMENT_BUCKET: storage.segments.bucketName,
      PUBLISHED_BUCKET: published.bucketName,
      KEY_VALUE_STORE: keyValueStore.keyValueStoreArn,
      USAGE_PLANS: tierNames.map((tier) => `${tier}=${api.usagePlans[tier].usagePlanId}`).join(','),
      DISTRIBUTION_ID: edge.distribution.distributionId,
      PAGES_BUCKET: site.bucket.bucketName,
      CHAIN: stage.chain,
      CODE_VERSION: deployment.codeVersion,
    }
    new CfnOutput(this, 'Address', {
      value: `https://${edge.distribution.distributionDomainName}`,
      description: 'Everything is below this address',
    })
    new CfnOutput(this, 'AdminEnvironment', {
      value: Object.entries(variables)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
      description: 'What npm run admin -- --aws takes from its environment',
    })
  }

  /** The Market table in use, its own or a restored one, for another stack. */
  private tableForOthers(name: string): StoredTable {
    const tableName = this.exportValue(name, { name: `${this.stackName}-MarketTable` })
    return {
      tableName,
      tableArn: Arn.format({ service: 'dynamodb', resource: 'table', resourceName: tableName }, this),
    }
  }
}

import { RemovalPolicy } from 'aws-cdk-lib'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { BucketDeployment, CacheControl, type ISource, Source } from 'aws-cdk-lib/aws-s3-deployment'
import { Construct, type IConstruct } from 'constructs'
import { ORIGIN_MARK, SITE_CONFIG_OBJECT, siteFiles } from '../../schemas/pages/site.ts'
import { closedBucket } from '../buckets.ts'
import type { Deployment } from '../config.ts'
import { acknowledge, acknowledgeWildcard } from '../grants.ts'
import { serviceLog } from './functions.ts'

/** The pages, in a bucket of their own. */
export class Site extends Construct {
  readonly bucket: IBucket

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.bucket = closedBucket(this, 'Pages', {
      // Also when a failed creation is rolled back: by then it holds pages, and only an empty bucket can be deleted.
      removalPolicy: RemovalPolicy.RETAIN,
    })
    acknowledge(this.bucket, { S1: 'Pages that anybody may read, through the edge alone.' })
  }

  /**
   * Puts the pages with the address that they are served at. One deployment per kind of file, so that the assets of a page are
   * uploaded before it.
   */
  put(deployment: Deployment, origin: string): void {
    const common = {
      destinationBucket: this.bucket,
      prune: false,
      sources: [servedAt(origin, Source.asset(deployment.pages))],
      logGroup: serviceLog(this, 'CopierLog', deployment),
    }
    const named = siteFiles.flatMap(({ prefixes }) => prefixes).filter((prefix) => prefix !== '')
    let before: BucketDeployment | undefined
    for (const { prefixes, contentType, cacheControl } of siteFiles) {
      const [prefix] = prefixes
      // Put by `admin site-key`, and kept by deployments.
      if (prefix === SITE_CONFIG_OBJECT) continue
      const made: BucketDeployment = new BucketDeployment(this, `Files-${prefix.replace(/\W/g, '')}`, {
        ...common,
        ...(prefix === ''
          ? { exclude: named.map((each) => `${each}*`) }
          : { exclude: ['*'], include: prefixes.map((each) => `${each}*`) }),
        ...(contentType === null ? {} : { contentType }),
        cacheControl: [CacheControl.fromString(cacheControl)],
      })
      if (before) made.node.addDependency(before)
      before = made
      if (made.handlerRole) acknowledgeCopier(made.handlerRole, this.bucket)
    }
  }
}

/** Files in which the CDK's function puts the service's address for its mark. */
const servedAt = (origin: string, files: ISource): ISource => ({
  bind: (scope, context) => ({ ...files.bind(scope, context), markers: { [ORIGIN_MARK]: origin } }),
})

/** The CDK's own function copies files from its asset bucket; the CDK defines its permissions. */
function acknowledgeCopier(role: IConstruct, bucket: IBucket): void {
  const reason = 'The function of the CDK that copies the pages, as the CDK makes it.'
  acknowledge(role, {
    'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]': reason,
    ...Object.fromEntries(
      ['s3:GetBucket*', 's3:GetObject*', 's3:List*', 's3:Abort*', 's3:DeleteObject*'].map(
        (action) => [`IAM5[Action::${action}]`, reason] as const,
      ),
    ),
  })
  const assets = 'cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>'
  acknowledgeWildcard(role, `arn:<AWS::Partition>:s3:::${assets}/*`, reason)
  acknowledgeWildcard(role, `${bucket.bucketArn}/*`, reason)
  if (role.node.scope) acknowledge(role.node.scope, { L1: reason })
}

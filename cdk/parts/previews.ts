import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { DRAW_EVERY_SECONDS } from '../../schemas/deployment/stages.ts'
import { DRAWN_PREVIEWS } from '../../schemas/pages/previews.ts'
import { manifestKey } from '../../store/aws/tables.ts'
import { type Deployment, DRAWER_MEMORY_MB, DRAWER_SECONDS } from '../config.ts'
import { allowObjects } from '../grants.ts'
import { failureQueue, schedule, serviceFunction } from './functions.ts'

/** Draws the previews of links from the published documents, beside which it puts them, apart from what publishes those. */
export class PreviewDrawer extends Construct {
  readonly draw: LambdaFunction
  /** Failed runs. */
  readonly missed: Queue

  constructor(
    scope: Construct,
    id: string,
    props: { readonly deployment: Deployment; readonly published: IBucket },
  ) {
    super(scope, id)
    const { deployment, published } = props
    this.missed = failureQueue(this, 'Missed')
    const { handler, role } = serviceFunction(this, 'Draw', {
      deployment,
      process: 'drawPreviews',
      bundle: 'draw-previews',
      environment: { PUBLISHED_BUCKET: published.bucketName },
      memoryMb: DRAWER_MEMORY_MB,
      timeoutSeconds: DRAWER_SECONDS,
      failed: { queue: this.missed, retries: 0 },
    })
    this.draw = handler
    schedule(this, handler, {
      names: { group: 'Drawings', schedule: 'EachTenMinutes' },
      seconds: DRAW_EVERY_SECONDS,
      missed: this.missed,
    })
    allowObjects(role, published, { reads: [manifestKey, 'v1/z100/'], writes: [DRAWN_PREVIEWS] })
  }
}

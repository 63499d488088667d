import type { Stage } from './config.ts'

/** What a deployment is made of: the stage's numbers, and what was chosen for this run of the CDK. */
export type Deployment = {
  readonly stage: Stage
  /** Folder of the bundles that `npm run build` writes. */
  readonly bundles: string
  /** Folder of the built pages; null: there are none. */
  readonly pages: string | null
  /** A key that the pages ask with, which every reader of them sees; null: readers bring their own. */
  readonly siteKey: string | null
  /** Version and commit, as manifests name it. */
  readonly codeVersion: string
  /** Images are built from cdk/Dockerfile, which needs Docker where it is deployed from. */
  readonly hasDocker: boolean
  /** Where alarms are mailed to; null: nowhere. */
  readonly alarmEmail: string | null
  /** A name of one's own, with its certificate in us-east-1; null: the name that CloudFront gives. */
  readonly domain: { readonly names: readonly string[]; readonly certificateArn: string } | null
}

/** The namespace of a stage's metrics: two stages may live in one account. */
export const metricsNamespace = ({ stage }: Deployment): string => `z100-${stage.name}`

import type { Stage } from './config.ts'

/** What a deployment is made of: the stage's numbers, and what is built here; what operators choose once is in choices.ts. */
export type Deployment = {
  readonly stage: Stage
  /** Folder of the bundles that `npm run build` writes. */
  readonly bundles: string
  /** Folder of the built pages; null: there are none. */
  readonly pages: string | null
  /** Version and commit, as manifests name it. */
  readonly codeVersion: string
  /** Images are built from cdk/Dockerfile, which needs Docker where it is deployed from. */
  readonly hasDocker: boolean
}

/** The namespace of a stage's metrics: two stages may live in one account. */
export const metricsNamespace = ({ stage }: Deployment): string => `z100-${stage.name}`

import { type App, Tags, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'
import type { Deployment } from './deployment.ts'
import { ServiceStack } from './service-stack.ts'
import { StorageStack } from './storage-stack.ts'

/** Kinds of resources that have tags by the CDK and none by CloudFormation's own schemas. */
const untagged = [
  'AWS::ApplicationAutoScaling::ScalableTarget',
  'AWS::CloudWatch::Dashboard',
  'AWS::ElasticLoadBalancingV2::Listener',
]

/** W3005: the CDK names dependencies that references name, too. W6001: outputs tell operators names from the other stack. */
const linting = { config: { ignore_checks: ['W3005', 'W6001'] } }

/** The two stacks of a stage, in any account and in the region of who deploys them. */
export function addStacks(app: App, deployment: Deployment) {
  const { stage } = deployment
  const terminationProtection = stage.isProtected
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
  for (const [key, value] of Object.entries({ service: 'z100', stage: stage.name })) {
    Tags.of(app).add(key, value, { excludeResourceTypes: [...untagged] })
  }
  for (const stack of [storage, service]) stack.templateOptions.metadata = { 'cfn-lint': linting }
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  return { storage, service }
}

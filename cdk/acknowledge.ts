import { Stack, Validations } from 'aws-cdk-lib'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'
import type { IConstruct } from 'constructs'

/** Rules of cdk-nag that a construct, and all in it, does not follow: each with the reason why that is right. */
export function acknowledge(scope: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [rule, reason] of Object.entries(reasons)) {
    Validations.of(scope).acknowledge({ id: `AwsSolutions-${rule}`, reason })
  }
}

/** A wildcard in the policies of a role, and why it cannot be narrower; any other one is still refused. */
export function acknowledgeWildcard(role: IConstruct, resource: string, reason: string): void {
  const text = flattenCfnReference(Stack.of(role).resolve(resource))
  acknowledge(role, { [`IAM5[Resource::${text}]`]: reason })
}

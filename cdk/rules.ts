import { Aws, CfnRule, Fn, type ICfnConditionExpression, type Stack } from 'aws-cdk-lib'

/** CloudFormation refuses to deploy the stack to another region. A rule is checked before any resource is created. */
export const onlyIn = (stack: Stack, region: string, why: string): CfnRule =>
  new CfnRule(stack, 'HomeRegion', {
    assertions: [{ assert: Fn.conditionEquals(Aws.REGION, region), assertDescription: why }],
  })

/** CloudFormation refuses to deploy the stack with one of two values but without the other. */
export function onlyTogether(
  stack: Stack,
  id: string,
  { values, why }: { readonly values: readonly [string, string]; readonly why: string },
): CfnRule {
  const areEmpty = values.map((value) => Fn.conditionEquals(value, ''))
  const areGiven = areEmpty.map((isEmpty) => Fn.conditionNot(isEmpty))
  const assert: ICfnConditionExpression = Fn.conditionOr(
    Fn.conditionAnd(...areEmpty),
    Fn.conditionAnd(...areGiven),
  )
  return new CfnRule(stack, id, { assertions: [{ assert, assertDescription: why }] })
}

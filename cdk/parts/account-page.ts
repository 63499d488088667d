import { Aws, Fn, SecretValue, Stack } from 'aws-cdk-lib'
import { AuthorizationType, LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { tierNames } from '../../schemas/api/access.ts'
import { ACCOUNT_RESOURCE } from '../../schemas/api/account.ts'
import { accountPartitions } from '../../store/aws/tables.ts'
import { choiceOf, isChosen } from '../choices.ts'
import { ACCOUNT_MEMORY_MB, type Deployment, metricsVariable } from '../config.ts'
import { allow, allowItems, tableActions } from '../grants.ts'
import type { Edge } from './edge.ts'
import { serviceFunction } from './functions.ts'
import { byEdgeAuthorizer, openGateway } from './gateway.ts'
import type { ReadApi } from './read-api.ts'
import type { Storage } from './storage.ts'

type AccountPageParts = {
  readonly deployment: Deployment
  readonly storage: Storage
  readonly api: ReadApi
  readonly keyValueStore: Edge['keyValueStore']
}

/**
 * The operations of the account page: a function that alone may write accounts and keys, behind a gateway of its own, so that
 * neither can use up what the API has.
 */
export class AccountPage extends Construct {
  readonly handler: LambdaFunction
  readonly gateway: RestApi

  constructor(scope: Construct, id: string, parts: AccountPageParts) {
    super(scope, id)
    const { deployment, storage, api, keyValueStore } = parts
    const { stage } = deployment
    const { handler, role } = serviceFunction(this, 'Account', {
      deployment,
      process: 'account',
      bundle: 'account',
      environment: environmentOf(this, parts),
      memoryMb: ACCOUNT_MEMORY_MB,
      concurrency: stage.concurrency?.account,
      timeoutSeconds: 20,
      failed: null,
    })
    this.handler = handler
    allowItems(role, tableActions.change, { table: storage.access.tableArn, partitions: accountPartitions })
    allow(role, tableActions.read, [storage.usage.tableArn])
    allow(
      role,
      ['DescribeKeyValueStore', 'GetKey', 'UpdateKeys'].map((action) => `cloudfront-keyvaluestore:${action}`),
      [keyValueStore.keyValueStoreArn],
    )
    this.letShareKeys(role, api)
    this.gateway = openGateway(this, deployment, {
      name: `z100-${stage.name}-account`,
      description: 'The account page',
      requestsPerSecond: stage.accounts.requestsPerSecond,
      after: api.gateway,
    })
    this.gateway.root
      .resourceForPath(ACCOUNT_RESOURCE)
      .addMethod('ANY', new LambdaIntegration(handler, { allowTestInvoke: false }), {
        authorizer: byEdgeAuthorizer(this, api.authorizer),
        authorizationType: AuthorizationType.CUSTOM,
        apiKeyRequired: false,
      })
  }

  /** It may create the gateway keys that accounts share, and put them on the plans of the tiers; none can be removed. */
  private letShareKeys(role: Parameters<typeof allow>[0], { usagePlans }: ReadApi): void {
    const stack = Stack.of(this)
    const arnOf = (path: string) => `arn:${stack.partition}:apigateway:${stack.region}::${path}`
    allow(role, ['apigateway:GET', 'apigateway:POST'], [arnOf('/apikeys')])
    const plans = tierNames.map((tier) => arnOf(`/usageplans/${usagePlans[tier].usagePlanId}/keys`))
    allow(role, ['apigateway:GET', 'apigateway:POST'], plans)
  }
}

function environmentOf(scope: Construct, { deployment, storage, api, keyValueStore }: AccountPageParts) {
  const { stage } = deployment
  const stack = Stack.of(scope)
  const webhookSecret = choiceOf(stack, 'webhookSecret')
  const { logicalId } = isChosen(stack, 'webhookSecret', webhookSecret)
  return {
    ACCESS_TABLE: storage.access.tableName,
    USAGE_TABLE: storage.usage.tableName,
    KEY_VALUE_STORE: keyValueStore.keyValueStoreArn,
    USAGE_PLANS: tierNames.map((tier) => `${tier}=${api.usagePlans[tier].usagePlanId}`).join(','),
    CHAIN: stage.chain,
    // CloudFormation inserts the value when the function changes, which a release does.
    RPC_URLS: SecretValue.secretsManager(storage.rpcUrls.secretArn).unsafeUnwrap(),
    CODE_VERSION: deployment.codeVersion,
    SITE_SCHEME: 'https',
    NEW_ACCOUNTS: String(stage.accounts.newInAll),
    NEW_ACCOUNTS_OF_NETWORK: String(stage.accounts.newOfNetwork),
    METRICS_NAMESPACE: metricsVariable(deployment),
    WEBHOOK_SECRET: Fn.conditionIf(logicalId, webhookSecret, Aws.NO_VALUE).toString(),
  }
}

import { Arn, Fn, type Stack } from 'aws-cdk-lib'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { type ChoiceName, chosen, isChosen } from './choices.ts'

export type StoredTable = { readonly tableName: string; readonly tableArn: string }

/** What the service reads and writes and cannot make again. */
export type Storage = Readonly<Record<'market' | 'access' | 'usage', StoredTable>> & {
  readonly segments: IBucket
  readonly rpcUrls: ISecret
}

/**
 * The storage as a stack of the service sees it: a table that was restored under another name stands in place of the one of
 * the storage stack, which cannot take it in while its own name is exported.
 */
export function storageOf<S extends Storage & Readonly<Record<'market' | 'access' | 'usage', Table>>>(
  stack: Stack,
  own: S,
): Storage {
  const { segments, rpcUrls } = own
  return {
    ...{ segments, rpcUrls },
    market: restored(stack, 'marketTable', own.market),
    access: restored(stack, 'accessTable', own.access),
    usage: restored(stack, 'usageTable', own.usage),
  }
}

function restored(stack: Stack, choice: ChoiceName, own: Table): StoredTable {
  const name = chosen(stack, choice)
  const { logicalId } = isChosen(stack, choice, name)
  const arn = Arn.format({ service: 'dynamodb', resource: 'table', resourceName: name }, stack)
  return {
    tableName: Fn.conditionIf(logicalId, name, own.tableName).toString(),
    tableArn: Fn.conditionIf(logicalId, arn, own.tableArn).toString(),
  }
}

/** The anchor of the API's benchmark: a handler with the bare client that asks the table what the API asked it, and does nothing with the answers. */
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'

/** A request as it went over the wire. */
export type WireRequest = { readonly operation: string; readonly input: never }

const commands = {
  GetItem: GetItemCommand,
  BatchGetItem: BatchGetItemCommand,
  Query: QueryCommand,
  UpdateItem: UpdateItemCommand,
}

const client = new DynamoDBClient({})
const requests = JSON.parse(process.env['BARE_REQUESTS'] ?? '[]') as readonly WireRequest[]

/** Asks for everything at once. */
export async function handler(): Promise<{ statusCode: number; body: string }> {
  await Promise.all(
    requests.map(({ operation, input }) =>
      client.send(new commands[operation as keyof typeof commands](input)).catch(() => undefined),
    ),
  )
  return { statusCode: 200, body: '' }
}

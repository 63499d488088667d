/** The anchor of the API's benchmark: a handler with the bare client that asks the table what the API asked it, and does nothing with the answers. Like the API it asks in rounds: what depends on an answer is asked after it. */
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
const rounds = JSON.parse(process.env['BARE_ROUNDS'] ?? '[]') as readonly (readonly WireRequest[])[]

/** Asks for all of a round at once, and for the next round when all of it is answered. */
export async function handler(): Promise<{ statusCode: number; body: string }> {
  for (const round of rounds) await Promise.all(round.map(ask))
  return { statusCode: 200, body: '' }
}

const ask = ({ operation, input }: WireRequest) =>
  client.send(new commands[operation as keyof typeof commands](input))

/** What the API's benchmark compares with: a handler with a bare client that sends the requests recorded from the API, in the same rounds, and drops the answers. */
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'

/** A request as it went over the wire. */
export type WireRequest = { readonly operation: string; readonly input: never }

const client = new DynamoDBClient({})
const operations: Readonly<Record<string, (input: never) => Promise<unknown>>> = {
  GetItem: (input) => client.send(new GetItemCommand(input)),
  BatchGetItem: (input) => client.send(new BatchGetItemCommand(input)),
  Query: (input) => client.send(new QueryCommand(input)),
  UpdateItem: (input) => client.send(new UpdateItemCommand(input)),
}
const rounds = JSON.parse(process.env['BARE_ROUNDS'] ?? '[]') as readonly (readonly WireRequest[])[]

/** Sends all requests of a round at once, and the next round when all of it is answered. */
export async function handler(): Promise<{ statusCode: number; body: string }> {
  for (const round of rounds)
    await Promise.all(round.map(({ operation, input }) => operations[operation]?.(input)))
  return { statusCode: 200, body: '' }
}

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { newClient } from '../../../store/aws/table.ts'

/** A client of the tables that says what each request cost, in capacity units. */
export function countedClient(note: (units: number, kind: 'read' | 'write') => void): DynamoDBClient {
  const client = newClient()
  client.middlewareStack.add(
    (next) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' })
      const answer = await next(args)
      const consumed = 'ConsumedCapacity' in answer.output ? answer.output.ConsumedCapacity : undefined
      for (const capacity of [consumed ?? []].flat()) {
        const units = 'CapacityUnits' in capacity ? (capacity.CapacityUnits ?? 0) : 0
        note(units, 'Item' in args.input ? 'write' : 'read')
      }
      return answer
    },
    { step: 'initialize' },
  )
  return client
}

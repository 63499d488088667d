import { randomUUID } from 'node:crypto'
import { CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront'

/** What the edge was told to forget. `status` is AWS's: InProgress until every edge has, Completed then. */
export type Invalidation = { readonly id: string; readonly status: string }

/** A path is not one that the edge can be told to forget. */
export class InvalidPathError extends Error {
  override readonly name = 'InvalidPathError'
  constructor(path: string) {
    super(
      `${JSON.stringify(path)} is not a path of the edge: it begins with /, has no query, and * only at its end`,
    )
  }
}

/**
 * Tells a distribution to forget what it keeps at these paths (`*` at the end of one stands for anything): the next request
 * is answered from the origin. Region, credentials and endpoint come from the process's environment. Throws InvalidPathError.
 */
export async function invalidate(distributionId: string, paths: readonly string[]): Promise<Invalidation> {
  for (const path of paths) if (!/^\/[!-)+->@-~]*\*?$/.test(path)) throw new InvalidPathError(path)
  const client = new CloudFrontClient({})
  const answer = await client.send(
    new CreateInvalidationCommand({
      DistributionId: distributionId,
      InvalidationBatch: {
        CallerReference: randomUUID(),
        Paths: { Quantity: paths.length, Items: [...paths] },
      },
    }),
  )
  client.destroy()
  return { id: answer.Invalidation?.Id ?? '', status: answer.Invalidation?.Status ?? '' }
}

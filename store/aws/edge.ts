import { randomUUID } from 'node:crypto'
import { CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront'
import {
  CloudFrontKeyValueStoreClient,
  type CloudFrontKeyValueStoreClientConfig,
  ConflictException,
  DescribeKeyValueStoreCommand,
  GetKeyCommand,
  ListKeysCommand,
  type ListKeysCommandOutput,
  ResourceNotFoundException,
  UpdateKeysCommand,
  ValidationException,
} from '@aws-sdk/client-cloudfront-keyvaluestore'

// Multi-region signatures; the client picks this up by the import.
import '@aws-sdk/signature-v4a'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreFault } from './fault.ts'
import { chunked } from './parallel.ts'

/** The entries that the edge's functions read. A write reaches every edge within seconds and costs a tenth of a cent. */
export type EdgeStore = {
  read(key: string): Promise<string | undefined>
  entries(): AsyncGenerator<readonly [key: string, value: string]>
  /** Writes and removes entries; removed keys must exist. Throws EdgeStoreBusyError if other writers keep interfering. */
  write(changes: EdgeChanges): Promise<void>
}

type EdgeChanges = { readonly puts?: Readonly<Record<string, string>>; readonly deletes?: readonly string[] }

/** Maximum keys of one UpdateKeys. */
const BATCH_MAX = 50
/** Another writer changed the store's ETag, so it is read again. */
const ATTEMPTS = 12
const PAUSE_MS = 20

/** Opens the KeyValueStore of this ARN. Region, credentials and endpoint come from the process's environment. */
export function openEdgeStore(arn: string): EdgeStore {
  const client = new CloudFrontKeyValueStoreClient(endpointFrom(process.env))
  const store = { KvsARN: arn }
  // Cached between writes, since most follow one of our own.
  let etag: string | undefined

  const current = async () => (await client.send(new DescribeKeyValueStoreCommand(store))).ETag ?? ''
  const writeOnce = async (batch: Batch) => {
    const used = etag ?? (await current())
    try {
      etag = (await client.send(new UpdateKeysCommand({ ...store, ...batch, IfMatch: used }))).ETag
      return true
    } catch (error) {
      etag = undefined
      if (error instanceof ConflictException) return false
      // Also returned for an outdated ETag; if the ETag is current, something else is wrong.
      if (error instanceof ValidationException && (await current()) !== used) return false
      throw error
    }
  }
  return {
    async read(key) {
      try {
        return (await client.send(new GetKeyCommand({ ...store, Key: key }))).Value
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined
        throw error
      }
    },
    async *entries() {
      let NextToken: string | undefined
      do {
        const page: ListKeysCommandOutput = await client.send(
          new ListKeysCommand({ ...store, ...(NextToken ? { NextToken } : {}) }),
        )
        for (const { Key, Value } of page.Items ?? []) yield [Key ?? '', Value ?? ''] as const
        NextToken = page.NextToken
      } while (NextToken)
    },
    async write(changes) {
      for (const batch of batchesOf(changes)) {
        for (let attempt = 1; !(await writeOnce(batch)); attempt++) {
          if (attempt === ATTEMPTS)
            throw new StoreFault(
              'EdgeStoreBusyError',
              `${ATTEMPTS} writes in a row met another writer of the KeyValueStore; try again`,
            )
          await sleep(PAUSE_MS * attempt * (0.5 + Math.random()))
        }
      }
    },
  }
}

type Batch = { readonly Puts: { Key: string; Value: string }[]; readonly Deletes: { Key: string }[] }

function batchesOf({ puts = {}, deletes = [] }: EdgeChanges): readonly Batch[] {
  const Puts = Object.entries(puts).map(([Key, Value]) => ({ Key, Value }))
  const Deletes = deletes.map((Key) => ({ Key }))
  return [
    ...chunked(Puts, BATCH_MAX).map((some) => ({ Puts: [...some], Deletes: [] })),
    ...chunked(Deletes, BATCH_MAX).map((some) => ({ Puts: [], Deletes: [...some] })),
  ]
}

/** The client prefixes the account id to a custom endpoint's host, which would break our addresses. */
function endpointFrom(
  environment: Readonly<Record<string, string | undefined>>,
): CloudFrontKeyValueStoreClientConfig {
  const endpoint = environment['AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE']
  if (!endpoint) return {}
  return { endpointProvider: () => ({ url: new URL(endpoint) }) }
}

/** An invalidation. `status` is AWS's: InProgress until every edge has done it, then Completed. */
type Invalidation = { readonly id: string; readonly status: string }

/**
 * Invalidates these paths of a distribution (`*` at the end is a wildcard): the next request is answered by the origin.
 * Region, credentials and endpoint come from the process's environment. Throws InvalidPathError.
 */
export async function invalidate(distributionId: string, paths: readonly string[]): Promise<Invalidation> {
  const wrong = paths.find((path) => !/^\/[!-)+->@-~]*\*?$/.test(path))
  if (wrong !== undefined)
    throw new StoreFault(
      'InvalidPathError',
      `${JSON.stringify(wrong)} is not a path of the edge: it begins with /, has no query, and * only at its end`,
    )
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

import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'

/** A stored object; `metadata` has lower-case names. */
export type StoredObject = {
  readonly bytes: Uint8Array
  readonly etag: string
  readonly contentType?: string
  readonly metadata: Record<string, string>
}

/** Metadata of an object, and the condition of its put. */
export type PutOptions = {
  readonly contentType?: string
  readonly cacheControl?: string
  readonly metadata?: Record<string, string>
  /** Put only if there is no such object. */
  readonly ifNoneMatch?: '*'
  /** Put only if the object has this ETag. */
  readonly ifMatch?: string
}

export type Bucket = {
  read(key: string): Promise<StoredObject | undefined>
  /** 'conflict': the condition failed and nothing changed. */
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<'stored' | 'conflict'>
  /** Objects whose keys begin with `prefix`, in key order, after `startAfter`. */
  list(prefix: string, startAfter?: string): AsyncGenerator<{ readonly key: string; readonly size: number }>
  /** Removes the object; an absent one is no error. */
  remove(key: string): Promise<void>
}

/** A cold start reads many segments at once. */
const agent = { keepAlive: true, maxSockets: 64 }

/** 412 precondition failed; 409 a concurrent put of the same key won; 404 If-Match of an absent key. */
const CONFLICTS = [404, 409, 412]

/** Opens a bucket by name. Region, credentials and endpoint come from the process's environment. */
export function openBucket(name: string): Bucket {
  const client = new S3Client({ requestHandler: { httpAgent: agent, httpsAgent: agent } })
  return {
    async read(key) {
      try {
        const answer = await client.send(new GetObjectCommand({ Bucket: name, Key: key }))
        return {
          bytes: (await answer.Body?.transformToByteArray()) ?? new Uint8Array(),
          etag: answer.ETag ?? '',
          ...(answer.ContentType === undefined ? {} : { contentType: answer.ContentType }),
          metadata: answer.Metadata ?? {},
        }
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },
    async put(key, bytes, { contentType, cacheControl, metadata, ifMatch, ifNoneMatch } = {}) {
      const command = new PutObjectCommand({
        Bucket: name,
        Key: key,
        Body: bytes,
        Metadata: metadata,
        ContentType: contentType,
        CacheControl: cacheControl,
        IfMatch: ifMatch,
        IfNoneMatch: ifNoneMatch,
      })
      try {
        await client.send(command)
        return 'stored'
      } catch (error) {
        if ((ifMatch ?? ifNoneMatch) !== undefined && isConflict(error)) return 'conflict'
        throw error
      }
    },
    async *list(prefix, startAfter) {
      let next: { StartAfter?: string; ContinuationToken?: string } | undefined =
        startAfter === undefined ? {} : { StartAfter: startAfter }
      while (next) {
        const command: ListObjectsV2Command = new ListObjectsV2Command({
          Bucket: name,
          Prefix: prefix,
          ...next,
        })
        const page = await client.send(command)
        for (const { Key: key, Size: size } of page.Contents ?? []) yield { key: key ?? '', size: size ?? 0 }
        next = page.NextContinuationToken ? { ContinuationToken: page.NextContinuationToken } : undefined
      }
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }))
    },
  }
}

/**
 * Puts what `make` returns for the current object, on condition that the object has not changed since; otherwise it
 * retries. False: `make` returned nothing.
 */
export async function putOver(
  bucket: Pick<Bucket, 'read' | 'put'>,
  key: string,
  make: (current: StoredObject | undefined) => (PutOptions & { readonly bytes: Uint8Array }) | undefined,
): Promise<boolean> {
  for (;;) {
    const current = await bucket.read(key)
    const next = make(current)
    if (!next) return false
    const { bytes, ...options } = next
    const condition = current ? { ifMatch: current.etag } : { ifNoneMatch: '*' as const }
    if ((await bucket.put(key, bytes, { ...options, ...condition })) === 'stored') return true
  }
}

/** Creates the bucket if it does not exist: for a deployment on this machine; on AWS the stacks do. */
export async function ensureBucket(name: string): Promise<void> {
  const client = new S3Client({})
  await client.send(new CreateBucketCommand({ Bucket: name })).catch((error: unknown) => {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error
  })
  client.destroy()
}

const isConflict = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  error.name !== 'NoSuchBucket' &&
  CONFLICTS.includes(error.$metadata.httpStatusCode ?? 0)

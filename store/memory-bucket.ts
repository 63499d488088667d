import type { Bucket, PutOptions, StoredObject } from './bucket.ts'

/** An object and the cache lifetime it was put with. */
type KeptObject = StoredObject & Pick<PutOptions, 'cacheControl'>

/** A bucket in memory with the conditional writes of S3: for what is worked out again beside the service. */
export function openMemoryBucket(): Bucket & { readonly objects: Map<string, KeptObject> } {
  let version = 0
  const objects = new Map<string, KeptObject>()
  return {
    objects,
    read: async (key) => objects.get(key),
    async put(key, bytes, { contentType, cacheControl, metadata = {}, ifNoneMatch, ifMatch } = {}) {
      const standing = objects.get(key)
      if (ifNoneMatch && standing) return 'conflict'
      if (ifMatch && ifMatch !== standing?.etag) return 'conflict'
      version += 1
      objects.set(key, {
        bytes,
        etag: `"${version}"`,
        metadata,
        ...(contentType === undefined ? {} : { contentType }),
        ...(cacheControl === undefined ? {} : { cacheControl }),
      })
      return 'stored'
    },
    async *list(prefix, startAfter = '') {
      for (const key of [...objects.keys()].sort()) {
        const object = objects.get(key)
        if (object && key.startsWith(prefix) && key > startAfter) yield { key, size: object.bytes.length }
      }
    },
    async remove(key) {
      objects.delete(key)
    },
  }
}

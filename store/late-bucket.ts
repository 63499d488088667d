import type { Bucket } from './bucket.ts'

/** A bucket whose client is loaded with its first use: for processes that nearly never use it and must start fast. */
export function openBucketLate(name: string): Bucket {
  let opened: Promise<Bucket> | undefined
  const bucket = (): Promise<Bucket> => {
    opened ??= import('./bucket.ts').then(({ openBucket }) => openBucket(name))
    return opened
  }
  return {
    read: async (key) => (await bucket()).read(key),
    put: async (key, bytes, options) => (await bucket()).put(key, bytes, options),
    async *list(prefix, startAfter) {
      yield* (await bucket()).list(prefix, startAfter)
    },
    remove: async (key) => (await bucket()).remove(key),
  }
}

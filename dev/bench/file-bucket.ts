/** A bucket of files under a folder, for what one process writes and another reads. Puts are not conditional and metadata is not kept. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Bucket } from '../../store/aws/bucket.ts'

export function fileBucket(folder: string): Bucket {
  return {
    async read(key) {
      const bytes = await readFile(join(folder, key)).catch(undefinedIfAbsent)
      return bytes && { bytes, etag: '', metadata: {} }
    },
    async put(key, bytes) {
      const path = join(folder, key)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, bytes)
      return 'stored'
    },
    async *list(prefix, startAfter = '') {
      const names = (await readdir(folder, { recursive: true })).sort()
      for (const key of names) {
        if (!key.startsWith(prefix) || key <= startAfter) continue
        const file = await stat(join(folder, key))
        if (file.isFile()) yield { key, size: file.size }
      }
    },
    remove: (key) => rm(join(folder, key), { force: true }),
  }
}

function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

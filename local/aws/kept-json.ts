import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A value kept in a file as JSON, or in memory alone. */
export type Kept<V> = {
  readonly value: V
  /** Keeps another value; resolves when it is in the file. Writes follow each other in the order of their calls. */
  keep(value: V): Promise<void>
}

/** Opens the value that a file holds; `initial` when there is no file, or no such file yet. */
export async function openKept<V>(file: string | undefined, initial: V): Promise<Kept<V>> {
  const read = async (path: string): Promise<V> =>
    readFile(path, 'utf8').then(
      (text) => JSON.parse(text) as V,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return initial
        throw error
      },
    )
  let value = file === undefined ? initial : await read(file)
  let written = Promise.resolve()
  return {
    get value() {
      return value
    },
    keep(next) {
      value = next
      if (file !== undefined) written = written.then(() => writeSecret(file, next))
      return written
    },
  }
}

/** Writes a file whole or not at all, and for its owner alone: some of it are keys. */
export async function writeSecret(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await rm(`${file}.part`, { force: true })
  await writeFile(`${file}.part`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.part`, file)
}

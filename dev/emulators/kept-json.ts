import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DamagedFileError } from './damaged-file.ts'
import { openQueue } from './queue.ts'

/** A value stored in a file as JSON, or in memory only. */
export type Kept<V> = {
  readonly value: V
  /** Replaces the value; resolves when it is in the file. Writes happen in call order. */
  keep(value: V): Promise<void>
}

/** Opens the object of a file; `initial` if there is no file yet. Throws DamagedFileError. */
export async function openKept<V extends object>(file: string | undefined, initial: V): Promise<Kept<V>> {
  const read = async (path: string): Promise<V> =>
    readFile(path, 'utf8').then(
      (text) => objectIn(text, path) as V,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return initial
        throw error
      },
    )
  let value = file === undefined ? initial : await read(file)
  const inTurn = openQueue()
  return {
    get value() {
      return value
    },
    async keep(next) {
      value = next
      if (file !== undefined) await inTurn(() => writeSecret(file, next))
    },
  }
}

function objectIn(text: string, path: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Named below.
  }
  throw new DamagedFileError(path, 'not the JSON that was written there')
}

/** Writes a file atomically, readable by its owner only, since it may contain keys. */
export async function writeSecret(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await rm(`${file}.part`, { force: true })
  await writeFile(`${file}.part`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.part`, file)
}

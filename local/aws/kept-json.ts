import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A value kept in a file as JSON, or in memory alone. */
export type Kept<V> = {
  readonly value: V
  /** Keeps another value; resolves when it is in the file. Writes follow each other in the order of their calls. */
  keep(value: V): Promise<void>
}

/** Opens the value that a file holds; `initial` when there is no file, or no such file yet. */
export async function openKept<V>(file: string | undefined, initial: V): Promise<Kept<V>> {
  let value = file === undefined ? initial : ((await read<V>(file)) ?? initial)
  let written = Promise.resolve()
  return {
    get value() {
      return value
    },
    keep(next) {
      value = next
      if (file !== undefined) written = written.then(() => write(file, next))
      return written
    },
  }
}

async function read<V>(file: string): Promise<V | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as V
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whole or not at all: a killed process leaves the file as it was. */
async function write(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.part`, JSON.stringify(value))
  await rename(`${file}.part`, file)
}

import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a run keeps in its data directory, and nothing else is ever removed from there. */
const kept = { journal: 'chain.jsonl', tables: 'dynamodb', objects: 's3', ready: 'ready.json' } as const

export type DataDir = { readonly [N in keyof typeof kept]: string }

/** Paths inside the directory, which is made when missing. The ready file of an earlier run is taken away. */
export async function openDataDir(dir: string): Promise<DataDir> {
  await mkdir(dir, { recursive: true })
  const paths = Object.fromEntries(
    Object.entries(kept).map(([name, file]) => [name, join(dir, file)]),
  ) as DataDir
  await rm(paths.ready, { force: true })
  return paths
}

/** Removes what earlier runs kept. */
export async function clearData(dir: string): Promise<void> {
  for (const file of Object.values(kept)) await rm(join(dir, file), { recursive: true, force: true })
}

/** Writes the ready file whole or not at all. */
export async function writeReady({ ready }: DataDir, value: unknown): Promise<void> {
  await writeFile(`${ready}.part`, `${JSON.stringify(value, null, 2)}\n`)
  await rename(`${ready}.part`, ready)
}

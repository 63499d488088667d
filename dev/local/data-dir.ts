import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { OperatorFault } from '../../admin/base/terminal.ts'
import { unreplayableOf } from '../devnet/journal.ts'
import { writeSecret } from '../emulators/kept-json.ts'

const JOURNAL = 'chain.jsonl'

/** Files of a run in its data directory; nothing else is ever removed from there. */
const kept = {
  journal: JOURNAL,
  unreplayable: unreplayableOf(JOURNAL),
  tables: 'dynamodb',
  objects: 's3',
  gateway: 'apigateway.json',
  edge: 'keyvaluestore.json',
  demoKeys: 'demo-keys.json',
  logs: 'functions.log',
  ready: 'ready.json',
  lock: 'run.pid',
} as const

export type DataDir = { readonly [N in keyof typeof kept]: string }

/**
 * Locks the directory for this process, creating it if missing, and removes the ready file of an earlier run. Throws
 * DataDirInUse, and DataDirUnusable where it cannot be made or written to.
 */
export async function openDataDir(dir: string): Promise<DataDir> {
  // A directory that is there already keeps its rights; files with keys have their own.
  await makeFolder(resolve(dir)).catch(unusable(dir))
  const paths = Object.fromEntries(
    Object.entries(kept).map(([name, file]) => [name, join(dir, file)]),
  ) as DataDir
  await take(dir, paths.lock)
  await rm(paths.ready, { force: true })
  return paths
}

/** Makes a folder and those it is in. Node's own recursive mkdir never returns where the system refuses one with ENOENT, as below /proc. */
async function makeFolder(dir: string): Promise<void> {
  const make = () => mkdir(dir, { mode: 0o700 })
  try {
    await make()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = dirname(dir)
    if (code === 'EEXIST' && (await stat(dir)).isDirectory()) return
    if (code !== 'ENOENT' || (await isThere(parent))) throw error
    await makeFolder(parent)
    await make()
  }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Unlocks the directory. */
export async function closeDataDir({ ready, lock }: DataDir): Promise<void> {
  await rm(ready, { force: true })
  await rm(lock, { force: true })
}

/** Removes the files of earlier runs. Throws as openDataDir does. */
export async function clearData(dir: string): Promise<void> {
  const paths = await openDataDir(dir)
  for (const path of Object.values(paths)) await rm(path, { recursive: true, force: true })
}

/** Writes the ready file. */
export const writeReady = ({ ready }: DataDir, value: unknown): Promise<void> => writeSecret(ready, value)

/** The lock contains the process id, so that one left by a killed run does not count. */
async function take(dir: string, lock: string): Promise<void> {
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''))
  if (pid > 0 && pid !== process.pid && isAlive(pid))
    throw new OperatorFault(
      'DataDirInUse',
      `${dir} is in use by process ${pid}; end it, or choose another --data-dir`,
    )
  await writeFile(lock, String(process.pid)).catch(unusable(dir))
}

const unusable = (dir: string) => (error: Error) => {
  throw new OperatorFault(
    'DataDirUnusable',
    `${dir} cannot hold a run's data (${error.message}); choose another --data-dir`,
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What the processes of one run of the tests share: each thing is made by the first that needs it, in a folder that goes when the run ends. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const NAME = 'TESTS_RUN_DIR'
/** Goes when the run ends. */
export const runDir = (): string => process.env[NAME]!

/** Vitest calls it before a run, for each project. */
export function setup(): void {
  process.env[NAME] ??= mkdtempSync(join(tmpdir(), 'z100-run-'))
}

/** Vitest calls it after a run, for each project. */
export function teardown(): void {
  rmSync(runDir(), { recursive: true, force: true })
}

/** A text that one process makes and the others wait for. Where making it fails, the next one tries. */
export async function onceInRun(name: string, make: () => string | Promise<string>): Promise<string> {
  const path = join(runDir(), name)
  while (!existsSync(path)) {
    if (!begin(`${path}.begun`)) await sleep(100)
    else {
      try {
        writeFileSync(`${path}.new`, await make())
        renameSync(`${path}.new`, path)
      } finally {
        rmdirSync(`${path}.begun`)
      }
    }
  }
  return readFileSync(path, 'utf8')
}

/** Whether this process is the one: a folder is made by one alone. */
function begin(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

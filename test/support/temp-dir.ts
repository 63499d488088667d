/** Folders for one test file: all are removed after it (leave-nothing.ts), those of a bench when it ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []
process.once('exit', removeTempDirs)

/** The path of a new folder. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'z100-'))
  made.push(dir)
  return dir
}

export function removeTempDirs(): void {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true })
}

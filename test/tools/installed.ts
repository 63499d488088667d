/** The tools of test/tools/package.json; where they are not installed, their tests are skipped, and say so. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** This folder: where the tools are installed. */
export const TOOLS = fileURLToPath(new URL('.', import.meta.url))

/** Loads what is installed here. */
export const requireTool = createRequire(`${TOOLS}package.json`)

/** Where generated clients are written: below the packages that they import. */
export const GENERATED = `${TOOLS}node_modules/.generated`

/** A program of a package. */
export const program = (name: string): string => `${TOOLS}node_modules/.bin/${name}`

/** Whether the tools are installed; prints a line where they are not. */
export function hasTools(what: string): boolean {
  const isHere = existsSync(`${TOOLS}node_modules/orval`)
  if (!isHere) process.stdout.write(`skipped: test/tools is not installed (.ci/tools does), so ${what}\n`)
  return isHere
}

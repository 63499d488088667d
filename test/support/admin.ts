/** The operator's program, called as from a shell, with what it wrote. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { errorText } from '../../admin/base/terminal.ts'
import { commandGroups, runAdmin } from '../../admin/program.ts'

export type AdminRun = { readonly code: number; readonly out: string; readonly err: string }

/** Runs one command line in this process; an error that ends it is on stderr by name, with code 2, as main.ts has it. */
export async function admin(...argv: string[]): Promise<AdminRun> {
  const [stdout, stderr] = [sink(), sink()]
  const terminal = { stdout: stdout.stream, stderr: stderr.stream, environment: process.env }
  const code = await runAdmin(argv, await commandGroups(argv), terminal).catch((error: Error) => {
    stderr.stream.write(`${errorText(error)}\n`)
    return 2
  })
  return { code, out: stdout.text(), err: stderr.text() }
}

function sink() {
  const stream = new PassThrough()
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += String(chunk)
  })
  // As a pipe is: no terminal.
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text }
}

/** A data directory whose ready file says these variables, as a run's does. */
export function readyDir(dir: string, env: Readonly<Record<string, string>>): string {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'ready.json'), JSON.stringify({ env }))
  return dir
}

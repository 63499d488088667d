/** The ingest process as a child of a test, to be killed at any moment. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type IngestChild = {
  /** SIGKILL; resolves when the process has gone. Throws where it had ended by itself. */
  kill(): Promise<void>
  /** Resolves when the process next says that a minute is sealed, or has ended. */
  sealed(): Promise<void>
  /** Throws, with what the process said, where it has ended by itself. */
  assertAlive(): void
}

const ROOT = new URL('../../..', import.meta.url).pathname
/** Characters of output that a failure shows. */
const SHOWN = 4_000

/** Starts `ingest/main.ts` with this environment and no other. */
export function startIngest(env: Readonly<Record<string, string>>): IngestChild {
  const child = spawn(process.execPath, ['--import', 'tsx', 'ingest/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output = (output + text).slice(-SHOWN)
    })
  const exited = once(child, 'exit')
  const assertAlive = () => {
    if (child.exitCode !== null) throw new Error(`ingest ended with ${child.exitCode}\n${output}`)
  }
  return {
    assertAlive,
    sealed: () =>
      new Promise((resolve) => {
        const listen = (text: Buffer) => {
          if (!text.includes('ingest.sealed')) return
          child.stdout.off('data', listen)
          resolve()
        }
        child.stdout.on('data', listen)
        child.once('exit', () => resolve())
      }),
    kill: async () => {
      assertAlive()
      child.kill('SIGKILL')
      await exited
    },
  }
}

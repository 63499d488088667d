import { closeSync, openSync, writeSync } from 'node:fs'

/**
 * What functions and services print goes to a file, anew each run, as it goes to CloudWatch Logs on AWS. Whoever bound the
 * stream's own `write` before still reaches the stream. Stopping gives it back.
 */
export function keepFunctionLogs(stdout: NodeJS.WriteStream, file: string): { stop(): Promise<void> } {
  const descriptor = openSync(file, 'w', 0o600)
  const own = stdout.write
  stdout.write = (text: Uint8Array | string) => {
    writeSync(descriptor, typeof text === 'string' ? text : Buffer.from(text).toString())
    return true
  }
  return {
    stop: async () => {
      stdout.write = own
      closeSync(descriptor)
    },
  }
}

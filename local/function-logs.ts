import { closeSync, openSync, writeSync } from 'node:fs'

/**
 * What functions and services print goes to a file, anew each run, as it goes to CloudWatch Logs on AWS. Whoever bound the
 * stream's own `write` before still reaches the stream. `onLine` is told of each. Stopping gives it back.
 */
export function keepFunctionLogs(
  stdout: NodeJS.WriteStream,
  file: string,
  onLine: (line: string) => void = () => undefined,
): { stop(): Promise<void> } {
  const descriptor = openSync(file, 'w', 0o600)
  const own = stdout.write
  stdout.write = (text: Uint8Array | string) => {
    const line = typeof text === 'string' ? text : Buffer.from(text).toString()
    writeSync(descriptor, line)
    onLine(line)
    return true
  }
  return {
    stop: async () => {
      stdout.write = own
      closeSync(descriptor)
    },
  }
}

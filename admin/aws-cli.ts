import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** One call of AWS, read-only: what it answered, or null where there is no such thing. */
export type AskAws = (call: string, options?: Readonly<Record<string, string>>) => Promise<AwsAnswer | null>
export type AwsAnswer = Readonly<Record<string, unknown>>

/** AWS refused a call, or its command line is not there. */
export class AwsCallError extends Error {
  override readonly name = 'AwsCallError'
  constructor(call: string, said: string) {
    super(`aws ${call}: ${said}`)
  }
}

const run = promisify(execFile)
const isAbsence = /(NotFound|NoSuch|does not exist|NotFoundException)/

/** By the command line of AWS, which finds credentials as the SDK does. Rejects with AwsCallError. */
export const askByCli =
  (environment: NodeJS.ProcessEnv): AskAws =>
  async (call, options = {}) => {
    const named = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    try {
      const { stdout } = await run('aws', [...call.split(' '), ...named, '--output', 'json'], {
        ...{ env: { AWS_REGION: 'us-east-1', ...environment }, maxBuffer: 16 * 2 ** 20 },
      })
      return stdout.trim() === '' ? {} : (JSON.parse(stdout) as AwsAnswer)
    } catch (error) {
      const { stderr, message } = error as Error & { readonly stderr?: string }
      const said = stderr?.trim() || message
      if (isAbsence.test(said)) return null
      throw new AwsCallError(call, said)
    }
  }

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Option } from 'commander'
import { stageSizes } from '../schemas/stages.ts'
import { AdminFault, type Call, type CommandGroup, commandOf, type ExitCode } from './command.ts'
import { afterChecks, beforeChecks, type Check, listIn, type Surroundings } from './doctor-checks.ts'

/** What a look has found: a fault, or nothing; or why it could not look. */
export type Finding = {
  readonly check: string
  readonly fault: string | null
  readonly todo: string
}

/** Looks at an account; at the deployment, too, where there is one. */
export async function examine(at: Surroundings): Promise<readonly Finding[]> {
  const found = await look(beforeChecks, at)
  if (found.some(({ check, fault }) => check === 'credentials' && fault !== null)) return found.slice(0, 1)
  const name = { 'stack-name': `Z100-${at.stage}-Service` }
  const isDeployed = listIn(await at.aws('cloudformation describe-stacks', name), 'Stacks').length > 0
  return isDeployed ? [...found, ...(await look(afterChecks, at))] : found
}

const look = (checks: Readonly<Record<string, Check>>, at: Surroundings): Promise<readonly Finding[]> =>
  Promise.all(
    Object.entries(checks).map(async ([check, run]) => {
      try {
        const found = await run(at)
        return { check, fault: found?.what ?? null, todo: found?.todo ?? '' }
      } catch (error) {
        return {
          check,
          fault: `it cannot be looked at: ${String(error)}`,
          todo: 'see to the cause, and ask again',
        }
      }
    }),
  )

/** Longest that an answer is waited for; of a stream only its head is. */
const TIMEOUT_MS = 10_000

async function askHttp(url: string, { body }: { readonly body?: string } = {}) {
  const response = await fetch(url, {
    ...(body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const text = isStream ? '' : await response.text()
  if (isStream) await response.body?.cancel()
  return { status: response.status, text }
}

type Options = { readonly stage: Surroundings['stage']; readonly aws: boolean }

async function runDoctor({ options, isJson, say, warn }: Call<Options>): Promise<ExitCode> {
  if (!options.aws) {
    warn('a local run says itself what is wrong with it; --aws looks at an account')
    return 2
  }
  const rpcUrls = (process.env['RPC_URLS'] ?? '').split(',').filter((url) => url !== '')
  const aws = askByCli(process.env)
  const found = await examine({ aws, http: askHttp, stage: options.stage, rpcUrls, now: Date.now() / 1_000 })
  if (isJson) say(JSON.stringify(found))
  else
    for (const { check, fault, todo } of found)
      say(fault === null ? `ok     ${check}` : `FAULT  ${check}: ${fault}\n       ${todo}`)
  return found.every(({ fault }) => fault === null) ? 0 : 1
}

const doctorCommand = commandOf<Options>({
  usage: 'doctor',
  says: 'With --aws: whether an account can take a deployment, and whether the one that is there works; RPC_URLS names endpoints to try.',
  options: [new Option('--stage <stage>', 'whose it is').choices(Object.keys(stageSizes)).default('dev')],
  run: runDoctor,
})

/** One call of AWS, read-only: what it answered, or null where there is no such thing. */
export type AskAws = (call: string, options?: Readonly<Record<string, string>>) => Promise<AwsAnswer | null>
export type AwsAnswer = Readonly<Record<string, unknown>>

/** AWS refused a call, or its command line is not there. */
export const awsCall = (call: string, said: string) => new AdminFault('AwsCall', `aws ${call}: ${said}`)

const execute = promisify(execFile)
const isAbsence = /(NotFound|NoSuch|does not exist|NotFoundException)/

/** By the command line of AWS, which finds credentials as the SDK does. Rejects with AwsCall. */
export const askByCli =
  (environment: NodeJS.ProcessEnv): AskAws =>
  async (call, options = {}) => {
    const named = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    try {
      const { stdout } = await execute('aws', [...call.split(' '), ...named, '--output', 'json'], {
        ...{ env: { AWS_REGION: 'us-east-1', ...environment }, maxBuffer: 16 * 2 ** 20 },
      })
      return stdout.trim() === '' ? {} : (JSON.parse(stdout) as AwsAnswer)
    } catch (error) {
      const { stderr, message } = error as Error & { readonly stderr?: string }
      const said = stderr?.trim() || message
      if (isAbsence.test(said)) return null
      throw awsCall(call, said)
    }
  }

export const groups: readonly CommandGroup[] = [
  { name: null, says: 'The account on AWS', commands: [doctorCommand] },
]

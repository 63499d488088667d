import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Option } from 'commander'
import { NODE_IMAGE, stageSizes } from '../../schemas/deployment/stages.ts'
import { OWN_PUBLISHER } from '../../snapshot/publish/role.ts'
import { askByCli, stackOf } from '../base/aws-cli.ts'
import { type CommandCall, type CommandGroup, commandOf, type ExitCode } from '../base/command.ts'
import { OperatorFault } from '../base/terminal.ts'
import { afterChecks } from './doctor-after.ts'
import { beforeChecks } from './doctor-before.ts'
import type { Surroundings } from './doctor-look.ts'
import { rulesChecks } from './doctor-rules.ts'
import { type CheckResult, fault, look, sayFindings } from './findings.ts'
import { askHttp } from './strangers.ts'

/** Checks an account, and the deployment where there is one. */
export async function examine(at: Surroundings): Promise<readonly CheckResult[]> {
  const found = await look(beforeChecks, at)
  if (found.some(({ check, fault }) => check === 'credentials' && fault !== null)) return found.slice(0, 1)
  return (await stackOf(at, 'Service')) ? [...found, ...(await look(afterChecks, at))] : found
}

/** What `npm run deploy` asks before it builds: whether readers follow the rules of this checkout, and whether endpoints are known. */
const examineRules = async (at: Surroundings): Promise<readonly CheckResult[]> =>
  look(
    {
      rules: async () => ((await stackOf(at, 'Service')) ? (rulesChecks['rules']?.(at) ?? null) : null),
      async rpcUrls() {
        const isKnown = at.choices['rpcUrls'] || (await stackOf(at, 'Storage'))
        return isKnown
          ? null
          : fault('a first deployment needs endpoints of the chain', '-c rpcUrls=https://…')
      },
    },
    at,
  )

const versionOfCli = (): Promise<string> =>
  promisify(execFile)('aws', ['--version']).then(
    ({ stdout, stderr }) => stdout || stderr,
    () => '',
  )

type Options = {
  readonly stage?: Surroundings['stage']
  readonly context: readonly string[]
  readonly aws: boolean
  readonly rules?: true
}

async function runDoctor(call: CommandCall<Options>): Promise<ExitCode> {
  const { options } = call
  if (!options.aws) {
    throw new OperatorFault(
      'NoAccount',
      'doctor checks an account on AWS: use --aws. A local run prints what is wrong with it',
    )
  }
  const { stage = 'dev', ...choices } = choicesFrom(options.context, process.env)
  const stageName = options.stage ?? stage
  if (!isStage(stageName))
    throw new OperatorFault('NoSuchStage', `there are ${Object.keys(stageSizes).join(', ')}`)
  const region = process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? ''
  const found = await (options.rules ? examineRules : examine)({
    aws: askByCli(process.env),
    http: askHttp,
    stage: stageName,
    region,
    choices,
    cli: await versionOfCli(),
    now: Date.now() / 1_000,
    publisher: OWN_PUBLISHER,
    image: NODE_IMAGE,
  })
  return sayFindings(call, found)
}

const isStage = (name: string): name is Surroundings['stage'] => Object.hasOwn(stageSizes, name)

/** `name=value` of each `-c`, as the deployment takes them; RPC_URLS of the environment counts as rpcUrls. */
function choicesFrom(
  context: readonly string[],
  { RPC_URLS }: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const given = context.map((word) => [word.split('=', 1)[0] ?? '', word.slice(word.indexOf('=') + 1)])
  return {
    ...(RPC_URLS ? { rpcUrls: RPC_URLS } : {}),
    ...(Object.fromEntries(given) as Record<string, string>),
  }
}

const doctorCommand = commandOf<Options>({
  usage: 'doctor',
  description: 'With --aws: whether an account is ready for a deployment, and whether an existing one works.',
  options: [
    new Option('--stage <stage>', 'stage of the deployment (default: dev)').choices(Object.keys(stageSizes)),
    new Option(
      '-c, --context <name=value...>',
      'options of the deployment, as npm run deploy takes them',
    ).default([]),
    new Option('--rules', 'check only whether readers follow the rules of this checkout'),
  ],
  run: runDoctor,
})

export const groups: readonly CommandGroup[] = [
  { name: null, description: 'The account on AWS', commands: [doctorCommand] },
]

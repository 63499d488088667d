import { Command, CommanderError, Option } from 'commander'
import type { AdminCommand, Call, CommandGroup, ExitCode } from './command.ts'
import { type Deployment, deploymentOfEnv, deploymentOfRun } from './deployment.ts'
import { openProgress } from './progress.ts'

/** What the program speaks to. */
export type Terminal = {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly environment: NodeJS.ProcessEnv
}

/** Options that every command has. */
type CommonOptions = { readonly dataDir: string; readonly aws: boolean; readonly json: boolean }

const commonOptions = (): Option[] => [
  new Option('--data-dir <dir>', 'the local run: where it keeps its data').default('.z100'),
  new Option(
    '--aws',
    'a deployment on AWS: tables, buckets and endpoints as the environment names them',
  ).default(false),
  new Option('--json', 'the result as one JSON text').default(false),
]

/** Runs one command line (`argv` without the program's own name) and gives its exit code. Rejects with what the command rejects with. */
export async function runAdmin(
  argv: readonly string[],
  groups: readonly CommandGroup[],
  terminal: Terminal,
): Promise<ExitCode> {
  let code: ExitCode = 0
  const run = async (command: AdminCommand, args: readonly unknown[], options: CommonOptions) => {
    const call = callFor({ args, options, terminal })
    try {
      code = await command.run(call)
    } finally {
      call.progress.end()
    }
  }
  const program = programOf(groups, run, terminal)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    // Commander has said what is wrong with the line; a call for help is not wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
  return code
}

type Run = (command: AdminCommand, args: readonly unknown[], options: CommonOptions) => Promise<void>

function programOf(groups: readonly CommandGroup[], run: Run, { stdout, stderr }: Terminal): Command {
  const program = new Command('npm run admin --')
    .description("The operator's commands, on the local run or, with --aws, on a deployment.")
    .exitOverride()
    // Commands made from here on speak to the same terminal.
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    })
  for (const { name, says, commands } of groups) {
    const parent = name === null ? program : program.command(name).description(says)
    for (const command of commands) addCommand(parent, command, run)
  }
  return program
}

function addCommand(parent: Command, command: AdminCommand, run: Run): void {
  const made = parent.command(command.usage).description(command.says)
  for (const option of [...(command.options ?? []), ...commonOptions()]) made.addOption(option)
  made.action((...given: unknown[]) =>
    run(command, given.slice(0, made.registeredArguments.length), made.opts<CommonOptions>()),
  )
}

function callFor(of: {
  readonly args: readonly unknown[]
  readonly options: CommonOptions
  readonly terminal: Terminal
}): Call {
  const { args, options, terminal } = of
  const { stdout, stderr, environment } = terminal
  const progress = openProgress(stderr)
  let found: Promise<Deployment> | undefined
  const find = async () =>
    options.aws ? deploymentOfEnv(environment) : deploymentOfRun(options.dataDir, environment)
  return {
    args,
    options,
    isJson: options.json,
    deployment: () => {
      found ??= find()
      return found
    },
    say: (line) => void stdout.write(`${line}\n`),
    warn: (line) => {
      progress.end()
      stderr.write(`${line}\n`)
    },
    progress,
  }
}

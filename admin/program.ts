import { Command, CommanderError, Option } from 'commander'
import { shownText } from '../market/text.ts'
import { InvalidEnvError } from '../schemas/deployment/env.ts'
import type { AdminCommand, CommandCall, CommandGroup, ExitCode } from './base/command.ts'
import { type DeployedService, deploymentOfEnv, deploymentOfRun } from './base/deployment.ts'
import { OperatorFault, openTerminal, type Terminal } from './base/terminal.ts'

/** The program's output and environment. */
export type AdminTerminal = {
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

/** What to do about a variable that is missing. */
const ENVIRONMENT_HELP =
  'with --aws, export the output AdminEnvironment of the Service stack first (cdk/README.md)'

/** Runs one command line (`argv` without the program's own name) and gives its exit code. Rejects with what the command rejects with. */
export async function runAdmin(
  argv: readonly string[],
  groups: readonly CommandGroup[],
  terminal: AdminTerminal,
): Promise<ExitCode> {
  let code: ExitCode = 0
  const screen = openTerminal(terminal.stderr)
  const run = async (command: AdminCommand, args: readonly unknown[], options: CommonOptions) => {
    try {
      code = await command.run(callFor({ args, options, terminal, screen }))
    } finally {
      screen.end()
    }
  }
  const program = programOf(groups, run, terminal)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    // Commander has printed what is wrong with the line; its exit code is 0 for --help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof InvalidEnvError)
      throw new OperatorFault(error.name, `${error.message}; ${ENVIRONMENT_HELP}`)
    throw error
  }
  return code
}

type Run = (command: AdminCommand, args: readonly unknown[], options: CommonOptions) => Promise<void>

function programOf(groups: readonly CommandGroup[], run: Run, { stdout, stderr }: AdminTerminal): Command {
  const program = new Command('npm run admin --')
    .description("The operator's commands, on the local run or, with --aws, on a deployment.")
    .exitOverride()
    // What is common to all commands may stand before the command, too; after it, every word is the command's.
    .enablePositionalOptions()
    // Subcommands inherit this output.
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // In the style of all other errors: a name, and a sentence.
      outputError: (text, write) =>
        write(
          shownText(text.trimEnd())
            .replace(/^error: /, 'InvalidCommand: ')
            .concat('\n'),
        ),
    })
  // Without defaults: that of the command holds unless an option is given here.
  for (const option of commonOptions()) program.addOption(option.default(undefined))
  for (const { name, description, commands } of groups) {
    const parent = name === null ? program : program.command(name).description(description)
    for (const command of commands) addCommand(parent, command, run)
  }
  return program
}

function addCommand(parent: Command, command: AdminCommand, run: Run): void {
  const made = parent.command(command.usage).description(command.description)
  for (const option of [...(command.options ?? []), ...commonOptions()]) made.addOption(option)
  made.action((...given: unknown[]) =>
    run(command, given.slice(0, made.registeredArguments.length), made.optsWithGlobals<CommonOptions>()),
  )
}

function callFor(parts: {
  readonly args: readonly unknown[]
  readonly options: CommonOptions
  readonly terminal: AdminTerminal
  readonly screen: Terminal
}): CommandCall {
  const { args, options, screen } = parts
  const { stdout, environment } = parts.terminal
  let found: Promise<DeployedService> | undefined
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
    say: (line) => {
      screen.end()
      stdout.write(`${line}\n`)
    },
    warn: screen.say,
    progress: screen,
  }
}

/** Modules by the first word of the command line: loading all AWS and chain clients is slow, and no command needs all of them. */
const modules: readonly {
  readonly words: readonly string[]
  readonly load: () => Promise<{ readonly groups: readonly CommandGroup[] }>
}[] = [
  { words: ['rules', 'beside'], load: () => import('./deploy/rules.ts') },
  { words: ['archive'], load: () => import('./deploy/archive.ts') },
  { words: ['backfill'], load: () => import('./deploy/backfill.ts') },
  { words: ['verify'], load: () => import('./proof/verify.ts') },
  { words: ['rebuild', 'reproject', 'purge'], load: () => import('./proof/repair.ts') },
  {
    words: ['account', 'key', 'usage', 'audit', 'reconcile', 'site-key'],
    load: () => import('./keys/account-commands.ts'),
  },
  { words: ['snapshot'], load: () => import('./proof/snapshot-diff.ts') },
  { words: ['doctor'], load: () => import('./deploy/doctor.ts') },
  { words: ['probe'], load: () => import('./deploy/probe.ts') },
  { words: ['restore'], load: () => import('./deploy/restore.ts') },
  { words: ['freeze'], load: () => import('./deploy/freeze.ts') },
  { words: ['recount'], load: () => import('./deploy/recount.ts') },
]

/** The commands that begin with a word; all of them where none does. */
export async function commandGroups([word = '']: readonly string[]): Promise<readonly CommandGroup[]> {
  const named = modules.filter(({ words }) => words.includes(word))
  const loaded = await Promise.all((named.length > 0 ? named : modules).map(({ load }) => load()))
  return loaded.flatMap(({ groups }) => groups)
}

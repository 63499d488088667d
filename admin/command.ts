import type { Option } from 'commander'
import type { Deployment } from './deployment.ts'
import type { Progress } from './progress.ts'

/** How a command ended: 0 as wanted, 1 it found a difference or refuses, 2 it cannot tell (the cause is on stderr). */
export type ExitCode = 0 | 1 | 2

/** What a command is given. `O` are its options, by commander's names. */
export type Call<O = Readonly<Record<string, unknown>>> = {
  /** The arguments in the order of `usage`; an optional one that is not given is undefined, a repeated one is an array. */
  readonly args: readonly unknown[]
  readonly options: O
  /** True with --json: `say` is then given one JSON text. */
  readonly isJson: boolean
  /** Where the service is: the local run, or with --aws what the environment names. Rejects with NoRunError, InvalidReadyError. */
  readonly deployment: () => Promise<Deployment>
  /** A line of the result, on stdout. */
  readonly say: (line: string) => void
  /** A line beside the result, on stderr. */
  readonly warn: (line: string) => void
  /** Long work, on stderr. */
  readonly progress: Progress
}

/** A command of the operator. */
export type AdminCommand = {
  /** Name and arguments in commander's form: `verify [snapshot-ids...]`. */
  readonly usage: string
  readonly says: string
  readonly options?: readonly Option[]
  readonly run: (call: Call) => Promise<ExitCode>
}

/** Commands under one word: `admin key create`; `name` null: directly under `admin`. */
export type CommandGroup = {
  readonly name: string | null
  readonly says: string
  readonly commands: readonly AdminCommand[]
}

/** A command whose options have the type `O`: commander parses them, and their parsers and defaults must make it true. */
export const commandOf = <O>(
  command: Omit<AdminCommand, 'run'> & { readonly run: (call: Call<O>) => Promise<ExitCode> },
): AdminCommand => command as AdminCommand

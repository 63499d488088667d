import { InvalidArgumentError, type Option } from 'commander'
import type { DeployedService } from './deployment.ts'
import type { Terminal } from './terminal.ts'

/** How a command ended: 0 as wanted, 1 it found a difference or refuses, 2 it cannot tell (the cause is on stderr). */
export type ExitCode = 0 | 1 | 2

/** What a command is given. `O` are its options, by commander's names. */
export type CommandCall<O = Readonly<Record<string, unknown>>> = {
  /** The arguments in the order of `usage`; an optional one that is not given is undefined, a repeated one is an array. */
  readonly args: readonly unknown[]
  readonly options: O
  /** True with --json: `say` is then given one JSON text. */
  readonly isJson: boolean
  /** Where the service is: the local run, or with --aws what the environment names. Rejects with NoRun, InvalidReady. */
  readonly deployment: () => Promise<DeployedService>
  /** A line of the result, on stdout. */
  readonly say: (line: string) => void
  /** A line beside the result, on stderr. */
  readonly warn: (line: string) => void
  /** Long work, on stderr. */
  readonly progress: Pick<Terminal, 'step'>
}

/** A command of the operator. */
export type AdminCommand = {
  /** Name and arguments in commander's form: `verify [snapshot-ids...]`. */
  readonly usage: string
  readonly description: string
  readonly options?: readonly Option[]
  readonly run: (call: CommandCall) => Promise<ExitCode>
}

/** Commands under one word: `admin key create`; `name` null: directly under `admin`. */
export type CommandGroup = {
  readonly name: string | null
  readonly description: string
  readonly commands: readonly AdminCommand[]
}

/** Says rows under their headings, in columns as wide as they need; where JSON is asked for, `whole` as one text. */
export function sayRows<Name extends string>(
  { isJson, say }: CommandCall<unknown>,
  headings: readonly Name[],
  rows: readonly Readonly<Record<Name, string>>[],
  whole: unknown = rows,
): ExitCode {
  if (isJson) {
    say(JSON.stringify(whole))
    return 0
  }
  const cells = [headings, ...rows.map((row) => headings.map((name) => row[name]))]
  const widths = headings.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  for (const line of cells) {
    const padded = line.map((cell, at) => cell.padEnd(widths[at] ?? 0))
    say(padded.join('  ').trimEnd())
  }
  return 0
}

/** A command whose options have the type `O`: commander parses them, and their parsers and defaults must make it true. */
export const commandOf = <O>(
  command: Omit<AdminCommand, 'run'> & { readonly run: (call: CommandCall<O>) => Promise<ExitCode> },
): AdminCommand => command as AdminCommand

/** Parses a whole number from 1 on, as commander's parsers do: throws InvalidArgumentError. */
export function countFrom(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}

/** Collects the addresses of a repeated option. */
export function urlsFrom(url: string, before: readonly string[] | undefined): readonly string[] {
  if (!/^https?:\/\//.test(url)) throw new InvalidArgumentError('It must be an http or https address.')
  return [...(before ?? []), url]
}

/** A minute by its number, or by a time in ISO 8601 (without a zone: UTC). */
export function minuteFrom(text: string): number {
  if (/^\d{1,8}$/.test(text)) return Number(text)
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text)
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text)
  const seconds = Date.parse(hasZone ? text : `${text}Z`) / 1_000
  if (!isIso || Number.isNaN(seconds)) {
    throw new InvalidArgumentError('It must be a time such as 2026-01-31T12:05Z, or the number of a minute.')
  }
  return Math.floor(seconds / 60)
}

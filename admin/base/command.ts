import { InvalidArgumentError, type Option } from 'commander'
import { shownText } from '../../market/text.ts'
import { readTime } from '../../schemas/values/time-syntax.ts'
import type { DeployedService } from './deployment.ts'
import type { Terminal } from './terminal.ts'

/** 0: success; 1: a difference was found; 2: it could not be determined, for the reason on stderr. */
export type ExitCode = 0 | 1 | 2

/** Inputs of a command. `O`: its options, by commander's names. */
export type CommandCall<O = Readonly<Record<string, unknown>>> = {
  /** The arguments in the order of `usage`; an optional one that is not given is undefined, a repeated one is an array. */
  readonly args: readonly unknown[]
  readonly options: O
  /** --json: the result is one JSON text. */
  readonly isJson: boolean
  /** The service: the local run or, with --aws, the deployment that the environment names. Rejects with NoRun, InvalidReady. */
  readonly deployment: () => Promise<DeployedService>
  /** A line of the result, on stdout. */
  readonly say: (line: string) => void
  /** A line on stderr. */
  readonly warn: (line: string) => void
  /** Progress of long work, on stderr. */
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

/** Prints a command's result: `lines`, or with --json `whole` as one JSON text. */
export function sayResult(
  { isJson, say }: CommandCall<unknown>,
  whole: unknown,
  ...lines: readonly string[]
): ExitCode {
  for (const line of isJson ? [JSON.stringify(whole)] : lines) say(line)
  return 0
}

/** Prints rows under their headings, in columns as wide as they need; with --json `whole` as one JSON text. */
export function sayRows<Name extends string>(
  call: CommandCall<unknown>,
  headings: readonly Name[],
  rows: readonly Readonly<Record<Name, string>>[],
  whole: unknown = rows,
): ExitCode {
  const cells = [headings, ...rows.map((row) => headings.map((name) => shownText(row[name])))]
  const widths = headings.map((_, at) =>
    cells.reduce((widest, line) => Math.max(widest, line[at]?.length ?? 0), 0),
  )
  const padded = cells.map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)))
  if (call.isJson) return sayResult(call, whole)
  for (const line of padded) call.say(line.join('  ').trimEnd())
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
  if (!/^(https?|wss?):\/\//.test(url))
    throw new InvalidArgumentError('It must be an http, https, ws or wss address.')
  return [...(before ?? []), url]
}

/** Flags and description of the option that names an archive to take the log over from. */
export const fromArchive = [
  '--from-archive <url>',
  "take the log over from the archive of another run or deployment, checked against one's own endpoints",
] as const

/** Parses the address of an archive. Throws InvalidArgumentError. */
export function archiveFrom(url: string): string {
  if (!/^https?:\/\//.test(url)) throw new InvalidArgumentError('It must be an http or https address.')
  return url
}

/** Unix seconds of a time in ISO 8601 (without a zone: UTC). Throws InvalidArgumentError, also for a day that no calendar has. */
export function secondsFrom(text: string): number {
  const time = readTime(text)
  if (time && !time.isDay) return time.ms / 1_000
  throw new InvalidArgumentError('It must be a time such as 2026-01-31T12:05Z.')
}

/** A minute by its number, or by a time. */
export const minuteFrom = (text: string): number =>
  /^\d{1,8}$/.test(text) ? Number(text) : Math.floor(secondsFrom(text) / 60)

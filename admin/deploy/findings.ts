import { type CommandCall, type ExitCode, sayResult } from '../base/command.ts'

/** A problem and its remedy; `isHint`: it may be none, which only a deployment shows. */
export type Fault = { readonly what: string; readonly todo: string; readonly isHint?: true }

export const fault = (what: string, todo: string): Fault => ({ what, todo })

/** The result of one check. `unknown`: the check failed, for the reason in `fault`. */
export type CheckResult = {
  readonly check: string
  readonly is: 'ok' | 'hint' | 'fault' | 'unknown'
  readonly fault: string | null
  readonly todo: string
}

/** Runs checks side by side; each returns null where nothing is wrong. */
export const look = <At>(
  checks: Readonly<Record<string, (at: At) => Promise<Fault | null>>>,
  at: At,
): Promise<readonly CheckResult[]> =>
  Promise.all(
    Object.entries(checks).map(async ([check, run]) => {
      try {
        const found = await run(at)
        const is = !found ? ('ok' as const) : found.isHint ? ('hint' as const) : ('fault' as const)
        return { check, is, fault: found?.what ?? null, todo: found?.todo ?? '' }
      } catch (error) {
        return {
          check,
          is: 'unknown' as const,
          fault: `it cannot be checked: ${String(error)}`,
          todo: 'remove the cause and run this command again',
        }
      }
    }),
  )

/** Prints what was found. */
export function sayFindings(call: CommandCall<unknown>, found: readonly CheckResult[]): ExitCode {
  const lines = found.map(({ check, is, fault, todo }) =>
    is === 'ok' ? `ok       ${check}` : `${is.toUpperCase().padEnd(9)}${check}: ${fault}\n         ${todo}`,
  )
  sayResult(call, found, ...lines)
  if (found.some(({ is }) => is === 'fault')) return 1
  return found.some(({ is }) => is === 'unknown') ? 2 : 0
}

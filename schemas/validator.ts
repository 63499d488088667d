/** Whether a value fits a schema; where it does not, `errors` say why until the next call. */
export type Validator = {
  (value: unknown): boolean
  errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null
}

/** What was wrong with the value that was validated last, an entry a fault. */
export const faultsOf = ({ errors }: Validator): string[] =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)

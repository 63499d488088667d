/** Whether a value fits a schema; where it does not, `errors` say why until the next call. */
export type Validator = {
  (value: unknown): boolean
  errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null
}

/** Errors of the last validation. */
export const faultsOf = ({ errors }: Validator): string[] =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)

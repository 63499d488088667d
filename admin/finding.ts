/** What a proof found: something is `different` from what the chain gives, or that is `unknown` and why. */
export type Finding = {
  readonly is: 'different' | 'unknown'
  /** The document, segment, manifest field or snapshot it is about. */
  readonly subject: string
  readonly says: string
}

/** A finding that something differs. */
export const different = (subject: string, says: string): Finding => ({ is: 'different', subject, says })

/** A finding that something cannot be told; `cause` is why. */
export const unknown = (subject: string, cause: unknown): Finding => ({
  is: 'unknown',
  subject,
  says: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
})

/** 1 when anything differs, else 2 when anything cannot be told, else 0. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ is }) => is === 'different')) return 1
  return findings.length > 0 ? 2 : 0
}

/** An emulator's file is damaged: empty, truncated, changed, or written by another program. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFile'
  constructor(path: string, what: string) {
    super(`${path} is ${what}; remove it, or start with --reset`)
  }
}

/** A file of an emulator does not hold what the emulator wrote: it is empty, cut off, changed, or another program's. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFile'
  constructor(path: string, what: string) {
    super(`${path} is ${what}; remove it, or start with --reset`)
  }
}

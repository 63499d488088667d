/**
 * Arrays of doubles, one value a token, that a process uses again in every rebuild. With arrays made anew, some hundred a
 * rebuild, the garbage collector walks the whole market every few of them.
 */
export class Columns {
  readonly #all: Float64Array<ArrayBuffer>[] = []
  #given = 0

  /** All arrays may be given again: nobody reads what the last rebuild had. */
  takeBack(): void {
    this.#given = 0
  }

  /** An array of any values. */
  next(count: number): Float64Array<ArrayBuffer> {
    const kept = this.#all[this.#given]
    // Longer than asked: the market grows by a few tokens a minute.
    const column = kept && kept.length >= count ? kept : new Float64Array(Math.ceil(count * 1.02))
    this.#all[this.#given++] = column
    return column.subarray(0, count)
  }
}

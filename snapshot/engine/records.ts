/** Fields of a record: integers below 2^32 (u32), or amounts of any size. */
export type RecordFields = Readonly<Record<string, 'u32' | 'u128' | 'u256'>>
export type RecordOf<F extends RecordFields> = {
  readonly [N in keyof F]: F[N] extends 'u32' ? number : bigint
}

/**
 * Records per array; memory grows by one array, without copying. An array stores field after field, so that reading one
 * field of all records is sequential.
 */
const CHUNK_BITS = 13
const CHUNK = 2 ** CHUNK_BITS
/** 32-bit words of an amount, least significant first; a count has one. */
const AMOUNT_WORDS = 4

const LOW = 2n ** 64n - 1n
/** Marks an amount of this size or more, which is stored separately. */
const LARGE = 2n ** 128n - 1n

/** Header of records in a checkpoint, which precedes their words. */
export type RecordsHeader = {
  readonly end: number
  readonly freed: readonly number[]
  readonly large: readonly (readonly [index: string, amount: string])[]
}

/**
 * Records of fixed width in large arrays. A market of 600,000 tokens has millions of states; as objects they would cost
 * the garbage collector time. Slot 0 is the record of zeros; it is never written or freed.
 */
export class Records<F extends RecordFields> {
  readonly #fields: readonly (keyof F & string)[]
  /** Counts first, which are cheap to compare and differ in most records that differ. */
  readonly #compared: readonly (keyof F & string)[]
  /** Each field's offset in a chunk, in words, and whether it is a count. */
  readonly #layout: Readonly<Record<keyof F & string, { readonly first: number; readonly isCount: boolean }>>
  readonly #chunkWords: number
  readonly #words: Uint32Array[] = []
  /** The same memory as 64-bit words. */
  readonly #longs: BigUint64Array[] = []
  readonly #freed: number[] = []
  /** Amounts of 2^128 - 1 or more, by slot and field. */
  readonly #large = new Map<string, bigint>()
  #end = 0

  constructor(fields: F, { end, freed, large }: RecordsHeader = { end: 1, freed: [], large: [] }) {
    this.#fields = Object.keys(fields)
    const amounts = this.#fields.filter((name) => fields[name] !== 'u32')
    const counts = this.#fields.filter((name) => fields[name] === 'u32')
    // Amounts come first, so that they are aligned to 64 bits.
    const countsFirst = amounts.length * CHUNK * AMOUNT_WORDS
    this.#layout = Object.fromEntries([
      ...amounts.map((name, at) => [name, { first: at * CHUNK * AMOUNT_WORDS, isCount: false }]),
      ...counts.map((name, at) => [name, { first: countsFirst + at * CHUNK, isCount: true }]),
    ])
    this.#compared = [...counts, ...amounts]
    this.#chunkWords = countsFirst + counts.length * CHUNK
    while (this.#words.length * CHUNK < end) this.#grow()
    this.#end = end
    for (const slot of freed) this.#freed.push(slot)
    for (const [index, amount] of large) this.#large.set(index, BigInt(amount))
  }

  /** Records in use, including that of zeros. */
  get size(): number {
    return this.#end - this.#freed.length
  }

  /** Writes a record and returns its slot. */
  add(record: RecordOf<F>): number {
    if (this.#fields.every((field) => !record[field])) return 0
    const slot = this.#reserve()
    for (const field of this.#fields) this.#write(field, slot, record[field])
    return slot
  }

  #write(field: keyof F & string, slot: number, value: number | bigint): void {
    const chunk = slot >> CHUNK_BITS
    const within = slot & (CHUNK - 1)
    const { first } = this.#layout[field]
    if (typeof value === 'number') {
      ;(this.#words[chunk] as Uint32Array)[first + within] = value
      return
    }
    const written = value < LARGE ? value : LARGE
    if (written === LARGE) this.#large.set(`${slot} ${field}`, value)
    const longs = this.#longs[chunk] as BigUint64Array
    const at = (first + within * AMOUNT_WORDS) / 2
    longs[at] = written & LOW
    longs[at + 1] = written >> 64n
  }

  /** Frees a slot. */
  free(slot: number): void {
    if (slot === 0) return
    if (this.#large.size > 0) for (const field of this.#fields) this.#large.delete(`${slot} ${field}`)
    this.#freed.push(slot)
  }

  read<N extends keyof F & string>(field: N, slot: number): RecordOf<F>[N] {
    const chunk = slot >> CHUNK_BITS
    const within = slot & (CHUNK - 1)
    const { first, isCount } = this.#layout[field]
    if (isCount) return (this.#words[chunk] as Uint32Array)[first + within] as RecordOf<F>[N]
    const longs = this.#longs[chunk] as BigUint64Array
    const at = (first + within * AMOUNT_WORDS) / 2
    const high = longs[at + 1] as bigint
    const low = longs[at] as bigint
    const value = high === 0n ? low : (high << 64n) | low
    const whole = value === LARGE ? this.#large.get(`${slot} ${field}`) : value
    return whole as RecordOf<F>[N]
  }

  recordAt(slot: number): RecordOf<F> {
    return Object.fromEntries(this.#fields.map((field) => [field, this.read(field, slot)])) as RecordOf<F>
  }

  /** Whether the record at a slot equals this one. */
  holds(slot: number, record: RecordOf<F>): boolean {
    return this.#compared.every((field) => this.read(field, slot) === record[field])
  }

  /** Fills a column with one field of the records at these slots, as doubles: exact below 2^53, else within three roundings. */
  fill(column: Float64Array, field: keyof F & string, slots: Int32Array): Float64Array {
    const chunks = this.#words
    const { first, isCount } = this.#layout[field]
    if (isCount) {
      for (let number = 0; number < column.length; number++) {
        const slot = slots[number] as number
        column[number] = (chunks[slot >> CHUNK_BITS] as Uint32Array)[first + (slot & (CHUNK - 1))] as number
      }
      return column
    }
    for (let number = 0; number < column.length; number++) {
      const slot = slots[number] as number
      const words = chunks[slot >> CHUNK_BITS] as Uint32Array
      const at = first + (slot & (CHUNK - 1)) * AMOUNT_WORDS
      const highest = words[at + 3] as number
      const low = (words[at + 1] as number) * 2 ** 32 + (words[at] as number)
      column[number] =
        highest === 0xffff_ffff
          ? Number(this.read(field, slot)) // may be stored separately
          : highest * 2 ** 96 + (words[at + 2] as number) * 2 ** 64 + low
    }
    return column
  }

  /** The records for a checkpoint: `chunks` in slot order. */
  saved(): { readonly header: RecordsHeader; readonly chunks: readonly Uint8Array[] } {
    const large = [...this.#large].map(([index, amount]) => [index, String(amount)] as const)
    const chunks = this.#words.map(({ buffer }) => new Uint8Array(buffer))
    return { header: { end: this.#end, freed: this.#freed, large }, chunks }
  }

  #reserve(): number {
    const freed = this.#freed.pop()
    if (freed !== undefined) return freed
    if (this.#end === this.#words.length * CHUNK) this.#grow()
    return this.#end++
  }

  #grow(): void {
    const words = new Uint32Array(this.#chunkWords)
    this.#words.push(words)
    this.#longs.push(new BigUint64Array(words.buffer))
  }
}

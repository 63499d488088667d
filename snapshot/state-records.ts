import { emptyState, type StateField, stateFields, type TokenState } from '../market/segment.ts'
import { byName } from '../market/window.ts'

const fields = Object.keys(stateFields) as readonly StateField[]
const amounts = fields.filter((field) => stateFields[field] !== 'u32')
const counts = fields.filter((field) => stateFields[field] === 'u32')

/** Words of 32 bits: an amount takes four, the lowest first, a count one; all together an even number, so that amounts lie on 64 bits. */
const AMOUNT_WORDS = 4
const USED_WORDS = amounts.length * AMOUNT_WORDS + counts.length
const RECORD_WORDS = USED_WORDS + (USED_WORDS % 2)
/** Bytes of a record in a checkpoint. */
export const RECORD_BYTES = RECORD_WORDS * 4

const offsets = Object.fromEntries([
  ...amounts.map((field, at) => [field, at * AMOUNT_WORDS] as const),
  ...counts.map((field, at) => [field, amounts.length * AMOUNT_WORDS + at] as const),
]) as Readonly<Record<StateField, number>>

/** Records in one array: memory grows by that, and nothing is copied. In it the first field of all comes first, then the second: who reads a field of all tokens reads on. */
const CHUNK_BITS = 13
const CHUNK = 2 ** CHUNK_BITS

const widthOf = (field: StateField): number => (stateFields[field] === 'u32' ? 1 : AMOUNT_WORDS)

/** By field, where it begins in an array of records, how wide it is, and where it stands in a record of its own. */
const layout = fields.map((field) => ({
  first: offsets[field] * CHUNK,
  width: widthOf(field),
  offset: offsets[field],
}))

/** Where a field of a record stands in its array. */
const wordOf = (field: StateField, slot: number): number =>
  offsets[field] * CHUNK + (slot & (CHUNK - 1)) * widthOf(field)

const LOW = 2n ** 64n - 1n
/** Stands for an amount of this size or more, which is kept apart. */
const LARGE = 2n ** 128n - 1n

/**
 * States of tokens as records of fixed width in large arrays: a market of 600,000 tokens has millions of them, and as objects
 * each would cost the garbage collector time. Slot 0 is the empty state; it is never written nor freed.
 */
export class StateRecords {
  readonly #words: Uint32Array[] = []
  /** The same memory as 64-bit words. */
  readonly #longs: BigUint64Array[] = []
  readonly #freed: number[] = []
  /** Amounts of 2^128 - 1 or more, by record and word. */
  readonly #large = new Map<number, bigint>()
  #end = 0

  constructor() {
    this.#reserve()
  }

  /** Records in use, the empty one included. */
  get size(): number {
    return this.#end - this.#freed.length
  }

  /** Writes a state; its slot. */
  add(state: TokenState): number {
    if (isEmpty(state)) return 0
    const slot = this.#reserve()
    const words = this.#wordsOf(slot)
    const longs = this.#longs[slot >> CHUNK_BITS] as BigUint64Array
    for (const field of amounts) {
      const value = state[field] as bigint
      const at = wordOf(field, slot)
      const written = value < LARGE ? value : LARGE
      if (written === LARGE) this.#large.set(slot * RECORD_WORDS + offsets[field], value)
      longs[at / 2] = written & LOW
      longs[at / 2 + 1] = written >> 64n
    }
    for (const field of counts) words[wordOf(field, slot)] = state[field] as number
    return slot
  }

  /** Gives a slot back. */
  free(slot: number): void {
    if (slot === 0) return
    for (const field of amounts) this.#large.delete(slot * RECORD_WORDS + offsets[field])
    this.#freed.push(slot)
  }

  read<N extends StateField>(field: N, slot: number): TokenState[N] {
    const at = wordOf(field, slot)
    if (stateFields[field] === 'u32') return this.#wordsOf(slot)[at] as TokenState[N]
    const longs = this.#longs[slot >> CHUNK_BITS] as BigUint64Array
    const high = longs[at / 2 + 1] as bigint
    const low = longs[at / 2] as bigint
    const value = high === 0n ? low : (high << 64n) | low
    const whole = value === LARGE ? this.#large.get(slot * RECORD_WORDS + offsets[field]) : value
    return whole as TokenState[N]
  }

  /** Fields of the records at these slots as doubles, exact below 2^53, else within three roundings. */
  columns<N extends StateField>(wanted: readonly N[], slots: Int32Array): Readonly<Record<N, Float64Array>> {
    return byName(wanted, (field) =>
      stateFields[field] === 'u32' ? this.#counts(field, slots) : this.#doubles(field, slots),
    )
  }

  #counts(field: StateField, slots: Int32Array): Float64Array {
    const chunks = this.#words
    const first = offsets[field] * CHUNK
    const column = new Float64Array(slots.length)
    for (let number = 0; number < column.length; number++) {
      const slot = slots[number] as number
      const words = chunks[slot >> CHUNK_BITS] as Uint32Array
      column[number] = words[first + (slot & (CHUNK - 1))] as number
    }
    return column
  }

  #doubles(field: StateField, slots: Int32Array): Float64Array {
    const chunks = this.#words
    const first = offsets[field] * CHUNK
    const column = new Float64Array(slots.length)
    for (let number = 0; number < column.length; number++) {
      const slot = slots[number] as number
      const words = chunks[slot >> CHUNK_BITS] as Uint32Array
      const at = first + (slot & (CHUNK - 1)) * AMOUNT_WORDS
      const highest = words[at + 3] as number
      const low = (words[at + 1] as number) * 2 ** 32 + (words[at] as number)
      column[number] =
        highest === 0xffff_ffff
          ? Number(this.read(field, slot)) // may be kept apart
          : highest * 2 ** 96 + (words[at + 2] as number) * 2 ** 64 + low
    }
    return column
  }

  /** Whether the record at a slot is this state. */
  holds(slot: number, state: TokenState): boolean {
    return fields.every((field) => this.read(field, slot) === state[field])
  }

  stateAt(slot: number): TokenState {
    return Object.fromEntries(fields.map((field) => [field, this.read(field, slot)])) as TokenState
  }

  /** Records one after the other, each its fields one after the other. */
  bytesOf(slots: readonly number[]): Uint8Array {
    const bytes = new Uint32Array(slots.length * RECORD_WORDS)
    for (let nth = 0; nth < slots.length; nth++) {
      const slot = slots[nth] as number
      const words = this.#wordsOf(slot)
      for (const { first, width, offset } of layout) {
        const from = first + (slot & (CHUNK - 1)) * width
        const to = nth * RECORD_WORDS + offset
        for (let word = 0; word < width; word++) bytes[to + word] = words[from + word] as number
      }
    }
    return new Uint8Array(bytes.buffer)
  }

  /** The large amounts of a record, by field; empty for nearly all. */
  largeAt(slot: number): readonly (readonly [StateField, bigint])[] {
    if (this.#large.size === 0) return []
    return amounts.flatMap((field) => {
      const value = this.#large.get(slot * RECORD_WORDS + offsets[field])
      return value === undefined ? [] : [[field, value] as const]
    })
  }

  /** Takes in a record of `bytesOf` and what `largeAt` gave; its slot. */
  addBytes(bytes: Uint8Array, large: readonly (readonly [StateField, bigint])[]): number {
    if (bytes.every((byte) => byte === 0)) return 0
    const slot = this.#reserve()
    const record = new Uint32Array(RECORD_WORDS)
    new Uint8Array(record.buffer).set(bytes)
    const words = this.#wordsOf(slot)
    for (const { first, width, offset } of layout) {
      const to = first + (slot & (CHUNK - 1)) * width
      for (let word = 0; word < width; word++) words[to + word] = record[offset + word] as number
    }
    for (const [field, value] of large) this.#large.set(slot * RECORD_WORDS + offsets[field], value)
    return slot
  }

  #wordsOf(slot: number): Uint32Array {
    return this.#words[slot >> CHUNK_BITS] as Uint32Array
  }

  #reserve(): number {
    const freed = this.#freed.pop()
    if (freed !== undefined) return freed
    if (this.#end % CHUNK === 0) {
      const words = new Uint32Array(CHUNK * RECORD_WORDS)
      this.#words.push(words)
      this.#longs.push(new BigUint64Array(words.buffer))
    }
    return this.#end++
  }
}

const isEmpty = (state: TokenState): boolean =>
  state.supply === 0n && fields.every((field) => state[field] === emptyState[field])

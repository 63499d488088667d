import { windowNames } from '../market/window.ts'
import { type RecordFields, type RecordOf, Records, type RecordsHeader } from './records.ts'

/**
 * A value as it is now and as it was at each window start, in the order of `windows`. A window start shares the value of the
 * one after it until they differ, so what nobody changes is held once.
 */
export type Windowed<V> = V[]

/** The same value now and at every window start. */
export const sameAtAll = <V>(value: V): Windowed<V> => windowNames.map(() => value)

/** Puts a new value of now. The first `moving` indexes are now and the window starts that lie no earlier than its minute. */
export function changeWindowed<V>(values: Windowed<V>, next: V, moving: number): void {
  for (let at = 0; at < moving; at++) values[at] = next
}

const FIRST_CAPACITY = 1_024

/** What a checkpoint says of windowed records beside their words. */
export type WindowedHeader = {
  readonly records: RecordsHeader
  readonly count: number
  readonly freed: readonly number[]
}

/** Records by number, now and at each window start. A number is kept until its record leaves, then another gets it; one that nobody has reads as zeros. */
export class WindowedRecords<F extends RecordFields> {
  readonly #records: Records<F>
  /** Slots of all numbers among the records, an array an index: who reads all numbers at an index touches nothing else. */
  #slots: readonly Int32Array[]
  readonly #freed: number[]
  #count: number

  constructor(fields: F, { records, count, freed }: Partial<WindowedHeader> = {}) {
    this.#records = new Records(fields, records)
    this.#freed = [...(freed ?? [])]
    this.#count = count ?? 0
    this.#slots = windowNames.map(() => new Int32Array(Math.max(FIRST_CAPACITY, this.#count)))
  }

  /** Numbers are below this. */
  get count(): number {
    return this.#count
  }

  /** Numbers in use, and the records that they share. */
  get size(): { readonly numbers: number; readonly records: number } {
    return { numbers: this.#count - this.#freed.length, records: this.#records.size }
  }

  /** A record that was the same at every window start; its number. */
  enter(record: RecordOf<F>): number {
    const number = this.#freed.pop() ?? this.#count++
    if (number >= this.#at(0).length) this.#slots = this.#slots.map(doubled)
    this.#put(number, sameAtAll(this.#records.add(record)))
    return number
  }

  /** A new record of now and of the window starts no earlier than its minute: of the first `moving` indexes. */
  change(number: number, record: RecordOf<F>, moving: number): void {
    if (moving === 0 || this.#records.holds(this.#at(0)[number] as number, record)) return
    const slots = this.#of(number)
    const replaced = slots.slice(0, moving)
    changeWindowed(slots, this.#records.add(record), moving)
    this.#put(number, slots)
    this.#free(replaced, slots)
  }

  /** Moves the window start at an index past a minute that left this record. */
  pass(number: number, record: RecordOf<F>, at: number): void {
    const slots = this.#of(number)
    const old = slots[at] as number
    if (this.#records.holds(old, record)) return
    const newer = slots[at - 1] as number
    slots[at] = this.#records.holds(newer, record) ? newer : this.#records.add(record)
    this.#put(number, slots)
    this.#free([old], slots)
  }

  leave(number: number): void {
    this.#free(this.#of(number), [])
    this.#put(number, sameAtAll(0))
    this.#freed.push(number)
  }

  read<N extends keyof F & string>(field: N, number: number, at: number): RecordOf<F>[N] {
    return this.#records.read(field, this.#at(at)[number] as number)
  }

  recordAt(number: number, at: number): RecordOf<F> {
    return this.#records.recordAt(this.#at(at)[number] as number)
  }

  /** A field of all numbers as doubles, exact below 2^53, else within three roundings; in the array of `count` that is given. */
  column(field: keyof F & string, at: number, into = new Float64Array(this.#count)): Float64Array {
    return this.#records.fill(into, field, this.#at(at))
  }

  /** What is kept of the records, to be made again from the header and then filled: the bytes of `pieces`, in their order. */
  saved(): { readonly header: WindowedHeader; readonly pieces: readonly Uint8Array[] } {
    const { header: records, chunks } = this.#records.saved()
    const slots = this.#slots.map(({ buffer }) => new Uint8Array(buffer, 0, this.#count * 4))
    return { header: { records, count: this.#count, freed: this.#freed }, pieces: [...slots, ...chunks] }
  }

  #at(index: number): Int32Array {
    return this.#slots[index] as Int32Array
  }

  #of(number: number): Windowed<number> {
    return this.#slots.map((column) => column[number] as number)
  }

  #put(number: number, slots: Windowed<number>): void {
    for (const [at, column] of this.#slots.entries()) column[number] = slots[at] as number
  }

  #free(slots: readonly number[], kept: readonly number[]): void {
    for (const slot of new Set(slots)) if (!kept.includes(slot)) this.#records.free(slot)
  }
}

function doubled(column: Int32Array): Int32Array {
  const larger = new Int32Array(2 * column.length)
  larger.set(column)
  return larger
}

import { windowNames } from '../../market/window.ts'
import { type RecordFields, type RecordOf, Records, type RecordsHeader } from './records.ts'

/**
 * A value now and at each window start, by index of `windows`. A window start shares the value of the next one until
 * they differ (copy on write), so an unchanged value is stored once.
 */
export type Windowed<V> = V[]

/** The same value now and at every window start. */
export const sameAtAll = <V>(value: V): Windowed<V> => windowNames.map(() => value)

/** Sets the value now. The first `moving` indexes are now and the window starts that are not before its minute. */
export function changeWindowed<V>(values: Windowed<V>, next: V, moving: number): void {
  for (let at = 0; at < moving; at++) values[at] = next
}

const FIRST_CAPACITY = 1_024

/** Header of windowed records in a checkpoint, which precedes their words. */
export type WindowedHeader = {
  readonly records: RecordsHeader
  readonly count: number
  readonly freed: readonly number[]
}

/**
 * Records by number, now and at each window start. Numbers are reused after their record is removed; unused numbers read
 * as zeros.
 */
export class WindowedRecords<F extends RecordFields> {
  readonly #records: Records<F>
  /** Slots by number, one array per index, so that reading all numbers at one index is sequential. */
  #slots: readonly Int32Array[]
  readonly #freed: number[]
  #count: number

  constructor(fields: F, { records, count, freed }: Partial<WindowedHeader> = {}) {
    this.#records = new Records(fields, records)
    this.#freed = [...(freed ?? [])]
    this.#count = count ?? 0
    this.#slots = windowNames.map(() => new Int32Array(Math.max(FIRST_CAPACITY, this.#count)))
  }

  /** Upper bound of the numbers. */
  get count(): number {
    return this.#count
  }

  /** Numbers in use, and the records they share. */
  get size(): { readonly numbers: number; readonly records: number } {
    return { numbers: this.#count - this.#freed.length, records: this.#records.size }
  }

  /** Adds a record that is the same at every window start and returns its number. */
  enter(record: RecordOf<F>): number {
    const number = this.#freed.pop() ?? this.#count++
    if (number >= this.#at(0).length) this.#slots = this.#slots.map(doubled)
    this.#put(number, sameAtAll(this.#records.add(record)))
    return number
  }

  /** Sets the record now and at the window starts not before its minute: at the first `moving` indexes. */
  change(number: number, record: RecordOf<F>, moving: number): void {
    if (moving === 0 || this.#records.holds(this.#at(0)[number] as number, record)) return
    const slots = this.#of(number)
    const replaced = slots.slice(0, moving)
    changeWindowed(slots, this.#records.add(record), moving)
    this.#put(number, slots)
    this.#free(replaced, slots)
  }

  /** Moves the window start at an index past a minute that ended with this record. */
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

  /** A field of all numbers as doubles, exact below 2^53, else within three roundings; filled into the given array of `count`. */
  column(field: keyof F & string, at: number, into = new Float64Array(this.#count)): Float64Array {
    return this.#records.fill(into, field, this.#at(at))
  }

  /**
   * The records for a checkpoint: a header, and the bytes of `pieces` in their order, filled in again after the header
   * is read.
   */
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

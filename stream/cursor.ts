/** A reader's place in the feed: an event's entry and its index there. Its text is the id of the event. */
export type Cursor = { readonly seq: number; readonly index: number }

/** Before the first event there ever was. */
export const START: Cursor = { seq: 0, index: 0 }

/** Fifteen digits are exact in a number. */
const FORM = /^(\d{1,15})\.(\d{1,6})$/

/** The place that a text names; null: it names none. */
export function cursorFrom(text: string): Cursor | null {
  const [, seq, index] = FORM.exec(text) ?? []
  return seq === undefined ? null : { seq: Number(seq), index: Number(index) }
}

/** A place as readers know it: `seq.index`. */
export const cursorText = ({ seq, index }: Cursor): string => `${seq}.${index}`

/** Whether `a` lies after `b`. */
export const isAfter = (a: Cursor, b: Cursor): boolean =>
  a.seq > b.seq || (a.seq === b.seq && a.index > b.index)

/** A position in the feed: an entry and an event's index in it. Its text is the event's id. */
export type Cursor = { readonly seq: number; readonly index: number }

/** A position as text: `seq.index`. */
export const cursorText = ({ seq, index }: Cursor): string => `${seq}.${index}`

/** A position in the feed: an entry and an event's index in it. Its text is the event's id. */
export type Cursor = { readonly seq: number; readonly index: number }

/**
 * Entries that are replayed together. Replays stop at its multiples, so that readers who continue from different positions
 * soon send the same bytes, which are then encoded and deflated once.
 */
export const PAGE_ENTRIES = 50

/** A position as text: `seq.index`. */
export const cursorText = ({ seq, index }: Cursor): string => `${seq}.${index}`

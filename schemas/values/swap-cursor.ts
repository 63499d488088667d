import type { Syntax } from './parameter-syntax.ts'
import { readTime, timeSyntax } from './time-syntax.ts'

/** The place of a swap. `timestamp` (Unix seconds) only helps to find it. */
export type SwapPlace = {
  readonly blockNumber: number
  readonly logIndex: number
  readonly timestamp: number
}

/** A swap's place as text: opaque to readers. */
export const cursorOf = ({ blockNumber, logIndex, timestamp }: SwapPlace): string =>
  `${blockNumber}.${logIndex}.${timestamp}`

/** Fifteen digits are exact in a number. */
const CURSOR = /^(\d{1,15})\.(\d{1,9})\.(\d{1,12})$/

/** Where a list of swaps goes on: before a swap, or before a time in Unix seconds. */
export type Before = { readonly place: SwapPlace | null; readonly seconds: number }

/** Reads a cursor or a time; null: neither. */
export function readBefore(text: string): Before | null {
  const [, block, index, timestamp] = CURSOR.exec(text.trim()) ?? []
  if (block !== undefined) {
    const place = { blockNumber: Number(block), logIndex: Number(index), timestamp: Number(timestamp) }
    // The swaps of its own second are compared by place.
    return { place, seconds: place.timestamp + 1 }
  }
  const time = readTime(text)
  return time && { place: null, seconds: time.ms / 1_000 }
}

/** Whether a swap comes before a place or time. */
export const isBefore = (swap: SwapPlace, { place, seconds }: Before): boolean =>
  swap.timestamp < seconds &&
  (place === null ||
    swap.blockNumber < place.blockNumber ||
    (swap.blockNumber === place.blockNumber && swap.logIndex < place.logIndex))

/** A `cursor` of a swap, or a time. */
export const beforeSyntax: Syntax = {
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  allowed: `the cursor of a swap, or ${timeSyntax.allowed}`,
  description: `A cursor, or ${timeSyntax.description}`,
  isRead: (text) => readBefore(text) !== null,
}

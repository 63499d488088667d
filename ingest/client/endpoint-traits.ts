/** Observed properties of an endpoint, and whether to prefer others. */
import { LRUCache } from 'lru-cache'
import type { Address, Hash } from '../../market/segment.ts'
import { openRangeWidth, type RangeWidth } from './range-width.ts'
import { openReach, type Reach } from './reach.ts'

/** Observed properties of an endpoint, kept as long as the process runs. */
export type EndpointTraits = {
  /** Its host, numbered if two share one. Path and query may hold a key. */
  readonly name: string
  readonly width: RangeWidth
  /** How far back it serves logs. */
  readonly reach: Reach
  /** It has no new blocks: far ranges are read from it, and nothing else. */
  readonly isFarOnly: boolean
  /** It answers eth_getLogs without an address. */
  takesTopicsAlone: boolean
  /** Addresses in one filter, and values of one topic. */
  addressesAFilter: number
  valuesATopic: number
  /** Times in a row that it was too busy for logs. */
  timesBusy: number
  /** Blocks per second of the last range of full width; undefined: none yet. */
  blocksPerSecond: number | undefined
  /** Until then (Unix ms) it ranks after the others, because it omitted logs. */
  distrustedUntil: number
  /** Until then (Unix ms) it ranks last, because it did not answer. */
  silentUntil: number
  /** Until then (Unix ms) state of past blocks is not requested from it, because it had none. */
  noStateUntil: number
  /** Cache of transactions. */
  readonly sent: LRUCache<Hash, SentTransaction>
}

/** Who sent a transaction, and to whom; null: it created a contract. */
export type SentTransaction = { readonly from: Address; readonly to: Address | null }

/** Traits of an endpoint before the first request. */
export const openTraits = (name: string, reach = openReach()): EndpointTraits => ({
  name,
  width: openRangeWidth(),
  reach,
  isFarOnly: false,
  takesTopicsAlone: true,
  // Endpoints limit the size of a filter without publishing the limit.
  addressesAFilter: 500,
  valuesATopic: 200,
  timesBusy: 0,
  blocksPerSecond: undefined,
  distrustedUntil: 0,
  silentUntil: 0,
  noStateUntil: 0,
  sent: new LRUCache({ max: SENT_MAX }),
})

const SENT_MAX = 10_000

/** An endpoint that did not answer is avoided for this many times as long as it was waited for: one that is down costs 1/30 of the time. */
const REST_FACTOR = 30

/** The endpoint did not answer within `waitedMs`. `pauseMs`: the pause it requires itself. */
export function rest(traits: EndpointTraits, waitedMs: number, pauseMs = 0): void {
  const restMs = Math.max(REST_FACTOR * waitedMs, pauseMs)
  traits.silentUntil = Math.max(traits.silentUntil, Date.now() + restMs)
}

/** It did not answer recently. */
export const isSilent = ({ silentUntil }: EndpointTraits): boolean => Date.now() < silentUntil

/** It omitted logs recently. */
export const isDistrusted = ({ distrustedUntil }: EndpointTraits): boolean => Date.now() < distrustedUntil

/** An endpoint is narrow compared with one that allows this many times as many blocks, and for this many ranges of its own. */
const NARROW_FACTOR = 10

/** The other endpoint allows many times as many blocks a call. */
export const isNarrowBeside = ({ width }: EndpointTraits, other: EndpointTraits): boolean =>
  width.blocks() * NARROW_FACTOR < other.width.blocks()

/** So many blocks are too many ranges of this endpoint. */
export const isNarrowFor = ({ width }: EndpointTraits, blocks: number): boolean =>
  width.blocks() * NARROW_FACTOR < blocks

/** It serves only newer logs: the mirror of `isFarOnly`. */
export const isNearOnly = ({ reach }: EndpointTraits): boolean => reach.blocks() < Number.POSITIVE_INFINITY

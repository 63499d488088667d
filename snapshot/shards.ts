/**
 * A market in shards: engines that follow the same log, each with a share of the tokens. A token's price needs its quote,
 * so they share a shard: it is chosen by the token that a token is quoted in, or by the token itself where it is quoted in a
 * reference currency. What the index needs of all tokens, the shards tell each other twice a minute, as plain data.
 */

import { ownersBeside } from '../market/fold/post-owners.ts'
import type { SealedEntry, SegmentReference } from '../market/log.ts'
import type { Address, References, Token } from '../market/segment.ts'
import { tokenLine } from '../store/codec.ts'
import type { SegmentStates } from '../store/segment-bytes.ts'
import { closeMinute, closeOf, type Engine, emptyEngine, indexPart, openMinute } from './engine.ts'
import { type ClosePart, type IndexPart, indexCopy } from './index-state.ts'
import { copyOf, enterMoved, removeMoved } from './moving.ts'

/** The engines, and which groups of tokens have been joined since a token changed its quote from one to another. */
export type Shards = Sharing & { readonly engines: readonly Engine[] }

/** How tokens are shared out. */
export type Sharing = {
  readonly count: number
  /** By group, another one whose shard it shares. */
  readonly joined: Map<Address, Address>
}

/** The group of a token: its quote if that is a token, else itself. */
const groupOf = ({ address, quote }: Token, references: References): Address =>
  references.has(quote) ? address : quote

/** The group that stands for all groups joined with this one. */
function joinedGroup({ joined }: Sharing, group: Address): Address {
  let last = group
  for (let next = joined.get(last); next !== undefined; next = joined.get(last)) last = next
  return last
}

/** Joins two groups; false: they were. */
function join(shards: Sharing, [one, other]: readonly [Address, Address]): boolean {
  const [low = one, high = other] = [joinedGroup(shards, one), joinedGroup(shards, other)].sort()
  if (low === high) return false
  shards.joined.set(high, low)
  return true
}

/** The shard of a token, by the last digits of its group's address. */
export function shardOf(sharing: Sharing, token: Token, references: References): number {
  const group = joinedGroup(sharing, groupOf(token, references))
  return Number.parseInt(group.slice(-8), 16) % sharing.count
}

/** Distributes an engine's tokens over `count` engines; the first is itself. */
export function shardsOf(engine: Engine, count: number): Shards {
  const others = Array.from({ length: count - 1 }, () => copyWithoutTokens(engine))
  const shards: Shards = { engines: [engine, ...others], count, joined: new Map() }
  const references = referencesOf(engine)
  for (const [number, texts] of engine.market.redescribed) {
    const group = groupOf(tokenLine.read(engine.market.descriptions[number] as string), references)
    for (const text of texts) join(shards, [group, groupOf(tokenLine.read(text), references)])
  }
  settle(shards, references)
  return shards
}

const referencesOf = ({ starts }: Engine): References => starts[0]?.references ?? new Map()

function copyWithoutTokens({ starts, segments, totals, index, ...engine }: Engine): Engine {
  return {
    ...engine,
    market: emptyEngine().market,
    starts: [...starts],
    segments: [...segments],
    totals: [...totals],
    index: indexCopy(index),
  }
}

/** Moves every token to its shard. */
function settle(shards: Shards, references: References): void {
  const leaving = shards.engines.map(({ market: { byAddress, descriptions } }, at) => {
    const addresses = shards.engines.map((): Address[] => [])
    for (const [address, number] of byAddress) {
      const home = shardOf(shards, tokenLine.read(descriptions[number] as string), references)
      if (home !== at) addresses[home]?.push(address)
    }
    return addresses
  })
  for (const [at, from] of shards.engines.entries()) {
    for (const [home, to] of shards.engines.entries()) {
      const addresses = leaving[at]?.[home] ?? []
      if (addresses.length === 0) continue
      const moved = copyOf(from.market, addresses)
      removeMoved(from.market, moved)
      enterMoved(to.market, moved)
      const needed = addresses.filter((address) => from.index.needed.has(address))
      to.index.needed = new Set([...to.index.needed, ...needed])
    }
  }
}

/** Advances all shards by one sealed minute. */
export function advanceShards(
  shards: Shards,
  entry: SealedEntry,
  segmentOf: (reference: SegmentReference) => SegmentStates,
): void {
  const { engines } = shards
  const segment = segmentOf(entry.segment)
  if (joinRequoted(shards, segment)) settle(shards, segment.references)
  const close = wholeClose(engines.map((engine) => closeOf(engine, entry)))
  const open = engines.map((engine, at) => {
    const share = shareOf(shards, at, segment)
    const shareThen = (reference: SegmentReference) =>
      reference.key === entry.segment.key ? share : knownOf(engine, segmentOf(reference))
    return { engine, minute: openMinute(engine, { entry, segmentOf: shareThen }, close) }
  })
  const part = wholePart(open.map(({ engine, minute }) => indexPart(engine, minute)))
  for (const { engine, minute } of open) closeMinute(engine, { ...minute, segment }, part)
}

/** Joins the groups between which the minute moved a token; whether any were apart. */
function joinRequoted(shards: Shards, { tokens, references }: SegmentStates): boolean {
  const moves = tokens.flatMap(({ before, after }) =>
    before && before.quote !== after.quote
      ? [[groupOf(before, references), groupOf(after, references)] as const]
      : [],
  )
  return moves.filter((groups) => join(shards, groups)).length > 0
}

/** A minute's rows of a shard, with the owners beside them and those that it knows. */
function shareOf(shards: Shards, at: number, segment: SegmentStates): SegmentStates {
  const { references } = segment
  const isHere = (token: Token) => shardOf(shards, token, references) === at
  const rows = segment.rows.filter(({ description }) => isHere(description))
  const beside = new Set(rows.flatMap(({ description }) => ownersBeside(description)))
  const known = shards.engines[at]?.market.owners
  return {
    ...segment,
    rows,
    tokens: segment.tokens.filter(({ after }) => isHere(after)),
    owners: segment.owners.filter(({ owner }) => beside.has(owner) || known?.has(owner)),
  }
}

/** The rows of an older minute whose tokens are in a shard now. */
const knownOf = ({ market }: Engine, segment: SegmentStates): SegmentStates => ({
  ...segment,
  rows: segment.rows.filter(({ token }) => market.byAddress.has(token)),
})

/** An hour's close of the whole market. */
const wholeClose = (parts: readonly (ClosePart | null)[]): ClosePart | null =>
  parts.reduce((whole, part) =>
    whole && part
      ? { caps: new Map([...whole.caps, ...part.caps]), deep: [...whole.deep, ...part.deep] }
      : null,
  )

/** What the index needs of the whole market. */
const wholePart = (parts: readonly IndexPart[]): IndexPart => ({
  tokens: new Map(parts.flatMap(({ tokens }) => [...tokens])),
  contenders: parts.flatMap(({ contenders }) => contenders),
})

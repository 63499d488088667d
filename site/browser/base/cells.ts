import type { NameFlags } from '../../../clients/typescript/index.ts'
import { type Child, copyButton, explained, h } from './dom.ts'
import { allDigits, DASH, dayAndSecond, dollars, duration, fixed, percentLabel, shortHex } from './format.ts'
import { serviceNow } from './freshness.ts'
import { avatar } from './pictures.ts'
import type { Column } from './table.ts'

/** A token's names and address, and as far as they are known its kind and who made it. */
export type Named = {
  readonly symbol: string
  readonly name: string
  readonly token_address: string
  readonly name_flags?: NameFlags
  readonly type?: 'creator' | 'post'
  readonly creator_address?: string | null
  readonly creator_handle?: string | null
  readonly creator_verified?: boolean | null
  readonly launched_by?: string | null
}

/** Who made a token: whoever launched it, where it names somebody else as its creator. */
export const makerOf = ({
  type,
  creator_address: creator,
  creator_verified: isVerified,
  launched_by: launcher,
}: Omit<Named, 'symbol' | 'name' | 'token_address'>): string | null | undefined =>
  type === 'post' && isVerified === false && launcher ? launcher : creator

/** Address of a token's page. */
export const tokenHref = (address: string): string => `/token?id=${encodeURIComponent(address)}`

/** Address of a creator's page, by the address of the creator or of a token of theirs. */
export const creatorHref = (id: string): string => `/creator?id=${encodeURIComponent(id)}`

/** Address of a wallet's page. */
export const walletHref = (address: string): string => `/wallet?id=${encodeURIComponent(address)}`

/**
 * A token by picture, symbol and name, linked to its page; a post with its creator. Names are isolated, as they may
 * contain text of any direction.
 */
export function tokenCell(token: Named): Child {
  const { symbol, name, token_address: address } = token
  const creator = makerOf(token)
  const link = h(
    'a',
    { class: 'token', href: tokenHref(address) },
    h('bdi', { class: 'symbol' }, symbol || shortHex(address)),
  )
  return h(
    'span',
    { class: 'named' },
    creator !== undefined && avatar(creator ?? address),
    h('span', { class: 'first' }, link, warningsOf(token)),
    h('span', { class: 'second' }, h('bdi', { class: 'name' }, name), byCreator(token)),
  )
}

/** Who made a post. */
function byCreator(token: Named): Child {
  const [maker, handle] = [makerOf(token), token.creator_handle]
  if (token.type !== 'post' || !maker) return false
  const link = h('a', { href: creatorHref(token.token_address) }, h('bdi', {}, handle ?? shortHex(maker)))
  return h('span', { class: 'by' }, 'by ', link)
}

/** Warnings about a name, each a sign that says in words what it means. */
const nameTags = ({ mixed_script: isMixed, lookalike_of: other }: NameFlags): readonly Child[] => [
  other &&
    explained(
      h('a', { class: 'sign', href: tokenHref(other), 'aria-label': 'Looks like another token' }, '≈'),
      'Looks like another token: open that one.',
    ),
  isMixed &&
    explained(h('span', { class: 'sign' }, 'Aа'), 'Its name mixes look-alike letters of different scripts.'),
]

/** A token's warnings, if it has any. */
export const warningsOf = ({ name_flags: flags }: Pick<Named, 'name_flags'>): Child =>
  flags && nameTags(flags)

/** The class of a gain or a loss. */
export const directionOf = (value: number | null): 'quiet' | 'up' | 'down' =>
  value === null || value === 0 ? 'quiet' : value > 0 ? 'up' : 'down'

/** A change in percent; sign and arrow repeat the colour's meaning. */
export function change(value: number | null): HTMLElement {
  return h(
    'span',
    { class: `change ${directionOf(value)}`, title: value === null ? null : `${value}%` },
    percentLabel(value),
  )
}

/** A figure with its change below it. */
const withChange = (figure: Child, percent: number | null): Child => [
  h('span', { class: 'figure' }, figure),
  change(percent),
]

/** A sort key: its id, its label, and its value in a row. */
type By<Row> = readonly [id: string, name: string, value: (row: Row) => number | null]

/** A sortable column of figures, optionally with a change below each. */
export function figures<Row>(
  label: string,
  show: (value: number | null) => Child,
  ...[own, change]: readonly [own: By<Row>, change?: By<Row>]
): Column<Row> {
  const [id, , value] = own
  const sorts = [own, ...(change ? [change] : [])].map(([id, label, value]) => ({ id, label, value }))
  const cell = (row: Row) => (change ? withChange(show(value(row)), change[2](row)) : show(value(row)))
  return { id, label, isNumber: true, sorts, cell }
}

/** A bar with the share of the largest value, next to the figure. */
export const barCell = (value: number, largest: number): Child =>
  h(
    'span',
    { class: 'meter', 'aria-hidden': 'true' },
    h('span', { style: { width: `${largest > 0 ? (100 * value) / largest : 0}%` } }),
  )

/** A token's kind. */
export const kindTag = (kind: 'creator' | 'post'): Child => h('span', { class: `tag ${kind}` }, kind)

/** A figure in US dollars, with all digits on hover. */
export const dollarsCell = (value: number | null, digits?: number): Child =>
  h('span', { title: value === null ? null : allDigits(value) }, dollars(value, digits))

/** A token's market cap, and the part that counts. */
export type Capped = { readonly thin_liquidity: boolean | null; readonly effective_market_cap: number | null }

/** A market cap; where only a part of it counts, with that part and why, else with its change. */
export const capCell = (
  row: Capped & { readonly market_cap: number | null },
  by?: number | null,
  digits?: number,
): Child => [
  h('span', { class: 'figure' }, dollarsCell(row.market_cap, digits)),
  row.thin_liquidity
    ? explained(
        h('span', { class: 'counted' }, `counts ${dollars(row.effective_market_cap)}`),
        'Thin liquidity: hardly anyone could sell at this price, so only 25 times the money in the pool counts.',
      )
    : by !== undefined && change(by),
]

/** The time elapsed since a time, which says it exactly when it is pointed at or focused. */
export const ageOf = (iso: string | null): Child =>
  iso === null
    ? DASH
    : explained(
        h('time', { datetime: iso }, duration((serviceNow() - Date.parse(iso)) / 1_000)),
        `${dayAndSecond(iso)} UTC`,
        -1,
      )

/** Ranks gained or lost on a board, or a mark for a new row. */
export function move(isNew: boolean | null, rankChange: number | null): Child {
  if (isNew) return h('span', { class: 'move new' }, 'new')
  if (rankChange === null || rankChange === 0) return null
  const isUp = rankChange > 0
  const places = Math.abs(rankChange)
  const isBig = places >= BIG_MOVE
  return h(
    'span',
    { class: `move ${isUp ? 'up' : 'down'}${isBig ? ' big' : ''}` },
    h('span', { class: 'unseen' }, isUp ? 'up ' : 'down '),
    h('span', { 'aria-hidden': 'true' }, isUp ? '▲' : '▼'),
    String(places),
  )
}

/** Ranks from which a row is marked as a mover. */
export const BIG_MOVE = 5

/** An address or hash in full. */
export const wholeHex = (hex: string): Child => h('span', { class: 'hex whole' }, hex)

/** The same with a button that copies it. */
export const copiedHex = (hex: string, label: string): Child => [
  wholeHex(hex),
  ' ',
  copyButton(() => hex, label),
]

/** A shortened address or hash, complete on hover. */
export const hexCell = (hex: string | null): Child =>
  hex === null ? DASH : h('span', { class: 'hex', title: hex }, shortHex(hex))

/** Label, figure, its change in percent (undefined: none), and a link. */
export type Tile = readonly [label: Child, figure: Child, change?: number | null | undefined, href?: string]

/** A few figures side by side: `tiles` are large. */
export const tiles = (all: readonly Tile[], size: 'tiles' | 'tiles small' = 'tiles'): HTMLElement =>
  h(
    'dl',
    { class: size },
    all.map(([label, figure, by, href]) =>
      h(
        'div',
        {},
        h('dt', {}, href ? h('a', { href }, label) : label),
        h('dd', {}, h('span', { class: 'number' }, figure), by !== undefined && change(by)),
      ),
    ),
  )

/** A part: percent of the whole, and the strength of its colour, percent. */
export type Share = { readonly label: string; readonly share: number; readonly strength: number }

/** A bar of the parts of a whole, with a legend. */
export const sharesBar = (parts: readonly Share[]): Child => [
  h(
    'div',
    { class: 'shares', 'aria-hidden': 'true' },
    parts.map(({ share, strength }) =>
      h('span', { style: { width: `${share}%`, '--strength': `${strength}%` } }),
    ),
  ),
  h(
    'ul',
    { class: 'key' },
    parts.map(({ label, share, strength }) =>
      h('li', {}, h('i', { style: { '--strength': `${strength}%` } }), `${label}: ${fixed(share, 2)}%`),
    ),
  ),
]

/** What was bought beside what was sold; `share` is percent. */
export const sidesBar = ({
  share,
  bought,
  sold,
}: {
  readonly share: number
  readonly bought: string
  readonly sold: string
}): Child => [
  h(
    'div',
    { class: 'sides', 'aria-hidden': 'true' },
    h('span', { class: 'up', style: { width: `${share}%` } }),
    h('span', { class: 'down', style: { width: `${100 - share}%` } }),
  ),
  h('p', { class: 'sides-key' }, h('span', { class: 'up' }, bought), h('span', { class: 'down' }, sold)),
]

/** The members of the index: their shares, those that moved it most, and the full list. */

import type { Constituent, Constituents } from '../../../clients/typescript/index.ts'
import { INDEX_START_MEMBERS } from '../../../market/rules.ts'
import { ask } from '../base/ask.ts'
import {
  ageOf,
  barCell,
  directionOf,
  dollarsCell,
  figures,
  kindTag,
  sharesBar,
  tokenCell,
  tokenHref,
} from '../base/cells.ts'
import { type Choice, choiceButtons, chosenValue } from '../base/choices.ts'
import { type Child, h, setChildren } from '../base/dom.ts'
import { amountLabel, countLabel, DASH, fixed, percentLabel } from '../base/format.ts'
import { type Column, lastingTable } from '../base/table.ts'
import { shortCard, tokenRows } from './cards.ts'
import { openPanel } from './panel.ts'
import { openProofPanel } from './proof-panel.ts'
import { shareMap } from './treemap.ts'

const MEMBERS_EVERY_SECONDS = 120

const kinds: Choice = {
  name: 'members',
  label: 'Members',
  values: { all: 'All', creator: 'Creators', post: 'Posts' },
}

const columnsFor = (heaviest: () => number): readonly Column<Constituent>[] => [
  { id: 'rank', label: '#', isNumber: true, phone: 'lead', cell: (row) => String(row.rank) },
  { id: 'token', label: 'Token', isHeading: true, phone: 'token', cell: tokenCell },
  { id: 'kind', label: 'Kind', phone: 'a2', cell: (row) => kindTag(row.type) },
  {
    id: 'weight',
    label: 'Weight',
    isNumber: true,
    phone: 'a1',
    sorts: [{ id: 'weight', label: 'weight', value: (row) => -row.rank }],
    cell: (row) => [`${fixed(row.weight_percent, 2)}%`, barCell(row.weight_percent, heaviest())],
  },
  { ...figures<Constituent>('Price', dollarsCell, ['price', 'price', (row) => row.price_usd]), phone: 'b1' },
  {
    id: 'contribution',
    label: 'Points in 24 h',
    about: 'What it added to the index, or took from it, in 24 hours.',
    isNumber: true,
    phone: 'b2',
    sorts: [{ id: 'contribution', label: 'contribution of 24 hours', value: (row) => row.contribution_24h }],
    cell: (row) => pointsCell(row.contribution_24h),
  },
  {
    id: 'quantity',
    label: 'Quantity',
    about: 'Whole tokens, fixed at the last review.',
    isNumber: true,
    from: 'wide',
    cell: (row) => h('span', { title: row.quantity }, amountLabel(Number(row.quantity))),
  },
  {
    id: 'counted',
    label: 'Counts for',
    about: 'Its quantity at the price of now, at most 25 times the dollars in its pool.',
    isNumber: true,
    phone: 'c1',
    cell: (row) => dollarsCell(row.counted_usd),
  },
  {
    id: 'since',
    label: 'Member for',
    isNumber: true,
    phone: 'c2',
    sorts: [{ id: 'since', label: 'member since', value: (row) => Date.parse(row.since) }],
    cell: (row) => ageOf(row.since),
  },
]

/** Points gained or lost. */
const pointsCell = (points: number | null): Child => h('span', { class: directionOf(points) }, signed(points))

const signed = (points: number | null): string =>
  points === null ? DASH : `${points > 0 ? '+' : points < 0 ? '−' : ''}${fixed(Math.abs(points), 2)}`

/** Members and their change of 24 hours, by weight. */
function mapOf({ index_value: value, constituents }: Constituents): Child {
  const tiles = constituents.map((row) => {
    const points = (value * row.weight_percent) / 100
    const by = row.contribution_24h
    const before = by === null ? 0 : points - by
    const change = by === null || before <= 0 ? null : (100 * by) / before
    return {
      share: row.weight_percent,
      href: tokenHref(row.token_address),
      name: row.symbol,
      detail: `${fixed(row.weight_percent, 1)}%, ${percentLabel(change)}`,
      change,
    }
  })
  return shareMap(tiles, matchMedia('(max-width: 720px)').matches ? 1 : 2.6)
}

/** Members that moved the index most in 24 hours, up and down. */
function contributionsOf({ constituents }: Constituents): Child {
  const known = constituents.filter((row) => row.contribution_24h !== null)
  const moved = [...known].sort((a, b) => (b.contribution_24h ?? 0) - (a.contribution_24h ?? 0))
  const list = (title: string, rows: readonly Constituent[]) =>
    shortCard(
      title,
      tokenRows(rows, (row) => pointsCell(row.contribution_24h)),
    )
  const up = moved.filter((row) => (row.contribution_24h ?? 0) > 0).slice(0, MOVERS)
  const down = moved
    .filter((row) => (row.contribution_24h ?? 0) < 0)
    .slice(-MOVERS)
    .reverse()
  return (
    known.length > 0 &&
    h('div', { class: 'cards' }, list('Lifted the index', up), list('Pulled it down', down))
  )
}

const MOVERS = 5

const weightOf = (rows: readonly Constituent[]): number =>
  rows.reduce((sum, row) => sum + row.weight_percent, 0)

function pictureOf(rows: readonly Constituent[]): Child {
  const part = (kind: Constituent['type'], words: string, strength: number) => {
    const some = rows.filter(({ type }) => type === kind)
    return { label: `${countLabel(some.length)} ${words}`, share: weightOf(some), strength }
  }
  return sharesBar([part('creator', 'creators', 100), part('post', 'posts', 50)])
}

/** The members, all or of one kind: `show` sets them, `draw` redraws them after a choice. */
function openMembers() {
  const element = h('div')
  let rows: readonly Constituent[] = []
  const table = lastingTable<Constituent>(() => ({
    caption: 'Members of the index',
    isList: true,
    columns: columnsFor(() => rows[0]?.weight_percent ?? 1),
    order: { sort: 'weight', isAscending: false },
    key: (row) => row.token_address,
  }))
  const draw = () => {
    const kind = chosenValue(kinds)
    setChildren(element, table(rows.filter(({ type }) => kind === 'all' || kind === type)))
  }
  return {
    element,
    draw,
    show: (next: readonly Constituent[]) => {
      rows = next
      draw()
    },
  }
}

/** The panel with the members of the index; `onMembers` is called with them. */
export function constituentsPart(onMembers: (rows: readonly Constituent[]) => void): readonly HTMLElement[] {
  const members = openMembers()
  const proof = openProofPanel()
  const panel = openPanel({
    load: (signal) => ask('/v1/z100/index/constituents', {}, signal),
    show: (answer) => {
      members.show(answer.body.constituents)
      onMembers(answer.body.constituents)
      return [
        pictureOf(answer.body.constituents),
        mapOf(answer.body),
        h('h2', {}, 'What moved it in 24 hours'),
        contributionsOf(answer.body),
        h('h2', {}, 'All members'),
        members.element,
        proof('v1/z100/index/constituents', answer),
      ]
    },
    empty: {
      when: ({ body }) => body.constituents.length === 0,
      description: `The index has no constituents yet: it starts once ${INDEX_START_MEMBERS} tokens qualify.`,
    },
    everySeconds: MEMBERS_EVERY_SECONDS,
  })
  return [
    h('div', { class: 'bar' }, h('h2', {}, 'Members'), choiceButtons(kinds, members.draw)),
    panel.element,
  ]
}

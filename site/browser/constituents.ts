/** The members of the index: who they are, what they weigh, and since when. */
import type { Constituent } from '../../schemas/client.ts'
import { ask } from './ask.ts'
import { barCell, dollarsCell, kindTag, priceCell, tokenCell } from './cells.ts'
import { type Choice, choiceButtons, chosen } from './choices.ts'
import { type Child, fill, h } from './dom.ts'
import { amount, count, dayAndTime, fixed } from './format.ts'
import { openPanel } from './panel.ts'
import { openProofPanel } from './proof-panel.ts'
import { sharesBar } from './shares.ts'
import { type Column, lastingTable } from './table.ts'

const EVERY_SECONDS = 120

const kinds: Choice = {
  name: 'members',
  label: 'Members',
  values: { all: 'All', creator: 'Creators', post: 'Posts' },
}

const columnsFor = (heaviest: () => number): readonly Column<Constituent>[] => [
  { id: 'rank', label: '#', isNumber: true, cell: (row) => String(row.rank) },
  { id: 'token', label: 'Token', isHeading: true, cell: tokenCell },
  { id: 'kind', label: 'Kind', cell: (row) => kindTag(row.type) },
  {
    id: 'weight',
    label: 'Weight',
    isNumber: true,
    sorts: [{ id: 'weight', label: 'weight', value: (row) => -row.rank }],
    cell: (row) => [`${fixed(row.weight_percent, 2)}%`, barCell(row.weight_percent, heaviest())],
  },
  {
    id: 'price',
    label: 'Price',
    isNumber: true,
    sorts: [{ id: 'price', label: 'price', value: (row) => row.price_usd }],
    cell: (row) => priceCell(row.price_usd),
  },
  {
    id: 'quantity',
    label: 'Quantity',
    isNumber: true,
    cell: (row) => h('span', { title: row.quantity }, amount(Number(row.quantity))),
  },
  { id: 'counted', label: 'Counts for', isNumber: true, cell: (row) => dollarsCell(row.counted_usd) },
  {
    id: 'since',
    label: 'Member since',
    isNumber: true,
    sorts: [{ id: 'since', label: 'member since', value: (row) => Date.parse(row.since) }],
    cell: (row) => dayAndTime(row.since),
  },
]

const weightOf = (rows: readonly Constituent[]): number =>
  rows.reduce((sum, row) => sum + row.weight_percent, 0)

function pictureOf(rows: readonly Constituent[]): Child {
  const part = (kind: Constituent['type'], words: string, shade: number) => {
    const some = rows.filter(({ type }) => type === kind)
    return { label: `${count(some.length)} ${words}`, share: weightOf(some), shade }
  }
  return sharesBar([part('creator', 'creators', 1), part('post', 'posts', 3)])
}

/** The members, all or of one kind: `show` takes them, `draw` draws them as the reader wants them now. */
function openMembers() {
  const element = h('div')
  let rows: readonly Constituent[] = []
  const table = lastingTable<Constituent>(() => ({
    caption: 'Members of the index',
    columns: columnsFor(() => rows[0]?.weight_percent ?? 1),
    order: { sort: 'weight', isAscending: false },
    key: (row) => row.token_address,
  }))
  const draw = () => {
    const kind = chosen(kinds)
    fill(element, table(rows.filter(({ type }) => kind === 'all' || kind === type)))
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

/** The part of the page that shows the members of the index. */
export function constituentsPart(): readonly HTMLElement[] {
  const members = openMembers()
  const proof = openProofPanel()
  const panel = openPanel({
    load: (signal) => ask('/v1/z100/index/constituents', {}, signal),
    show: (answer) => {
      members.show(answer.body.constituents)
      return [
        pictureOf(answer.body.constituents),
        members.element,
        proof('v1/z100/index/constituents', answer),
      ]
    },
    empty: {
      when: ({ body }) => body.constituents.length === 0,
      says: 'The index has no members yet: it begins with the first minute that has 20 tokens to follow.',
    },
    everySeconds: EVERY_SECONDS,
  })
  return [
    h('div', { class: 'bar' }, h('h2', {}, 'Members'), choiceButtons(kinds, members.draw)),
    panel.element,
  ]
}

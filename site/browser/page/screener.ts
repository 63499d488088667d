/** The screener: every token traded in 24 hours, by a form whose fields are the page's address. */
import type { BodyOf, QueryOf } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { ageOf, dollarsCell, figures } from '../base/cells.ts'
import { type Choice, choiceButtons, choose, chosenValue, pageLinks } from '../base/choices.ts'
import { h, main } from '../base/dom.ts'
import { countLabel } from '../base/format.ts'
import type { Column } from '../base/table.ts'
import { listColumns, openListView } from '../part/lists.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'

type Row = BodyOf<'/v1/tokens/screener'>[number]
type Query = QueryOf<'/v1/tokens/screener'>

const EVERY_SECONDS = 45
const SIZE = 50
const DAY_SECONDS = 86_400

const kinds: Choice = {
  name: 'kind',
  label: 'Kind',
  values: { all: 'All', creator: 'Creators', post: 'Posts' },
}

/** The fields of the form, by the API's own names, each with a least and a greatest value. */
const bounds = [
  ['market_cap', 'Market cap, $'],
  ['liquidity', 'Liquidity, $'],
  ['volume_24h', 'Volume 24 h, $'],
  ['trades_24h', 'Trades 24 h'],
  ['holders', 'Holders'],
  ['change_24h', 'Change 24 h, %'],
  ['age', 'Age, seconds'],
] as const
const names = [
  ...bounds.flatMap(([name]) => [`min_${name}`, `max_${name}`]),
  'thin_liquidity',
  'sort_by',
  'sort_order',
]

/** Questions that are asked often, as what their answers have in common. */
const presets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Launched today, still traded': { max_age: String(DAY_SECONDS), min_trades_24h: '5' },
  'Deep pools': { min_liquidity: '10000', thin_liquidity: 'false', sort_by: 'liquidity' },
  Thin: { thin_liquidity: 'true', sort_by: 'market_cap' },
  'Fell by half': { max_change_24h: '-50', min_volume_24h: '100', sort_by: 'volume_24h' },
}

const address = () => new URLSearchParams(location.search)
const offsetNow = () => Math.max(0, Math.trunc(Number(address().get('offset'))) || 0)

function queryNow(): Query {
  const asked = address()
  const filled = names.flatMap((name) => {
    const value = asked.get(name)
    return value ? [[name, value]] : []
  })
  const kind = chosenValue(kinds)
  const offset = offsetNow()
  return {
    ...Object.fromEntries(filled),
    ...(kind === kinds.fallback ? {} : { kind }),
    ...(offset > 0 ? { offset } : {}),
    limit: SIZE,
  } as Query
}

const { rank, token, kind, price, cap, volume, holders, liquidity } = listColumns
const columns: readonly Column<Row>[] = [
  rank,
  token,
  kind,
  price,
  cap,
  volume,
  {
    ...figures<Row>('Rank volume', dollarsCell, ['rank_volume', 'rank volume', (row) => row.rank_volume_24h]),
    about: 'The largest net position of each wallet and hour in 24 hours, summed up; ranks are by it.',
    from: 'wide',
  },
  { ...holders, phone: 'c1' },
  liquidity,
  {
    id: 'age',
    label: 'Age',
    isNumber: true,
    isClock: true,
    phone: 'c2',
    cell: (row) => ageOf(row.created_at),
  },
]

const view = openListView<Row>(() => ({
  caption: 'Tokens that the filters admit',
  columns,
  document: 'v1/tokens/screener',
}))

/** Writes values into the address, none of the earlier ones, and asks again. */
function screen(values: Readonly<Record<string, string>>): void {
  choose({ ...Object.fromEntries([...names, 'offset'].map((name) => [name, ''])), ...values })
  fill()
  panel.askOther()
}

const field = (name: string, label: string) =>
  h('input', {
    type: 'number',
    name,
    step: 'any',
    placeholder: label.split(': ')[1] ?? '',
    'aria-label': label,
  })

const form = h(
  'form',
  {
    class: 'screens',
    on: {
      submit: (event) => {
        event.preventDefault()
        const values = Object.fromEntries(new FormData(form)) as Record<string, string>
        const { sort_by = '', sort_order = '', thin_liquidity = '' } = Object.fromEntries(address())
        screen({ sort_by, sort_order, thin_liquidity, ...values })
      },
      reset: () => screen({}),
    },
  },
  bounds.map(([name, label]) =>
    h(
      'fieldset',
      {},
      h('legend', {}, label),
      field(`min_${name}`, `${label}: at least`),
      field(`max_${name}`, `${label}: at most`),
    ),
  ),
  h(
    'div',
    { class: 'row' },
    h('button', { type: 'submit', class: 'strong' }, 'Screen'),
    h('button', { type: 'reset' }, 'Clear'),
  ),
)

/** Shows what the address says in the form. */
function fill(): void {
  const asked = address()
  for (const input of form.querySelectorAll('input')) input.value = asked.get(input.name) ?? ''
}

openPage()
const filters = h('details', { class: 'filters' }, h('summary', {}, 'Filters'), form)
function show(offset: number): void {
  choose({ offset: offset === 0 ? '' : String(offset) })
  panel.reload()
}
const panel = openPanel({
  load: (signal) => ask('/v1/tokens/screener', { query: queryNow() }, signal),
  show: (answer) => [
    h('p', { class: 'quiet' }, `${countLabel(answer.total)} tokens match.`),
    view.show(answer),
    pageLinks(answer, offsetNow(), ['Before', 'More'], show),
  ],
  empty: {
    when: ({ body }) => body.length === 0,
    description: 'No token traded in the last 24 hours matches. Widen a bound, or clear the filters.',
  },
  everySeconds: EVERY_SECONDS,
})
fill()
filters.open = names.some((name) => address().has(name)) && innerWidth > 720
main().append(
  h(
    'div',
    { class: 'bar' },
    choiceButtons(kinds, () => show(0)),
    h(
      'div',
      { class: 'row presets' },
      Object.entries(presets).map(([label, values]) =>
        h('button', { type: 'button', on: { click: () => screen(values) } }, label),
      ),
    ),
  ),
  filters,
  panel.element,
)

/** Distribution of a token's supply. */
import type { Distribution, Holder, TokenHolders } from '../../../clients/typescript/index.ts'
import { barCell, dollarsCell, hexCell, sharesBar } from '../base/cells.ts'
import { type Child, h } from '../base/dom.ts'
import { amountLabel, countLabel, dayAndTime, fixed } from '../base/format.ts'
import { type Column, openTableView } from '../base/table.ts'
import { facts } from './proof-panel.ts'

export const LISTED_HOLDERS = 20

const columnsFor = (most: number): readonly Column<Holder>[] => [
  { id: 'rank', label: '#', isNumber: true, cell: (row) => String(row.rank) },
  { id: 'address', label: 'Holder', isHeading: true, cell: (row) => hexCell(row.address) },
  { id: 'balance', label: 'Balance', isNumber: true, cell: (row) => amountLabel(row.balance) },
  {
    id: 'share',
    label: 'Of the supply',
    isNumber: true,
    cell: (row) => [`${fixed(row.percentage, 2)}%`, barCell(row.percentage, most)],
  },
  { id: 'value', label: 'Value', isNumber: true, cell: (row) => dollarsCell(row.value_usd) },
]

/** A bar with the holders' shares of the supply, then the figures and the largest holders. */
export function holdersOf({
  distribution,
  holder_types: types,
  holders,
  total_holders: total,
  coverage_from: from,
}: TokenHolders): Child {
  if (!distribution) {
    return h(
      'p',
      { class: 'quiet' },
      from
        ? `The token is older than what is known here, from ${dayAndTime(from)} UTC on: who held it then is not.`
        : 'This token has had too many holders to count here.',
    )
  }
  const table = openTableView({
    caption: 'The largest holders',
    columns: columnsFor(holders[0]?.percentage ?? 1),
  })
  table.show(holders.slice(0, LISTED_HOLDERS))
  return [
    pictureOf(distribution),
    facts([
      ['Holders', countLabel(total)],
      ['Gini coefficient', fixed(distribution.gini_coefficient, 4)],
      [
        'Whales (1 % or more)',
        `${countLabel(distribution.whale_count)}, ${fixed(distribution.whale_percentage, 2)}% of the supply`,
      ],
      ['Contracts among the top 100', countLabel(types.contract_holders)],
    ]),
    table.element,
  ]
}

function pictureOf(distribution: Distribution): Child {
  const ends = [
    ['First 10', distribution.top10_concentration, 100],
    ['11 to 25', distribution.top25_concentration, 72],
    ['26 to 50', distribution.top50_concentration, 50],
    ['51 to 100', distribution.top100_concentration, 32],
    ['Everyone else, including pools', 100, 0],
  ] as const
  return sharesBar(
    ends.map(([label, end, strength], n) => {
      const before = n === 0 ? 0 : (ends[n - 1]?.[1] ?? 0)
      return { label, share: Math.max(0, end - before), strength }
    }),
  )
}

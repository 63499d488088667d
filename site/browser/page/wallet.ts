/** The swaps of one wallet, newest first, page by page. */

import { ask } from '../base/ask.ts'
import { copiedHex, sidesBar } from '../base/cells.ts'
import { type Child, find, h, main, setChildren } from '../base/dom.ts'
import { countLabel, dollars, shortHex } from '../base/format.ts'
import { avatar } from '../base/pictures.ts'
import { lastingTable } from '../base/table.ts'
import { openPanel, type Panel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'
import { keyOf, type ShownSwap, walletSwapColumns } from '../part/swaps.ts'

const EVERY_SECONDS = 55
const LISTED = 50

/** Dollars bought and sold in the swaps shown, as a bar. */
function sidesOf(swaps: readonly ShownSwap[]): Child {
  const sum = (isBuy: boolean) =>
    swaps.reduce((all, { swap }) => all + (swap.is_buy === isBuy ? (swap.volume_usd ?? 0) : 0), 0)
  const [bought, sold] = [sum(true), sum(false)]
  const both = bought + sold
  return (
    both > 0 &&
    sidesBar({
      share: (100 * bought) / both,
      bought: `Bought ${dollars(bought)} in the ${swaps.length === 1 ? 'swap' : `${countLabel(swaps.length)} swaps`} below`,
      sold: `Sold ${dollars(sold)}`,
    })
  )
}

/** The address as it is spelt: until a swap spells it with capitals, as it was asked for. */
function nameThePage(address: string): void {
  const heading = find('.title h1')
  if (find('.title p').textContent.startsWith(address)) return
  document.title = `${shortHex(address)} · wallet · z100`
  setChildren(heading, shortHex(address))
  setChildren(find('.title p'), copiedHex(address, 'Copy the address'))
}

function openWallet(id: string): void {
  find('.title h1').before(avatar(id))
  nameThePage(id)
  /** Cursors of the pages before this one. */
  const before: string[] = []
  const rows = lastingTable<ShownSwap>(() => ({
    caption: 'Swaps, newest first',
    isList: true,
    columns: walletSwapColumns,
    key: ({ swap }) => keyOf(swap),
  }))
  const panel: Panel = openPanel({
    load: async (signal) => {
      const cursor = before.at(-1)
      const query = { limit: LISTED, ...(cursor === undefined ? {} : { before: cursor }) }
      return (await ask('/v1/wallets/{id}/swaps', { id, query }, signal)).body
    },
    show: (swaps) => {
      const shown = swaps.map((swap) => ({ swap, isRetracted: false }))
      const last = swaps.at(-1)
      if (last) nameThePage(last.trader)
      const button = (label: string, go: () => void) =>
        h('button', { type: 'button', on: { click: () => [go(), panel.reload()] } }, label)
      return [
        sidesOf(shown),
        rows(shown),
        h(
          'div',
          { class: 'row bar' },
          before.length > 0 && button('Newer', () => before.pop()),
          swaps.length === LISTED && last && button('Older', () => before.push(last.cursor)),
        ),
      ]
    },
    empty: { when: (swaps) => swaps.length === 0, description: 'No swaps in the last 90 days.' },
    everySeconds: EVERY_SECONDS,
  })
  main().append(panel.element)
}

openPage()
const id = new URLSearchParams(location.search).get('id') ?? ''
if (!/^0x[0-9a-f]{40}$/i.test(id))
  main().append(h('p', {}, 'No wallet selected: open /wallet?id=0x… or follow a trader.'))
else openWallet(id.toLowerCase())

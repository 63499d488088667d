/** Live swaps; retracted ones are struck out. */
import { type Choice, choiceButtons, chosenValue } from '../base/choices.ts'
import { h, main } from '../base/dom.ts'
import { countLabel } from '../base/format.ts'
import { onSnapshot } from '../base/freshness.ts'
import { listenToSwaps, type StreamListener } from '../base/swap-stream.ts'
import { openTableView } from '../base/table.ts'
import { openPage } from '../part/shell.ts'
import { keyOf, markOf, SwapList, swapColumns } from '../part/swaps.ts'

const MOST_ROWS = 200
/** Entries of the feed to replay when the page opens, one block each. */
const ENTRIES_BEFORE = 30
/** Minimum interval between redraws. */
const DRAW_EVERY_MS = 250
/** The replay at page load is drawn at once, after a pause of this length or at most this delay. */
const FIRST_DRAW_MS = 2_000

const sides: Choice = {
  name: 'type',
  label: 'Side',
  values: { all: 'Buys and sells', buy: 'Buys', sell: 'Sells' },
}
const values: Choice = {
  name: 'min_value',
  label: 'Least value',
  values: { '0': 'Any value', '10': '≥ $10', '100': '≥ $100' },
}
const words = { open: 'Connected', waiting: 'Disconnected; resuming from the last swap…' } as const

/** The changing parts of the page. */
function openView() {
  const state = h('span', { role: 'status' }, 'Connecting…')
  const tally = h('span', { class: 'quiet' })
  const line = h(
    'p',
    { class: 'row connection', 'data-state': 'waiting' },
    h('span', { class: 'dot' }),
    state,
    tally,
    h('a', { href: '/docs/stream' }, 'Read the stream yourself'),
  )
  const gap = h('div', { 'aria-live': 'polite' })
  const empty = h('p', { class: 'quiet none' }, 'No swaps yet. They appear here in real time.')
  const table = openTableView({
    caption: 'Swaps, newest first',
    columns: swapColumns,
    isList: true,
    mark: markOf,
    key: ({ swap }) => keyOf(swap),
  })
  return {
    elements: [line, gap, empty, table.element],
    draw: (list: SwapList) => {
      const rows = list.newestFirst()
      table.show(rows)
      empty.hidden = rows.length > 0
      const { heard, retracted } = list.counts
      tally.textContent = `${countLabel(heard)} heard, ${countLabel(retracted)} retracted`
    },
    tellState: (is: keyof typeof words) => {
      line.dataset['state'] = is
      state.textContent = words[is]
    },
    tellGap: (reason: string) =>
      gap.replaceChildren(h('p', { class: 'notice' }, `Swaps may be missing before this time (${reason}).`)),
    forgetGap: () => gap.replaceChildren(),
  }
}

const filterNow = (): Record<string, string> => ({
  ...(chosenValue(sides) === 'all' ? {} : { type: chosenValue(sides) }),
  ...(chosenValue(values) === '0' ? {} : { min_value: chosenValue(values) }),
})

const streamNow = () => ({ origin: location.origin, filter: filterNow(), entriesBefore: ENTRIES_BEFORE })

function openLive(): void {
  openPage()
  const view = openView()
  let list = new SwapList(MOST_ROWS)
  let isPaused = false
  let isFirst = true
  let due: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    due = undefined
    isFirst = false
    if (!isPaused) view.draw(list)
  }
  const drawSoon = () => {
    if (isFirst) clearTimeout(due)
    else if (due) return
    due = setTimeout(draw, DRAW_EVERY_MS)
  }
  setTimeout(draw, FIRST_DRAW_MS)
  const listener: StreamListener = {
    onSwap: (swap) => {
      list.add(swap)
      drawSoon()
    },
    onRetract: (hash) => {
      list.retract(hash)
      drawSoon()
    },
    onGap: view.tellGap,
    onState: view.tellState,
  }
  let stop = listenToSwaps(streamNow(), listener)
  const restart = () => {
    stop()
    list = new SwapList(MOST_ROWS)
    view.forgetGap()
    drawSoon()
    stop = listenToSwaps(streamNow(), listener)
  }
  // With each snapshot, swaps at head become confirmed.
  onSnapshot(drawSoon)
  const hold = (isHeld: boolean) => {
    isPaused = isHeld
    drawSoon()
  }
  const choices = h('div', { class: 'row' }, choiceButtons(sides, restart), choiceButtons(values, restart))
  main().append(h('div', { class: 'bar' }, choices, holdButton(hold)), ...view.elements)
}

/** Pauses drawing, so that new rows do not displace others; swaps are still received. */
function holdButton(hold: (isHeld: boolean) => void): HTMLButtonElement {
  const button = h(
    'button',
    {
      type: 'button',
      'aria-pressed': 'false',
      on: {
        click: () => {
          const isHeld = button.getAttribute('aria-pressed') !== 'true'
          button.setAttribute('aria-pressed', String(isHeld))
          hold(isHeld)
        },
      },
    },
    'Hold still',
  )
  return button
}

openLive()

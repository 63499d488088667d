import type { Swap } from '../../../clients/typescript/index.ts'
import { ageOf, dollarsCell, hexCell, tokenCell, walletHref } from '../base/cells.ts'
import { h } from '../base/dom.ts'
import { amountLabel } from '../base/format.ts'
import { figuresEnd } from '../base/freshness.ts'
import type { Column } from '../base/table.ts'

/** A swap on the page; `isRetracted`: the chain has retracted its block. */
export type ShownSwap = { readonly swap: Swap; readonly isRetracted: boolean }

/** A swap is confirmed once its minute is; the newest status states up to when (exclusive). */
const isConfirmed = ({ confirmed, timestamp }: Swap): boolean => confirmed || timestamp < figuresEnd()

const nameOf = ({ is_buy: isBuy, token_in: paid, token_out: got, token_symbol: symbol }: Swap): string =>
  (isBuy ? got : paid).name ?? symbol

const token: Column<ShownSwap> = {
  id: 'token',
  label: 'Token',
  isHeading: true,
  phone: 'token',
  cell: ({ swap }) =>
    tokenCell({ symbol: swap.token_symbol, name: nameOf(swap), token_address: swap.token_address }),
}

const others: readonly Column<ShownSwap>[] = [
  { id: 'time', label: 'Age', phone: 'a2', isClock: true, cell: ({ swap }) => ageOf(swap.datetime) },
  {
    id: 'side',
    label: 'Side',
    phone: 'a1',
    cell: ({ swap }) => h('span', { class: swap.is_buy ? 'up' : 'down' }, swap.type),
  },
  {
    id: 'amount',
    label: 'Amount',
    isNumber: true,
    phone: 'b1',
    cell: ({ swap }) => amountLabel(swap.amount),
  },
  {
    id: 'price',
    label: 'Price paid',
    about: 'What was paid, with its fee, divided by what came.',
    isNumber: true,
    phone: 'b2',
    cell: ({ swap }) => dollarsCell(swap.price_per_token),
  },
  {
    id: 'value',
    label: 'Value',
    isNumber: true,
    phone: 'c1',
    cell: ({ swap }) => dollarsCell(swap.volume_usd),
  },
  {
    id: 'trader',
    label: 'Trader',
    phone: 'c2',
    cell: ({ swap: { trader } }) =>
      trader === null ? hexCell(null) : h('a', { href: walletHref(trader) }, hexCell(trader)),
  },
  {
    id: 'transaction',
    label: 'Transaction',
    from: 'wide',
    cell: ({ swap }) => hexCell(swap.transaction_hash),
  },
  {
    id: 'state',
    label: 'State',
    about: 'Pending: in the newest blocks, which a reorg may still undo. Confirmed: final.',
    isClock: true,
    cell: ({ swap, isRetracted }) =>
      isRetracted ? h('strong', {}, 'retracted') : isConfirmed(swap) ? 'confirmed' : 'pending',
  },
]

/** Columns of swaps of any token. */
export const swapColumns: readonly Column<ShownSwap>[] = [...others.slice(0, 2), token, ...others.slice(2)]

/** Columns of swaps of one wallet. */
export const walletSwapColumns: readonly Column<ShownSwap>[] = swapColumns.filter(({ id }) => id !== 'trader')

/** Columns of swaps of one token. */
export const tokenSwapColumns: readonly Column<ShownSwap>[] = others.map((column) =>
  column.id === 'time' ? { ...column, phone: 'token' } : column,
)

/** Identifies a swap by its position in the chain. */
export const keyOf = (swap: Swap): string => `${swap.block_hash}:${swap.log_index}`

/** A swap's row is struck out when it is retracted, and marked until it is confirmed. */
export const markOf = ({ swap, isRetracted }: ShownSwap): string =>
  isRetracted ? 'retracted' : isConfirmed(swap) ? '' : 'pending'

/** The newest swaps, at most `most`, each once, newest last, with those of replaced blocks marked as retracted. */
export class SwapList {
  readonly #swaps = new Map<string, ShownSwap>()
  readonly #most: number
  #heard = 0
  #retracted = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Numbers of swaps added and retracted so far. */
  get counts(): { readonly heard: number; readonly retracted: number } {
    return { heard: this.#heard, retracted: this.#retracted }
  }

  /** Adds a swap; a repeated one replaces itself. */
  add(swap: Swap): void {
    const key = keyOf(swap)
    if (!this.#swaps.has(key)) this.#heard++
    this.#swaps.set(key, { swap, isRetracted: false })
    const [oldest] = this.#swaps.keys()
    if (this.#swaps.size > this.#most && oldest !== undefined) this.#swaps.delete(oldest)
  }

  /** Marks the swaps of a block that the chain has replaced. */
  retract(blockHash: string): void {
    for (const [key, shown] of this.#swaps) {
      if (shown.swap.block_hash !== blockHash || shown.isRetracted) continue
      this.#swaps.set(key, { ...shown, isRetracted: true })
      this.#retracted++
    }
  }

  newestFirst(): readonly ShownSwap[] {
    return [...this.#swaps.values()].reverse()
  }
}

/** Swaps as a chain has them, for what the stream's benchmark sends. */

import { createHash } from 'node:crypto'
import type { FeedEntry } from '../../../market/feed-entry.ts'
import type { Address, Block, Hash, Swap } from '../../../market/segment.ts'
import { type Currencies, encodeEntries } from '../../../stream/events.ts'
import { ZORA } from '../../../test/support/market/facts.ts'
import { randomFrom } from '../../devnet/random.ts'

/** Hashes and addresses of a chain say nothing of each other. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const hashOf = (text: string): Hash => `0x${digest(text)}`
const addressOf = (text: string): Address => `0x${digest(text).slice(0, 40)}`
/** It holds the tokens of every pool: whoever buys is paid by it, whoever sells pays it. */
const POOL_MANAGER = addressOf('pool manager')

/** Few tokens and traders are busy, most are not; amounts have as many digits as on the chain. */
function swapOf(block: Block, logIndex: number, random: () => number): Swap {
  const busy = (what: string, count: number) => addressOf(`${what} ${Math.floor(random() ** 3 * count)}`)
  const trader = busy('trader', 2_000)
  const token = busy('token', 500)
  const isBuy = random() < 0.5
  return {
    blockNumber: block.number,
    blockHash: block.hash,
    timestamp: block.timestamp,
    logIndex,
    transactionHash: hashOf(`${block.number} ${logIndex}`),
    poolId: hashOf(token),
    token,
    quote: ZORA,
    isBuy,
    trader,
    from: isBuy ? POOL_MANAGER : trader,
    to: isBuy ? trader : POOL_MANAGER,
    amountToken: BigInt(Math.floor(random() * 1e15)) * 10n ** 9n + BigInt(Math.floor(random() * 1e9)),
    amountQuote: BigInt(Math.floor(random() * 1e15)) * 10n ** 4n,
    volumeMicroUsd: BigInt(Math.floor(random() ** 4 * 1e9)),
    paidUsdE36: BigInt(Math.floor(random() * 1e15)) * 10n ** 18n,
    timestampMs: null,
  }
}

/** Whatever a swap is paid in is known. */
export const swapCurrencies: Currencies = {
  read: async () => (address: Address) => {
    const symbol = address.slice(2, 8).toUpperCase()
    return { address, symbol, name: `coin ${address.slice(2, 12)}`, decimals: 18 }
  },
}

/** Entries of a feed from the first on, a swap in each. */
export function entriesOf(count: number): readonly FeedEntry[] {
  const random = randomFrom(11).next
  return Array.from({ length: count }, (_, at): FeedEntry => {
    const block = { number: 30_000_000 + at, hash: hashOf(`block ${at}`), timestamp: 1_790_000_000 + 2 * at }
    return { is: 'block', seq: at + 1, block, swaps: [swapOf(block, 0, random)] }
  })
}

/** The data of a swap's event. */
export async function textOfASwap(): Promise<string> {
  const [first] = await encodeEntries(entriesOf(1), swapCurrencies, -1)
  return String(first?.events[0]?.bytes).split('data: ')[1]?.trim() ?? ''
}

/** What gzip is worth: bytes of a swap on the wire and CPU of the server, beside the same swaps sent plainly. */
import { createHash } from 'node:crypto'
import type { Address, Block, FeedEntry, Hash, Swap } from '../../market/segment.ts'
import { encodeEntries } from '../../stream/events.ts'
import { ZORA } from '../support/facts.ts'
import { seeded } from '../support/swap-feed.ts'
import { median, say, table } from './rounds.ts'
import { type Load, type Measured, measure } from './stream-measure.ts'
import { startNode } from './stream-peers.ts'

const READERS = 1_000
const codings = ['identity', 'gzip'] as const
/** Swaps that come at the same time, in one block. */
const sizes = [1, 5, 20] as const
const SWAPS = 400

/** Hashes and addresses of a chain say nothing of each other. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const hashOf = (text: string): Hash => `0x${digest(text)}`
const addressOf = (text: string): Address => `0x${digest(text).slice(0, 40)}`

/** Few tokens and traders are busy, most are not; amounts have as many digits as on the chain. */
function swapOf(block: Block, logIndex: number, random: () => number): Swap {
  const busy = (what: string, count: number) => addressOf(`${what} ${Math.floor(random() ** 3 * count)}`)
  const trader = busy('trader', 2_000)
  const token = busy('token', 500)
  const place = `${block.number} ${logIndex}`
  return {
    ...{ blockNumber: block.number, blockHash: block.hash, timestamp: block.timestamp, logIndex },
    ...{ transactionHash: hashOf(place), poolId: hashOf(token), token, quote: ZORA, isBuy: random() < 0.5 },
    ...{ trader, to: trader, from: addressOf(`hook ${place}`) },
    amountToken: BigInt(Math.floor(random() * 1e15)) * 10n ** 9n + BigInt(Math.floor(random() * 1e9)),
    amountQuote: BigInt(Math.floor(random() * 1e15)) * 10n ** 4n,
    volumeMicroUsd: BigInt(Math.floor(random() ** 4 * 1e9)),
    paidUsdE36: BigInt(Math.floor(random() * 1e15)) * 10n ** 18n,
  }
}

/** The data of swaps' events, so many of them a block. */
async function textsOf(atOnce: number): Promise<readonly string[]> {
  const random = seeded(11)
  const entries = Array.from({ length: SWAPS / atOnce }, (_, at): FeedEntry => {
    const block = { number: 30_000_000 + at, hash: hashOf(`block ${at}`), timestamp: 1_790_000_000 + 2 * at }
    const swaps = Array.from({ length: atOnce }, (_, index) => swapOf(block, 7 * index, random))
    return { is: 'block', seq: at + 1, block, swaps }
  })
  const currencies = {
    read: async () => (address: Address) => ({
      ...{ address, symbol: address.slice(2, 8).toUpperCase(), name: `coin ${address.slice(2, 12)}` },
      decimals: 18,
    }),
  }
  const encoded = await encodeEntries(entries, currencies, -1)
  return encoded.flatMap(({ events }) =>
    events.map(({ bytes }) => String(bytes).split('data: ')[1]?.trim() ?? ''),
  )
}

/** Measures each size in both codings; what was not delivered is a goal missed. */
export async function measureCodings(rounds: number): Promise<readonly string[]> {
  const rows: (readonly (string | number)[])[] = [
    ['swaps at once', 'bytes a swap', 'as gzip', 'smaller', 'CPU s per million', 'as gzip', 'gzip / plain'],
  ]
  const missed: string[] = []
  for (const atOnce of sizes) {
    const loads = await loadsOf(atOnce)
    const results = loads.map((): Measured[] => [])
    for (let round = 0; round < rounds; round++) {
      for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const server = await startNode('ours')
        results[at]?.push(await measure(server, loads[at] as Load))
        await server.stop()
      }
    }
    const [plain = [], zipped = []] = results
    const of = (measured: readonly Measured[], what: keyof Measured) =>
      median(measured.map((one) => one[what]))
    const [before, after] = [of(plain, 'bytes'), of(zipped, 'bytes')]
    const ratio = median(zipped.map(({ cpu }, at) => cpu / (plain[at]?.cpu ?? Number.NaN)))
    rows.push([String(atOnce), before, after, before / after, of(plain, 'cpu'), of(zipped, 'cpu'), ratio])
    if ([...plain, ...zipped].some(({ lost }) => lost > 0))
      missed.push(`${atOnce} at once: events were not delivered`)
  }
  say(table(rows))
  return missed
}

/** The same swaps in both codings: a block ten times a second. */
async function loadsOf(atOnce: number): Promise<readonly Load[]> {
  const texts = await textsOf(atOnce)
  const rest = { name: `${atOnce} at once`, readers: READERS, rate: 10 * atOnce, seconds: 4, atOnce, texts }
  return codings.map((coding) => ({ ...rest, coding }))
}

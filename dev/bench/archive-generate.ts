/**
 * Writes the log of a day with so many swaps for `archive-once.ts` into a folder, in a process of its own so that its memory
 * is not measured: `archive-generate.ts FOLDER SWAPS`. Hashes, amounts, prices and traders are as random as a chain's.
 */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogEntry } from '../../market/log.ts'
import type { Address, Hash, Segment, Swap } from '../../market/segment.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { openLog } from '../../store/log/log.ts'
import { nthAddress } from '../../test/support/market/facts.ts'
import { randomFrom } from '../devnet/random.ts'
import { fileBucket } from './file-bucket.ts'
import { START, syntheticMarket } from './synthetic-market.ts'
import { syntheticSegment } from './synthetic-minutes.ts'

const TOKENS = 20_000
const TRADERS = 15_000
const MINUTES = 1_440
/** The first minute of the day. */
export const DAY_FROM = Math.ceil(START / MINUTES) * MINUTES

if (process.argv[2]) await generate(process.argv[2], Number(process.argv[3]))

async function generate(folder: string, swaps: number): Promise<void> {
  const log = openLog(openMemoryTable(), fileBucket(folder))
  const perMinute = Math.ceil(swaps / MINUTES)
  const market = syntheticMarket(TOKENS, TOKENS, perMinute)
  const entries: LogEntry[] = []
  // A minute of the next day, so that this one is over.
  for (let at = 0; at <= MINUTES; at++) {
    const segment = asRandom(syntheticSegment(market, DAY_FROM + at, perMinute))
    const { minute, firstBlock, last } = segment
    const n = at + 1
    entries.push({ n, is: 'sealed', minute, firstBlock, last, segment: await log.putSegment(segment) })
  }
  await writeFile(join(folder, 'entries.json'), JSON.stringify(entries))
}

function digest(text: string): Hash {
  return `0x${createHash('sha256').update(text).digest('hex')}`
}

/** A trader: a few trade much, most hardly ever. */
function traderAt(share: number): Address {
  const number = Math.floor(TRADERS * share ** 2)
  return `0x${digest(`trader ${number}`).slice(2, 42)}`
}

function asRandom(segment: Segment): Segment {
  const random = randomFrom(segment.minute, 1)
  const word = (): bigint => BigInt(Math.floor(random.next() * 2 ** 32))
  const amount = (most: number): bigint => (((word() << 32n) | word()) * BigInt(most)) >> 12n
  const swaps = segment.swaps.map((swap, at): Swap => {
    const trader = traderAt(random.next())
    const pool = nthAddress(1)
    const volumeMicroUsd = BigInt(Math.floor(random.next() ** 3 * 5e8))
    return {
      ...swap,
      blockNumber: segment.firstBlock + Math.floor((at * 300) / segment.swaps.length),
      logIndex: Math.floor(random.next() * 400),
      transactionHash: digest(`${segment.minute} ${at}`),
      trader,
      ...(swap.isBuy ? { from: pool, to: trader } : { from: trader, to: pool }),
      amountToken: amount(7_919_113),
      amountQuote: amount(3_571),
      volumeMicroUsd,
      paidUsdE36: amount(1_000_003) * 10n ** 9n,
      timestampMs: segment.minute * 60_000 + Math.floor((at * 300) / segment.swaps.length) * 200,
    }
  })
  const traded = new Set(swaps.map(({ token }) => token))
  const rows = segment.rows.map((row) => {
    if (!traded.has(row.token)) return row
    const price = amount(1_000_003) * 10n ** 9n + 1n
    const [high, low] = [(price * 101n) / 100n, (price * 99n) / 100n]
    const sqrt = { firstSqrt: 0n, highSqrt: 2n ** 96n + amount(1), lowSqrt: 2n ** 95n + amount(1) }
    return { ...row, candle: { open: price, high, low, close: price, ...sqrt } }
  })
  return { ...segment, swaps, rows }
}

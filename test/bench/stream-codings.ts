/** What gzip is worth: bytes of a swap on the wire and CPU of the server, beside the same swaps sent plainly. */
import { median, say, table } from './rounds.ts'
import { type Load, type Measured, measure } from './stream-measure.ts'
import { startNode } from './stream-peers.ts'
import { textsOf } from './stream-swaps.ts'

const READERS = 1_000
const codings = ['identity', 'gzip'] as const
/** Swaps that come at the same time, in one block. */
const sizes = [1, 5, 20] as const

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

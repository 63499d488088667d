/** Far from the head, ranges are read ahead, each also by a second endpoint or in another mode: while one is folded and sealed, the next ones are being read. */
import type { Block } from '../../market/segment.ts'
import { awaitedLater } from '../../store/aws/parallel.ts'
import { IngestError, orFault } from '../client/faults.ts'
import { openRanges, type Range, type RangeReader, type SecondReading, type Source } from './range.ts'
import { readingSourcesAfter, readWhole } from './reading.ts'

/** Maximum ranges read ahead; the logs of each are some megabytes. */
const RANGES_AHEAD = 3
/** Within this many widths of the head, no ranges are read ahead. */
const FAR_WIDTHS = 2

type Ahead = { readonly after: Block | null; readonly range: Range | 'reorged' }

/** A reader that reads ahead. Call `drop` before registrations of blocks that are not sealed are dropped. */
export function openReadAhead(source: Source): RangeReader {
  const ranges = openRanges({ ...source, isAhead: true })
  let queue: readonly Promise<Ahead | IngestError | undefined>[] = []
  let seconds: readonly SecondReading[] = []
  let isDropped = { value: false }

  const secondOf = (after: Block | null, range: Range): SecondReading => {
    const asked = { from: after ? after.number + 1 : source.chain.creationsFrom, to: range.last.number }
    const [readingSource] = readingSourcesAfter(source.rpc, new Set([range.endpoint]), asked)
    if (!readingSource) return Promise.resolve('reorged')
    const known = new Map(range.blocks.map(({ block }) => [block.number, block]))
    const span = { after, to: range.last.number }
    const second = awaitedLater(readWhole({ ...source, known }, readingSource, span).catch(orFault))
    seconds = [...seconds.slice(-RANGES_AHEAD), second]
    return second
  }
  const readNext = async (
    before: Promise<Ahead | IngestError | undefined>,
    head: number,
    dropped: { readonly value: boolean },
  ) => {
    const known = await before
    if (!known || known instanceof IngestError || known.range === 'reorged' || dropped.value) return undefined
    const after = known.range.last
    const isFar = head - after.number > FAR_WIDTHS * source.rpc.endpoint.width.blocks()
    if (!isFar) return undefined
    const range = await ranges.read(after, head).catch(orFault)
    if (range instanceof IngestError || range === 'reorged')
      return range instanceof IngestError ? range : { after, range }
    return { after, range: dropped.value ? range : { ...range, second: secondOf(after, range) } }
  }
  const drop = async (): Promise<void> => {
    isDropped.value = true
    await Promise.all([...queue, ...seconds])
    await ranges.drop()
    isDropped = { value: false }
    queue = []
    seconds = []
  }
  return {
    drop,
    async read(after, head) {
      const [first] = queue
      const found = await first
      let range: Range | 'reorged'
      if (found && !(found instanceof IngestError) && found.after?.hash === after?.hash) {
        queue = queue.slice(1)
        range = found.range
      } else {
        await drop()
        if (found instanceof IngestError) throw found
        range = await ranges.read(after, head)
      }
      while (range !== 'reorged' && queue.length < RANGES_AHEAD) {
        const before = queue.at(-1) ?? Promise.resolve({ after, range })
        queue = [...queue, awaitedLater(readNext(before, head, isDropped))]
      }
      return range
    },
  }
}

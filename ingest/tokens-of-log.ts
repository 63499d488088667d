import type { Address, SegmentReference } from '../market/segment.ts'
import type { LogStore } from '../store/log.ts'

/** Segments read at the same time. */
const AT_ONCE = 16

/** Every token that a minute of the log touched, rolled back or not. Reads every segment: only endpoints that want addresses are worth it. */
export async function tokensOfLog(
  log: Pick<LogStore, 'entriesAfter' | 'readSegment'>,
): Promise<readonly Address[]> {
  const references: SegmentReference[] = []
  for await (const entry of log.entriesAfter(0)) if (entry.is === 'sealed') references.push(entry.segment)
  const tokens = new Set<Address>()
  for (let at = 0; at < references.length; at += AT_ONCE) {
    const some = references.slice(at, at + AT_ONCE)
    for (const segment of await Promise.all(some.map((reference) => log.readSegment(reference))))
      for (const { after } of segment.tokens) tokens.add(after.address)
  }
  return [...tokens]
}

import type { SealedEntry } from '../market/log.ts'
import type { Minute, SegmentReference } from '../market/segment.ts'
import { byEdge, type EdgeName, edgeNames, edges } from '../market/window.ts'
import type { Engine } from './engine.ts'

type Waiting = Pick<Engine, 'segments' | 'edges'>

/** The segments that pass each edge on the way from the engine's minute to `entry`; those that pass `now` are in the log. */
export function passingAt(
  engine: Waiting,
  { minute, segment }: SealedEntry,
): Record<EdgeName, SegmentReference[]> {
  const { segments } = engine
  return byEdge((name) => {
    if (name === 'now') return [segment]
    const from = indexAfter(segments, engine.edges[name].minute ?? Number.NEGATIVE_INFINITY)
    return segments.slice(from, indexAfter(segments, minute - edges[name].minutes))
  })
}

/** Index of the first segment after `minute`. */
function indexAfter(segments: readonly SegmentReference[], minute: Minute): number {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.minute ?? Number.POSITIVE_INFINITY) > minute) high = middle
    else low = middle + 1
  }
  return low
}

/** Drops the references of segments that have passed every edge. */
export function forgetPassed(engine: Waiting): void {
  const minutes = edgeNames.map((name) => engine.edges[name].minute ?? Number.NEGATIVE_INFINITY)
  engine.segments = engine.segments.slice(indexAfter(engine.segments, Math.min(...minutes)))
}

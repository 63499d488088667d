/** Reads blocks from one endpoint, in one form, whole: what is compared with other readings of them. */
import type { BlockFacts } from '../market/fact.ts'
import type { Block } from '../market/segment.ts'
import type { Reading, Trace } from './agreement.ts'
import { openRanges, type Source } from './range.ts'
import { isDistrusted, type Rpc } from './rpc.ts'

/** How logs are asked for: by topic alone, as at first; or trades and creations by address, the rest by topic. */
export type Form = 'usual' | 'other'

/** Who is asked, and how. `rpc` stays at one endpoint. */
export type Witness = { readonly rpc: Rpc; readonly form: Form }

/** Every endpoint by itself, those that are not in `last` first. */
export function endpointsOf(rpc: Rpc, last: ReadonlySet<string> = new Set()): readonly Rpc[] {
  const tried = new Set<string>()
  const all: Rpc[] = []
  for (let other = rpc.elsewhere(tried); other; other = rpc.elsewhere(tried)) {
    tried.add(other.endpoint.name)
    all.push(held(other))
  }
  const place = ({ endpoint }: Rpc) => 2 * Number(isDistrusted(endpoint)) + Number(last.has(endpoint.name))
  return all.sort((a, b) => place(a) - place(b))
}

/** So long an endpoint that left logs out is asked after the others (ms). */
const DISTRUST_MS = 3_600_000

/** These endpoints left logs out that others gave. */
export function distrust(rpc: Rpc, names: readonly string[]): void {
  for (const { endpoint } of endpointsOf(rpc))
    if (names.includes(endpoint.name)) endpoint.distrustedUntil = Date.now() + DISTRUST_MS
}

/** The same endpoint, which another reader's faults do not move. */
function held(rpc: Rpc): Rpc {
  const own: Rpc = { ...rpc, pinned: () => own, swiftest: () => own }
  return own
}

/**
 * Who is asked after a first reading, in turn: another endpoint as the first was asked; the same one in another form; and so
 * on. `first`: the endpoints of the first reading, which had the usual form.
 */
export function witnessesAfter(rpc: Rpc, first: ReadonlySet<string>): readonly Witness[] {
  const endpoints = endpointsOf(rpc, first)
  const others = endpoints.filter(({ endpoint }) => !first.has(endpoint.name))
  const same = endpoints.filter(({ endpoint }) => first.has(endpoint.name))
  const asked = (some: readonly Rpc[], form: Form) => some.map((one): Witness => ({ rpc: one, form }))
  return [
    ...asked(others, 'usual'),
    ...asked(same, 'other'),
    ...asked(others, 'other'),
    ...asked(same, 'usual'),
  ]
}

/** The blocks after `after` up to `to`. 'reorged': `after` is not on the endpoint's chain. Throws IngestError. */
export async function readWhole(
  source: Omit<Source, 'rpc' | 'form'>,
  { rpc, form }: Witness,
  { after, to }: { readonly after: Block | null; readonly to: number },
): Promise<Reading | 'reorged'> {
  const ranges = openRanges({ ...source, rpc, form })
  const blocks: BlockFacts[] = []
  const traces: Trace[] = []
  let last = after
  while (last === null || last.number < to) {
    const range = await ranges.read(last, to)
    if (range === 'reorged') return range
    for (const block of range.blocks) blocks.push(block)
    for (const trace of range.traces) traces.push(trace)
    last = range.last
  }
  const endpoint = rpc.endpoint.name
  return { witness: `${endpoint} ${form}`, endpoint, blocks, traces }
}

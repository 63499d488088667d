/**
 * Reads sealed minutes again later, in another mode and from each endpoint in turn, and counts their facts. An endpoint
 * can omit logs but not invent any, so if a minute has more facts now, some were omitted when it was sealed; such
 * minutes are rolled back and sealed again. Runs in small steps while the writer is idle.
 */
import { type BlockFacts, countFacts } from '../../market/fold/fact.ts'
import type { SealedEntry } from '../../market/log.ts'
import type { Block } from '../../market/segment.ts'
import { effectiveBackwards } from '../../store/log/log.ts'
import { isNarrowBeside, isNearOnly } from '../client/endpoint-traits.ts'
import { distrust, endpointsOf } from '../client/endpoints.ts'
import { IngestError, OmittingEndpointError, orFault } from '../client/faults.ts'
import type { Rpc } from '../client/rpc.ts'
import { readWhole } from '../read/reading.ts'
import { correct } from './correction.ts'
import type { Progress } from './progress.ts'
import type { RecheckRule } from './verifying.ts'
import type { Writer } from './writer-state.ts'

/** A pass over sealed minutes. `dueAt`: chain time of the next pass; `next`: the next block of the current one. */
type Pass = { readonly dueAt: number; readonly next?: number }

/** Rechecks some minutes if due; true if it did. */
export type Recheck = (head: Block) => AsyncGenerator<Progress, boolean>

/** Opens the rechecks of a writer's log; the first ones are due after their interval. */
export function openRecheck(writer: Writer): Recheck {
  const passes = new Map<RecheckRule, Pass>()
  let turns = 0
  return async function* recheck(head) {
    const { deps, tail, gap, pending } = writer
    if (!tail || gap.isOpen() || pending.last()?.number !== head.number) return false
    for (const rule of deps.verification.rechecks) {
      const atEnd: Pass = { dueAt: head.timestamp + rule.everySeconds }
      const current = passes.get(rule) ?? atEnd
      passes.set(rule, current)
      const isDue = current.next !== undefined || head.timestamp >= current.dueAt
      if (!isDue) continue
      const since = head.timestamp - rule.reachSeconds
      turns += 1
      const next = yield* countOn(writer, endpointOfTurn(deps.rpc, turns), { next: current.next ?? 0, since })
      passes.set(rule, next === undefined ? atEnd : { ...current, next })
      return true
    }
    return false
  }
}

/** Rechecks the next minutes of a pass; returns the block to continue from, undefined at the end. */
async function* countOn(
  writer: Writer,
  rpc: Rpc | undefined,
  { next, since }: { readonly next: number; readonly since: number },
): AsyncGenerator<Progress, number | undefined> {
  const { deps } = writer
  // The head waits meanwhile, so a step is limited to the blocks of one call.
  const blocksAtOnce = rpc?.endpoint.width.blocks() ?? 0
  const entries = await entriesFrom(writer, { next, since, blocksAtOnce })
  const [oldest, newest] = [entries[0], entries.at(-1)]
  if (!oldest || !newest) return undefined
  const after = await blockBefore(writer, oldest)
  if (!rpc || after === undefined) return undefined
  const known = new Map(entries.map(({ last }) => [last.number, last]))
  const reading = await readWhole(
    { ...deps, known },
    { rpc, mode: 'other' },
    { after, to: newest.last.number },
  ).catch(orFault)
  if (reading === 'reorged' || reading instanceof IngestError) {
    yield { is: 'rechecked', to: newest.last, fault: reading === 'reorged' ? null : reading }
    return undefined
  }
  const fuller = await fullerMinute(writer, entries, reading.blocks)
  const isOmitting = fuller === 'fewer'
  if (isOmitting) distrust(deps.rpc, [rpc.endpoint.name])
  yield {
    is: 'rechecked',
    to: newest.last,
    fault: isOmitting ? new OmittingEndpointError(rpc.endpoint.name) : null,
  }
  if (fuller && fuller !== 'fewer') {
    yield* correct(writer, fuller)
    return undefined
  }
  return newest.last.number + 1
}

/** The effective minutes from a block and a time on that are read in one step, oldest first; one at least. */
async function entriesFrom(
  { deps, tail }: Writer,
  {
    next,
    since,
    blocksAtOnce,
  }: { readonly next: number; readonly since: number; readonly blocksAtOnce: number },
): Promise<readonly SealedEntry[]> {
  const entries: SealedEntry[] = []
  for await (const entry of effectiveBackwards(deps.log, (tail?.n ?? 0) + 1)) {
    if (entry.last.timestamp < since || entry.last.number < next) break
    entries.unshift(entry)
  }
  const [oldest] = entries
  return entries.filter(
    (entry) => entry === oldest || entry.last.number - (oldest?.firstBlock ?? 0) < blocksAtOnce,
  )
}

/** The block before a minute; null: none; undefined: unknown. */
async function blockBefore({ deps }: Writer, { n }: SealedEntry): Promise<Block | null | undefined> {
  for await (const entry of effectiveBackwards(deps.log, n)) return entry.last
  return deps.start
}

/** Each endpoint in turn, without those that serve only newer blocks, or too few blocks a call compared with another. */
function endpointOfTurn(rpc: Rpc, turn: number): Rpc | undefined {
  const endpoints = endpointsOf(rpc)
    .filter(({ endpoint }) => !isNearOnly(endpoint))
    .filter(({ endpoint }, _, all) => !all.some((other) => isNarrowBeside(endpoint, other.endpoint)))
  return endpoints[turn % endpoints.length]
}

/** The first minute with more facts now, and these; 'fewer': none has more, and one has fewer. */
async function fullerMinute(
  { deps }: Writer,
  entries: readonly SealedEntry[],
  blocks: readonly BlockFacts[],
) {
  let hasFewer = false
  for (const { firstBlock, last, segment } of entries) {
    const own = blocks.filter(({ block }) => block.number >= firstBlock && block.number <= last.number)
    const facts = countFacts(own)
    const sealed = await deps.log.readSegment(segment)
    if (facts > sealed.facts) return { firstBlock, facts: own }
    hasFewer ||= facts < sealed.facts
  }
  return hasFewer ? ('fewer' as const) : undefined
}

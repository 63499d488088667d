/** Verifies minutes and seals them into the log. A gap that no endpoint can close is stored for v1/status. */
import { type BlockFacts, countFacts } from '../../market/fold/fact.ts'
import type { Block } from '../../market/segment.ts'
import { distrust } from '../client/endpoints.ts'
import { registerFacts } from '../decode/creations.ts'
import { noOldTokens } from '../decode/old-tokens.ts'
import { balancesIn } from '../proof/consistency.ts'
import { factsOfTokens, type SpanVerdict, type Unverified, verifyMinutes } from '../proof/verification.ts'
import { append } from './commit.ts'
import type { PendingMinute } from './pending.ts'
import { correct } from './recheck.ts'
import { finish, type Progress, retract, type VerificationDeps, type Writer } from './writer-state.ts'

/** First pause (ms) before a gap is retried; it doubles up to the limit. */
const RETRY_MS = 2_000
const RETRY_LIMIT_MS = 60_000
/** If a single endpoint reports no logs where there usually are many, it is believed after repeating it for this long (ms). */
const QUIET_MS = 30_000
/** Usual activity is a moving average in which each verified span has a weight of a tenth. */
const DECAY = 0.9

/** Verifies every completed minute that is deep enough and commits it; true if there was one. */
export async function* sealAll(writer: Writer, head: Block): AsyncGenerator<Progress, boolean> {
  let didSeal = false
  for (;;) {
    const ready = sealable(writer, head)
    if (ready.length === 0 || !(yield* isVerified(writer, ready))) return didSeal
    didSeal = true
    const { verification } = writer.deps
    writer.pending.seal(
      verification ? ready.filter(({ last }) => last.number <= writer.verifiedTo).length : ready.length,
    )
    // Far from the head nothing else awaits the commits; a failure would go unnoticed.
    const failed = writer.pending.sealing().length > SEALING_MAX ? await writer.committing : undefined
    if (failed) throw failed.error
    if (writer.isLost) return didSeal
    // The commit that was awaited has included these if it was still running.
    if (writer.pending.sealing().length > 0)
      writer.committing ??= commit(writer, head).catch((error: unknown) => ({ error }))
  }
}

/** Segments stored in parallel, ahead of their entries. */
const PARALLEL_SEGMENTS = 8
/** Verified minutes that may wait for their commit. */
const SEALING_MAX = 120

/** Commits verified minutes, oldest first, and passes them to the materializer; stops if another writer was faster. */
async function commit(writer: Writer, head: Block): Promise<undefined> {
  const { deps, pending, done, materializer } = writer
  for (let some = pending.sealing(); some.length > 0 && !writer.isLost; some = pending.sealing()) {
    some = some.slice(0, PARALLEL_SEGMENTS)
    const references = await Promise.all(some.map(({ segment }) => deps.log.putSegment(segment)))
    for (const [at, reference] of references.entries()) {
      const { segment } = some[at] as PendingMinute
      const previous = writer.tail?.minute ?? null
      const entry = await append(deps.log, writer.tail, segment, reference)
      if (entry === 'lost') {
        writer.isLost = true
        break
      }
      writer.tail = entry
      pending.committedFirst()
      done.push({ is: 'sealed', entry, head })
      await materializer.add({ entry, segment, previous }, head.timestamp)
    }
  }
  writer.committing = undefined
  return undefined
}

/** Completed minutes whose last block is old enough, oldest first. */
function sealable({ deps, pending, endOfMinute }: Writer, head: Block): readonly PendingMinute[] {
  const minutes = pending.minutes()
  const over = minutes.at(-1)?.last.hash === endOfMinute ? minutes : minutes.slice(0, -1)
  const { sealingSeconds } = deps.chain
  const shallow = over.findIndex(({ last }) => head.timestamp - last.timestamp < sealingSeconds)
  return shallow < 0 ? over : over.slice(0, shallow)
}

/** Whether the first minute may be sealed. Verifies as many minutes at once as are consistent. */
async function* isVerified(
  writer: Writer,
  ready: readonly PendingMinute[],
): AsyncGenerator<Progress, boolean> {
  const { deps, pending } = writer
  const { verification } = deps
  const [first] = ready
  if (!first) return false
  if (!verification || first.last.number <= writer.verifiedTo) return true
  if (writer.gap && Date.now() < writer.gap.retryAt) return false
  const unverified = ready.filter(({ last }) => last.number > writer.verifiedTo)
  // At a gap, only the first minute is verified, until it succeeds.
  for (let count = writer.gap ? 1 : unverified.length; ; count = Math.ceil(count / 2)) {
    const minutes = unverified.slice(0, count)
    const verdict = await verifyMinutes(unverifiedOf(writer, verification, minutes))
    if (verdict.is !== 'verified' && pending.unmaterialized().length > 0) {
      // Verification reads the log and the tables, so background work ends first.
      await finish(writer)
      if (writer.isLost) return false
      count *= 2
      continue
    }
    if (verdict.is === 'verified') return yield* accept(writer, verification, minutes, verdict)
    if (verdict.is === 'sealed too early') {
      yield* correct(writer, verdict.gap)
      return false
    }
    // Another fork: the next range shows it.
    if (verdict.is === 'reorged') return false
    if (count === 1) {
      // Another writer may have sealed it.
      writer.isLost = (await deps.log.tail())?.n !== writer.tail?.n
      if (!writer.isLost) yield await stopAt(writer, verification, first, verdict)
      return false
    }
  }
}

function unverifiedOf(
  writer: Writer,
  { table, quietMs = QUIET_MS }: VerificationDeps,
  minutes: readonly PendingMinute[],
): Unverified {
  const { deps, pending, tail, usualFacts, gap, known } = writer
  const from = minutes[0]?.firstBlock ?? 0
  const to = minutes.at(-1)?.last.number ?? 0
  const before = pending.minutes().filter(({ last }) => last.number < from)
  const after = before.at(-1)?.last ?? pending.base()
  const { second } = writer
  const isSecond = second?.to === to && second.after?.hash === after?.hash
  return {
    source: {
      rpc: deps.rpc,
      chain: deps.chain,
      registry: deps.registry,
      ...(deps.clock && { clock: deps.clock }),
    },
    oldTokens: deps.oldTokens ?? noOldTokens,
    log: deps.log,
    table,
    tail,
    known,
    to,
    after,
    ...(isSecond && { second: second.reading }),
    committed: pending.unmaterialized().flatMap(({ segment }) => balancesIn(segment, deps.chain.poolManager)),
    references: pending.references(),
    first: minutes.flatMap(({ blocks }) => blocks),
    firstEndpoints: new Set(
      writer.readFrom.filter((span) => span.to >= from && span.from <= to).map(({ endpoint }) => endpoint),
    ),
    before: before.flatMap(({ blocks }) => blocks),
    start: Math.max(deps.chain.creationsFrom, (deps.start?.number ?? -1) + 1),
    usual: usualFacts.facts === 0 ? undefined : (usualFacts.facts / usualFacts.minutes) * minutes.length,
    isQuietBelieved: gap !== undefined && Date.now() - gap.since * 1_000 >= quietMs,
  }
}

/** Accepts the verified facts; if the first reading lacked some, everything after them is read again. */
async function* accept(
  writer: Writer,
  { gaps }: VerificationDeps,
  minutes: readonly PendingMinute[],
  { blocks, incomplete }: Extract<SpanVerdict, { readonly is: 'verified' }>,
): AsyncGenerator<Progress, boolean> {
  const from = minutes[0]?.firstBlock ?? 0
  const to = minutes.at(-1)?.last.number ?? 0
  const facts = countFacts(blocks)
  const { usualFacts, deps } = writer
  writer.usualFacts = {
    facts: usualFacts.facts * DECAY + factsOfTokens(blocks),
    minutes: usualFacts.minutes * DECAY + minutes.length,
  }
  const isSame = countFacts(minutes.flatMap((minute) => minute.blocks)) === facts
  distrust(deps.rpc, incomplete)
  if (!isSame) yield* replace(writer, from, blocks)
  writer.verifiedTo = to
  writer.known = writer.known.filter(({ block }) => block.number > to)
  writer.readFrom = writer.readFrom.filter((span) => span.to > to)
  // A writer that has ended may have left one.
  if (writer.gap ?? (await gaps.read())) {
    delete writer.gap
    await gaps.put(null, Date.now())
    yield { is: 'gap closed' }
  }
  return isSame
}

/** Replaces the blocks from `from` on by these; later blocks are read again. */
async function* replace(
  writer: Writer,
  from: number,
  blocks: readonly BlockFacts[],
): AsyncGenerator<Progress> {
  const { deps, pending } = writer
  await pending.dropAbove(from - 1)
  const retracted = await retract(writer, 'omission')
  registerFacts(
    deps.registry,
    blocks.flatMap(({ facts }) => facts),
  )
  await pending.add(blocks)
  deps.registry.complete(blocks.at(-1)?.block.number ?? from - 1)
  yield retracted
}

/** Stops sealing at this minute until an endpoint has the missing logs. */
async function stopAt(
  writer: Writer,
  { gaps, retryMs = RETRY_MS }: VerificationDeps,
  { firstBlock }: PendingMinute,
  { missing, endpoints }: Extract<SpanVerdict, { readonly is: 'incomplete' }>,
): Promise<Progress> {
  const now = Date.now()
  const current = writer.gap?.block === firstBlock ? writer.gap : undefined
  const pauseMs = Math.min(Math.max(2 * (current?.pauseMs ?? 0), retryMs), RETRY_LIMIT_MS)
  const since = current?.since ?? Math.floor(now / 1_000)
  const gap = { block: firstBlock, missing, endpoints, since }
  writer.gap = { ...gap, pauseMs, retryAt: now + pauseMs }
  writer.deps.rpc.next()
  await gaps.put(gap, now)
  return { is: 'gap', gap }
}

/** Verifies minutes and seals them into the log; stops at a gap that no endpoint can close. */
import { type BlockFacts, countFacts } from '../../market/fold/fact.ts'
import type { Block } from '../../market/segment.ts'
import { distrust } from '../client/endpoints.ts'
import { registerFacts } from '../decode/creations.ts'
import { balancesIn } from '../proof/consistency.ts'
import type { Unverified } from '../proof/verification.ts'
import { correct } from './correction.ts'
import type { PendingMinute } from './pending.ts'
import type { Progress } from './progress.ts'
import type { Writer } from './writer-state.ts'

/**
 * Verifies every completed minute that is deep enough, as many at once as are consistent, and commits them; true if
 * there was one.
 */
export async function* sealAll(writer: Writer, head: Block): AsyncGenerator<Progress, boolean> {
  const { deps, evidence, gap } = writer
  let didSeal = false
  let most = Number.POSITIVE_INFINITY
  for (;;) {
    const ready = sealable(writer, head)
    const verified = ready.filter(({ last }) => last.number <= evidence.verifiedTo())
    if (verified.length > 0) {
      didSeal = true
      await writer.seal(verified.length, head)
      if (writer.isLost) return didSeal
      continue
    }
    const [first] = ready
    if (!first || gap.isPaused()) return didSeal
    // At a gap, only the first minute is verified, until it succeeds.
    const minutes = ready.slice(0, gap.isOpen() ? 1 : most)
    const verdict = await deps.verification.verify(unverifiedOf(writer, minutes))
    if (verdict.is !== 'verified' && writer.pending.unmaterialized().length > 0) {
      // Verification reads the log and the tables, so background work ends first.
      await writer.finish()
      if (writer.isLost) return didSeal
      continue
    }
    switch (verdict.is) {
      case 'verified':
        distrust(deps.rpc, verdict.incomplete)
        if (!(yield* accept(writer, minutes, verdict.blocks))) return didSeal
        most = Number.POSITIVE_INFINITY
        break
      case 'incomplete':
        most = Math.ceil(minutes.length / 2)
        if (minutes.length > 1) break
        // Another writer may have sealed it.
        if (await writer.compareTail()) return didSeal
        deps.rpc.next()
        yield { is: 'gap', gap: await gap.stopAt(first.firstBlock, verdict) }
        return didSeal
      case 'sealed too early':
        yield* correct(writer, verdict.gap)
        return didSeal
      case 'reorged':
        // The next range shows it.
        return didSeal
    }
  }
}

/** Completed minutes whose last block is old enough, oldest first. */
function sealable({ deps, pending, evidence }: Writer, head: Block): readonly PendingMinute[] {
  const minutes = pending.minutes()
  const newest = minutes.at(-1)
  const over = newest && evidence.isEndOfMinute(newest.last) ? minutes : minutes.slice(0, -1)
  const { sealingSeconds } = deps.chain
  const shallow = over.findIndex(({ last }) => head.timestamp - last.timestamp < sealingSeconds)
  return shallow < 0 ? over : over.slice(0, shallow)
}

function unverifiedOf(
  { deps, pending, tail, evidence, gap }: Writer,
  minutes: readonly PendingMinute[],
): Unverified {
  const { rpc, chain, registry, clock, oldTokens, log } = deps
  const from = minutes[0]?.firstBlock ?? 0
  const to = minutes.at(-1)?.last.number ?? 0
  const before = pending.minutes().filter(({ last }) => last.number < from)
  const after = before.at(-1)?.last ?? pending.base()
  return {
    source: { rpc, chain, registry, clock },
    oldTokens,
    log,
    tail,
    known: evidence.proven(),
    to,
    after,
    second: evidence.secondOf(after, to),
    committed: pending.unmaterialized().flatMap(({ segment }) => balancesIn(segment, chain.poolManager)),
    references: pending.references(),
    first: minutes.flatMap(({ blocks }) => blocks),
    firstEndpoints: evidence.endpointsOf(from, to),
    before: before.flatMap(({ blocks }) => blocks),
    start: Math.max(chain.creationsFrom, (deps.start?.number ?? -1) + 1),
    usual: evidence.usualOf(minutes.length),
    isQuietBelieved: gap.isQuietBelieved(),
  }
}

/** Accepts the verified facts. false: the first reading lacked some, so everything after them is read again. */
async function* accept(
  writer: Writer,
  minutes: readonly PendingMinute[],
  blocks: readonly BlockFacts[],
): AsyncGenerator<Progress, boolean> {
  const from = minutes[0]?.firstBlock ?? 0
  const to = minutes.at(-1)?.last.number ?? 0
  const isSame = countFacts(minutes.flatMap((minute) => minute.blocks)) === countFacts(blocks)
  if (!isSame) yield await replace(writer, from, blocks)
  else writer.pending.setTimes(blocks)
  writer.evidence.verified(to, blocks, minutes.length)
  if (await writer.gap.close()) yield { is: 'gap closed' }
  return isSame
}

/** Replaces the blocks from `from` on by these; later blocks are read again. */
async function replace(writer: Writer, from: number, blocks: readonly BlockFacts[]): Promise<Progress> {
  const { deps, pending } = writer
  await pending.dropAbove(from - 1)
  const retracted = await writer.retract('omission')
  registerFacts(
    deps.registry,
    blocks.flatMap(({ facts }) => facts),
  )
  await pending.add(blocks)
  deps.registry.complete(blocks.at(-1)?.block.number ?? from - 1)
  return retracted
}

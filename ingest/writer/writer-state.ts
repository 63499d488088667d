import type { LogEntry, SegmentReference } from '../../market/log.ts'
import type { Block } from '../../market/segment.ts'
import { awaitedLater } from '../../store/aws/parallel.ts'
import { effectiveBackwards, type LogStore } from '../../store/log/log.ts'
import type { Range } from '../read/range.ts'
import { append } from './commit.ts'
import { type Evidence, type FactCount, openEvidence } from './evidence.ts'
import type { FeedWriter } from './feed-writer.ts'
import { type Gap, openGap } from './gap.ts'
import { openLiveFeed } from './live-feed.ts'
import { type LogEnd, openLogEnd } from './log-end.ts'
import { type Materializer, openMaterializer } from './materialize.ts'
import type { Pending, PendingMinute } from './pending.ts'
import type { Progress } from './progress.ts'
import { seenChain } from './seen-chain.ts'
import type { WriterDeps } from './writer-deps.ts'

/** Segments stored in parallel, ahead of their entries. */
const PARALLEL_SEGMENTS = 8
/** Verified minutes that may wait for their commit. */
const SEALING_MAX = 120

/** Outcome of background work. */
type Failed = { readonly error: unknown }

const failure = (error: unknown): Failed => ({ error })

/**
 * A writer between two steps: the end of its log, the minutes read after it, and what it does in the background. All
 * that changes it are its methods.
 */
export class Writer {
  readonly deps: WriterDeps
  readonly feed: FeedWriter
  readonly evidence: Evidence
  readonly gap: Gap
  readonly #materializer: Materializer
  #end: LogEnd
  #head: Block | undefined
  /** The publication to the feed and the commits under way; neither rejects. */
  #feeding: Promise<Failed | undefined> = Promise.resolve(undefined)
  #committing: Promise<Failed | undefined> | undefined
  /** Results of background work since the last `takeDone`. */
  #done: Progress[] = []
  /** Another writer took the entry to be committed. */
  #isLost = false

  private constructor(
    deps: WriterDeps,
    { end, feed, evidence, gap }: Pick<Writer, 'feed' | 'evidence' | 'gap'> & { readonly end: LogEnd },
  ) {
    this.deps = deps
    this.feed = feed
    this.evidence = evidence
    this.gap = gap
    this.#end = end
    this.#materializer = openMaterializer(deps.log, (minutes) => {
      for (const { entry, segment } of minutes) {
        deps.holders.note(segment)
        this.pending.materialized(entry.minute)
        deps.registry.settle(entry.last.number)
      }
    })
  }

  /** A writer at the end of the log, after materializing what is missing. */
  static async open(deps: WriterDeps): Promise<Writer> {
    const end = await openLogEnd(deps)
    const feed = await openLiveFeed(deps.feed, deps.isLive)
    const gap = await openGap(deps.verification)
    const evidence = openEvidence(await usualFactsOf(deps.log, end.tail))
    return new Writer(deps, { end, feed, evidence, gap })
  }

  get tail(): LogEntry | undefined {
    return this.#end.tail
  }

  get pending(): Pending {
    return this.#end.pending
  }

  /** The head as last requested. */
  get head(): Block | undefined {
    return this.#head
  }

  /** Another writer took an entry: the log must be read again. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Takes the results of background work since the last call. */
  takeDone(): readonly Progress[] {
    return this.#done.splice(0)
  }

  sawHead(head: Block): void {
    this.#head = head
  }

  /** Adds a range that was read after the last pending block. */
  async take(range: Range): Promise<void> {
    const after = this.pending.last() ?? this.deps.start
    await this.pending.add(range.blocks)
    this.evidence.took(after, range)
  }

  /** Begins to publish the chain up to a block to the feed, after the previous publication has ended. Throws its failure. */
  async publish(last: Block, head: Block): Promise<void> {
    const seen = seenChain(this, last, head)
    const failed = await this.#feeding
    if (failed) throw failed.error
    this.#feeding = this.feed.bring(seen).then(() => undefined, failure)
  }

  /** Begins to commit the oldest pending minutes; waits for earlier ones if too many are queued, and throws their failure. */
  async seal(count: number, head: Block): Promise<void> {
    this.pending.seal(count)
    // Far from the head nothing else awaits the commits; a failure would go unnoticed.
    const failed = this.pending.sealing().length > SEALING_MAX ? await this.#committing : undefined
    if (failed) throw failed.error
    // The commit that was awaited has included these if it was still running.
    if (this.#isLost || this.pending.sealing().length === 0) return
    this.#committing ??= this.#commit(head).catch(failure)
  }

  /** Commits verified minutes, oldest first, and passes them to the materializer; stops if another writer was faster. */
  async #commit(head: Block): Promise<undefined> {
    const { deps, pending } = this
    const stored = openStoring(deps.log)
    for (let some = pending.sealing(); some.length > 0 && !this.#isLost; some = pending.sealing()) {
      // L3
      const reference = await stored.next(some)
      const { segment } = some[0] as PendingMinute
      const previous = this.tail?.minute ?? null
      const entry = await append(deps.log, this.tail, segment, reference)
      if (entry === 'lost') {
        this.#isLost = true
        break
      }
      this.#end = { ...this.#end, tail: entry }
      pending.committedFirst()
      this.#done.push({ is: 'sealed', entry, head })
      // A1
      await this.#materializer.add({ entry, segment, previous }, head.timestamp)
    }
    this.#committing = undefined
    return undefined
  }

  /** Waits for all background work. Throws its failure. */
  async finish(): Promise<void> {
    const failed = (await this.#committing) ?? (await this.#feeding)
    await this.#materializer.drain()
    if (failed) throw failed.error
  }

  /** Compares the log with what this writer has of it; sets and returns `isLost`. */
  async compareTail(): Promise<boolean> {
    this.#isLost = (await this.deps.log.tail())?.n !== this.tail?.n
    return this.#isLost
  }

  /** L2: reads the log again after losing an entry or after a rewind; everything in memory is discarded. */
  async reopen(): Promise<void> {
    await this.finish()
    const { deps, feed } = this
    deps.holders.reread()
    this.#isLost = false
    feed.markUnverified(this.pending.firstBlock())
    for await (const entry of deps.log.entriesAfter(this.tail?.n ?? 0)) {
      if (entry.is === 'rewound') feed.markUnverified((entry.last?.number ?? -1) + 1)
    }
    this.#end = await openLogEnd(deps)
    await this.#forgetUnread()
  }

  /** After a rewind was appended (undefined: nothing to roll back): materializes it and continues from the log. */
  async *settleRewind(entry: LogEntry | 'lost' | undefined): AsyncGenerator<Progress> {
    await this.reopen()
    if (entry === 'lost') yield { is: 'lost' }
    else if (entry) yield { is: 'rewound', entry }
  }

  /**
   * Forgets the blocks after the last known one, and retracts their feed entries if these were incomplete. Entries left
   * by a reorg are retracted when the replacing blocks are read.
   */
  async retract(cause: 'reorg' | 'omission'): Promise<Progress> {
    await this.finish()
    await this.#forgetUnread()
    const ancestor = this.pending.last()
    if (cause === 'reorg') this.evidence.forgetProven()
    else await this.feed.retractAbove(ancestor?.number ?? -1)
    return { is: 'retracted', ancestor }
  }

  /** Forgets the blocks after the last known one, which are read again, and those read ahead. */
  async #forgetUnread(): Promise<void> {
    // First, since ranges that are still being read register tokens.
    await this.deps.ranges.drop()
    const blockNumber = this.pending.last()?.number ?? -1
    this.evidence.forgetAfter(blockNumber)
    this.deps.registry.forgetAfter(blockNumber)
  }
}

/** Stores the segments of minutes that wait for their entries, some of them ahead, so that a commit waits for its entry only. */
function openStoring(log: LogStore) {
  /** References of the oldest minutes without an entry. */
  let stored: readonly Promise<SegmentReference>[] = []
  return {
    /** The reference of the first of these minutes, which are all those without an entry, oldest first. */
    next(minutes: readonly PendingMinute[]): Promise<SegmentReference> {
      const more = minutes
        .slice(stored.length, PARALLEL_SEGMENTS)
        .map(({ segment }) => awaitedLater(log.putSegment(segment)))
      const [first, ...rest] = [...stored, ...more]
      stored = rest
      return first as Promise<SegmentReference>
    },
  }
}

/** Number of last minutes from which the usual number of facts is measured. */
const USUAL_MINUTES = 10

async function usualFactsOf(log: LogStore, tail: LogEntry | undefined): Promise<FactCount> {
  let [facts, minutes] = [0, 0]
  for await (const { segment } of effectiveBackwards(log, (tail?.n ?? 0) + 1)) {
    facts += (await log.readSegment(segment)).facts
    minutes += 1
    if (minutes === USUAL_MINUTES) break
  }
  return { facts, minutes }
}

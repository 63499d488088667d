import { readHeader } from '../ingest/headers.ts'
import type { Rpc } from '../ingest/rpc.ts'
import type { SealedEntry } from '../market/log.ts'
import { RULES_VERSION } from '../market/rules.ts'
import type { Minute } from '../market/segment.ts'
import { LONGEST_WINDOW_MINUTES } from '../market/window.ts'
import type { Manifest } from '../schemas/service.ts'
import { type LogStore, SegmentDigestError, SegmentMissingError } from '../store/log.ts'
import { mapParallel } from '../store/parallel.ts'
import { short } from './difference.ts'
import { different, type Finding, unknown } from './finding.ts'

const PARALLEL_READS = 16

/** The chain does not have the block that a snapshot ends with. */
export class BlockGoneError extends Error {
  override readonly name = 'BlockGoneError'
  constructor({ block_number: number, block_hash: hash }: Manifest, found: string | undefined) {
    super(
      `block ${number} ${hash} is not on the endpoint's chain, which has ${found ?? 'none there'}: a reorg has taken it, or the chain is another`,
    )
  }
}

/** It was made by other rules than this code's: nothing can be said of it before ingest has folded it again. */
export class OtherRulesError extends Error {
  override readonly name = 'OtherRulesError'
  constructor(version: number) {
    super(`it was made by version ${version} of the rules, and this code has version ${RULES_VERSION}`)
  }
}

/** Whether the chain still has the block that a snapshot ends with: a finding where it does not. Throws IngestError. */
export async function checkBlock(manifest: Manifest, rpc: Rpc): Promise<readonly Finding[]> {
  const header = await readHeader(rpc, manifest.block_number)
  if (header?.hash === manifest.block_hash) return []
  return [unknown(manifest.snapshot_id, new BlockGoneError(manifest, header?.hash))]
}

/** Where the log's minutes (in force at one place of it, oldest first) are not those that the chain gives. */
export function checkEntries(
  claimed: readonly SealedEntry[],
  made: readonly SealedEntry[],
): readonly Finding[] {
  const truth = new Map(made.map((entry) => [entry.minute, entry]))
  const known = new Set(claimed.map(({ minute }) => minute))
  const wrong = claimed.flatMap((entry) => {
    const own = truth.get(entry.minute)
    const subject = entry.segment.key
    if (!own) return [different(subject, `minute ${entry.minute} is in the log and not on the chain`)]
    if (own.last.hash !== entry.last.hash || own.firstBlock !== entry.firstBlock) {
      const blocks = ({ firstBlock, last }: SealedEntry) => `${firstBlock} to ${last.number} ${last.hash}`
      return [different(subject, `blocks: the log says ${blocks(entry)}, the chain has ${blocks(own)}`)]
    }
    const { rules = 1 } = entry
    if (rules !== RULES_VERSION) return [unknown(subject, new OtherRulesError(rules))]
    if (own.segment.sha256 === entry.segment.sha256) return []
    return [
      different(
        subject,
        `minute ${entry.minute}: the log says ${short(entry.segment.sha256)}, the chain gives ${short(own.segment.sha256)}`,
      ),
    ]
  })
  const lacking = made.filter(({ minute }) => !known.has(minute))
  return [
    ...wrong,
    ...lacking.map(({ minute }) => different(`minute ${minute}`, 'is on the chain and not in the log')),
  ]
}

/** Stored segments whose bytes do not have the digest that the log names. One that has left every window may be gone. */
export async function checkStored(
  log: LogStore,
  entries: readonly SealedEntry[],
  onRead: () => void,
): Promise<readonly Finding[]> {
  const oldest = (entries.at(-1)?.minute ?? 0) - LONGEST_WINDOW_MINUTES
  const findings = await mapParallel(entries, PARALLEL_READS, async ({ minute, segment }) => {
    const fault = await log.readContent(segment).then(
      () => null,
      (error: unknown) => error,
    )
    onRead()
    return fault ? faultOfSegment(fault, minute < oldest, { minute, key: segment.key }) : []
  })
  return findings.flat()
}

function faultOfSegment(fault: unknown, isPast: boolean, of: { minute: Minute; key: string }): Finding[] {
  if (fault instanceof SegmentMissingError) {
    return isPast ? [] : [different(of.key, `the segment of minute ${of.minute} is not stored`)]
  }
  if (fault instanceof SegmentDigestError) {
    const says = `the stored bytes of minute ${of.minute} do not have the digest that the log names`
    return [different(of.key, says)]
  }
  throw fault
}

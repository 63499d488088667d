/** What is kept of an earlier hour, for the proof. */
import { hourOfMinute } from '../../market/calendar.ts'
import type { Minute } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { openKeptStore } from '../../store/published/kept.ts'
import type { ServiceStores } from '../base/deployment.ts'
import { OperatorFault } from '../base/terminal.ts'
import { different, type Finding, PARALLEL_READS, type PublishedDocuments, type StoredText } from './check.ts'

/** A kept snapshot: its manifest, the documents that are kept of it, and where these are not those of the manifest. */
export type KeptDocuments = PublishedDocuments & { readonly findings: readonly Finding[] }

/** The snapshot that answers `as_of` at the beginning of a minute. Throws NothingKept. */
export async function readKept({ segments }: ServiceStores, minute: Minute): Promise<KeptDocuments> {
  const kept = openKeptStore(segments)
  // The hour that the minute is in is not over.
  const found = await kept.lastHour(hourOfMinute(minute) - 1)
  if (found) {
    const { manifest, documents } = found
    const texts = await mapParallel(Object.keys(manifest.documents), PARALLEL_READS, async (name) => {
      const sha256 = documents[name]
      const text = sha256 && (await kept.document(sha256).catch(unlessDamaged))
      return text ? [[name, { text, sha256, metadata: {} }] as const] : []
    })
    const stored: ReadonlyMap<string, StoredText> = new Map(texts.flat())
    const findings = Object.entries(manifest.documents)
      .filter(([name, { sha256 }]) => stored.get(name)?.sha256 !== sha256)
      .map(([name]) =>
        different(`kept document ${name} of ${manifest.snapshot_id}`, 'is not kept as published'),
      )
    return { manifest, documents: stored, isInForce: false, findings }
  }
  throw new OperatorFault('NothingKept', `no snapshot is kept of ${isoTime(asOf(minute - 1))} or before`)
}

/** Damaged bytes are a finding, as lost ones are; that a store cannot be read is none. */
function unlessDamaged(error: unknown): undefined {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown }
  if (name !== 'DamagedDocumentError' && !String(code).startsWith('Z_')) throw error
}

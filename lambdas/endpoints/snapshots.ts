import { SnapshotNotFoundError } from '../../schemas/errors.ts'
import { rowWriter } from '../../schemas/field.ts'
import { type Manifest, snapshotFields } from '../../schemas/service.ts'
import { provenanceOfSnapshot, unpublished } from '../stored-lists.ts'
import { type Endpoint, listOf, numberOf, type Provenance } from './endpoint.ts'
import { lastMinuteOver } from './moments.ts'

/** GET /v1/status, as it was published last. */
export const status: Endpoint = async (_asked, stores) => {
  const found = await stores.status.read()
  if (!found) throw unpublished()
  return { at: provenanceOfSnapshot(found.snapshot), text: found.text }
}

const write = rowWriter(snapshotFields)

/** GET /v1/snapshots: newest first. */
export const snapshots: Endpoint = async (asked, { manifests }) => {
  const newest = await manifests.newest()
  if (!newest) throw unpublished()
  const { to } = asked.query
  const upTo = to === undefined ? newest.minute : lastMinuteOver(to)
  const page = { offset: numberOf(asked, 'offset'), limit: numberOf(asked, 'limit') }
  const { manifests: found, ...facts } = await manifests.list({ upTo, ...page })
  const list = listOf(found.map(write))
  return { at: provenanceOfManifest(newest), page: { ...page, ...facts, list } }
}

/** GET /v1/snapshots/{id}. */
export const snapshot: Endpoint = async ({ id }, { manifests }) => {
  const found = await manifests.byId(id)
  if (!found) throw new SnapshotNotFoundError(id)
  return { at: provenanceOfManifest(found), text: JSON.stringify(found, null, 1) }
}

const provenanceOfManifest = (manifest: Manifest): Provenance =>
  provenanceOfSnapshot({
    id: manifest.snapshot_id,
    n: manifest.log_position,
    minute: manifest.minute,
    blockNumber: manifest.block_number,
    blockHash: manifest.block_hash,
  })

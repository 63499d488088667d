import { usageHourOf } from '../../schemas/access.ts'
import { SnapshotNotFoundError, UnauthorizedError } from '../../schemas/errors.ts'
import { rowWriter } from '../../schemas/field.ts'
import { type Manifest, snapshotFields, usageFields } from '../../schemas/service.ts'
import { provenanceOfSnapshot, unpublished } from '../stored-lists.ts'
import { type ApiEndpoint, lastMinuteOver, numberOf, type Provenance, rowsText } from './endpoint.ts'

/** GET /v1/status, as it was published last. */
export const status: ApiEndpoint = async (_asked, stores) => {
  const found = await stores.status.read()
  if (!found) throw unpublished()
  return { at: provenanceOfSnapshot(found.snapshot), text: found.text }
}

const writeSnapshot = rowWriter(snapshotFields)

/** GET /v1/snapshots: newest first. */
export const snapshots: ApiEndpoint = async (asked, { manifests }) => {
  const newest = await manifests.newest()
  if (!newest) throw unpublished()
  const { to } = asked.query
  const upTo = to === undefined ? newest.minute : lastMinuteOver(to)
  const page = { offset: numberOf(asked, 'offset'), limit: numberOf(asked, 'limit') }
  const { manifests: found, ...facts } = await manifests.list({ upTo, ...page })
  const list = rowsText(found.map(writeSnapshot))
  return { at: provenanceOfManifest(newest), page: { ...page, ...facts, list } }
}

/** GET /v1/snapshots/{id}. */
export const snapshotEndpoint: ApiEndpoint = async ({ id }, { manifests }) => {
  const found = await manifests.byId(id)
  if (!found && !(await manifests.newest())) throw unpublished()
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

const writeUsage = rowWriter(usageFields)

/** GET /v1/usage: what the caller's account used of this hour. Is not counted itself. */
export const usage: ApiEndpoint = async (_asked, stores, { caller, now }) => {
  if (!caller) throw new UnauthorizedError('missing_api_key')
  const { account, tier } = caller
  const hour = usageHourOf(now)
  const [{ at }, used] = await Promise.all([stores.lists.newest(), stores.usage.used({ account, hour })])
  return { at, text: writeUsage({ account, tier, hour, used }) }
}

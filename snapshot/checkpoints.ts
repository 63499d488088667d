import { createHash } from 'node:crypto'
import { type Minute, stateFields } from '../market/segment.ts'
import { windows } from '../market/window.ts'
import type { Bucket } from '../store/bucket.ts'
import { objectPrefixes } from '../store/tables.ts'
import { CHECKPOINT_VERSION, checkpointBytes, engineFrom } from './checkpoint.ts'
import { type Engine, minuteOf } from './engine.ts'

/** What a checkpoint's name says: the place in the log and the minute that it stands at, or that it is being loaded for. */
export type CheckpointName = {
  readonly key: string
  readonly n: number
  readonly minute: Minute
  /** How far it is loaded: an entry of the log; `n` when it is whole. */
  readonly loaded: number
  readonly sha8: string
}

const sha8Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 8)

/** Checkpoints of other fields or windows stand under other names and are never read. */
const LAYOUT = sha8Of(Buffer.from(JSON.stringify([CHECKPOINT_VERSION, stateFields, windows])))
/** Those of the first minute of a day are kept for ever, the others for a while. */
const prefixes = {
  daily: `${objectPrefixes.checkpoints}daily/${LAYOUT}/`,
  recent: `${objectPrefixes.recentCheckpoints}${LAYOUT}/`,
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')
const dayOf = (minute: Minute): number => Math.floor(minute / 1_440)

/** Saves the engine; again at the same place is harmless. Null before the first minute. */
export async function saveCheckpoint(engine: Engine, bucket: Bucket): Promise<CheckpointName | null> {
  const reached = minuteOf(engine)
  if (reached === null) return null
  const bytes = await checkpointBytes(engine)
  const sha8 = sha8Of(bytes)
  const { n: loaded, savedMinute } = engine
  const { n, minute } = engine.target ?? { n: loaded, minute: reached }
  const isDaily = engine.target === null && (savedMinute === null || dayOf(savedMinute) !== dayOf(minute))
  const name = [padded(n, 12), padded(minute, 8), padded(loaded, 12), sha8].join('-')
  const key = `${isDaily ? prefixes.daily : prefixes.recent}${name}`
  await bucket.put(key, bytes, { contentType: 'application/octet-stream' })
  engine.savedMinute = reached
  return { key, n, minute, loaded, sha8 }
}

/** Every stored checkpoint, the furthest in the log first. */
export async function listCheckpoints(bucket: Bucket): Promise<readonly CheckpointName[]> {
  const names: CheckpointName[] = []
  for (const prefix of Object.values(prefixes)) {
    for await (const { key } of bucket.list(prefix)) {
      const [, n, minute, loaded, sha8] = /(\d{12})-(\d{8})-(\d{12})-([0-9a-f]{8})$/.exec(key) ?? []
      if (sha8 === undefined) continue
      names.push({ key, n: Number(n), minute: Number(minute), loaded: Number(loaded), sha8 })
    }
  }
  return names.sort((a, b) => b.n - a.n || b.loaded - a.loaded)
}

/** The engine that a checkpoint holds; undefined when it has gone or its bytes are not those that were saved. */
export async function readCheckpoint(
  { key, sha8 }: Pick<CheckpointName, 'key' | 'sha8'>,
  bucket: Bucket,
): Promise<Engine | undefined> {
  const object = await bucket.read(key)
  return object && sha8Of(object.bytes) === sha8 ? engineFrom(object.bytes) : undefined
}

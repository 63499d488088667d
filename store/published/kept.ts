/** What was published at the end of each UTC hour, kept for ever: documents by the digest of their bytes, and a list of them by hour. */
import type { Manifest } from '../../schemas/api/service.ts'
import { weekText } from '../../schemas/values/week-syntax.ts'
import { type Bucket, openBucket } from '../aws/bucket.ts'
import { StoreFault } from '../aws/fault.ts'
import { objectPrefixes, padded, sha256Of } from '../aws/tables.ts'
import { unzip, zip } from '../bytes/format.ts'

/** The last snapshot published of an hour (from 1970), and the digest of each of its documents, those of the tables included. */
export type KeptHour = {
  readonly hour: number
  readonly manifest: Manifest
  readonly documents: Readonly<Record<string, string>>
}

/** Kept hours and their documents, and what is made of them once. What is kept never changes. */
export type KeptStore = {
  /** Puts a document, unless it is there; returns the digest of its text. */
  putDocument(text: string): Promise<string>
  /** The text with a digest; undefined: there is none. Throws a StoreFault if it is damaged. */
  document(sha256: string): Promise<string | undefined>
  /** Puts an hour after its documents; false: it is there, and stays as it is. */
  putHour(hour: KeptHour): Promise<boolean>
  hour(hour: number): Promise<KeptHour | undefined>
  /** The hours that are kept from `last` back to `first`, newest first. */
  hoursBack(last: number, first?: number): AsyncGenerator<number>
  /** The newest hour that is kept from `last` back to `first`: what `as_of` answers with at the end of hour `last`. */
  lastHour(last: number, first?: number): Promise<KeptHour | undefined>
  /** Puts the recap of a week (from 5 January 1970), unless it is there. */
  putRecap(week: number, text: string): Promise<boolean>
  recap(week: number): Promise<string | undefined>
  /** Whether all that is made of a UTC day (from 1970) when it is over has been put. */
  isDayEnded(day: number): Promise<boolean>
  markDayEnded(day: number): Promise<boolean>
}

const { keptDocuments, keptHours, keptRecaps, keptDays } = objectPrefixes

/** Hours are listed from the newest back, as a bucket lists keys in one direction only; six digits reach the year 2084. */
const LAST_HOUR = 999_999
const hourKey = (hour: number): string => `${keptHours}${padded(LAST_HOUR - hour, 6)}`
const hourOfKey = (key: string): number => LAST_HOUR - Number(key.slice(keptHours.length))
const GZIP = 'application/gzip'

/** Throws a StoreFault: what was kept has other bytes. */
function damaged(key: string): never {
  throw new StoreFault('DamagedDocumentError', `${key} is damaged: restore an earlier version of it`)
}

/** What is kept in the bucket of segments. */
export function openKeptStore(bucket: Bucket): KeptStore {
  const put = async (key: string, text: string): Promise<boolean> => {
    const bytes = await zip(Buffer.from(text), 9)
    return (await bucket.put(key, bytes, { contentType: GZIP, ifNoneMatch: '*' })) === 'stored'
  }
  const read = async (key: string): Promise<string | undefined> => {
    const object = await bucket.read(key)
    const bytes = object && (await unzip(object.bytes).catch(() => damaged(key)))
    return bytes && Buffer.from(bytes).toString()
  }
  const hour = async (at: number): Promise<KeptHour | undefined> => {
    const text = await read(hourKey(at))
    return text === undefined ? undefined : (JSON.parse(text) as KeptHour)
  }
  async function* hoursBack(last: number, first = 0): AsyncGenerator<number> {
    // Before 1970 there is none, and keys would not be in order.
    if (last < first) return
    for await (const { key } of bucket.list(keptHours, hourKey(last + 1))) {
      if (hourOfKey(key) < first) return
      yield hourOfKey(key)
    }
  }
  return {
    async putDocument(text) {
      const digest = sha256Of(text)
      await put(keptDocuments + digest, text)
      return digest
    },
    async document(sha256) {
      const text = await read(keptDocuments + sha256)
      if (text !== undefined && sha256Of(text) !== sha256) damaged(keptDocuments + sha256)
      return text
    },
    putHour: (kept) => put(hourKey(kept.hour), JSON.stringify(kept)),
    hour,
    hoursBack,
    async lastHour(last, first) {
      const exact = await hour(last)
      if (exact) return exact
      for await (const earlier of hoursBack(last, first)) return hour(earlier)
      return undefined
    },
    putRecap: (week, text) => put(keptRecaps + weekText(week), text),
    recap: (week) => read(keptRecaps + weekText(week)),
    isDayEnded: async (day) => (await read(keptDays + day)) !== undefined,
    markDayEnded: (day) => put(keptDays + day, ''),
  }
}

/** The same in the bucket of this name. */
export const openKeptStoreIn = (bucket: string): KeptStore => openKeptStore(openBucket(bucket))

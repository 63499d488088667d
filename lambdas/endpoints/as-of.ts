/** Documents as they were published at an earlier time. */
import { LRUCache } from 'lru-cache'
import { DAY_SECONDS, HOUR_SECONDS } from '../../market/calendar.ts'
import { intervalAt } from '../../market/index/index-history.ts'
import { asOf } from '../../market/window.ts'
import { includesTier, type Tier } from '../../schemas/api/access.ts'
import { TierRequiredError } from '../../schemas/api/errors.ts'
import { type Cells, recordsIn } from '../../schemas/values/list-text.ts'
import { infoOfManifest, type SnapshotInfo } from '../../store/published/documents.ts'
import type { KeptHour } from '../../store/published/kept.ts'
import {
  type ApiAnswer,
  type Asking,
  type EndpointRequest,
  lastMinuteOver,
  type ReadStores,
  refuse,
} from '../api/endpoint.ts'
import type { StoredLists } from '../api/stored-lists.ts'

type KeptReads = ReadStores['kept']

/** The tier that may ask for any time. */
const ANY_TIME = 'professional' satisfies Tier
/** UTC days that everyone may ask for, today's included. */
const OPEN_DAYS = 2
/** Parsed lists in memory. */
const PARSED_MAX = 40

/** The documents that an answer is cut from. */
export type PastLists = Pick<StoredLists, 'list' | 'object' | 'newestWith'>

/** What a request is answered from, and what that says of its answer. */
type Source = { readonly lists: PastLists; readonly facts: Pick<ApiAnswer, 'isPast' | 'isLasting'> }

/**
 * The documents of now or, with `as_of`, of the newest kept snapshot that is not later. Throws InvalidParameterError if
 * none is kept, if a snapshot is asked for as well, or if the time is more than a day ahead (a date alone means its end);
 * TierRequiredError if it is too long ago for the caller.
 */
export async function sourceOf(
  { query }: EndpointRequest,
  { lists, kept }: Pick<ReadStores, 'lists' | 'kept'>,
  { caller, now }: Pick<Asking, 'caller' | 'now'>,
): Promise<Source> {
  const { as_of: asked, snapshot } = query
  if (asked === undefined) return { lists, facts: {} }
  if (snapshot !== undefined) refuse('snapshot', snapshot, 'no value beside as_of')
  const end = asOf(lastMinuteOver(asked))
  if (end > now + DAY_SECONDS) refuse('as_of', asked, 'a time that is not in the future')
  const newest = await lists.newest()
  const openFrom = (intervalAt('day', newest.minute) - OPEN_DAYS + 1) * DAY_SECONDS
  if (end < openFrom && caller && !includesTier(caller.tier, ANY_TIME))
    throw new TierRequiredError({ required: ANY_TIME, current: caller.tier })
  const hour = Math.floor(end / HOUR_SECONDS) - 1
  const found = await kept.lastHour(hour)
  if (!found) refuse('as_of', asked, 'a time since this service keeps what it publishes')
  const isOver = found.hour === hour || end < openFrom
  return { lists: listsOf(found, kept), facts: { isPast: true, isLasting: isOver } }
}

/** Rows of kept lists by digest. */
const parsed = new LRUCache<string, readonly Cells[]>({ max: PARSED_MAX })

function listsOf({ manifest, documents }: KeptHour, kept: KeptReads): PastLists {
  const at: SnapshotInfo = infoOfManifest(manifest)
  const read = async (name: string): Promise<{ readonly digest: string; readonly text: string }> => {
    const digest = documents[name]
    const text = digest && (await kept.document(digest))
    if (!text) refuse('as_of', at.id, `a time at which ${name} was published`)
    return { digest: String(digest), text }
  }
  return {
    newestWith: async () => at.id,
    object: async (name) => ({ at, value: (await read(name)).text }),
    async list(name) {
      const known = parsed.get(documents[name] ?? '')
      if (known) return { at, value: known }
      const { digest, text } = await read(name)
      const value = recordsIn(text)
      parsed.set(digest, value)
      return { at, value }
    },
  }
}

import type { Address, Minute, Swap } from '../../market/segment.ts'
import type { Reads } from '../../store/aws/table.ts'
import { openTokenHistory } from '../../store/items/token-history.ts'

const all = { limit: Infinity, rows: Infinity, before: { place: null, seconds: Infinity } }

/** Every swap of a token in some minutes, in chain order. */
export const storedSwaps = async (
  table: Reads,
  token: Address,
  span: { readonly from: Minute; readonly to: Minute },
): Promise<readonly Swap[]> =>
  (await openTokenHistory(table).newestSwaps(token, { ...span, ...all })).swaps.toReversed()

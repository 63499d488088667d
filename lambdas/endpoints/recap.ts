import { intervalAt } from '../../market/index/index-history.ts'
import { RecapNotFoundError } from '../../schemas/api/errors.ts'
import { weekFrom, weekText } from '../../schemas/values/week-syntax.ts'
import type { ApiEndpoint } from '../api/endpoint.ts'

/** GET /v1/z100/recap: of a week, or of the last one that is over. Throws RecapNotFoundError. */
export const recap: ApiEndpoint = async ({ query }, { lists, kept }) => {
  const at = await lists.newest()
  const { week: asked } = query
  const week = (asked === undefined ? null : weekFrom(asked)) ?? intervalAt('week', at.minute) - 1
  const text = await kept.recap(week)
  if (text === undefined) throw new RecapNotFoundError(weekText(week))
  return { at, text, isLasting: asked !== undefined }
}

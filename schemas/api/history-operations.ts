/** Operations about what was published on earlier days. */
import { boardHistoryFields } from '../records/board-history.ts'
import { publishedDayFields } from '../records/published-day.ts'
import { recapFields } from '../records/recap.ts'
import { rowSchema } from '../values/field.ts'
import * as parameters from '../values/parameters.ts'
import { fixedOperation, LASTING_CACHE, MINUTE_CACHE, readOperation as read } from './operation.ts'

/** The last 24 hours, with the minutes that have a snapshot. */
export const statusDayOperation = fixedOperation(
  {
    path: '/v1/status/day',
    description: 'The last 24 hours: which minutes were published, hour by hour, and which were not',
    body: rowSchema(publishedDayFields),
  },
  MINUTE_CACHE,
)

export const historyOperations = {
  boardHistory: read(
    '/v1/z100/history/{id}',
    'Rank and score of a token by UTC day, on each day that it was on its board, oldest first',
    {
      rest: [parameters.historyDays, parameters.envelope],
      body: { type: 'array', maxItems: parameters.HISTORY_DAYS, items: rowSchema(boardHistoryFields) },
    },
  ),
  recap: {
    ...read('/v1/z100/recap', 'What a week has changed on both boards and the index, made each Monday', {
      rest: [parameters.week],
      body: rowSchema(recapFields),
    }),
    mayBeAbsent: true as const,
    lastingCacheControl: LASTING_CACHE,
  },
}

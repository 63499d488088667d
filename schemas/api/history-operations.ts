/** Operations about what was published on earlier days. */
import { boardHistoryFields, HISTORY_DAYS } from '../records/board-history.ts'
import { recapFields } from '../records/recap.ts'
import { rowSchema } from '../values/field.ts'
import * as parameters from '../values/parameters.ts'
import { LASTING_CACHE, readOperation as read } from './operation.ts'

export const historyOperations = {
  boardHistory: read(
    '/v1/z100/history/{id}',
    'Rank and score of a token by UTC day, on each day that it was on its board, oldest first',
    {
      rest: [parameters.historyDays, parameters.envelope],
      body: { type: 'array', maxItems: HISTORY_DAYS, items: rowSchema(boardHistoryFields) },
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

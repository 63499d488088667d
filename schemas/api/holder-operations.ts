import { BOARD_SIZE } from '../../market/rules.ts'
import { holderStepFields } from '../records/holder-history.ts'
import { swapFields, swapFilters } from '../records/swap.ts'
import { holdersFields } from '../records/token-page.ts'
import { traderSumFields, tradersFields, walletFields } from '../records/wallets.ts'
import { rowSchema, sortKeys } from '../values/field.ts'
import * as parameters from '../values/parameters.ts'
import { type Operation, readOperation as read } from './operation.ts'

/** Operations about who holds and who trades. */
export const holderOperations = {
  holders: read('/v1/tokens/{id}/holders', 'The largest holders of a token and its supply distribution', {
    rest: [parameters.limit],
    body: rowSchema(holdersFields),
  }),
  traders: read(
    '/v1/tokens/{id}/traders',
    'Who traded a token in a period, up to the minute: what each bought and sold, exactly as the swaps say',
    {
      rest: [
        parameters.period,
        parameters.sortBy(Object.keys(sortKeys(traderSumFields)), 'volume'),
        parameters.sortOrder,
        parameters.peopleLimit,
        parameters.offset,
      ],
      body: rowSchema(tradersFields),
    },
  ),
  holderHistory: read(
    '/v1/tokens/{id}/holders/history',
    'Holders of a token over time: 168 hours or 60 days, oldest first',
    {
      rest: [parameters.holderInterval, parameters.envelope],
      body: { type: 'array', maxItems: 168, items: rowSchema(holderStepFields) },
    },
  ),
  wallet: read('/v1/wallets/{id}', 'What a wallet holds: its tokens, largest value first', {
    rest: [parameters.peopleLimit, parameters.holdingCursor],
    body: rowSchema(walletFields),
  }),
  walletSwaps: read('/v1/wallets/{id}/swaps', 'Swaps of a wallet in the last 90 days, newest first', {
    rest: [
      parameters.swapsLimit,
      ...swapFilters.map(({ parameter }) => parameter),
      parameters.before,
      parameters.envelope,
    ],
    body: { type: 'array', maxItems: BOARD_SIZE, items: rowSchema(swapFields) },
  }),
} as const satisfies Record<string, Operation>

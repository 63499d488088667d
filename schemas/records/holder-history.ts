/** Holders of a token over time, as printed. */
import { type FieldTable, fieldsOf, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

/** One step of a holder history. */
export type HolderStep = {
  /** Unix seconds. */
  readonly start: number
  /** At its end; null: not known. */
  readonly holders: number | null
  /** Percent × 10⁴, as last looked at by its end; null: not looked at yet. */
  readonly top10PercentE4: bigint | null
  /** It is not over yet. */
  readonly isPartial: boolean
}

const step = fieldsOf<HolderStep>()

/** Steps of a holder history. */
export const holderStepFields: FieldTable<HolderStep> = {
  timestamp: step(kind.count, (row) => row.start, 'Start of the step, Unix seconds'),
  datetime: step(kind.time, (row) => row.start, 'The same as text'),
  holders_count: step(orNull(kind.count), (row) => row.holders, {
    description: 'Addresses with a balance at the end of the step; null if coverage_from is set on the token',
  }),
  top10_concentration: step(orNull(kind.fourPlaces), (row) => row.top10PercentE4, {
    description:
      'Share of the total supply of the ten largest, percent, as last looked at by the end of the step, every ten minutes at most; null until then',
  }),
  partial: step(kind.flag, (row) => row.isPartial, 'The step is not over yet'),
}

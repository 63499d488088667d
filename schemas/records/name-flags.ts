import type { NameFlags } from '../../market/board/lookalikes.ts'
import { type FieldTable, fieldsOf, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

const flag = fieldsOf<NameFlags>()

/** Warnings that a token's names may be mistaken for others. */
export const nameFlagFields: FieldTable<NameFlags> = {
  mixed_script: flag(kind.flag, ({ isMixedScript }) => isMixedScript, {
    description: 'Symbol or name mixes letters of similar-looking scripts, such as Latin and Cyrillic',
  }),
  lookalike_of: flag(orNull(kind.address), ({ lookalikeOf }) => lookalikeOf, {
    description:
      'The token on a board, or the reference currency, that this one’s symbol or name looks like by its letters and digits (UTS 39), though it is another party’s; null: none, or this is the original. A post is not compared with posts',
  }),
}

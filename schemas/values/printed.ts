/** Fields whose values were printed before: they are repeated as they are, digit by digit. */
import { type FieldTable, fieldsOf, type JsonSchema } from './field.ts'
import type { Cells } from './list-text.ts'

/** The kind of each key, of which only the schema counts, and its description. A key that a record lacks is null. */
type PrintedKinds = Readonly<
  Record<string, readonly [kind: { readonly schema: JsonSchema }, description: string]>
>

const cell = fieldsOf<Cells>()

export const printedFields = (kinds: PrintedKinds): FieldTable<Cells> =>
  Object.fromEntries(
    Object.entries(kinds).map(([key, [{ schema }, description]]) => [
      key,
      cell({ schema, write: (text: string) => text }, (row) => row[key] ?? 'null', description),
    ]),
  )

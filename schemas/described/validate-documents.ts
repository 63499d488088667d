import { operationEntries, type PublishedName } from '../api/operations.ts'
import { compiled } from '../values/compiled.ts'
import type { JsonSchema } from '../values/field.ts'

/** The body of every operation that is published, by name. */
export const schemas = Object.fromEntries(
  operationEntries.flatMap(([name, { documentParameters, body }]) =>
    documentParameters ? [[name, body]] : [],
  ),
) as Readonly<Record<PublishedName, JsonSchema>>

/** Whether a document fits the schema of its operation. */
export const validators = compiled(schemas)

import { compiled } from './compiled.ts'
import type { JsonSchema } from './field.ts'
import { type OperationName, operations } from './operations.ts'

/** The body of every operation that is published, by name. */
export const schemas = Object.fromEntries(
  Object.entries(operations).map(([name, { body }]) => [name, body]),
) as Readonly<Record<OperationName, JsonSchema>>

/** Whether a document fits the schema of its operation. */
export const validators = compiled(schemas)

import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema } from './field.ts'
import type { Validator } from './validator.ts'

/** How every schema is compiled: here, and when bundles are built. */
export const ajvOptions = { allowUnionTypes: true } as const

/**
 * Validators of some schemas, compiled now. The modules that are imported as `#validators/<name>` hold nothing but these;
 * in a bundle that name means the code that Ajv generates from their `schemas`, so that no bundle holds Ajv.
 */
export function compiled<Name extends string>(
  schemas: Readonly<Record<Name, JsonSchema>>,
): Readonly<Record<Name, Validator>> {
  const ajv = new Ajv2020(ajvOptions)
  const entries = Object.entries<JsonSchema>(schemas).map(([name, schema]) => [name, ajv.compile(schema)])
  return Object.fromEntries(entries)
}

import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema } from './field.ts'
import type { Validator } from './validator.ts'

/** How every schema is compiled: here, and when bundles are built. */
export const ajvOptions = { allowUnionTypes: true } as const

/**
 * Validators of some schemas, each compiled when it is first asked for. The modules that are imported as `#validators/<name>` hold nothing but these;
 * in a bundle that name means the code that Ajv generates from their `schemas`, so that no bundle holds Ajv.
 */
export function compiled<Name extends string>(
  schemas: Readonly<Record<Name, JsonSchema>>,
): Readonly<Record<Name, Validator>> {
  const ajv = new Ajv2020(ajvOptions)
  // Ajv keeps what it has compiled.
  const properties = Object.entries<JsonSchema>(schemas).map(([name, schema]) => [
    name,
    { enumerable: true, get: () => ajv.compile(schema) },
  ])
  return Object.defineProperties({} as Record<Name, Validator>, Object.fromEntries(properties))
}

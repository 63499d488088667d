/** In bundles, validators are code that Ajv generated from the schemas when the bundle was built. */
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import type { Plugin } from 'esbuild'
import { ajvOptions } from '../../schemas/compiled.ts'
import type { JsonSchema } from '../../schemas/field.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** Replaces each module `schemas/validate-*.ts` by what Ajv generates from the `schemas` it exports. */
export const generatedValidators: Plugin = {
  name: 'generated-validators',
  setup(build) {
    build.onLoad({ filter: /[\\/]schemas[\\/]validate-[a-z-]+\.ts$/ }, async ({ path }) => {
      const { schemas } = (await import(pathToFileURL(path).href)) as { readonly schemas: Schemas }
      return { contents: moduleOf(schemas), loader: 'js' }
    })
  },
}

/** The text of a module that exports `validators`, equal in what they find to those that are compiled when it is loaded. */
export function moduleOf(schemas: Schemas): string {
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true, lines: true } })
  const names = Object.keys(schemas)
  for (const name of names) ajv.addSchema(schemas[name] ?? {}, name)
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [`validate_${name}`, name])))
  return `${code}\nexport const validators = {${names.map((name) => `${name}: validate_${name}`).join(', ')}}\n`
}

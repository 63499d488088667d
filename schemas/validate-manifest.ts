import { compiled } from './compiled.ts'
import { manifestSchema } from './service.ts'

export const schemas = { manifest: manifestSchema }

/** Whether a value is a manifest. */
export const validators = compiled(schemas)

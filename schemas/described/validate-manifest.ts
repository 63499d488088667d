import { manifestSchema } from '../api/service.ts'
import { compiled } from '../values/compiled.ts'

export const schemas = { manifest: manifestSchema }

/** Whether a value is a manifest. */
export const validators = compiled(schemas)

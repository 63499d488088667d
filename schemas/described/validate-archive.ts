import { archiveManifestSchema } from '../records/archive.ts'
import { compiled } from '../values/compiled.ts'

export const schemas = { archive: archiveManifestSchema }

/** Whether a value is the archive's manifest. */
export const validators = compiled(schemas)

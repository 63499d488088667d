import { archiveManifestSchema } from './archive.ts'
import { compiled } from './compiled.ts'

export const schemas = { archive: archiveManifestSchema }

/** Whether a value is the archive's manifest. */
export const validators = compiled(schemas)

/** `npm run build:openapi`: writes what is derived and committed — the examples of OpenAPI, from the answers of one seeded market, and the types of the client. */
import { writeFileSync } from 'node:fs'
import { devnetExamples } from './examples.ts'

const examplesUrl = new URL('../../schemas/openapi-examples.json', import.meta.url)

writeFileSync(examplesUrl, `${JSON.stringify(await devnetExamples(), null, 2)}\n`)
process.stdout.write('written: schemas/openapi-examples.json\n')

// Read again: what derives from the examples sees the new ones.
const { wireTypes } = await import('../../schemas/wire-types.ts')
writeFileSync(new URL('../../schemas/wire.d.ts', import.meta.url), wireTypes())
process.stdout.write('written: schemas/wire.d.ts\n')

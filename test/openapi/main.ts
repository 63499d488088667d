/** `npm run build:openapi`: writes the examples of OpenAPI, from the answers of one seeded market. */
import { writeFileSync } from 'node:fs'
import { devnetExamples } from './examples.ts'

const examplesUrl = new URL('../../schemas/described/openapi-examples.json', import.meta.url)

writeFileSync(examplesUrl, `${JSON.stringify(await devnetExamples(), null, 2)}\n`)
process.stdout.write('written: schemas/described/openapi-examples.json\n')

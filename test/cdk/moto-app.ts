/** The CDK's app for `CDK_APP`: the stacks of cdk/app/app.ts in the current folder, cut to what moto takes. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cutForMoto, withoutProtection } from './moto-assembly.ts'

const folder = process.env['CDK_OUTDIR'] ?? ''
// The app writes its output when the process has nothing left to do.
process.once('exit', () => {
  const ending = '.template.json'
  for (const file of readdirSync(folder)) {
    if (/^Z100-\w+-\w+\.template\.json$/.test(file)) cutForMoto(folder, file.slice(0, -ending.length))
  }
  withoutProtection(folder)
})
await import(join(process.cwd(), 'cdk/app/app.ts'))

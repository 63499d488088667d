/** `node dev/local/run.mjs PROGRAM [arguments]`: runs a program, which is built first if a source is newer. Errors name the source. */
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { buildPrograms } from './programs.mjs'

/** A thread is a program, too. */
const programs = {
  start: 'dev/local/main.ts',
  admin: 'admin/main.ts',
  mcp: 'clients/mcp/main.ts',
  site: 'site/build/main.ts',
  'dynamodb-thread': 'dev/emulators/dynamodb-thread.ts',
}
/** Only what is called very often is compiled by the optimizing compiler: at V8's own limits it took a fifth of a start. */
const optimizeLater =
  Number.parseInt(process.versions.v8, 10) < 12
    ? '--interrupt-budget=600000'
    : '--invocation-count-for-turbofan=15000'
const FOLDER = join(import.meta.dirname, '../../dist/programs')

const [name = ''] = process.argv.splice(2, 1)
if (!(name in programs)) throw new Error(`no program is called ${name}: ${Object.keys(programs).join(', ')}`)
setFlagsFromString(optimizeLater)
await buildPrograms(programs, FOLDER)
process.setSourceMapsEnabled(true)
// Node 20 has none.
if ('enableCompileCache' in module) Object(module).enableCompileCache(join(FOLDER, 'compiled'))
await import(pathToFileURL(join(FOLDER, `${name}.js`)).href)

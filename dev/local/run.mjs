/** `node dev/local/run.mjs PROGRAM [arguments]`: runs a program, which is built first if a source is newer. Errors name the source. */
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildPrograms } from './programs.mjs'

/** A thread is a program, too. */
const programs = {
  start: 'dev/local/main.ts',
  admin: 'admin/main.ts',
  mcp: 'clients/mcp/main.ts',
  site: 'site/build/main.ts',
  'dynamodb-thread': 'dev/emulators/dynamodb-thread.ts',
}
const FOLDER = join(import.meta.dirname, '../../dist/programs')

const [name = ''] = process.argv.splice(2, 1)
if (!(name in programs)) throw new Error(`no program is called ${name}: ${Object.keys(programs).join(', ')}`)
await buildPrograms(programs, FOLDER)
process.setSourceMapsEnabled(true)
// Node 20 has none.
if ('enableCompileCache' in module) Object(module).enableCompileCache(join(FOLDER, 'compiled'))
await import(pathToFileURL(join(FOLDER, `${name}.js`)).href)

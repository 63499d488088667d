import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { buildPrograms } from '../../dev/local/programs.mjs'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

it('a program knows the place of its sources, is built again when one is newer, and its errors name them', async () => {
  const dir = tempDir()
  const folder = join(dir, 'built')
  mkdirSync(join(dir, 'sources'))
  const source = (name: string, text: string) => writeFileSync(join(dir, 'sources', name), text)
  source(
    'main.ts',
    "import { fail } from './part.ts'\nconsole.log(import.meta.filename, import.meta.dirname)\nfail()\n",
  )
  source('part.ts', "\n\nexport function fail(): never {\n  throw new Error('on purpose')\n}\n")
  const programs = { main: relative(ROOT, join(dir, 'sources/main.ts')) }
  const outcome = () =>
    run(process.execPath, ['--enable-source-maps', join(folder, 'main.js')]).catch(
      (error: { stdout: string; stderr: string }) => error,
    )

  await buildPrograms(programs, folder)
  const { stdout, stderr } = await outcome()
  expect(stdout).toBe(`${join(dir, 'sources/main.ts')} ${join(dir, 'sources')}\n`)
  expect(stderr).toContain(`${join(dir, 'sources/part.ts')}:4:`)

  const built = readFileSync(join(folder, 'sources.json'), 'utf8')
  await buildPrograms(programs, folder)
  expect(readFileSync(join(folder, 'sources.json'), 'utf8')).toBe(built)

  source('part.ts', "export const fail = () => console.log('mended')\n")
  const later = Date.now() / 1_000 + 60
  utimesSync(join(dir, 'sources/part.ts'), later, later)
  await buildPrograms(programs, folder)
  expect((await outcome()).stdout).toContain('mended')
})

/** The Python client: generated from the document as it is, built as a wheel, and tried from it alone. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PYTHON_MODULE, pythonModule } from '../../clients/python/build.ts'
import { hasTools } from './installed.ts'

const run = promisify(execFile)
const PYTHON = '/usr/bin/python3'
const folder = join(import.meta.dirname, '../../clients/python')

/** Whether Python has what the client and its build need; prints a line where it has not. */
function hasPython(): boolean {
  const { status } = spawnSync(PYTHON, ['-c', 'import httpx, setuptools, wheel'])
  if (status !== 0)
    process.stdout.write(
      'skipped: python3-httpx, -setuptools, -wheel are not here: the Python client is not tried\n',
    )
  return status === 0
}

describe('the Python client', () => {
  it('has the rows and operations of the document', () => {
    expect(readFileSync(PYTHON_MODULE, 'utf8')).toBe(pythonModule())
  })

  it.runIf(hasTools('the Python client is not tried') && hasPython())(
    'passes its tests from its wheel alone',
    async () => {
      const built = await mkdtemp(join(tmpdir(), 'z100-python-'))
      try {
        await cp(folder, join(built, 'source'), { recursive: true })
        const build = `from setuptools.build_meta import build_wheel; build_wheel('${built}')`
        await run(PYTHON, ['-c', build], { cwd: join(built, 'source') })
        const wheel = (await readdir(built)).find((file) => file.endsWith('.whl'))
        const env = { ...process.env, PYTHONPATH: join(built, wheel ?? 'none') }
        const { stderr } = await run(PYTHON, ['-m', 'unittest', 'test_client'], {
          cwd: join(built, 'source/tests'),
          env,
        })
        expect(stderr).toMatch(/Ran \d+ tests[\s\S]*OK/)
      } finally {
        await rm(built, { recursive: true })
      }
    },
  )
})

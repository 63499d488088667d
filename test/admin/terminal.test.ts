import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { errorText, OperatorFault } from '../../admin/terminal.ts'
import { InvalidEnvError } from '../../schemas/env.ts'
import { tempDir } from '../support/temp-dir.ts'

it('an error is printed with its name, message and causes, and only a defect with its stack', async () => {
  const path = join(tempDir(), 'nothing')
  const cause: unknown = await readFile(path).catch((error: unknown) => error)
  expect(errorText(new OperatorFault('NotThere', 'there is nothing', { cause }))).toBe(
    `NotThere: there is nothing\n  caused by Error: ENOENT: no such file or directory, open '${path}'`,
  )
  expect(errorText(new TypeError('undefined is not a function'))).toMatch(/^TypeError: .*\n +at /)
  expect(errorText('a word')).toBe('a word')
  expect(errorText(new InvalidEnvError('MARKET_TABLE'))).toMatch(/MARKET_TABLE must be set.*AdminEnvironment/)
})

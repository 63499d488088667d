import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { openTerminal } from '../../admin/terminal.ts'
import { keepFunctionLogs } from '../../local/function-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

test('what functions print goes to a file, what the terminal says to the terminal', async () => {
  let seen = ''
  const output = new Writable({
    write(chunk, _, done) {
      seen += chunk
      done()
    },
  }) as unknown as NodeJS.WriteStream
  const terminal = openTerminal(output)
  const file = join(tempDir(), 'functions.log')
  const logs = keepFunctionLogs(output, file)
  output.write('{"service":"a"}\n')
  output.write(Buffer.from('{"service":"ü"}\n'))
  terminal.say('ready')
  await logs.stop()
  output.write('after\n')
  expect(readFileSync(file, 'utf8')).toBe('{"service":"a"}\n{"service":"ü"}\n')
  expect(seen).toBe('ready\nafter\n')
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type CommandCall, sayRows } from '../../admin/base/command.ts'
import { errorText, OperatorFault, openTerminal } from '../../admin/base/terminal.ts'
import { commandGroups, runAdmin } from '../../admin/program.ts'
import { hostileTexts } from '../support/described/hostile-texts.ts'
import { tempDir } from '../support/temp-dir.ts'

it('an error is printed with its name, message and causes, and only a defect with its stack', async () => {
  const path = join(tempDir(), 'nothing')
  const cause: unknown = await readFile(path).catch((error: unknown) => error)
  expect(errorText(new OperatorFault('NotThere', 'there is nothing', { cause }))).toBe(
    `NotThere: there is nothing\n  caused by Error: ENOENT: no such file or directory, open '${path}'`,
  )
  expect(errorText(new TypeError('undefined is not a function'))).toMatch(/^TypeError: .*\n +at /)
  expect(errorText('a word')).toBe('a word')
})

it('a deployment whose variables are not there is told where they come from', async () => {
  const { stdout, stderr } = process
  const argv = ['--aws', 'verify']
  const run = runAdmin(argv, await commandGroups(argv), { stdout, stderr, environment: {} })
  await expect(run).rejects.toThrow(/ must be set; with --aws, export the output AdminEnvironment/)
})

it('a table is printed however many rows it has', () => {
  const rows = Array.from({ length: 200_000 }, (_, id) => ({ id: String(id) }))
  let lines = 0
  const call = { isJson: false, say: () => (lines += 1) } as unknown as CommandCall<unknown>
  expect(sayRows(call, ['id'], rows)).toBe(0)
  expect(lines).toBe(rows.length + 1)
})

it('what others wrote is printed without moving the cursor, naming the window or turning the line', () => {
  for (const isTTY of [true, false]) {
    let printed = ''
    const output = { isTTY, columns: 120, write: (text: string) => (printed += text) }
    const terminal = openTerminal(output as unknown as NodeJS.WriteStream)
    for (const { name, symbol } of hostileTexts(100, 'zqzq')) {
      terminal.say(`ingest lost its WebSocket: ${name}`)
      terminal.step(`waits for ${symbol}`, 1, 2, name)
    }
    terminal.end()
    // The line's own replacement.
    expect(printed.replaceAll('\r\u001b[2K', '').replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u,
    )
    expect(printed).toContain('zqzq')
  }
})

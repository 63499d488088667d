import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { CloudWatchLogsEvent } from 'aws-lambda'
import { expect, test } from 'vitest'
import { openTerminal } from '../../admin/base/terminal.ts'
import { keepFunctionLogs, startUsageFeed } from '../../dev/local/function-logs.ts'
import { tempDir } from '../support/temp-dir.ts'

test('output of functions goes to a file, messages of the terminal go to the terminal', async () => {
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

function messagesOf({ awslogs }: CloudWatchLogsEvent): string[] {
  const { logEvents } = JSON.parse(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString())
  return logEvents.map(({ message }: { message: string }) => message)
}

test('every line of the edge is delivered before the end, also more than one batch', async () => {
  const delivered: string[] = []
  const subscriber = async (event: CloudWatchLogsEvent) => void delivered.push(...messagesOf(event))
  const feed = startUsageFeed(subscriber, { terminal: openTerminal(process.stdout) })
  const lines = Array.from({ length: 12_000 }, (_, n) => `line ${n}`)
  for (const line of lines) feed.log(line)
  await feed.stop()
  expect(delivered).toEqual(lines)
})

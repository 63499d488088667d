import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../dev/emulators/free-port.ts'
import { listen } from '../../dev/emulators/listening.ts'
import { startFaultyProxy } from '../support/chain/faulty-proxy.ts'
import { isLong, isWhole } from '../support/rounds.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = new URL('../..', import.meta.url).pathname

/** A node of Base with headers and no logs. */
async function answer(body: string): Promise<string> {
  const asked = JSON.parse(body)
  const one = ({ id, method, params: [block] }: { id: number; method: string; params: [string] }) => {
    const number = block === 'latest' ? 40_000_000 : Number(block)
    const timestamp = `0x${(1_686_789_347 + 2 * number).toString(16)}`
    const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`
    const header = {
      number: `0x${number.toString(16)}`,
      hash: hash(number),
      parentHash: hash(number - 1),
      timestamp,
    }
    const results: Record<string, unknown> = {
      eth_chainId: '0x2105',
      eth_getLogs: [],
      // slot0 of a reference pool: a price of one, then words that nobody reads.
      eth_call: `0x${(1n << 96n).toString(16).padStart(64, '0')}${'0'.repeat(6 * 64)}`,
      eth_getBlockByNumber: header,
    }
    return { jsonrpc: '2.0', id, result: results[method] }
  }
  return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked))
}

const proxy = await startFaultyProxy(answer)
afterEach(() => {
  proxy.fault = () => undefined
})
afterAll(() => proxy.stop())

/** `npm start` with the proxy as its endpoints; their URLs contain a key. The second one confirms that there are no logs. */
async function start(hosts = ['127.0.0.1', 'localhost']) {
  const options = [
    ...hosts.flatMap((host) => ['--rpc-url', `${proxy.url.replace('127.0.0.1', host)}/v2/secret-key`]),
    ...['--data-dir', tempDir(), '--port', String(await freePort())],
  ]
  const child = spawn(process.execPath, ['dev/local/run.mjs', 'start', ...options], { cwd: ROOT })
  const run = { output: '', exited: once(child, 'exit'), stop: () => child.kill('SIGINT'), child }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      run.output += text
    })
  return run
}

describe('npm start', () => {
  it.runIf(isWhole)('ends with the reason if the endpoint serves another chain', async () => {
    proxy.fault = ([call]) =>
      call?.method === 'eth_chainId'
        ? async () => ({ status: 200, text: '{"id":1,"result":"0x1"}' })
        : undefined
    const run = await start()
    expect(await run.exited).toEqual([1, null])
    expect(run.output).toMatch(
      /z100 has stopped\. UnknownChainError: unknown chain "1"; known: base \(8453\)/,
    )
    expect(run.output).not.toContain('secret')
  })

  it.runIf(isLong)(
    'shows which endpoint it waits for, why and until when, continues, and ends when its output is closed',
    async () => {
      let logs = 0
      proxy.fault = ([call]) => {
        if (call?.method === 'eth_getLogs') logs += 1
        return call?.method === 'eth_getLogs' && logs < 4 ? 'HTTP 429' : undefined
      }
      const run = await start()
      await expect
        .poll(() => run.output)
        .toMatch(/waits for [\w.]+:\d+ until \d\d:\d\d:\d\d UTC, time \d: .*Too Many Requests/)
      await expect.poll(() => run.output).toMatch(/ingesting \[[#.]+\] [1-9]\d*\/\d+ blocks[,;] .*\d calls/)
      // The cost of reading is printed first.
      const [before = ''] = run.output.split('ingesting [')
      expect(before).toMatch(
        /ingest reads [1-9][\d,]* blocks from \d+ on: about [1-9][\d,]* calls at 1,000 blocks a call, about .* at 25 calls\/s, at most \$0\.\d\d in all/,
      )
      expect(run.output).not.toContain('secret')
      run.child.stdout.destroy()
      run.child.stderr.destroy()
      expect(await run.exited).toEqual([0, null])
    },
  )

  it.runIf(isLong)('shows the missing logs if the only endpoint has none', async () => {
    const run = await start(['127.0.0.1'])
    await expect
      .poll(() => run.output)
      .toMatch(/ingest stands still at block \d+: every log missing at 127\.0\.0\.1:\d+/)
    run.stop()
    expect(await run.exited).toEqual([0, null])
  })
})

describe('before anything is created', () => {
  it('a port in use is refused with a message', async () => {
    const taken = await listen('taken', createServer())
    const dir = join(tmpdir(), `z100-taken-${process.pid}`)
    const options = ['--port', new URL(taken.url).port, '--data-dir', dir]
    const child = spawn(process.execPath, ['dev/local/run.mjs', 'start', ...options], { cwd: ROOT })
    const [text, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')])
    expect([code, text]).toEqual([1, expect.stringMatching(/PortInUse: port \d+ of this machine is taken/)])
    expect(existsSync(dir)).toBe(false)
    await taken.stop()
  })

  it.runIf(isWhole).each([
    ['a port above 65535', ['--port', '65536'], /^error: .*a port, at most 65535\n$/],
    ['a market for a chain that is followed', ['--rpc-url', 'https://x.example', '--odd'], /--odd'\n$/],
  ])('so is %s', (_, flags, says) => {
    const command = ['dev/local/run.mjs', 'start', ...flags, '--data-dir', tempDir()]
    const { status, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, timeout: 60_000 })
    expect([status, String(stderr)]).toEqual([1, expect.stringMatching(says)])
  })

  it('so is a Node that is too old', () => {
    const script = `Object.defineProperty(process.versions, 'node', { value: '20.18.3' })
      require('./dev/local/node-version.cjs')`
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: ROOT })
    expect([status, String(stderr)]).toEqual([1, expect.stringMatching(/^z100 needs Node 20\.19 or newer/)])
    expect(spawnSync(process.execPath, ['dev/local/node-version.cjs'], { cwd: ROOT }).status).toBe(0)
  })
})

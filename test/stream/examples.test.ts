import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { streamParameters } from '../../schemas/api/stream.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import { startTask, until } from '../support/stream-clients.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const README = readFileSync(`${ROOT}stream/README.md`, 'utf8')
const examples = [...README.matchAll(/```(sh|js|py)\n(.+?)```/gs)].map(([, , code = '']) => code)

it('the README names every parameter of the stream', () => {
  const table = README.split('| parameter | admits |')[1]?.split('\n\n')[0] ?? ''
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(named.sort()).toEqual(streamParameters.map(({ names: [name] }) => name).sort())
})

/** The examples as they stand in the README, but for the address. */
describe('the examples of the README', async () => {
  const stores = memoryStores()
  const chain = await openFeedChain(stores.feed)
  const task = await startTask(stores)
  let blocks = 0
  const trading = setInterval(() => {
    blocks += 1
    void (blocks % 5 === 0 ? chain.fork(1) : chain.trade(9))
  }, 50)
  afterAll(() => {
    clearInterval(trading)
    return task.stop()
  })

  const here = (code: string) => code.replaceAll('http://127.0.0.1:4100', task.url)

  /** Runs a program until its output says what is expected. */
  async function runs(command: string, args: readonly string[], expected: RegExp): Promise<void> {
    const child = spawn(command, args, { cwd: ROOT })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
    await until(() => expected.test(output), `${expected} in ${output}`)
    child.kill()
  }

  it('are four: curl, a browser, Node, Python', () => {
    expect(examples).toHaveLength(4)
  })

  it.runIf(spawnSync('curl', ['--version']).status === 0)('curl prints swaps', async () => {
    const [, ...args] = (here(examples[0]!).match(/'[^']+'|\S+/g) ?? []).map((arg) => arg.replaceAll("'", ''))
    await runs('curl', ['-s', ...args], /id: \d+\.6\ndata: \{"transaction_hash"/)
  })

  it('Node prints swaps and what is retracted', async () => {
    const code = here(examples[2]!)
    await runs(
      process.execPath,
      ['--input-type=module', '-e', code],
      /\d+\.\d+ ANN 5 \$[\d.]+\n.*retracted \{/s,
    )
  })

  it.runIf(spawnSync('python3', ['-c', 'import requests']).status === 0)('Python prints swaps', async () => {
    await runs('python3', ['-c', here(examples[3]!)], /\d+\.\d+ ANN [\d.]+\n.*retract \{/s)
  })

  it("a page's code keeps the swaps that are not retracted", async () => {
    // In Node the package stands in for the browser's own EventSource.
    const code = `import { EventSource } from 'eventsource'\n${here(examples[1]!)}\nlet least = 0\nsetInterval(() => {
      console.log(swaps.size < least ? 'fewer' : 'more'); least = swaps.size }, 10)`
    await runs(process.execPath, ['--input-type=module', '-e', code], /more.*fewer/s)
  })
})

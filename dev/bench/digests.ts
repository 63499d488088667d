/**
 * `npx tsx dev/bench/digests.ts OLD NEW [SEED…]`: digests of what two worktrees make of the same chain: every document, the bytes of the
 * stream, the OpenAPI document and the contract. Prints what differs, and fails if anything does.
 */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { say } from './measuring.ts'

type Digests = Readonly<Record<string, string>>

const PAST = { blocks: 300, days: 9, trades: 900, creators: 30, posts: 60 }
const NOW_MS = Date.UTC(2026, 9, 20, 7, 31)
const BLOCKS = 60

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The path of a file by its name, which may have moved between two commits. */
function fileOf(root: string, name: string): string {
  const [path = ''] = execFileSync('git', ['ls-files', `*/${name}`], { cwd: root, encoding: 'utf8' }).split(
    '\n',
  )
  return join(root, path)
}

const modules = (root: string, name: string) => import(fileOf(root, name))

/** In a process of its own, since the modules of two worktrees have the same names. */
async function digestsIn(root: string, rpcUrl: string): Promise<Digests> {
  const ingest = await modules(root, 'ingest-stores.ts')
  const stores = ingest.memoryStores()
  await ingest.untilIdle(ingest.startWriter(stores, rpcUrl))
  const documents: Digests = await ingest.documentsOf(stores)
  const { openapiDocument } = await modules(root, 'openapi.ts')
  const texts = {
    ...documents,
    openapi: JSON.stringify(openapiDocument()),
    contract: readFileSync(fileOf(root, 'contract.json'), 'utf8'),
    stream: await streamText(root, stores),
  }
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, digestOf(text)]))
}

/** All events of the feed as a reader of everything gets them, without `ready`, which speaks of the connection. */
async function streamText(root: string, stores: unknown): Promise<string> {
  const clients = await modules(root, 'stream-clients.ts')
  const task = await clients.startTask(stores)
  const { head } = (await (await fetch(`${task.url}/health`)).json()) as { readonly head: string }
  const raw = clients.readSocket(task.url, '/stream/swaps?events=swap,launch&last_event_id=0.0')
  const events = () => raw.events() as readonly { readonly event: string; readonly id: string }[]
  await clients.until(() => events().some(({ event, id }) => event !== 'ready' && id === head))
  raw.socket.destroy()
  await task.stop()
  return JSON.stringify(events().filter(({ event }) => event !== 'ready'))
}

async function compare(roots: readonly [string, string], seed: number): Promise<number> {
  const { startDevnetMarket } = await import('../../test/support/chain/devnet-market.ts')
  const market = await startDevnetMarket(seed, PAST, () => NOW_MS)
  for (let n = 0; n < BLOCKS; n++)
    await market.mine(market.random.pick([2, 20, 70, 600, 3_600]), market.random.below(5))
  const digests: Digests[] = []
  for (const root of roots) {
    const args = ['--import', 'tsx', import.meta.filename, 'digests', root, market.rpcUrl]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 })
    digests.push(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
  }
  await market.stop()
  const [before = {}, after = {}] = digests
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const others = names.filter((name) => before[name] !== after[name])
  for (const name of others)
    say(`seed ${seed}: ${name} was ${before[name] ?? 'not there'}, is ${after[name] ?? 'gone'}`)
  say(`seed ${seed}: ${names.length - others.length} of ${names.length} digests are the same`)
  return others.length
}

const [first = '', second = '', third = '', ...more] = process.argv.slice(2)
if (first === 'digests') process.stdout.write(`\n${JSON.stringify(await digestsIn(second, third))}\n`)
else {
  const seeds = third === '' ? [1, 2] : [third, ...more].map(Number)
  for (const seed of seeds) if ((await compare([first, second], seed)) > 0) process.exitCode = 1
}
process.exit()

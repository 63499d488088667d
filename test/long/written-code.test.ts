/** Every code block of the documentation, run against `npm start` as it is written: only addresses and keys are filled in. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WRITTEN_ORIGIN } from '../../schemas/pages/site.ts'
import { type Service, startServiceProcess } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')
const PYTHON = '/usr/bin/python3'
/** A program that goes on has said what it has to by then, and so long after its first words. */
const ENOUGH_MS = 90_000
const QUIET_MS = 8_000

const texts = [
  ...['README.md', 'docs/use.md', 'CHANGELOG.md', 'stream/README.md', 'clients/typescript/README.md'],
  ...['docs/operate.md', 'docs/architecture.md', 'docs/migrate.md'],
  ...[
    'clients/python/README.md',
    'clients/mcp/README.md',
    'dev/local/README.md',
    'admin/README.md',
    'market/README.md',
  ],
  ...['ingest/README.md', 'test/README.md', 'dev/emulators/README.md', 'CONTRIBUTING.md'],
]

/** Blocks that are not run, by a part of their text, and why. */
const left: readonly (readonly [part: string, why: string])[] = [
  ['npm ci', 'this copy is installed, and its run is under test'],
  ['npm start -- --rpc-url', 'there is no endpoint of Base here'],
  ['npm run admin -- --aws', 'there is no deployment here; test/cdk/readme runs the commands of cdk/README'],
  ['CREATE SECRET', 'test/archive/write runs it'],
  ['npm run admin -- verify', 'it takes minutes, and test/system/end-to-end runs it'],
]

type Block = {
  readonly file: string
  readonly line: number
  readonly language: string
  /** The words after the three marks: the language, and what the block is. */
  readonly info: string
  readonly text: string
}

function blocksOf(file: string): readonly Block[] {
  let text: string
  try {
    text = readFileSync(join(ROOT, file), 'utf8')
  } catch {
    return []
  }
  return [...text.matchAll(/^```([\w ]*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: info = '', 2: code = '', index }) => ({
      file,
      line: text.slice(0, index).split('\n').length,
      language: info.split(' ')[0] ?? '',
      info,
      text: code,
    }),
  )
}

const blocks = texts.flatMap(blocksOf)
const isRun = ({ text, language }: Block) =>
  !['', 'text'].includes(language) && !left.some(([part]) => text.includes(part))

const dataDir = tempDir()
const folder = tempDir()
let service: Service

beforeAll(async () => {
  const history = { blocks: 60, days: 3, trades: 120, creators: 8, posts: 8 }
  service = await startServiceProcess({ dataDir, seed: 4, history, flags: ['--trades', '5'] })
  spawnSync('npm', ['--prefix', 'clients/typescript', 'run', '--silent', 'build'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  await mkdir(join(folder, 'node_modules/@z100'), { recursive: true })
  await symlink(join(ROOT, 'clients/typescript'), join(folder, 'node_modules/@z100/client'))
  await symlink(join(ROOT, 'node_modules/eventsource'), join(folder, 'node_modules/eventsource'))
  await symlink(
    join(ROOT, 'node_modules/eventsource-parser'),
    join(folder, 'node_modules/eventsource-parser'),
  )
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(() => service?.kill())

/** As a reader would fill it in. */
const filledIn = (text: string): string =>
  text
    .replaceAll(WRITTEN_ORIGIN, service.ready.base_url)
    .replaceAll('https://api.example.com', service.ready.base_url)
    .replaceAll('./.z100/ready.json', join(dataDir, 'ready.json'))
    .replaceAll('/path/to/z100', ROOT)

/** Node has no EventSource of its own yet. */
const WITH_EVENT_SOURCE =
  "import { EventSource as Source } from 'eventsource'\nglobalThis.EventSource ??= Source\n"

/** What Google Sheets has, and a cell that calls the function. */
const IN_A_SHEET = `import { execFileSync } from 'node:child_process'
const PropertiesService = { getScriptProperties: () => ({ getProperty: (name) => process.env[name] }) }
const header = ([name, value]) => ['-H', name + ': ' + value]
const curl = (url, { headers }) => execFileSync('curl', ['-s', ...Object.entries(headers).flatMap(header), url])
const UrlFetchApp = { fetch: (...asked) => ({ getContentText: () => String(curl(...asked)) }) }
const [[name], [rank]] = Z100('/v1/z100/creators?limit=2', 'rank,symbol')
console.log(name === 'rank' && rank === 1 ? 'a table' : '{"error":')
`

/** The stream does not end by itself. */
const BRIEFLY = '(timeout 30 $& || true) | head -c 400'

/** The program for a block's language, in a file of its own. */
async function programOf(
  { language, info, text }: Block,
  name: string,
): Promise<readonly [string, ...string[]]> {
  const write = async (ending: string, code: string) => {
    const file = join(folder, `${name}.${ending}`)
    await writeFile(file, code)
    return file
  }
  const code = filledIn(text)
  if (language === 'sh' || language === 'curl')
    return ['bash', '-eu', '-c', code.replace(/^curl -N .*/gm, BRIEFLY)]
  if (language === 'py' || language === 'python') return [PYTHON, '-u', await write('py', code)]
  const needsSource = /new EventSource/.test(code) && !/import .*EventSource/.test(code)
  const before = needsSource ? WITH_EVENT_SOURCE : info.endsWith(' sheet') ? IN_A_SHEET : ''
  const whole = before + code
  const file = await write(language === 'ts' ? 'ts' : 'mjs', whole)
  return [process.execPath, '--import', join(ROOT, 'node_modules/tsx/dist/esm/index.mjs'), file]
}

type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** Runs it until it ends, or until it has printed something and goes on. */
function ran([program, ...words]: readonly [string, ...string[]], isEndless: boolean): Promise<Ended> {
  const { keys } = service.ready
  const env = {
    ...process.env,
    Z100_API_KEY: keys.professional,
    Z100_DATA_DIR: dataDir,
    PYTHONPATH: join(ROOT, 'clients/python/src'),
  }
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    const stop = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    const timer = setTimeout(stop, ENOUGH_MS)
    child.stdout.on('data', (bytes: Buffer) => {
      out += bytes
      // What fails after its first words is to be seen.
      if (isEndless) setTimeout(stop, QUIET_MS)
    })
    child.stderr.on('data', (bytes: Buffer) => {
      err += bytes
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, out, err })
    })
  })
}

/** Blocks that follow the stream or repeat for ever. */
const isEndless = ({ text, language }: Block) =>
  !['sh', 'curl', 'json'].includes(language) &&
  /\/stream\/|stream\(|EventSource|for \(;;\)|while True/.test(text)
/** Blocks that print nothing by themselves: they keep what came. */
const isSilent = ({ text }: Block) => /export Z100_API_KEY|const swaps = new Map/.test(text)

describe('the code of the documentation', () => {
  it('is found', () => {
    expect(blocks.filter(isRun).length).toBeGreaterThan(20)
    // What is left out is there.
    for (const [part] of left)
      expect([part, blocks.some(({ text }) => text.includes(part))]).toEqual([part, true])
  })

  const shown = blocks
    .filter(isRun)
    .map((block) => [`${block.file}:${block.line} ${block.language}`, block] as const)
  it.each(shown)('%s', async (_, block) => {
    if (block.language === 'json') return void JSON.parse(filledIn(block.text))
    const name = `${block.file.replace(/\W/g, '-')}-${block.line}`
    const endless = isEndless(block)
    const { code, out, err } = await ran(await programOf(block, name), endless)
    const hasSpoken = out !== '' || isSilent(block)
    const isWell = hasSpoken && (endless ? err === '' : code === 0)
    expect([isWell, isWell ? '' : err, isWell ? '' : out]).toEqual([true, '', ''])
    expect(out).not.toContain('"error":')
  })
})

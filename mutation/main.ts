/** `npx tsx mutation/main.ts market 30`: changes the source of a room in so many places, one at a time, in a copy of the repository, and tells which changes its tests did not notice. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { randomFrom } from '../devnet/random.ts'
import { mutantsOf } from './mutants.ts'

const ROOT = join(import.meta.dirname, '..')
/** A mutant that makes a test run for ever is noticed by its time. */
const WITHIN_MS = 300_000

/** What is changed in a room, and the tests that should notice it. */
const deps: Readonly<Record<string, { readonly source: RegExp; readonly tests: readonly string[] }>> = {
  market: { source: /^market\/[\w/-]+\.ts$/, tests: ['test/market/'] },
  projection: {
    source: /^store\/(projection|memory)\.ts$/,
    tests: ['test/store/', 'test/protocol/protocol'],
  },
  commit: {
    source: /^ingest\/writer\/(commit|feed-writer|pending)\.ts$/,
    tests: [
      ...['test/protocol/protocol', 'test/ingest/writer', 'test/ingest/feed-writer', 'test/ingest/gap'],
      ...['test/ingest/rollback', 'test/ingest/first-logs', 'test/store/log'],
    ],
  },
  edge: {
    source: /^(lambdas\/edge\/[\w-]+\.(js|ts)|schemas\/canonical\.js)$/,
    tests: [
      ...['test/lambdas/edge-functions', 'test/lambdas/limits', 'test/schemas/canonical'],
      ...['test/local/edge-access', 'test/local/edge-answers', 'test/local/cloudfront'],
    ],
  },
}

const program = new Command('npx tsx mutation/main.ts')
  .argument('[room]', Object.keys(deps).join(', '), 'market')
  .argument('[count]', 'how many mutants', Number, 25)
  .option('--seed <number>', 'chooses them', Number, 1)
  .option('--tests-of <commit>', 'with the tests of another commit')
  .parse()
const [name = 'market', count = 25] = program.processedArgs as [string, number]
const { seed, testsOf } = program.opts<{ seed: number; testsOf?: string }>()
const { source, tests } = deps[name] ?? program.error(`no room ${name}`)

const copy = mkdtempSync(join(tmpdir(), 'z100-mutants-'))
function unpack(commit: string, ...paths: string[]) {
  const archive = execFileSync('git', ['archive', commit, ...paths], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', copy], { input: archive })
}
unpack('HEAD')
if (testsOf) unpack(testsOf, 'test')
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))

/** Whether the tests hold in their whole form: all of them, to the first that fails. What runs for ever ends with every process that it began. */
async function holds() {
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...tests, '--bail=1', '--maxWorkers=2']
  const env = { ...process.env, WHOLE: '1' }
  const run = spawn(process.execPath, args, { cwd: copy, env, stdio: 'ignore', detached: true })
  const timer = setTimeout(() => process.kill(-(run.pid as number), 'SIGKILL'), WITHIN_MS)
  const [code] = await once(run, 'exit')
  clearTimeout(timer)
  return code === 0
}

try {
  if (!(await holds())) program.error('the tests fail without any change')
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT })
    .toString()
    .split('\n')
    .filter((file) => source.test(file))
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(copy, file), 'utf8')))
  const random = randomFrom(seed, all.length)
  const chosen = new Set<(typeof all)[number]>()
  while (chosen.size < Math.min(count, all.length)) chosen.add(random.pick(all))
  let noticed = 0
  for (const { file, line, change, text } of chosen) {
    const path = join(copy, file)
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, text)
    const isNoticed = !(await holds())
    writeFileSync(path, before)
    if (isNoticed) noticed += 1
    else process.stdout.write(`not noticed: ${file}:${line} ${change}\n`)
  }
  process.stdout.write(`${name}: ${noticed} of ${chosen.size} noticed (of ${all.length} possible)\n`)
} finally {
  rmSync(copy, { recursive: true })
}

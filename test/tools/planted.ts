/** `npx tsx test/tools/planted.ts`: plants a fault at a time in a copy of the repository, and fails if tests stay green. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A fault that other people's tools stumble over: the change, and the tests that must notice it. */
type Fault = {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly tests: readonly string[]
}

const faults: readonly Fault[] = [
  {
    name: "a digit as a component's name",
    file: 'schemas/described/openapi-responses.ts',
    from: "['NotModified', 'OtherError']",
    to: "['NotModified', '500Error']",
    tests: ['test/tools/generated', '-t', 'compiles, and reads every operation'],
  },
  {
    name: 'a default on the winning name',
    file: 'schemas/described/openapi.ts',
    from: 'name === parameter.names.at(-1)',
    to: 'name === parameter.names[0]',
    tests: ['test/schemas/openapi', '-t', 'states a default only under the name that loses'],
  },
  {
    name: 'a keep-alive with a blank line',
    file: 'stream/events.ts',
    from: "Buffer.from(':\\n')",
    to: "Buffer.from(':\\n\\n')",
    tests: ['test/tools/readers', '-t', "Python's httpx"],
  },
  {
    name: 'a narrower list of allowed headers',
    file: 'schemas/api/headers.ts',
    from: "['*', 'Authorization']",
    to: "['Authorization', 'If-None-Match']",
    tests: ['test/tools/forms', '-t', 'a page of another origin'],
  },
]

const copy = mkdtempSync(join(tmpdir(), 'z100-planted-'))
const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 2 ** 30 })
execFileSync('tar', ['-x', '-C', copy], { input: archive })
for (const folder of ['', 'test/tools'])
  symlinkSync(join(ROOT, folder, 'node_modules'), join(copy, folder, 'node_modules'))

/** Whether tests pass. Skipped ones do not. */
async function pass(tests: readonly string[]): Promise<boolean> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...tests, '--reporter=json']
  const run = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  run.stdout.on('data', (part) => {
    text += part
  })
  const [code] = await once(run, 'close')
  const [, passed = '0'] = /"numPassedTests":(\d+)/.exec(text) ?? []
  return code === 0 && Number(passed) > 0
}

try {
  for (const { name, file, from, to, tests } of faults) {
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    const isGreen = await pass(tests)
    writeFileSync(path, text.replace(from, to))
    const isRed = !(await pass(tests))
    writeFileSync(path, text)
    const verdict = !isGreen ? 'NOT RUN' : isRed ? 'red' : 'NOT NOTICED'
    process.stdout.write(`${verdict}: ${name} (${tests[0]})\n`)
    if (verdict !== 'red') process.exitCode = 1
  }
} finally {
  rmSync(copy, { recursive: true })
}

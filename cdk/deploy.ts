/**
 * `npm run deploy`: asks what would make it fail, builds, then deploys the stacks; options chosen once with `-c` become parameters
 * of their stacks. `--strict`: what cannot be asked stops it, too.
 */
import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { deployArguments, rulesQuestion, withEndpoints } from './choices.ts'

/** Prompts without echo, since endpoints may hold keys. */
async function askHidden(question: string): Promise<string> {
  process.stdout.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stdout.write('\n')
  }
}

const words = process.argv.slice(2)
const isStrict = words.includes('--strict')
const given = await withEndpoints(
  words.filter((word) => word !== '--strict'),
  process.stdin.isTTY ? askHidden : null,
)
const run = (program: string, ...rest: readonly string[]): number =>
  spawnSync(program, rest, { stdio: 'inherit' }).status ?? 1

/** Exit code of doctor where something is wrong; where it cannot tell, the CDK will. */
const FAULT = 1
const question = rulesQuestion(given)
const said = question ? run('node', 'dev/local/run.mjs', 'admin', ...question) : 0
const steps = [
  ['npm', 'run', '--silent', 'build'],
  ['npm', 'run', '--silent', 'build:site'],
  ['npx', 'cdk', ...deployArguments(given)],
] as const
process.exitCode =
  said === FAULT || (isStrict && said !== 0)
    ? FAULT
    : steps.reduce((code, [program, ...rest]) => (code === 0 ? run(program, ...rest) : code), 0)

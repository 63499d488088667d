/** `npm run deploy`: the CDK’s deployment of the stacks; options chosen once with `-c` become parameters of their stacks. */
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

const given = await withEndpoints(process.argv.slice(2), process.stdin.isTTY ? askHidden : null)
const run = (...words: readonly string[]): number => spawnSync('npx', words, { stdio: 'inherit' }).status ?? 1

const question = rulesQuestion(given)
/** doctor's answer that something is wrong; where it cannot tell, the CDK will. */
const FAULT = 1
process.exitCode =
  question && run('node', 'dev/local/run.mjs', 'admin', ...question) === FAULT
    ? FAULT
    : run('cdk', ...deployArguments(given))

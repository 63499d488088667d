/**
 * The commands under "Deploy" in cdk/README.md, as they are written there, in a fresh copy of the repository against moto:
 * `CDK_DEPLOY=1 npx vitest run test/cdk/readme`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AskAws, askByCli, listIn } from '../../admin/base/aws-cli.ts'
import { stages } from '../../cdk/config.ts'
import { type Running, startMoto } from '../support/aws/emulators.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')
const readme = readFileSync(join(ROOT, 'cdk/README.md'), 'utf8')

/** The commands that deploy a stage, one a line, without comments and with continued lines joined. */
function commandsOf(stage: string): readonly string[] {
  const block = [...readme.matchAll(/```sh\n(npm ci\n.*?)```/gs)].find(([text]) =>
    text.includes(`stage=${stage} `),
  )
  return (block?.[1] ?? '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/ +#.*$/, '').trim())
    .filter((line) => line !== '')
}

let moto: Running | undefined
let environment: NodeJS.ProcessEnv
let aws: AskAws
const copy = tempDir()

/** Runs a command of README in the copy. */
function run(command: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: copy,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  return { status, text: `${stdout}${stderr}` }
}

/** A command that has to succeed; its output is the message where it does not. */
function succeed(command: string): string {
  const { status, text } = run(command)
  expect(status, `${command}\n${text}`).toBe(0)
  return text
}

const stackNames = async (region = 'us-east-1'): Promise<readonly string[]> =>
  listIn(await aws('cloudformation describe-stacks', { region }), 'Stacks').map(({ StackName }) =>
    String(StackName),
  )

beforeAll(async () => {
  if (!process.env['CDK_DEPLOY']) return
  moto = await startMoto()
  if (!moto) return
  environment = {
    ...process.env,
    // moto takes the address of a template for one of a bucket only where it says localhost.
    AWS_ENDPOINT_URL: moto.url.replace('127.0.0.1', 'localhost'),
    // By change sets moto makes resources before those that they depend on.
    CDK_METHOD: 'direct',
    CDK_APP: 'node --import tsx test/cdk/moto-app.ts',
    // What the "CI" paragraph of README adds, where nobody can answer.
    CDK_REQUIRE_APPROVAL: 'never',
    CDK_FORCE: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  }
  aws = askByCli(environment)
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const file of files.filter((each) => existsSync(join(ROOT, each))))
    cpSync(join(ROOT, file), join(copy, file))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  // As npm ci does when it has installed.
  succeed('npm run --silent prepare')
})
afterAll(() => moto?.stop())

const names = Object.keys(stages)

it.each(names)('README installs, checks, bootstraps, deploys and checks %s, in this order', (stage) => {
  const all = commandsOf(stage)
  const order = [/^npm ci$/, /^export AWS_REGION=us-east-1 /, /doctor/, /^npx cdk bootstrap$/, /run deploy/]
  expect(order.map((pattern) => all.findIndex((command) => pattern.test(command)))).toEqual([0, 1, 2, 3, 4])
  expect(all.slice(5)).toEqual([`npm run doctor -- --aws -c stage=${stage}`])
})

describe.runIf(process.env['CDK_DEPLOY'])('a fresh copy of the repository', () => {
  it.each(names)('is deployed as %s by the commands of README, and destroyed', async (stage) => {
    if (!moto) return
    const isFirst = stage === names[0]
    expect(existsSync(join(copy, 'dist'))).toBe(!isFirst)
    // Installing is a matter of the registry; the packages are those that this test runs with.
    const [, region = '', before = '', bootstrap = '', deploy = '', after = ''] = commandsOf(stage)
    const found = run(`${region}; ${before}`)
    expect(found.text.includes('ok       bootstrap'), found.text).toBe(!isFirst)
    // Once per account; moto cannot update a stack.
    if (isFirst) succeed(bootstrap)
    succeed(deploy)
    const parts = stages[stage as keyof typeof stages].copiesRegion === null ? [] : ['Copies']
    const made = ['Storage', 'Service'].map((part) => `Z100-${stage}-${part}`)
    expect(await stackNames()).toEqual(expect.arrayContaining(['CDKToolkit', ...made]))
    for (const part of parts) expect(await stackNames('us-west-2')).toContain(`Z100-${stage}-${part}`)
    const checked = run(after)
    for (const check of ['credentials', 'region', 'bootstrap', 'stacks'])
      expect(checked.text).toMatch(new RegExp(`^ok +${check}$`, 'm'))
    succeed(`npm run destroy -- Z100-${stage}-Service -c stage=${stage}`)
    expect(await stackNames()).not.toContain(`Z100-${stage}-Service`)
  })

  it('is destroyed without having been built, as by whoever has only the repository', (context) => {
    if (!moto) return context.skip()
    succeed('rm -rf dist cdk.out')
    succeed('npm run destroy -- Z100-dev-Storage')
  })
})

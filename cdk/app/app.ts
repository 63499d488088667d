/** The CDK's entry: which stage to synthesise, and with which options. Context is given as `-c name=value`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { stages } from '../config.ts'
import { addStacks } from './stacks.ts'

const ROOT = join(import.meta.dirname, '../..')
const app = new App()
const given = (name: string): string | null => app.node.tryGetContext(name) ?? null

const name = given('stage') ?? 'dev'
if (!Object.hasOwn(stages, name)) {
  throw new Error(`-c stage=${name}: there are the stages ${Object.keys(stages).join(', ')}`)
}
/** A folder of dist/. Deployments rebuild it; a command that only needs the stacks (bootstrap, destroy) builds it if it is missing. */
function built(folder: string, script: string): string {
  const path = join(ROOT, 'dist', folder)
  // The CDK reads standard output.
  if (!existsSync(path))
    execFileSync('npm', ['run', '--silent', script], { cwd: ROOT, stdio: ['ignore', 2, 2] })
  return path
}

addStacks(app, {
  stage: stages[name as keyof typeof stages],
  bundles: built('bundles', 'build'),
  pages: built('site', 'build:site'),
  codeVersion: given('codeVersion') ?? versionOf(),
  hasDocker: given('docker') === 'true',
})

/** `0.1.0+1a2b3c4`; outside a checkout only the version. */
function versionOf(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  try {
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, stdio: 'pipe' })
    return `${version}+${commit.toString().trim()}`
  } catch {
    return version
  }
}

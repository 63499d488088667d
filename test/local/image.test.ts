// Whole form only.
/** The lines of the Dockerfile, run as a script: what a builder would do with them, in a copy of the repository. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../../dev/emulators/free-port.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The instructions after `USER`: those before it need root. */
const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  .split('\nUSER node\n')[1]
  ?.split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const argumentsOf = (instruction: string): readonly string[] =>
  (lines ?? []).flatMap((line) =>
    line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1)] : [],
  )

/** `NAME=value NAME="value"` as an environment. */
const environment = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)].map(([, name, quoted, bare]) => [name, quoted ?? bare]),
  )

it('the image is built line by line, is healthy by its own check, and has a key of its own', async () => {
  const folder = tempDir()
  const env = { ...process.env, ...environment(argumentsOf('ENV').join(' ')), PORT: String(await freePort()) }
  const shell = (command: string) => execFileSync('sh', ['-c', command], { cwd: folder, env, stdio: 'pipe' })
  for (const line of lines ?? []) {
    const [instruction, ...words] = line.split(' ')
    if (instruction === 'RUN') shell(words.join(' '))
    if (instruction !== 'COPY') continue
    const from = words.filter((word) => !word.startsWith('--')).slice(0, -1)
    const files =
      from[0] === '.'
        ? execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
        : from
    for (const file of files.filter((each) => existsSync(join(ROOT, each)))) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      cpSync(join(ROOT, file), join(folder, file))
    }
  }
  expect(existsSync(join(folder, '.z100/dynamodb'))).toBe(true)
  expect(existsSync(join(folder, '.z100/demo-keys.json'))).toBe(false)

  const container = spawn('sh', ['-c', argumentsOf('CMD').join()], { cwd: folder, env, stdio: 'ignore' })
  const ended = once(container, 'exit')
  const isHealthy = () => {
    try {
      shell(/ CMD (.*)$/.exec(argumentsOf('HEALTHCHECK').join())?.[1] ?? 'false')
      return true
    } catch {
      return false
    }
  }
  await expect.poll(isHealthy, { timeout: 300_000, interval: 1_000 }).toBe(true)
  await expect.poll(() => existsSync(join(folder, '.z100/demo-keys.json')), { timeout: 300_000 }).toBe(true)
  container.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})

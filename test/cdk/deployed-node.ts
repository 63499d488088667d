/** The Node of Lambda and Fargate, and processes that it runs. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'

/** Its path; undefined where it cannot be had. */
function pathOfNode(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  try {
    const args = ['--yes', '-p', 'node@24', '--', 'node', '-p', 'process.execPath']
    return String(execFileSync('npx', args, { stdio: ['ignore', 'pipe', 'ignore'] })).trim()
  } catch {
    process.stdout.write('skipped: there is no Node 24 here, and none can be had\n')
    return undefined
  }
}
export const deployedNode = pathOfNode()

/** Runs it with these variables and no others. `printed`: so far; `ended`: all that it printed, once it has ended well. */
export function runNode(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(deployedNode!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = [child.stdout, child.stderr].map((stream) => {
    const text = { all: '' }
    stream.on('data', (part: Buffer) => {
      text.all += part
    })
    return text
  })
  const ended = once(child, 'close').then(([code]) => {
    expect([code, errors!.all]).toEqual([0, expect.any(String)])
    return output!.all
  })
  return { child, printed: () => output!.all, ended }
}

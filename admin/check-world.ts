/** `npm run check:world`: prints what differs between the code, a chain, and the protocol's newest package. Reads only; ends with 1 if something differs. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { openRpc, servedChain } from '../ingest/client/rpc.ts'
import { urlsFrom } from './base/command.ts'
import { errorText } from './base/terminal.ts'
import { chainDifferences, type Published, packageDifferences } from './proof/world.ts'

const PACKAGE = '@zoralabs/protocol-deployments'

/** The package as the registry has it now. Rejects if npm cannot get it. */
async function newestPackage(): Promise<Published> {
  const dir = await mkdtemp(join(tmpdir(), 'z100-world-'))
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']
  try {
    await promisify(execFile)('npm', ['install', ...flags, '--prefix', dir, `${PACKAGE}@latest`])
    return createRequire(join(dir, 'package.js'))(PACKAGE) as Published
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** Prints the differences, one a line; returns how many there are. */
async function compare(urls: readonly string[], print: (line: string) => void): Promise<number> {
  const published = await newestPackage()
  const rpc = openRpc(urls)
  const chain = await servedChain(rpc)
  const found = [
    ...packageDifferences(published),
    ...(await chainDifferences(rpc, chain, published.zoraRouterAddress[chain.id])),
  ]
  for (const line of found) print(line)
  print(`${chain.name}: ${found.length === 0 ? 'nothing' : found.length} to change`)
  return found.length
}

const { rpcUrl } = new Command('npm run check:world --')
  .description("Compares the code with a chain and with the protocol's newest package.")
  .requiredOption('--rpc-url <url>', 'endpoint of the chain (repeatable)', urlsFrom)
  .parse()
  .opts<{ rpcUrl: readonly string[] }>()
try {
  const count = await compare(rpcUrl, (line) => process.stdout.write(`${line}\n`))
  process.exit(count === 0 ? 0 : 1)
} catch (error) {
  process.stderr.write(`${errorText(error)}\n`)
  process.exit(2)
}

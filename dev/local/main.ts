import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { archiveFrom, fromArchive, urlsFrom } from '../../admin/base/command.ts'
import { pollFrom, startFrom } from '../../admin/base/ingest-view.ts'
import { errorText, openTerminal } from '../../admin/base/terminal.ts'
import { TRADES_PER_SECOND } from '../devnet/pace.ts'
import { assertFree } from './parts.ts'
import type { Ready, RunOptions } from './service.ts'

/** `npm start`: the whole service on this machine, until Ctrl-C or until a part of it fails. */
function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('a whole number')
  return Number(text)
}

function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65_535) throw new InvalidArgumentError('a port, at most 65535')
  return port
}

function aboveZero(text: string): number {
  if (!(Number(text) > 0 && Number(text) <= 50))
    throw new InvalidArgumentError('a number above 0, at most 50')
  return Number(text)
}

function blockMilliseconds(text: string): number {
  const ms = wholeNumber(text)
  if (ms < 100 || ms > 60_000) throw new InvalidArgumentError('milliseconds, from 100 to 60000')
  return ms
}

function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || text.replace(/\/$/, '') !== url.origin)
    throw new InvalidArgumentError('https://name, without a path')
  return url
}

const command = new Command('npm start --')
  .description('Runs z100 on this machine: chain, ingest, tables, snapshots and the edge.')
  .option('--port <number>', 'port of the address that serves everything', portNumber, 4100)
  .option('--host <address>', 'address of this machine to listen at; 0.0.0.0: all', '127.0.0.1')
  .option(
    '--public-url <url>',
    "address that readers know it by, at a proxy that passes Host on and adds X-Forwarded-For (none: this machine's)",
    webAddress,
  )
  .option('--data-dir <dir>', 'where data are kept across runs', '.z100')
  .option('--reset', 'begin anew: clear what earlier runs kept', false)
  .option('--seed <number>', "the development market's seed", wholeNumber, 1)
  .option('--odd', 'let the development market have absurd prices and whatever else a chain may have', false)
  .option('--reorgs', 'make a reorg of the development chain every three minutes', false)
  .option('--trades <number>', `trades a second of the development market (${TRADES_PER_SECOND})`, aboveZero)
  .option(
    '--block-ms <number>',
    'milliseconds between blocks of the development chain (6000; 200 is the pace of Base)',
    blockMilliseconds,
  )
  .addOption(
    new Option('--rpc-url <url>', 'follow the chain of this endpoint: Base, or Base Sepolia (repeatable)')
      .argParser(urlsFrom)
      .default([])
      // Options of the development chain.
      .conflicts(['seed', 'odd', 'reorgs', 'trades', 'blockMs']),
  )
  .option(
    '--since <start>',
    'how much history: 24h, 7d, 30d, a block number, or all (24h with --rpc-url)',
    startFrom,
  )
  .option(
    '--poll-ms <ms>',
    "pause between two polls of the chain's head (1000; the development chain tells of its blocks instead)",
    pollFrom,
  )
  .option(...fromArchive, archiveFrom)

const options = command.parse().opts<RunOptions>()
const terminal = openTerminal(process.stdout)
const stopping = new AbortController()

function fail(error: unknown): void {
  process.stderr.write(`\nz100 has stopped. ${errorText(error)}\n`)
  process.exitCode = 1
  stopping.abort()
}

for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort())
// Nothing is left that could resolve the wait: end with a message.
process.once('exit', (code) => {
  if (code === 13) process.stderr.write('\nz100 stopped: a component exited without an error.\n')
})
// The reader of our output has gone, so end silently.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stopping.abort())
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

function announce({ base_url, rpc_url, keys }: Ready): void {
  const header = `-H 'Authorization: Bearer ${keys.professional}'`
  terminal.say(`
z100 is ready.

  pages           ${base_url}/
  boards, lists   ${base_url}/v1/z100/creators
  status          ${base_url}/v1/status
  chain (RPC)     ${rpc_url}

  curl -s ${header} ${base_url}/v1/z100/creators | head -c 600
  curl -s ${header} '${base_url}/v1/z100/posts?period=7d' | head -c 600
  curl -s ${header} '${base_url}/v1/market/trending?timeframe=1h' | head -c 600
  curl -N ${base_url}/stream/swaps

Keys of the other tiers are in ${join(options.dataDir, 'ready.json')}, what the functions log in ${join(options.dataDir, 'functions.log')}. Ctrl-C ends everything.`)
}

async function run(): Promise<void> {
  await assertFree(options.port)
  terminal.step('loading the service')
  // Loading it takes seconds: what cannot start is refused before.
  const { startService } = await import('./service.ts')
  if (stopping.signal.aborted) return
  await startService(options, { terminal, signal: stopping.signal, onReady: announce })
}

await run().catch(fail)
if (process.exitCode !== 1) terminal.say('z100 has ended.')
process.exit()
